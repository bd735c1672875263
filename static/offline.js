/* Where Companion is out of reach: the page goes on by itself when it is back, and says what this phone has kept. */

import { reaches } from "./reaches.js";

const AGAIN = 3000;
const back = async () => {
  if (!document.hidden && (await reaches())?.ok) location.reload();
};
setInterval(back, AGAIN);
addEventListener("online", back);
document.addEventListener("visibilitychange", back);

const list = document.getElementById("kept");
const MOST = 20;
const stored = async (name) => {
  const cache = await caches.open(name);
  const found = await Promise.all((await cache.keys()).map(async ({ url }) => ({ url, of: await cache.match(url) })));
  const pages = found.filter(({ url, of }) => of.headers.has("X-Title") && !new URL(url).searchParams.has("hx"));
  return pages.reverse().slice(0, MOST).map(({ url, of }) => {
    const link = document.createElement("a");
    link.href = url;
    const at = new Date(Number(of.headers.get("X-Kept-At")));
    const time = document.createElement("small");
    const day = at.toDateString() === new Date().toDateString() ? {} : { day: "numeric", month: "short" };
    const clock = { hour: "2-digit", minute: "2-digit", hourCycle: "h23" };
    time.textContent = new Intl.DateTimeFormat(document.documentElement.lang, { ...clock, ...day }).format(at);
    const words = document.createElement("span");
    words.className = "grow";
    const title = decodeURIComponent(of.headers.get("X-Title"));
    const read = new DOMParser().parseFromString(title, "text/html").body.textContent;
    words.textContent = read.replace(/ · Companion$/, "");
    link.append(words, time);
    const line = document.createElement("li");
    line.append(link);
    return line;
  });
};
if (list) {
  const { build } = list.dataset;
  const { lang } = document.documentElement;
  list.append(...await stored(`seats ${build}`), ...await stored(`pages ${lang} ${build}`));
  list.parentElement.hidden = !list.children.length;
}
