/* While somebody's seat is in sight its screen stays on: by the lock that a page has which came by https, elsewhere by
   a film without a sound. Where the table rests the screen may go dark as the device is set. */

import { get, make, storage } from "./companion.js";

const LONG = 30 * 60_000; // milliseconds without a change after which nobody looks any more
const isOn = () => storage.read("awake") !== "off";
const now = () => performance.now();
const version = () => get("state")?.dataset.version;

let shown = version();
let changed = now();
let quiet = 0; // the timer that ends when nothing has changed for long
let lock = null;
let film = null;
let asking = false;
let untouched = true; // since the page came: before a tap some browsers allow no lock, and most no film
const barred = { lock: !navigator.wakeLock, film: false };

const rests = () => "rests" in (get("state")?.dataset ?? {}) || now() - changed >= LONG;
const wanted = () => isOn() && !document.hidden && !rests();
const plays = () => Boolean(film && !film.paused);
const how = () => {
  if (!isOn()) return "off";
  if (rests()) return "rests";
  if (lock) return "lock";
  if (plays()) return "film";
  return barred.lock && barred.film ? "none" : "tap";
};
const show = () => {
  const [button, says] = [get("awake"), get("awake-says")];
  if (!button) return;
  button.setAttribute("aria-pressed", String(isOn()));
  if (says.textContent !== says.dataset[how()]) says.textContent = says.dataset[how()];
};

// WebKit keeps a screen on for a film that could be heard and is no loop, the others for one that could not as well.
const madeFilm = () => {
  const { mp4, webm } = get("awake").dataset;
  const apple = /^Apple/.test(navigator.vendor);
  const made = make("video", { className: "awake-film", playsInline: true, muted: !apple, src: apple ? mp4 : webm });
  made.disablePictureInPicture = true;
  made.disableRemotePlayback = true;
  made.setAttribute("aria-hidden", "true");
  made.tabIndex = -1;
  made.addEventListener("ended", () => {
    if (wanted() && !lock) made.play().catch(show);
  });
  made.addEventListener("playing", show);
  document.body.append(made);
  return made;
};
const letGo = () => {
  lock?.release().catch(() => {});
  lock = null;
  film?.pause();
};
const byLock = async () => {
  try {
    const held = await navigator.wakeLock.request("screen");
    held.addEventListener("release", () => {
      if (lock === held) lock = null;
      show();
    });
    lock = held;
  } catch {
    barred.lock = !untouched;
  }
};
const byFilm = async () => {
  film ??= madeFilm();
  try {
    await film.play();
  } catch (wrong) {
    barred.film = ["NotSupportedError", "NotAllowedError"].includes(wrong.name);
  }
};
const hold = async () => {
  if (wanted() && !lock && !plays() && !asking) {
    asking = true;
    if (!barred.lock) await byLock();
    if (barred.lock && !lock && !untouched && get("awake")) await byFilm();
    asking = false;
  }
  if (!wanted()) letGo();
  show();
};

const wait = () => {
  clearTimeout(quiet);
  quiet = setTimeout(hold, LONG);
};
document.addEventListener("htmx:after:swap", () => {
  if (version() !== shown) {
    changed = now();
    wait();
  }
  shown = version();
  hold();
  bring();
});
document.addEventListener("visibilitychange", hold);
for (const tap of ["pointerup", "keydown", "click"]) {
  document.addEventListener(tap, () => {
    untouched = false;
    if (!lock && !plays()) hold();
  }, true);
}

// The switch comes with the words that it needs, once: the page itself is lighter without.
let bringing = null;
const brought = async () => {
  const answer = await fetch("/awake");
  if (!answer.ok) throw new Error(answer.statusText);
  const inside = make("template", { innerHTML: await answer.text() }).content;
  const styles = inside.querySelector("link");
  const styled = new Promise((then) => styles.addEventListener("load", then, { once: true }));
  document.head.append(styles);
  await styled; // a film without its look would take the room of the table
  document.querySelector("[data-sounds]").after(inside);
  get("awake").addEventListener("click", () => {
    storage.write("awake", isOn() ? "off" : "on");
    hold();
  });
};
export const bring = () => {
  bringing ??= brought().then(hold).catch(() => {
    bringing = null; // with what comes next it is asked for again
  });
  return bringing;
};
wait();
hold();
