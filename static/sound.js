/* What is heard and felt: dice, a hit, a card, one's turn. All of it is made here, and nothing of it before a tap, nor
   on a phone that has not been asked. Everything works without it. */

import { get, make, newer, storage } from "./companion.js";

const APART = 500; // milliseconds between two that come at once
const LATE = 400; // milliseconds after which a sound is about what was
const FELT = { dice: [20, 40, 20, 50, 30], hit: [60], card: [15], turn: [30, 90, 30] };
const isOn = (name) => storage.read(name) === "on";

let audio = null;
let hiss = null;
const wake = () => {
  if (!isOn("sound") || !globalThis.AudioContext) return;
  audio ??= new AudioContext();
  if (audio.state !== "running") audio.resume().catch(() => {});
};
for (const tap of ["pointerup", "keydown", "click"]) document.addEventListener(tap, wake, true);

// Each swells for a moment and dies away.
const louder = (at, loud, rise, end) => {
  const made = audio.createGain();
  made.gain.setValueAtTime(0.0001, at);
  made.gain.exponentialRampToValueAtTime(loud, at + rise);
  made.gain.exponentialRampToValueAtTime(0.0001, end);
  made.connect(audio.destination);
  return made;
};
const tone = (type, at, from, to, loud, rise, long) => {
  const made = audio.createOscillator();
  made.type = type;
  made.frequency.setValueAtTime(from, at);
  made.frequency.exponentialRampToValueAtTime(to, at + long);
  made.connect(louder(at, loud, rise, at + long));
  made.start(at);
  made.stop(at + long);
};
const noise = () => {
  const made = audio.createBuffer(1, audio.sampleRate / 2, audio.sampleRate);
  made.getChannelData(0).forEach((_, at, all) => {
    all[at] = Math.random() * 2 - 1;
  });
  return made;
};
const rustle = (at, from, to, loud, rise, long) => {
  hiss ??= noise();
  const made = audio.createBufferSource();
  const band = audio.createBiquadFilter();
  made.buffer = hiss;
  band.type = "bandpass";
  band.frequency.setValueAtTime(from, at);
  band.frequency.exponentialRampToValueAtTime(to, at + long);
  made.connect(band).connect(louder(at, loud, rise, at + long));
  made.start(at);
  made.stop(at + long);
};
const HEARD = {
  dice: (at) => [0, 0.06, 0.11, 0.18, 0.27].forEach((later, nth) => {
    rustle(at + later, 2600 - nth * 250, 1500, 0.4 - nth * 0.05, 0.003, 0.05);
  }),
  hit: (at) => {
    tone("triangle", at, 170, 85, 0.35, 0.004, 0.16);
    rustle(at, 600, 300, 0.2, 0.002, 0.04);
  },
  card: (at) => rustle(at, 900, 3200, 0.12, 0.09, 0.22),
  turn: (at) => {
    tone("sine", at, 587, 587, 0.12, 0.02, 0.2);
    tone("sine", at + 0.14, 784, 784, 0.12, 0.02, 0.24);
  },
};

const hear = async (names) => {
  if (!isOn("sound") || !audio) return;
  const asked = performance.now();
  // It may sleep until the next tap, as after a call: that would bring at once all that was to be heard meanwhile.
  await audio.resume().catch(() => {});
  if (audio.state !== "running" || performance.now() - asked > LATE) return;
  const now = audio.currentTime;
  names.forEach((name, nth) => HEARD[name](now + (nth * APART) / 1000));
};
const feel = (names) => {
  if (!isOn("buzz") || navigator.userActivation?.hasBeenActive === false) return;
  const rest = (name) => APART - FELT[name].reduce((sum, long) => sum + long);
  navigator.vibrate?.(names.flatMap((name, nth) => (nth ? [rest(names[nth - 1]), ...FELT[name]] : FELT[name])));
};
export const play = (...names) => {
  if (!get("state")) wake(); // nothing but a tap leads to a sound there
  hear(names);
  feel(names);
};

/* At a table: what is another than before, in the order in which it is told. */

const told = (name) => document.querySelector(`[data-${name}]`)?.dataset[name];
const CARDS = "#hands .pick-card, .laid > *, .piles li, .objects > .card, .counted dd";
const look = () => ({
  dice: told("throw"),
  hit: told("hits"),
  card: [...document.querySelectorAll(CARDS)].map((one) => one.id + one.textContent.trim()).join(),
  turn: get("dock")?.dataset.call,
});
let before = look();
document.addEventListener("htmx:after:swap", () => {
  const now = look();
  const other = { dice: newer, hit: (seq, last) => Number(seq ?? 0) > Number(last ?? 0) };
  const news = Object.keys(now).filter((name) => (
    other[name] ? other[name](now[name], before[name]) : now[name] && now[name] !== before[name]
  ));
  before = { ...now, dice: now.dice ?? before.dice, hit: now.hit ?? before.hit };
  if (news.length) play(...news);
});

/* The switches, in the menu. */

const switches = [...document.querySelectorAll("[data-switch]")];
const show = () => switches.forEach((button) => {
  button.setAttribute("aria-pressed", String(isOn(button.dataset.switch)));
});
const set = (name, how) => storage.write(name, how) && show();
for (const button of switches) {
  const name = button.dataset.switch;
  button.closest(".needs-script").hidden = false;
  button.hidden = name === "buzz" && !navigator.vibrate;
  button.addEventListener("click", () => {
    set(name, isOn(name) ? "off" : "on");
    wake();
    if (isOn(name)) ({ sound: hear, buzz: feel })[name](["turn"]);
  });
}
show();

/* The question, once: at the first tap at a table after which the table is what is seen. */

const OFTEN = 3; // times that it may be left alone: whoever does not answer wants none
const SEEN = 8000; // milliseconds
const ASKED = "sound/asked";
const [LOW, HIGH] = [40, 52]; // pixels
const question = get("sound-question");
const choose = (how) => {
  set("sound", how);
  set("buzz", how);
};
// It lies on the line of what happened, beside the way to the log: there is time for that, none for whose turn it is.
// While more is told there, or a card is read in its place, it waits. A shared screen has no such line.
const place = () => get("recap") ?? get("turn");
const isFree = () => place().offsetHeight >= LOW && !place().querySelector(".story, #ending, details[open]");
const lay = (line) => {
  const { left, top, height, right } = place().getBoundingClientRect();
  const more = place().querySelector(".open-more");
  const end = more?.offsetWidth ? more.getBoundingClientRect().left : right;
  const minHeight = Math.min(height, HIGH);
  const px = { left: left + 4, top: Math.max(0, Math.ceil(top)), width: end - left - 4, minHeight };
  Object.entries(px).forEach(([name, value]) => {
    line.style[name] = `${value}px`;
  });
};
const shown = (line) => {
  const watch = new ResizeObserver(() => (isFree() ? lay(line) : gone()));
  const over = new AbortController();
  const gone = () => {
    over.abort();
    watch.disconnect();
    line.remove();
  };
  const leave = () => {
    if (line.contains(document.activeElement)) setTimeout(leave, SEEN);
    else gone();
  };
  line.addEventListener("click", ({ target }) => {
    if (!target.value) return;
    choose(target.value);
    gone();
    wake();
    play("turn");
  });
  // Whoever plays on reads what happened.
  document.addEventListener("click", ({ target }) => line.contains(target) || gone(), { signal: over.signal });
  get("notices").append(line);
  lay(line);
  // What is said above the table moves it, and what comes below it: a hand that is dealt.
  const around = [get("notices"), document.documentElement, place(), get("hands"), get("dock")];
  around.filter(Boolean).forEach((one) => watch.observe(one));
  setTimeout(leave, SEEN);
};
const ask = ({ target } = {}) => {
  if (get("sheet").open || get("menu")?.open || location.hash === "#more" || !isFree()) return;
  if (place().contains(target)) return; // whoever opens there what came of it reads that
  document.removeEventListener("click", ask);
  if ((storage.read("sound") ?? storage.read("buzz")) !== null) return;
  const times = Number(storage.read(ASKED));
  if (times >= OFTEN) choose("off");
  else if (storage.write(ASKED, times + 1)) {
    const line = question.content.firstElementChild.cloneNode(true);
    const words = line.querySelector("span");
    if (!navigator.vibrate) words.textContent = words.dataset.onlySound ?? words.textContent;
    const styles = make("link", { rel: "stylesheet", href: question.dataset.styles });
    styles.addEventListener("load", () => shown(line));
    document.head.append(styles);
  }
};
if (question) {
  document.addEventListener("click", ask);
  ask();
}
