/* What every page does beyond htmx: the sheet, the connection. Every page works without it. */

import { reaches } from "./reaches.js";

const root = document.documentElement;
// Scripts that came twice are those of a newer Companion, on a page that was open meanwhile.
if (root.classList.contains("scripted")) location.reload();
root.classList.add("scripted");

export const get = (id) => document.getElementById(id);

export const make = (tag, has = {}, ...within) => {
  const made = Object.assign(document.createElement(tag), has);
  made.append(...within);
  return made;
};

// What this device keeps: nothing in a private window, or where it is full.
export const kept = {
  read(name) {
    try {
      return localStorage.getItem(name);
    } catch {
      return null;
    }
  },
  write(name, value) {
    try {
      localStorage.setItem(name, value);
      return true;
    } catch {
      return false;
    }
  },
  readData(name) {
    try {
      return JSON.parse(kept.read(name));
    } catch {
      return null;
    }
  },
  readList(name) {
    const list = kept.readData(name);
    return Array.isArray(list) ? list : [];
  },
  writeData: (name, value) => kept.write(name, JSON.stringify(value)),
};

// Until htmx has come, which runs after all scripts of ours, a page works as one without scripts.
export const hasHtmx = () => typeof htmx.ajax === "function"; // before, the name is that of its element

// A fresh view leaves open what was opened.
get("htmx").addEventListener("load", () => htmx.registerExtension("companion", {
  htmx_before_morph_attr: (element, detail) => !(detail.attrName === "open" && element.tagName === "DETAILS"),
}));

// Of what changed only the parts come. What moves does so first, so that it stays what it is: picked, open, in focus.
const changeOf = (text) => {
  const [, from, version, moved] = /^<!--from (\d+) to (\d+) (.*)-->/.exec(text) ?? [];
  return from ? { from, version, moved: JSON.parse(moved) } : null;
};
const move = ([id, where, beside]) => {
  const other = get(beside);
  const row = other.parentNode;
  (row.moveBefore ?? row.insertBefore).call(row, get(id), where === "before" ? other : other.nextSibling);
};
document.addEventListener("htmx:before:swap", ({ detail: { ctx, tasks } }) => {
  const change = ctx.change = changeOf(ctx.text);
  if (!change) return;
  const there = tasks.every(({ target }) => target) && change.moved.every((ids) => get(ids[0]) && get(ids[2]));
  if (there && change.from === shownVersion()) {
    change.moved.forEach(move);
    return;
  }
  tasks.length = 0; // an answer or an event came in between, or the page is not what it was
  if (shown() < Number(change.version)) sayAgain();
  ctx.change = null;
});
// The page is at their version then, and a refusal is no news any more.
document.addEventListener("htmx:after:swap", ({ detail: { ctx: { change } } }) => {
  if (!change) return;
  const state = get("state");
  const old = state.dataset.version;
  state.dataset.version = change.version;
  for (const one of state.querySelectorAll(`[name="seen"][value="${old}"], [name="key"][value^="${old}-"]`)) {
    one.setAttribute("value", one.value.replace(old, change.version));
  }
  get("refused")?.replaceChildren();
});

// The sheet: a link marked data-sheet opens there.
const sheet = get("sheet");
export const open = (href, same = false) => {
  const body = get("sheet-body");
  body.setAttribute("aria-busy", "true");
  const how = { source: "#sheet-body", target: "#sheet-body", swap: same ? "innerMorph" : "innerHTML" };
  htmx.ajax("GET", href, how).finally(() => {
    body.removeAttribute("aria-busy");
    if (!same) sheet.scrollTop = 0;
  });
  if (!sheet.open) {
    body.replaceChildren(); // what was read before is not the answer
    sheet.showModal();
  }
};
document.addEventListener("click", (event) => {
  const link = event.target.closest("a[data-sheet]");
  if (link && hasHtmx() && !event.ctrlKey && !event.metaKey && !event.shiftKey && sheet?.showModal) {
    event.preventDefault();
    boxed(link);
    open(link.getAttribute("href"));
  }
  if (event.target === sheet) sheet.close();
  const menu = get("menu");
  if (menu?.open && !menu.contains(event.target)) menu.open = false;
});
// What is seldom looked for leaves nothing behind in the history: the phone's own way back must not open it again.
const closeMore = () => {
  if (location.hash === "#more") location.replace("#dock");
};
document.addEventListener("click", (event) => {
  if (!event.target.closest(".more-head .close, .curtain")) return;
  event.preventDefault();
  closeMore();
});
document.addEventListener("keydown", (event) => {
  if (event.key !== "Escape") return;
  document.querySelectorAll(":is(.pick, .pick-card):checked").forEach((one) => {
    one.checked = false;
  });
  closeMore();
  if (get("menu")) get("menu").open = false;
});
// What opens there or on the stage may lie under the foot of it: it comes into sight.
document.addEventListener("toggle", ({ target }) => {
  if (target.matches?.("details.offer[open]")) target.scrollIntoView({ block: "nearest" });
}, true);
// Nothing lies over the end of a game when it comes.
let ended = Boolean(get("ending"));
document.addEventListener("htmx:after:swap", () => {
  const before = ended;
  ended = Boolean(get("ending"));
  if (ended && !before) closeMore();
});
// What is left to choose changes the odds, or what else can be chosen: ask again.
// A list that is filled in is sent once and no part of the form.
const filled = (form) => String(new URLSearchParams([...new FormData(form)].filter(([name]) => name !== "kept")));
let foreseen = {}; // the form for which an answer is on its way, and what was in it
const foresee = (form, changed) => {
  const plan = form?.querySelector("[data-plan]");
  if (!plan || (changed && plan.dataset.plan && plan.dataset.plan !== changed.name)) return;
  foreseen = { form, fields: filled(form) };
  open(`${plan.getAttribute("formaction")}?${new URLSearchParams(new FormData(form))}`, true);
};
// An answer that was overtaken by what was tapped since would take it away again.
document.addEventListener("htmx:before:swap", (event) => {
  const { form, fields } = foreseen;
  if (event.detail.ctx.sourceElement?.id !== "sheet-body" || !form?.isConnected || filled(form) === fields) return;
  event.preventDefault();
  foresee(form);
});
document.addEventListener("change", ({ target }) => foresee(target.closest("#sheet form"), target));
// A plan is filled in as it comes, whatever was typed before.
const planned = ({ target } = {}) => target === "#plan" || target?.id === "plan" || target?.id === "sheet-body";
document.addEventListener("htmx:after:swap", ({ detail: { ctx } }) => {
  if (planned(ctx)) get("plan")?.querySelector("form")?.reset();
});
// Asking for the odds is no attack: the form itself must not hear of it.
document.addEventListener("submit", (event) => {
  if (!event.submitter?.matches("#sheet [data-plan]")) return;
  event.preventDefault();
  event.stopPropagation();
  foresee(event.target);
}, true);
const hasTable = () => Boolean(get("board") ?? document.querySelector(".tableau"));
let boarded = hasTable();
let box = null; // its form may be gone when the answer is there
let below = false; // whether it lies in a tableau
const boxed = (from) => {
  if (sheet?.contains(from)) return;
  box = from.closest("details.offer, .lying > details");
  below = Boolean(from.closest(".tableau"));
};
document.addEventListener("submit", ({ target }) => boxed(target), true);
document.addEventListener("htmx:after:swap", (event) => {
  const target = event.detail.ctx?.target;
  // A box folds up, unless what it says was refused.
  const { request: how, response: came, sourceElement } = event.detail.ctx ?? {};
  const inSheet = sheet?.open && how?.method === "POST" && sheet.contains(sourceElement);
  if (inSheet && !planned(event.detail.ctx)) sheet.close();
  if (how?.method === "POST" && came?.status < 400) {
    if (box) box.open = false;
    if (below) showBoard();
    below = false;
  }
  if (target?.id !== "main") return;
  // A board that comes is seen.
  if (!boarded && hasTable()) {
    window.scrollTo(0, 0);
    document.querySelector(".play-main")?.scrollTo(0, 0);
  }
  boarded = hasTable();
  // Who listens or types goes on where the next step is.
  if (event.detail.ctx.request?.method === "POST" && document.activeElement === document.body) {
    get("dock")?.focus({ preventScroll: true });
  }
});

// A second tap lets a piece or a card go, and so do dice or a question, which they would lie over.
const letGo = () => {
  const card = document.querySelector(".pick-card:checked");
  if (card) card.checked = false;
  const pick = document.querySelector(".pick:checked");
  if (!pick) return;
  pick.checked = false;
  pick.dispatchEvent(new Event("change", { bubbles: true }));
};
let held = null;
document.addEventListener("pointerdown", (event) => {
  const label = event.target.closest("label");
  const input = label?.htmlFor ? get(label.htmlFor) : null;
  held = input?.matches(".pick, .pick-card") && input.checked ? input : null;
});
document.addEventListener("click", (event) => {
  const label = event.target.closest("label");
  if (held && label?.htmlFor === held.id) {
    event.preventDefault();
    held.checked = false;
    held.dispatchEvent(new Event("change", { bubbles: true }));
    held = null;
  }
});

// What did not get through is said where it was tapped, and can be sent again: what does so comes after the page.
const unsent = get("unsent");
const resting = get("resting");
export const shownVersion = () => get("state")?.dataset.version ?? "";
// One line says that there is no connection.
export const showUnsent = (shows) => {
  unsent.hidden = !shows;
  if (resting) resting.hidden = shows || !away;
};
// A module that did not come is asked for by another name: browsers remember that of one that failed.
let tries = 0;
const bringUnsent = () => import(`${unsent.dataset.brings}#${tries}`).catch((why) => {
  tries += 1;
  throw why;
});
export const notSent = (what, late = false) => bringUnsent().then(({ failed }) => failed(what, late), () => {
  showUnsent(true);
  document.addEventListener("reached", () => notSent(what, true), { once: true });
});
const opensSheet = (ctx) => ctx?.target?.id === "sheet-body";
const does = (ctx) => ctx?.request?.method === "POST";
document.addEventListener("htmx:error", ({ detail: { ctx } }) => {
  if (opensSheet(ctx) || (does(ctx) && !ctx.sent)) notSent(ctx);
});
document.addEventListener("htmx:after:swap", ({ detail: { ctx } }) => {
  if (opensSheet(ctx) || does(ctx)) showUnsent(false);
});

// What makes sounds comes where they are switched on, with the menu that has the switches, or with the first tap at a
// table, where it asks.
const { sounds } = document.querySelector("[data-sounds]").dataset;
const bringSounds = () => import(sounds).catch(() => {});
const isHeard = () => [kept.read("sound"), kept.read("buzz")].includes("on");
export const sound = async (what) => {
  if (isHeard()) (await bringSounds())?.play(what);
};
get("menu")?.addEventListener("toggle", bringSounds, { once: true });
if (get("state") && isHeard()) bringSounds();
else if (get("state") && !kept.read("sound")) document.addEventListener("click", bringSounds, { once: true });
// What a finger does to a hand comes after the page, where there are fingers.
const bringHand = () => {
  const { swipes } = get("hands")?.dataset ?? {};
  if (swipes && matchMedia("(pointer: coarse)").matches) import(swipes).catch(() => {});
};
// And what calls whoever is waited for; what plays a clash, and its look, which the first would wait for; and what is
// kept for when there is no network, which browsers do over https.
const { install } = document.querySelector("[data-install]")?.dataset ?? {};
const bringLater = () => {
  bringHand();
  bringUnsent().catch(() => {});
  const { calls, scenes, looks } = get("main")?.dataset ?? {};
  if (calls) import(calls).catch(() => {});
  if (scenes) import(scenes).catch(() => {});
  if (looks) document.head.append(make("link", { rel: "prefetch", as: "style", href: looks }));
  if (install) import(install).catch(() => {});
};
if (document.readyState === "complete") bringLater();
else addEventListener("load", bringLater);
// A roll is new where its ruling is, and where it was not seen before that was made; undone, an older one is none.
export const newer = (now = "", before = "") => {
  const [at, faces] = now.split(":");
  const [last, lay] = before.split(":");
  const later = Number(at || -1) - Number(last || -1);
  return later > 0 ? faces !== lay || Number.isInteger(Number(last || 0)) : later === 0 && faces !== lay;
};
const newestThrow = () => document.querySelector("[data-throw]")?.dataset.throw;
let lastThrow = newestThrow();
document.addEventListener("htmx:config:request", ({ detail: { ctx } }) => {
  ctx.card = ctx.sent ? ctx.sent.card : document.querySelector(".pick-card:checked")?.id;
});
document.addEventListener("htmx:after:swap", ({ detail: { ctx } }) => {
  if (get("scan")) get("scan").hidden = !document.querySelector(".is-open");
  const newest = newestThrow();
  const thrown = newer(newest, lastThrow);
  if (thrown) {
    letGo();
    document.querySelector("[data-throw]").classList.add("has-rolled");
  }
  const done = ctx?.request?.method === "POST";
  if (thrown || done) get("dock")?.scrollIntoView({ block: "nearest" });
  // A card that was played may still be in the hand: it lies down again, and the next step is back. What was filled in
  // wrongly is still about it, and one that was picked meanwhile stays.
  const status = ctx?.response?.status;
  const card = done && !(status >= 400 && status !== 409) && ctx.card && get(ctx.card);
  if (card) card.checked = false;
  // Why a piece can not be corrected now is read where its sheet was.
  if (status >= 400 && ctx.sourceElement?.id === "corrections-board") letGo();
  lastThrow = newest ?? lastThrow;
});
// What is measured is said of what uses it alone (play.css). Browsers from before 2023 have no sheets made by scripts.
const made = "adoptedStyleSheets" in document && CSS.supports("selector(:is(a))") ? new CSSStyleSheet() : null;
if (made) document.adoptedStyleSheets = [made];
const saidOf = (selector) => (made ? made.cssRules[made.insertRule(`${selector} { }`)] : root).style;
const aboutRule = saidOf(".about");
const sizes = {
  "--stage": saidOf(".play, .board, .recap, .told-why"),
  "--below": aboutRule,
  "--free": aboutRule,
  "--acts": saidOf(".play-more"),
  "--dock": saidOf(".board, .overlay :is(input, label, button, a), .tableau :is(details, summary, form, button, a)"),
};
const size = (name, pixels) => {
  const value = `${Math.max(0, pixels)}px`;
  const other = sizes[name].getPropertyValue(name) !== value;
  if (other) sizes[name].setProperty(name, value);
  return other;
};
// What a picked piece says lies over all that is below the stage, and over no more of it than it must.
export const measure = () => {
  const stage = document.querySelector(".play-main");
  const about = document.querySelector(".pick:checked + label + .targets .about");
  const { bottom: foot, right } = stage?.getBoundingClientRect() ?? { bottom: innerHeight, right: 0 };
  const { top, left } = about?.offsetHeight ? about.getBoundingClientRect() : { top: foot, left: 0 };
  const dock = get("dock")?.getBoundingClientRect();
  const acts = (dock?.bottom ?? innerHeight) + scrollY;
  // A card that is read may cover the foot of the board: its squares stay where they are.
  const high = !document.querySelector(".pick-card:checked") && stage?.clientHeight;
  if (high && size("--stage", high)) document.dispatchEvent(new Event("measured"));
  size("--below", innerHeight - foot);
  size("--free", innerHeight - acts);
  size("--acts", dock?.height ?? 0);
  size("--dock", left < right ? foot - top : 0);
};
const showBoard = () => {
  measure();
  get("board")?.scrollIntoView({ block: "nearest" });
};
// What can be corrected once a question is answered says so in its place.
document.addEventListener("click", (event) => {
  const wait = get("wait");
  if (!wait || !event.target.closest(".step, .way.place")) return;
  event.preventDefault();
  event.stopImmediatePropagation();
  letGo();
  wait.className = "wrong";
  wait.tabIndex = -1;
  wait.focus();
}, true);
document.addEventListener("change", (event) => {
  if (event.target.matches(".pick")) {
    measure();
    const label = event.target.nextElementSibling;
    if (!label?.matches(".away")) label?.scrollIntoView({ block: "nearest", inline: "nearest" });
  }
  // A picked card and what it may do are in sight, however many cards there are.
  if (event.target.matches(".pick-card:checked")) {
    const card = event.target.nextElementSibling;
    for (const part of [card, card.nextElementSibling]) part.scrollIntoView({ block: "nearest", inline: "nearest" });
  }
});
addEventListener("resize", measure);
// A stage that gives way or grows, as where a story opens, takes its board with it.
const watched = new ResizeObserver(measure);
const watch = () => {
  const stage = document.querySelector(".play-main");
  if (stage) watched.observe(stage);
  if (get("dock")) watched.observe(get("dock"));
};
document.addEventListener("htmx:after:swap", watch);
watch();
measure(); // a page is right from its first picture: what is watched is told of later
const told = () => (get("last") ?? get("newest"))?.textContent;
// To scroll what lies at its head would lay the page out once more.
let scrolled = get("dock")?.scrollTop > 0;
document.addEventListener("scroll", ({ target }) => {
  if (target.id === "dock") scrolled = target.scrollTop > 0;
}, { capture: true, passive: true });
const filling = () => get("dock")?.contains(document.activeElement?.closest("input, select, textarea"));
let said = told();
let asked = null;
let waited = null;
// The second tap of a double one must not answer what nobody has read.
let hushed = 0;
const hush = () => {
  document.querySelectorAll("#dock form[action$='/answer']").forEach((form) => {
    form.inert = hushed > 0;
  });
};
const fresh = () => {
  const question = document.querySelector("form[action$='/answer']") ? get("state").dataset.version : null;
  const waiting = document.querySelector("#dock .waiting");
  if ((question && question !== asked) || (waiting && !waited)) letGo();
  if (question && question !== asked) closeMore();
  // What else changes its size is watched.
  if (document.querySelector(".pick:checked") || parseFloat(sizes["--dock"].getPropertyValue("--dock"))) measure();
  if (scrolled && (question !== asked || (told() !== said && !filling()))) get("dock")?.scrollTo(0, 0);
  if (question && question !== asked) {
    showBoard();
    // where the page scrolls the answers too, but the question first
    for (const place of ["#dock form[action$='/answer']", "#dock > .now"]) {
      document.querySelector(place)?.scrollIntoView({ block: "nearest" });
    }
    hushed += 1;
    setTimeout(() => {
      hushed -= 1;
      hush();
    }, 400);
  }
  hush();
  asked = question;
  waited = waiting;
  said = told();
};
document.addEventListener("htmx:after:swap", fresh);
if (get("state")) fresh();

// The tab says whose turn it is, too: its title begins as the strip does.
const headline = () => document.querySelector("#turn h2")?.textContent ?? "";
const leads = document.title.startsWith(headline()); // that of a replay begins otherwise
const named = document.title.slice(headline().length);
let mark = "";
// A title that is set anew takes time even where it is the same.
export const entitle = (sign = mark) => {
  const title = sign + (leads && headline() ? headline() + named : document.title.slice(mark.length));
  mark = sign;
  if (document.title !== title) document.title = title;
};
document.addEventListener("htmx:after:swap", () => {
  entitle();
  if (get("state") && get("state").lang !== root.lang) location.reload(); // another language was chosen elsewhere
});

/* The connection: a page is right again by itself within seconds, and says so until it is. */

// A stream that says nothing for five seconds may be dead: one short question tells.
const SILENCE = 5000;
const OFTEN = 1000; // between two questions while nobody answers
const RARELY = 5000; // while somebody does, and the stream comes back by itself
const LATE = 1500; // a stream that is back sooner was never away
const main = document.querySelector("[hx-sse\\:connect]");
const now = () => performance.now(); // a phone's clock may be set meanwhile
let heard = now();
let askedAt = 0;
let answered = null; // whether the last question was, since the stream spoke
let stream = null;
let asking = null; // the request of the stream
let mute = false; // whether it is open, and nothing has come on it
let plain = "";
let away = false;
let late = 0;
const alive = () => {
  heard = now();
  answered = null;
  clearTimeout(late);
  late = 0;
  if (!away) return;
  away = false;
  showUnsent(!unsent.hidden);
  main.classList.remove("is-away");
  document.dispatchEvent(new Event("reached"));
};
const lost = () => {
  away = true;
  showUnsent(!unsent.hidden);
  main.classList.add("is-away");
};
const silent = () => now() - heard > SILENCE;
// What waits for its next try tries now; what fell silent, or hangs, is left for a new one.
const renew = () => {
  // What lies between may wait for the end of what is packed, which never comes.
  if (mute && silent() && !plain) {
    plain = "&packed=no";
    asking.action += plain;
  }
  if (stream?.reader) stream.reader.cancel();
  else if (stream?.delayCanceller) stream.delayCanceller();
  else if (stream) stream.abortController.abort();
  else if (hasHtmx()) htmx.trigger(main, "again");
};
let looking = null;
const look = (anew) => {
  looking ??= (async () => {
    askedAt = now();
    const before = answered;
    answered = Boolean(await reaches());
    looking = null;
    if (!answered) lost();
    else if (anew || (before !== true && (away || silent()))) renew();
  })();
};
const streamFailed = () => {
  late ||= setTimeout(lost, LATE);
  look();
};
// The stream begins anew, with all there is to see.
let anew = false;
export const sayAgain = () => {
  anew = true;
  stream?.reader?.cancel();
};
const versionOf = (view) => Number(/data-version="(\d+)"/.exec(view)?.[1] ?? -1);
const shown = () => Number(shownVersion() || -1);
export const began = Number(get("recap")?.dataset.ruling ?? 0); // the newest ruling that the page came with
let newest = shown();
if (main) {
  const build = new URL(main.getAttribute("hx-sse:connect"), location).searchParams.get("build");
  document.addEventListener("htmx:config:request", ({ detail: { ctx } }) => {
    // An answer tells what changed since what is shown.
    if (ctx.request.method === "POST") {
      ctx.request.headers["X-Shown"] = `${shownVersion()} ${get("state")?.lang} ${build}`;
    }
    if (ctx.sourceElement !== main) return;
    // The page has come with all there is to see: the stream need not begin with it.
    ctx.request.headers["Last-Event-ID"] = anew ? "" : shownVersion();
    asking = ctx.request;
    asking.action += plain;
  });
  document.addEventListener("htmx:sse:after:connection", (event) => {
    stream = event.detail.connection;
    mute = true;
    alive();
  });
  document.addEventListener("htmx:sse:error", streamFailed);
  document.addEventListener("htmx:sse:before:connection", ({ detail: { connection } }) => {
    if (connection.attempt) streamFailed(); // it ended without an error
    connection.lastEventId = anew ? "" : shownVersion(); // what came may not have been shown
    anew = false;
  });
  document.addEventListener("htmx:sse:close", () => {
    stream = null;
    streamFailed();
    setTimeout(() => htmx.trigger(main, "again"));
  });
  document.addEventListener("htmx:error", ({ detail: { ctx } }) => {
    if (ctx?.sourceElement === main) streamFailed();
    else look();
  });
  document.addEventListener("resting", lost);
  document.addEventListener("gone", () => location.reload());
  document.addEventListener("away", ({ detail }) => {
    main.dataset.away = detail.data; // for what shows it, which may come later
  });
  document.addEventListener("htmx:sse:before:message", (event) => {
    mute = false;
    alive();
    const { data, event: name } = event.detail.message;
    if (name === "resting") lost();
    if (name) return;
    const told = changeOf(data);
    event.detail.cancelled = told ? told.from !== shownVersion() : versionOf(data) < shown();
    if (told && event.detail.cancelled && shown() < Number(told.version)) sayAgain();
  });
  // An answer that was overtaken by what others did shows what was: the stream says again what is.
  document.addEventListener("htmx:after:swap", () => {
    if (shown() < newest) sayAgain();
    newest = Math.max(newest, shown());
  });
  // A laptop without a network still reaches itself: the browser's word is only a reason to ask.
  addEventListener("offline", () => look());
  addEventListener("online", () => look(true));
  document.addEventListener("visibilitychange", () => {
    if (document.hidden) return;
    heard = now();
    look();
    setTimeout(() => stream?.delayCanceller?.()); // it waits for the page to be seen, and then a moment longer
  });
  setInterval(() => {
    if (document.hidden || !(away || late || silent())) return;
    if (now() - askedAt > (answered ? RARELY : OFTEN)) look();
  }, 500);
}
