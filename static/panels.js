/* What only some panels and pages need: dice to tap, limits of time, long forms, texts as long as a file, clocks,
   trackers to drag, a door. It comes with them, and runs once however often they come. Everything works without it. */

import { get, kept, make, sayAgain, sound } from "./companion.js";

const saveFile = (content, name, type) => {
  const link = make("a", { href: URL.createObjectURL(new Blob([content], { type })), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
};

const fileName = (words) => words.replace(/[^\p{L}\p{N}]+/gu, "-");

/* Dice to tap: a few faces stand for the rows of choices beneath, which still are what is sent. Where a scene shows the
   dice that are asked for, they lie in its places. */

const SURE = 1500; // milliseconds in which the last die can be touched again
let sending = 0;
const waitAgain = () => {
  clearTimeout(sending);
  document.querySelectorAll(".is-sending").forEach((send) => send.classList.remove("is-sending"));
  document.querySelectorAll("[data-sending] > b").forEach((told) => told.remove());
};
const sendSoon = (entry) => {
  const form = entry.closest(".typing");
  const send = form?.querySelector(":scope > button");
  if (!send) return;
  waitAgain();
  send.classList.add("is-sending");
  const told = form.querySelector("[data-sending]");
  if (told) told.append(make("b", { textContent: told.dataset.sending }));
  sending = setTimeout(() => {
    if (send.isConnected && !form.inert) form.requestSubmit(send);
  }, SURE);
};
// Whoever does something else has not done with the dice.
document.addEventListener("submit", () => waitAgain(), true);
document.addEventListener("pointerdown", ({ target }) => {
  if (!target.closest(".typing, .clash")) waitAgain();
});
const places = (count) => {
  const asked = [...document.querySelectorAll("#clash-now[open] .is-asked .lies")];
  return asked.length === count ? asked : null;
};
const pads = new WeakMap();
const layPad = (entry) => {
  const rows = [...entry.querySelectorAll(".die-row")];
  const die = (face) => entry.querySelector(`input[value="${face}"] + label .die`).cloneNode(true);
  const thrown = make("div", { className: "pad-thrown" });
  thrown.setAttribute("aria-live", "polite");
  const faces = make("div", { className: "pad-faces" });
  const pad = make("div", { className: "pad" }, thrown, faces);
  const show = () => {
    const lie = entry.closest(".typing") && places(rows.length);
    const typed = rows.map((row) => {
      const chosen = row.querySelector("input:checked");
      if (!chosen) return make("span", { className: lie ? "die slot typed" : "empty typed" });
      const button = make("button", { type: "button", className: "typed" }, die(chosen.value));
      button.setAttribute("aria-label", `${chosen.value} ✕`);
      button.addEventListener("click", () => {
        waitAgain();
        chosen.checked = false;
        show();
      });
      return button;
    });
    thrown.hidden = Boolean(lie);
    if (lie) lie.forEach((place, at) => place.replaceChildren(typed[at]));
    thrown.replaceChildren(...(lie ? [] : typed));
    const full = rows.every((row) => row.querySelector("input:checked"));
    faces.querySelectorAll("button").forEach((button) => {
      button.disabled = full;
    });
    return full;
  };
  for (let face = 1; face <= Number(entry.dataset.pad); face += 1) {
    const button = make("button", { type: "button" }, die(face));
    button.setAttribute("aria-label", String(face));
    faces.append(button);
    button.addEventListener("click", ({ detail }) => {
      const row = rows.find((one) => !one.querySelector("input:checked"));
      if (row) row.querySelector(`input[value="${face}"]`).checked = true;
      // Whoever uses keys, or listens, says himself when it is right.
      if (show() && row && detail) sendSoon(entry);
    });
  }
  entry.classList.add("has-pad", "away");
  entry.before(pad);
  pads.set(entry, show);
};
const layPads = () => {
  document.querySelectorAll("[data-pad]:not(.has-pad)").forEach(layPad);
  document.querySelectorAll("[data-pad]").forEach((entry) => pads.get(entry)?.());
};
document.addEventListener("htmx:after:swap", layPads);
document.addEventListener("toggle", ({ target }) => {
  if (target.id === "clash-now") layPads();
}, true);
layPads();

/* A question that waits only for a while: the seconds run down, and whoever sees the end of it says so. */

const now = () => performance.now(); // the phone's clock may be set meanwhile
const SAY_AGAIN = 2000; // milliseconds until it is said once more, should the table not have heard it
let countdown = 0;
let saidAt = -SAY_AGAIN;
const timeIsUp = (form) => {
  if (!form || now() < saidAt + SAY_AGAIN) return;
  saidAt = now();
  // Not by the form itself: nobody tapped it, so nothing that is read or typed here may close or lose its place.
  const body = new URLSearchParams(new FormData(form));
  fetch(form.getAttribute("action"), { method: "POST", body, headers: { "HX-Request": "true" } }).catch(() => {});
};
const tick = () => {
  const waits = document.querySelectorAll(".hurry");
  waits.forEach((wait) => {
    if (wait.dataset.seconds) {
      wait.dataset.until = now() + wait.dataset.seconds * 1000;
      delete wait.dataset.seconds;
    }
    const left = Math.max(0, wait.dataset.until - now()) / 1000;
    wait.querySelector("[data-count]").textContent = Math.ceil(left);
    wait.querySelector("progress").value = left;
    if (left === 0) timeIsUp(document.querySelector(".time-up form"));
  });
  if (!waits.length) {
    clearInterval(countdown);
    countdown = 0;
  }
};
const watchTime = () => {
  countdown ||= setInterval(tick, 200);
  tick();
};
document.addEventListener("htmx:after:swap", watchTime);
watchTime();

/* Who waits at the door asks again without loading the page, until there is a word. */

const waits = "data-again";
const knockAgain = async () => {
  try {
    const answer = await fetch(location.href);
    if (answer.redirected || !(await answer.text()).includes(waits)) {
      location.assign(answer.url);
      return;
    }
  } catch {
    // It is asked again.
  }
  setTimeout(knockAgain, 2000);
};
if (document.querySelector(`[${waits}]`)) setTimeout(knockAgain, 2000);

/* Long forms: numbers that cost points, and lists that are kept on this phone. */

const count = (form) => {
  const budget = form?.querySelector(".budget");
  if (!budget) return;
  const said = budget.querySelector("output");
  const left = [...form.querySelectorAll("[data-cost]")].reduce(
    (sum, field) => sum - field.dataset.cost * field.querySelector("input").value,
    Number(budget.dataset.points),
  );
  const words = left < 0 ? said.dataset.over : said.dataset.left;
  said.textContent = words.replace("{left}", String(left).replace("-", "\u2212"));
  budget.classList.toggle("is-over", left < 0);
};
// What was refused is gone as soon as something is changed.
const changed = (form) => {
  count(form);
  form?.querySelector(".budget")?.parentElement.querySelector(".wrong")?.remove();
  form?.querySelector(".steps.is-wrong")?.classList.remove("is-wrong");
};
document.addEventListener("input", ({ target }) => changed(target.form));
document.addEventListener("click", ({ target }) => {
  const step = target.closest("[data-step]");
  const input = step?.parentElement.querySelector("input");
  if (step?.dataset.step > 0) input.stepUp();
  else if (step) input.stepDown();
  if (step) changed(step.form);
});

// Kept lists: under one name for each kind of each game, a list by its own name.
const about = (box) => JSON.parse(box.dataset.list);
const place = (box) => `kept/${about(box).game}/${about(box).list}`;
const lists = (box) => kept.readData(place(box)) ?? {};
const tell = (box, words, name = "") => {
  box.querySelector(".wrong")?.remove();
  box.querySelector("[role=status]").textContent = box.dataset[words].replace("{name}", () => name);
};
const write = (box, all, words, name) => {
  if (kept.writeData(place(box), all)) tell(box, words, name);
  else tell(box, "full");
  showLists(box);
};
const showLists = (box) => {
  const row = box.querySelector("template").content;
  box.querySelector(".kept-lists").replaceChildren(...Object.entries(lists(box)).map(([name, values]) => {
    const made = row.cloneNode(true);
    const [use, forget] = made.querySelectorAll("button");
    use.textContent = name;
    use.addEventListener("click", () => fill(box, JSON.stringify({ ...about(box), name, values })));
    forget.setAttribute("aria-label", forget.getAttribute("aria-label").replace("{name}", () => name));
    forget.addEventListener("click", () => {
      if (forget.textContent !== forget.dataset.sure) {
        forget.textContent = forget.dataset.sure;
        return;
      }
      const left = lists(box);
      delete left[name];
      write(box, left, "gone", name);
    });
    return made;
  }));
};
const LONGEST = 4001; // what is longer than 4,000 characters is no list, and is told so
// The table looks whether a list fits, and fills it in or says why not.
const fill = (box, list) => {
  const sent = box.querySelector("[name=kept]");
  sent.value = list.slice(0, LONGEST);
  sent.form.requestSubmit(box.querySelector("[data-plan]"));
  sent.value = "";
};
const READ = {
  number: (sent) => sent.at(-1) && Number(sent.at(-1)),
  yes_no: (sent) => sent.at(-1) === "1",
  many: (sent) => sent,
};
const values = (box) => {
  const form = new FormData(box.closest("form"));
  const read = ([name, kind]) => [name, (READ[kind] ?? ((sent) => sent.at(-1)))(form.getAll(`f.${name}`))];
  const filled = Object.entries(JSON.parse(box.dataset.kinds)).map(read).filter(([, value]) => (value ?? "") !== "");
  return { ...about(box).values, ...Object.fromEntries(filled) };
};
const named = (box) => box.querySelector("[type=text]").value.trim();
const keep = (box) => {
  if (!named(box)) {
    tell(box, "nameless");
    box.querySelector("[type=text]").focus();
    return;
  }
  write(box, { ...lists(box), [named(box)]: values(box) }, "keptAs", named(box));
};
const save = (box) => {
  const list = JSON.stringify({ ...about(box), name: named(box), values: values(box) }, null, 2);
  saveFile(list, `${fileName(named(box)) || about(box).list}.json`, "application/json");
};
const within = ({ target }) => target.closest?.(".keeping");
document.addEventListener("click", (event) => {
  if (event.target.closest("[data-keep]")) keep(within(event));
  if (event.target.closest("[data-save]")) save(within(event));
});
document.addEventListener("keydown", (event) => {
  if (event.key !== "Enter" || !within(event) || event.target.type !== "text") return;
  event.preventDefault();
  keep(within(event));
});
document.addEventListener("change", async (event) => {
  const [file] = (within(event) && event.target.files) || [];
  if (!file) return;
  const list = await file.slice(0, 4 * LONGEST).text().catch(() => "-"); // a character is four bytes at most
  event.target.value = "";
  fill(within(event), list);
});

// What opens lies under the foot of the sheet: it comes into sight.
document.addEventListener("toggle", ({ target }) => {
  if (target.matches?.(".keeping[open]")) target.scrollIntoView();
}, true);

const fresh = () => {
  document.querySelectorAll("form").forEach(count);
  document.querySelectorAll(".keeping").forEach(showLists);
};
document.addEventListener("htmx:after:swap", fresh);
fresh();

/* A text that is as long as a file: it can be brought from one and saved as one. */

const MARKS = [["utf-16le", 0xff, 0xfe], ["utf-16be", 0xfe, 0xff]];
// Spreadsheets save in the letters of their country: what is not UTF-8 is taken for those of western Europe.
const decoded = (bytes) => {
  const marked = MARKS.find(([, ...mark]) => mark.every((byte, at) => bytes[at] === byte));
  if (marked) return new TextDecoder(marked[0]).decode(bytes);
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder("windows-1252").decode(bytes);
  }
};
let opening = null;
const open = async (target) => {
  const { into } = target.dataset ?? {};
  const limit = get(into ?? "")?.maxLength;
  const [file] = (limit && target.files) || [];
  if (!file) return;
  const say = (what) => {
    const status = get(`${into}-status`);
    status.textContent = status.dataset[what].replace("{name}", () => file.name);
  };
  const reading = { into, sent: null };
  opening = reading;
  say("reading");
  const most = limit + 1; // what is longer is told so by the table
  const bytes = await file.slice(0, 4 * most).arrayBuffer().catch(() => null);
  if (opening !== reading) return; // another was chosen meanwhile, or the form was closed
  opening = null;
  target.value = "";
  const area = get(into); // the form may have come anew
  if (!area) return;
  if (!bytes) {
    say("unread");
    return;
  }
  area.value = decoded(new Uint8Array(bytes)).slice(0, most);
  area.dispatchEvent(new Event("input", { bubbles: true }));
  say("filled");
  const { submitter } = reading.sent ?? {};
  if (reading.sent) area.form.requestSubmit(submitter?.form === area.form ? submitter : null);
};
// What is sent while its file is being read waits for it: the text before is not what was chosen.
window.addEventListener("submit", (event) => {
  if (!opening || !event.target.contains(get(opening.into))) return;
  event.preventDefault();
  event.stopImmediatePropagation();
  opening.sent = event;
}, true);
document.addEventListener("close", () => {
  opening = null;
}, true);
document.addEventListener("change", ({ target }) => open(target));
// This script comes with the form: a quick finger may have chosen its file before.
for (const input of document.querySelectorAll("input[data-into]")) open(input);
document.documentElement.classList.add("opens-files");
const kind = (text) => {
  if (/^\s*\{/.test(text)) return "json";
  return /^\W*record\b(?!\s*=)|^[^=[{#\n]*[,;\t]"?record\b/.test(text) ? "csv" : "toml";
};
document.addEventListener("click", ({ target }) => {
  const button = target.closest("[data-file]");
  if (!button) return;
  const text = get(button.dataset.from).value;
  saveFile(text, `${fileName(button.dataset.file)}.${kind(text)}`, "text/plain;charset=utf-8");
});

/* Clocks that run: by the table's time, for a phone's own clock may be wrong. Without scripts a page says since
   when. */

const SOON = 10_000;
const EVERY = 200;
const SLEPT = 3_000; // milliseconds between two looks after which the phone slept, or its clock was set
let ahead = null; // milliseconds that the table's clock is ahead of this phone's
let asking = false;
let asked = 0;
let looked = 0;
let ticking = 0;
let known = null; // what each clock did when it was last looked at
const announced = make("div", { className: "away" });
announced.setAttribute("role", "status");

const learn = async () => {
  if (asking) return;
  asking = true;
  asked = Date.now();
  try {
    const answer = await fetch("/now", { cache: "no-store", signal: AbortSignal.timeout?.(SLEPT) });
    const came = Date.now();
    const now = Number(await answer.text());
    if (answer.ok && now) ahead = now - (asked + came) / 2;
    document.documentElement.classList.toggle("on-time", ahead !== null);
  } catch {
    // It is asked again below.
  }
  asking = false;
  showClocks();
};

// As Clock.says in companion/kit/panels.py.
const says = (left, upward) => {
  const shown = upward ? -left : left;
  const seconds = shown > 0 && !upward ? Math.ceil(shown / 1000) : Math.floor(Math.abs(shown) / 1000);
  const two = (number) => String(number).padStart(2, "0");
  const minutes = Math.floor(seconds / 60);
  const sign = shown < 0 && seconds ? "\u2212" : "";
  const hours = minutes < 60 ? `${minutes}:` : `${Math.floor(minutes / 60)}:${two(minutes % 60)}:`;
  return sign + hours + two(seconds % 60);
};
const doing = (clock, left) => {
  if (!clock.dataset.since) return "stands";
  if ("upward" in clock.dataset || left > SOON) return "runs";
  return left > 0 ? "soon" : "out";
};
const announce = (clock, before) => {
  const now = known.get(clock.dataset.clock);
  if (before === now || now === "stands") return;
  const words = before === "stands" && now === "soon" ? "runs" : now;
  announced.textContent = clock.dataset[words];
  if (words !== "runs") sound("turn");
};
const showClock = (clock) => {
  const { left, since } = clock.dataset;
  const now = Number(left) - (since ? Math.max(0, Date.now() + ahead - since) : 0);
  const upward = "upward" in clock.dataset;
  const time = clock.querySelector("time");
  const words = says(now, upward);
  if (time.textContent !== words) time.textContent = words;
  clock.classList.toggle("is-soon", !upward && now > 0 && now <= SOON);
  clock.classList.toggle("is-out", !upward && now <= 0);
  return doing(clock, now);
};
const showClocks = () => {
  const clocks = [...document.querySelectorAll("[data-clock]")];
  const runs = clocks.some((clock) => clock.dataset.since);
  const passed = Date.now() - looked;
  looked = Date.now();
  if (runs && !ticking) ticking = setInterval(showClocks, EVERY);
  else if (!runs) {
    clearInterval(ticking);
    ticking = 0;
  }
  if (!clocks.length && known === null) return; // on this page there was no clock yet
  if (ahead === null ? Date.now() - asked > SLEPT : runs && (passed < 0 || passed > SLEPT)) learn();
  if (ahead === null || asking) return; // a clock that may be wrong warns nobody
  if (!announced.isConnected) document.body.append(announced);
  const before = known;
  known = new Map(clocks.map((clock) => [clock.dataset.clock, showClock(clock)]));
  if (before) clocks.forEach((clock) => announce(clock, before.get(clock.dataset.clock) ?? "stands"));
};
document.addEventListener("htmx:after:swap", showClocks);
document.addEventListener("visibilitychange", () => {
  if (!document.hidden && document.querySelector("[data-clock]")) learn();
});
showClocks();

/* Trackers are put in another order by dragging them at their handle; with the keyboard there are "Up" and "Down". */

const order = () => [...document.querySelectorAll("[data-tracker]")].map((panel) => panel.dataset.tracker);
let moved = null;
document.documentElement.classList.add("drags"); // before, there is nothing to drag at
let orderBefore = "";

const trackerAt = (x, y) => [...document.querySelectorAll(".play-main [data-tracker]")].find((panel) => {
  const box = panel.getBoundingClientRect();
  return panel !== moved && y > box.top && y < box.bottom && x > box.left && x < box.right;
});

document.addEventListener("pointerdown", (event) => {
  const grip = event.target.closest(".grip");
  if (!grip || event.button) return;
  event.preventDefault();
  moved = grip.closest("[data-tracker]");
  orderBefore = order().join();
  moved.classList.add("dragged");
  grip.setPointerCapture(event.pointerId);
});

// Whoever drags does not fold.
document.addEventListener("click", (event) => {
  if (event.target.closest(".grip")) event.preventDefault();
});

document.addEventListener("pointermove", ({ clientX, clientY }) => {
  if (!moved) return;
  const there = trackerAt(clientX, clientY);
  if (!there) return;
  const box = there.getBoundingClientRect();
  const later = moved.compareDocumentPosition(there) & Node.DOCUMENT_POSITION_FOLLOWING;
  // Only beyond its middle, or a small one would jump to and fro beside a large one.
  const middle = box.top + box.height / 2;
  if (later && clientY > middle) there.after(moved);
  if (!later && clientY < middle) there.before(moved);
});

const drop = (done) => {
  if (!moved) return;
  moved.classList.remove("dragged");
  moved = null;
  const form = get("arrange");
  if (order().join() === orderBefore) return;
  if (!done || !form) {
    sayAgain();
    return;
  }
  delete get("state").dataset.version; // what it shows no version has: only all there is to see puts it right
  form.querySelectorAll("[name='f.order']").forEach((input) => input.remove());
  order().forEach((id) => {
    form.append(make("input", { type: "hidden", name: "f.order", value: id }));
  });
  form.requestSubmit();
};

document.addEventListener("pointerup", () => drop(true));
document.addEventListener("pointercancel", () => drop(false));

/* A long table: who is next is in sight when the turn is another one, and a tracker is one tap away. A jump leaves
   nothing behind in the history. */

let turnShown = "";
const followTurn = () => {
  const [stage, turn] = [document.querySelector(".play-main"), document.querySelector("#turn h2")?.textContent];
  const types = document.activeElement?.matches(".play-main :is(input, select, textarea)");
  const next = turn === turnShown || types ? [] : [...document.querySelectorAll(".play-main .now-at")];
  if (next.length === 1 && getComputedStyle(stage).overflowY === "auto") next[0].scrollIntoView({ block: "nearest" });
  turnShown = turn;
};
document.addEventListener("htmx:after:swap", followTurn);
followTurn();
document.addEventListener("click", (event) => {
  const jump = event.target.closest(".by-name a");
  if (!jump) return;
  event.preventDefault();
  const tracker = get(jump.hash.slice(1));
  const fold = tracker.querySelector(":scope > .fold-of");
  if (fold) fold.open = true;
  tracker.scrollIntoView();
  tracker.focus({ preventScroll: true });
});
