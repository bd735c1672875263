/* What a phone keeps for when Companion is out of reach: the tray, what was read of rules and odds, the seats that it
   holds as they were last seen. Whatever can be asked for is asked for, however long it takes. The server puts KNOWN
   before this: the build, its files, the words. */

const { build, files, styles, script, headers, words } = KNOWN;
const FILES = `files ${build}`;
const SEATS = `seats ${build}`;
const SAID = `said ${build}`; // the page that says what to do, and the language that was spoken last
const pagesIn = (language) => `pages ${language} ${build}`;
const MOST_PAGES = 200;
const ANY = { ignoreVary: true };
const READING = /^\/(?:dice|quick|rules)(?:\/|$)/;
const TABLE = /^\/t\/[^/]+/;
const AWAY = [502, 503, 504]; // what a proxy says while Companion does not run
const NO_TABLE = [404, 410]; // there is none, or it was deleted

const open = (name) => caches.open(name);
const isFragment = (request) => request.headers.has("HX-Request");
// What is opened in the sheet is no page: it lies beside the page of the same address.
const keyOf = (request) => {
  const url = new URL(request.url);
  url.hash = "";
  if (isFragment(request)) url.searchParams.append("hx", "");
  return url.href;
};

const keep = async (request, came) => {
  const language = came.headers.get("X-Keep");
  const body = await came.text();
  const title = encodeURIComponent(/<title>([^<]*)/.exec(body)?.[1] ?? "");
  const cache = await open(pagesIn(language));
  const about = { "X-Keep": language, "X-Kept-At": Date.now(), "X-Title": title };
  await cache.put(keyOf(request), new Response(body, { headers: { ...headers, ...about } }));
  const there = await cache.keys();
  await Promise.all(there.slice(0, -MOST_PAGES).map((old) => cache.delete(old)));
  if (!isFragment(request)) await (await open(SAID)).put("/language", new Response(language));
};
const spoken = async () => {
  const said = await (await open(SAID)).match("/language");
  return said ? said.text() : navigator.language.startsWith("es") ? "es" : "en";
};
// What was kept of seats at a table, but for those that are still held.
const throwAway = async (table, held) => {
  const cache = await open(SEATS);
  for (const { url } of await cache.keys()) {
    const [, , of, seat] = new URL(url).pathname.split("/");
    if (of === table && !held.includes(seat)) await cache.delete(url, ANY);
  }
};

const escaped = (text) => text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt()};`);
// What was kept says so, and since when. The page of a seat is laid out as one without scripts.
const marked = async (found, address, ofSeat) => {
  const language = found.headers.get("X-Keep");
  const at = new Date(Number(found.headers.get("X-Kept-At")));
  const written = (how) => new Intl.DateTimeFormat(language, how).format(at);
  const time = written({ hour: "2-digit", minute: "2-digit", hourCycle: "h23" });
  const day = written({ day: "numeric", month: "short" });
  const { today, before, again } = words[language];
  const mark = at.toDateString() === new Date().toDateString() ? today : before;
  const since = escaped(mark.replace("{time}", time).replace("{day}", day));
  const said = `<p class="kept-mark" role="status"><span>${since}</span>`
    + `<a class="button" href="${escaped(address)}">${escaped(again)}</a></p>`;
  const plain = `<link rel="stylesheet" href="${styles.plain}"><script type="module" src="${script}"></script>`;
  const head = `${ofSeat ? plain : ""}<link rel="stylesheet" href="${styles.offline}"></head>`;
  const page = (await found.text()).replace("</head>", () => head).replace(/<body[^>]*>/, (body) => body + said);
  return new Response(page, { headers });
};
const stored = async (request) => {
  const { pathname, href } = new URL(request.url);
  const last = await spoken();
  for (const language of [last, ...Object.keys(words).filter((one) => one !== last)]) {
    const found = await (await open(pagesIn(language))).match(keyOf(request), ANY);
    if (found) return isFragment(request) ? found : marked(found, href, false);
  }
  if (request.mode !== "navigate") return null;
  const seat = await (await open(SEATS)).match(pathname, ANY);
  if (seat) return marked(seat, href, true);
  return (await open(SAID)).match(`/offline?language=${last}`, ANY);
};

// What was sent is not sent again: where it would have led there may be something to read.
const instead = async (request, failed) => {
  if (request.method !== "GET") return Response.redirect(request.url, 303);
  return await stored(request) ?? failed;
};
const page = async (event) => {
  const { request } = event;
  const { pathname, origin } = new URL(request.url);
  let came = null;
  try {
    came = await fetch(request);
  } catch {
    return instead(request, Response.error());
  }
  if (AWAY.includes(came.status)) return instead(request, came);
  const [, , table] = pathname.split("/");
  const held = came.headers.get("X-Seats");
  if (came.headers.has("X-Keep") && new URL(came.url || origin).origin === origin) {
    event.waitUntil(keep(request, came.clone()).catch(() => {}));
  } else if (TABLE.test(pathname) && (held !== null || NO_TABLE.includes(came.status))) {
    event.waitUntil(throwAway(table, (held ?? "").split(" ")));
  }
  return came;
};
// A file that is addressed by its content never changes.
const file = async (event) => {
  const cache = await open(FILES);
  const there = await cache.match(event.request, ANY);
  if (there) return there;
  const came = await fetch(event.request);
  const whole = came.status === 200 && came.headers.get("Cache-Control")?.includes("immutable");
  if (whole) event.waitUntil(cache.put(event.request, came.clone()).catch(() => {}));
  return came;
};
// A picture of a card lies beside the page of its seat.
const picture = async ({ request }) => {
  try {
    return await fetch(request);
  } catch {
    return await (await open(SEATS)).match(request, ANY) ?? Response.error();
  }
};

addEventListener("install", (event) => {
  skipWaiting();
  event.waitUntil((async () => {
    await (await open(FILES)).addAll(files);
    await (await open(SAID)).addAll(Object.keys(words).map((language) => `/offline?language=${language}`));
    const tray = new Request("/dice");
    const came = await fetch(tray);
    if (came.headers.has("X-Keep")) await keep(tray, came);
  })());
});
addEventListener("activate", (event) => {
  event.waitUntil((async () => {
    const old = (await caches.keys()).filter((name) => !name.endsWith(` ${build}`));
    await Promise.all(old.map((name) => caches.delete(name)));
    await clients.claim();
  })());
});
// Anything else is none of its business: streams, taps, the API.
addEventListener("fetch", (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (origin !== location.origin || request.headers.has("Range")) return; // of a video browsers ask for parts
  if (request.mode === "navigate") event.respondWith(page(event));
  else if (request.method !== "GET") return;
  else if (pathname.startsWith("/static/")) event.respondWith(file(event));
  else if (READING.test(pathname)) event.respondWith(page(event));
  else if (request.destination === "image" && TABLE.test(pathname)) event.respondWith(picture(event));
});
