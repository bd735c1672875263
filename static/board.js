/* The board: squares to tap, pieces to drag, the line of moves on their way. Without it the links of a piece lead to a
   list of its squares. */

import { get, hasHtmx, make, measure, notSent } from "./companion.js";

const root = document.documentElement;

/* A board of many squares: seen from near it is moved with a finger, seen whole a tap goes near. What is below must not
   hear of such a tap. */

let measured = "";
const measureView = () => {
  const view = get("board-view");
  measured = get("board")?.className;
  const style = view && getComputedStyle(view);
  const [files, ranks] = ["--f", "--r"].map((name) => Number(style?.getPropertyValue(name)));
  const fits = get("board")?.matches(".hexes")
    ? (width, height) => width >= (files * 3 + 1) * 12.8 && height >= (ranks + 0.5) * 44.4
    : (width) => width >= files * 44;
  root.classList.toggle("fits", Boolean(view) && fits(view.clientWidth, parseFloat(style.maxHeight)));
};
// It begins where its reader's pieces are, or most of them.
const boxes = (all) => [...all].map((one) => one.getBoundingClientRect());
const ownPieces = (view) => view.querySelectorAll(".overlay > label:not(.away):is(.own, :not(.look))");
const answerSquares = (view) => view.querySelectorAll(".overlay button[name='value']");
const together = (all, width, height) => {
  const within = (left, top) => all.filter((one) => (
    one.left >= left && one.right <= left + width && one.top >= top && one.bottom <= top + height
  ));
  return all
    .flatMap(({ left }) => all.map(({ top }) => within(left, top)))
    .reduce((most, some) => (some.length > most.length ? some : most));
};
const centre = () => {
  const view = get("board-view");
  if (!view) return;
  const box = view.getBoundingClientRect();
  const found = boxes(answerSquares(view).length ? answerSquares(view) : ownPieces(view));
  const shown = found.length ? together(found, box.width, box.height) : [];
  const least = (side) => Math.min(...shown.map((one) => one[side]));
  const most = (side) => Math.max(...shown.map((one) => one[side]));
  const [x, y] = shown.length
    ? [(least("left") + most("right")) / 2, (least("top") + most("bottom")) / 2]
    : [box.left + view.scrollWidth / 2, box.bottom + view.scrollHeight];
  view.scrollBy(x - box.left - box.width / 2, y - box.top - box.height / 2);
};
// And again when its reader's turn begins or the pieces come, but not under a finger.
let fingers = 0;
for (const name of ["touchstart", "touchend", "touchcancel"]) {
  document.addEventListener(name, (event) => {
    fingers = event.touches.length;
  }, { passive: true });
}
const phase = () => document.querySelector("#turn small")?.textContent;
const turn = () => {
  const view = get("board-view");
  const asks = document.querySelector("form[action$='/answer']");
  return view && !asks && get("dock").matches(".is-mine") && ownPieces(view).length ? phase() ?? "mine" : null;
};
const goNear = (squares, clientX, clientY) => {
  const [box, view] = [squares.getBoundingClientRect(), get("board-view")];
  const [x, y] = [(clientX - box.left) / box.width, (clientY - box.top) / box.height];
  get("whole").checked = false;
  view.scrollTo(x * view.scrollWidth - view.clientWidth / 2, y * view.scrollHeight - view.clientHeight / 2);
};
document.addEventListener("click", (event) => {
  const squares = event.target.closest(".squares");
  if (!squares || root.classList.contains("fits") || !get("whole")?.checked) return;
  event.preventDefault();
  event.stopImmediatePropagation();
  goNear(squares, event.clientX, event.clientY);
}, true);
// Two fingers that close show it whole, two that open go near between them.
let began = 0;
const between = ([one, other]) => Math.hypot(one.clientX - other.clientX, one.clientY - other.clientY);
document.addEventListener("touchstart", ({ touches }) => {
  const there = [...touches].filter(({ target }) => target.closest?.("#board-view"));
  const pinches = touches.length === 2 && there.length === 2 && !root.classList.contains("fits");
  began = pinches ? between(touches) : 0;
}, { passive: true });
document.addEventListener("touchmove", ({ touches, target }) => {
  const whole = get("whole");
  const grown = began && touches.length === 2 ? between(touches) / began : 1;
  if (whole?.checked ? grown < 1.25 : grown > 0.8) return;
  began = 0;
  if (!whole.checked) whole.checked = true;
  else {
    const [one, other] = touches;
    const [x, y] = [(one.clientX + other.clientX) / 2, (one.clientY + other.clientY) / 2];
    goNear(target.closest(".squares"), x, y);
  }
  whole.dispatchEvent(new Event("change", { bubbles: true }));
}, { passive: true });
// A question leads to where it is answered, and back.
let questioned = false;
let lookedAt = null;
let turnBegun = turn();
document.addEventListener("htmx:after:swap", () => {
  if (get("board")?.className !== measured) measureView();
  const asks = Boolean(document.querySelector(".overlay button[name='value']"));
  const now = turn();
  const view = get("board-view");
  if (asks && !questioned && view) lookedAt = [view.scrollLeft, view.scrollTop];
  if (((asks && !questioned) || (now && now !== turnBegun)) && !fingers) centre();
  else if (!asks && questioned && lookedAt && !fingers) view?.scrollTo(...lookedAt);
  questioned = asks;
  turnBegun = now ?? (phase() ? turnBegun : null);
});
addEventListener("resize", measureView);
document.addEventListener("measured", measureView); // how high hexagons may be depends on what is asked
measureView();
centre();

/* Squares to tap for the piece that is picked. */

const sheet = get("sheet");
const overlay = () => document.querySelector(".overlay[action$='/act']");
const picked = () => document.querySelector(".overlay[action$='/act'] .pick:checked");
const labelOf = (pick) => pick.nextElementSibling;
const targets = (pick) => labelOf(pick).nextElementSibling;
const name = (pick) => targets(pick).querySelector(".about b").textContent;
const pieceOf = (pick) => get(`at-${pick.id.slice("pick-".length)}`);

// A square has a name, and as classes its column and row from the top left. Hexagons may be low, by half of one.
const sizes = () => ["files", "ranks", "low"].map((side) => get("corner").dataset[side]?.split(" "));
const spot = (place) => {
  const [files, ranks, low] = sizes();
  const row = ranks.findIndex((rank) => place.endsWith(rank) && files.includes(place.slice(0, -rank.length)));
  const file = place.slice(0, -ranks[row].length);
  return `f${files.indexOf(file) + 1} r${row + 1}${low?.includes(file) ? " low" : ""}`;
};
const spotOf = (element) => /f\d+ r\d+( low)?/.exec(element.className)[0];
const placeUnder = ({ clientX, clientY }) => {
  const [files, ranks, low] = sizes();
  const box = overlay().getBoundingClientRect();
  const [x, y] = [(clientX - box.left) / box.width, (clientY - box.top) / box.height];
  if (!low) {
    const [file, rank] = [files[Math.floor(x * files.length)], ranks[Math.floor(y * ranks.length)]];
    return file && rank && file + rank;
  }
  // The hexagon whose centre is the nearest; a hexagon is four wide, and as high as the square root of twelve.
  const across = x * (3 * files.length + 1);
  const down = y * (ranks.length + (low[0] ? 0.5 : 0));
  const near = files.map((file, at) => {
    const lower = low.includes(file) ? 0.5 : 0;
    const row = Math.floor(down - lower);
    return [Math.hypot(across - 3 * at - 2, (down - lower - row - 0.5) * Math.sqrt(12)), file, ranks[row]];
  }).reduce((one, other) => (other[0] < one[0] ? other : one));
  return near[2] && near[0] <= 2 ? near[1] + near[2] : undefined;
};

// What no piece begins, such as placing a tile, is begun where there is nothing else to pick.
const begun = () => {
  const able = document.querySelectorAll(".overlay[action$='/act'] .pick:not(.look)");
  return able.length === 1 && able[0].matches(".begins") ? able[0] : null;
};

// A piece that stands elsewhere on the real board is put there by a tap on any square where nobody stands.
let misplaced = null; // the pick whose place is corrected
let corrected = null; // the one that was corrected last: it stays picked
const free = (pick) => {
  const [files, ranks] = sizes();
  const link = targets(pick).querySelector(".way[data-puts]");
  const closed = get("corner").dataset.closed?.split(" ") ?? [];
  const taken = [...overlay().querySelectorAll(":scope > label:not(.away)")].map(spotOf);
  const squares = files.flatMap((file) => ranks.map((rank) => file + rank));
  return new Map(squares.filter((square) => !closed.includes(square) && !taken.includes(spot(square))).map((square) => {
    const does = `path=${encodeURIComponent(link.dataset.puts)}&value=${square}`;
    return [square, [{ link, place: square, words: square, bare: true, note: "", does }]];
  }));
};

// What is ticked at the picked card goes along with what a tap does.
const waysOfCard = ".pick-card:checked + label + .card-ways";
const alongWith = (id) => [...document.querySelectorAll(`${waysOfCard} [data-with="${id}"] :checked:enabled`)]
  .map((one) => `&${one.name}=${encodeURIComponent(one.value)}`).join("");
// For each place the ways that lead there. Those apart, such as to one's own pieces, are chosen from a list or dragged
// to: a tap on one's own piece picks it.
const waysOf = (pick) => {
  if (pick.id === misplaced) return free(pick);
  const found = new Map();
  const along = alongWith(pick.id);
  targets(pick).querySelectorAll(".way:not(.place)").forEach((link) => {
    const begun = new URL(link.href).searchParams.get("do") + along;
    const risky = link.dataset.risky?.split(" ") ?? [];
    const lead = (value, place, words, bare, note = "", badge = null) => {
      const way = {
        link,
        place,
        words,
        bare,
        note,
        badge,
        risky: risky.includes(value),
        apart: link.matches(".apart"),
        does: `${begun}&${link.dataset.field}=${encodeURIComponent(value)}`,
      };
      found.set(place, [...(found.get(place) ?? []), way]);
    };
    link.dataset.to?.split(" ").forEach((square) => lead(square, square, square, true));
    const [values, places, words] = JSON.parse(link.dataset.named ?? "[[]]");
    const notes = link.dataset.notes?.split("|") ?? [];
    const badges = JSON.parse(link.dataset.badges ?? "[]");
    values.forEach((value, at) => lead(value, places[at], words[at], false, notes[at], badges[at]));
  });
  return found;
};
// What is done on one place is told apart by what stands there, where that is not the same.
const same = (ways) => ways.every(({ words }) => words === ways[0].words);
const calledBy = (ways) => {
  const alike = same(ways);
  return ({ link, words }) => (alike ? link.textContent : `${link.textContent}: ${words}`);
};
const tapped = (pick) => new Map(
  [...waysOf(pick)]
    .map(([place, ways]) => [place, ways.filter(({ apart }) => !apart)])
    .filter(([, ways]) => ways.length),
);
// What may cost a piece of one's own is read first, as what has odds is.
const looked = ({ link, risky }) => risky || "looked" in link.dataset;
const tone = ({ link }) => (link.matches(".key-fight") ? "fight" : "go");
// A square has room for a sign and a number, or one word of a note: the first with a number.
const brief = ({ note, badge }) => {
  if (!badge) return make("small", { textContent: /\S*\d\S*/.exec(note)?.[0] ?? note, ariaHidden: "true" });
  const icon = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  const use = document.createElementNS("http://www.w3.org/2000/svg", "use");
  icon.setAttribute("class", "icon");
  use.setAttribute("href", badge[0]);
  icon.append(use);
  return make("small", { ariaHidden: "true", className: "badged" }, icon, badge[1]);
};
const step = (way, words, looks) => {
  const { pathname } = new URL(way.link.href);
  const shown = way.note ? [`${words}: ${way.note}`, brief(way)] : [words];
  if (!looked(way)) return make("button", { name: "do", value: way.does, className: looks }, ...shown);
  const link = make("a", { href: `${pathname}?do=${encodeURIComponent(way.does)}`, className: looks }, ...shown);
  link.dataset.sheet = "";
  return link;
};
const reach = (pick) => {
  const all = make("div", { className: "reach" });
  const groups = new Map();
  (drag?.ghost ? waysOf : tapped)(pick).forEach((ways, place) => {
    const bare = ways.every((way) => way.bare && tone(way) === "fight") ? " bare" : "";
    const looks = `${[...new Set(ways.map(tone))].join(" ")}${bare} ${spot(place)}`;
    const [first] = ways;
    if (ways.length > 1) {
      const words = `${same(ways) ? `${first.words}: ` : ""}${ways.map(calledBy(ways)).join(", ")}`;
      const which = make("button", { type: "button", className: looks, textContent: words });
      which.dataset.place = place;
      all.append(which);
      return;
    }
    if (!groups.has(first.link)) {
      const group = make("div");
      group.setAttribute("role", "group");
      group.setAttribute("aria-label", first.link.textContent);
      groups.set(first.link, group);
      all.append(group);
    }
    groups.get(first.link).append(step(first, first.words, looks));
  });
  return all;
};

// What a fresh view took away is laid over it again.
const line = [];
let focused = null;
let acting = null;
const paint = () => {
  document.querySelectorAll(".overlay :is(.reach, .sent)").forEach((old) => old.remove());
  document.querySelectorAll(".piece[transform]").forEach((piece) => piece.removeAttribute("transform"));
  document.querySelectorAll(".lifted").forEach((piece) => piece.classList.remove("lifted"));
  if (!overlay()) return;
  const lone = begun();
  // Its button is gone from beneath the stage: that is seen when the page is laid out anyway.
  if (overlay().classList.toggle("begun", Boolean(lone))) requestAnimationFrame(measure);
  const pick = picked() ?? lone;
  if (misplaced && (pick?.id !== misplaced || !targets(pick).querySelector("[data-puts]"))) misplaced = null;
  overlay().classList.toggle("placing", Boolean(misplaced));
  if (pick && !line.some((one) => one.pick === pick.id)) {
    pick.checked = true;
    targets(pick).append(reach(pick));
    if (focused) [...targets(pick).querySelectorAll(".reach [class]")].find((one) => does(one) === focused)?.focus();
  }
  line.filter(({ place }) => place).forEach((one) => {
    const goal = make("i", { className: `sent ${spot(one.place)}` });
    overlay().append(goal);
    const from = get(one.pick);
    const piece = from && pieceOf(from);
    if (!one.glides || !piece) return;
    const [here, there] = [labelOf(from), goal].map((cell) => cell.getBoundingClientRect());
    const scale = piece.getScreenCTM().a;
    const [x, y] = [(there.left - here.left) / scale, (there.top - here.top) / scale];
    piece.setAttribute("transform", `translate(${x} ${y})`);
  });
  if (drag?.ghost && get(drag.pick)) pieceOf(get(drag.pick))?.classList.add("lifted");
};
const does = (element) => element.value || element.getAttribute("href");
document.addEventListener("htmx:before:swap", () => {
  const at = document.activeElement?.closest(".reach") && document.activeElement;
  focused = at ? does(at) : null;
  acting = document.querySelector(".pick:checked:not(.look)")?.id;
});

// The line: one move is sent at a time, in the order of the taps; the next piece need not wait.
let sending = false;
let stuck = false; // a move that did not get through waits for somebody's word, not for the next answer of any kind
let passing = null;
const enqueue = (pick, value, place = "", glides = false) => {
  const puts = misplaced && place;
  const form = puts ? get("corrections-board") : overlay();
  if (puts) corrected = misplaced;
  misplaced = null;
  if (!line.length) get("told").replaceChildren();
  const said = pick ? `${name(pick)}${place && ` → ${place}`}` : "";
  line.push({
    to: form.getAttribute("action"),
    pick: pick?.id,
    card: document.querySelector(".pick-card:checked")?.id,
    place,
    glides,
    said,
    values: { do: value, key: form.elements.key.value, seen: form.elements.seen.value },
  });
  paint();
  goAgain();
};
const goAgain = () => {
  stuck = false;
  pump();
};
const pump = () => {
  const [next] = line;
  if (sending || !next || !hasHtmx() || document.querySelector("form.htmx-request")) return;
  if (next.form) {
    line.shift();
    passing = next.form;
    if (passing.isConnected) passing.requestSubmit(next.by?.isConnected ? next.by : null);
    passing = null;
    setTimeout(pump);
    return;
  }
  sending = true;
  const into = { target: "#main", swap: "innerMorph", headers: { "HX-Target": "main#main" } };
  htmx.ajax("POST", next.to, { sent: next, values: next.values, ...into });
};
get("htmx").addEventListener("load", () => pump());
const came = ({ sent, status, response }) => {
  sending = false;
  if (status.startsWith("error") || !response || response.status >= 500) {
    stuck = true;
    notSent(goAgain);
    return false;
  }
  line.shift();
  if (response.status >= 400) refused(sent);
  else letGo(sent);
  paint();
  goOn(sent);
  return true;
};
document.addEventListener("htmx:finally:request", ({ detail: { ctx } }) => {
  if (ctx?.sent ? came(ctx) : !stuck) setTimeout(pump);
});
// A piece that has done all it could is let go; one that was looked at or corrected stays.
document.addEventListener("htmx:after:swap", () => {
  const it = acting && get(acting);
  if (it?.matches(".look") && acting !== corrected) it.checked = false;
  document.querySelectorAll("[data-with] :checked:disabled").forEach((one) => {
    one.checked = false;
  });
  light();
  paint();
});
// A form waits for moves that are on their way; after a refusal it is not sent.
document.addEventListener("submit", (event) => {
  const { target, submitter } = event;
  if (target.id === "corrections-board") corrected = picked()?.id;
  if (!line.length || target === passing || target.method !== "post") return;
  if (submitter?.matches("[data-plan]") || !target.checkValidity()) return;
  event.preventDefault();
  event.stopImmediatePropagation();
  if (line.at(-1).form !== target) line.push({ form: target, by: submitter });
}, true);

// What was refused is said with the name of its piece: the next one may be picked already.
const refused = (sent) => {
  line.splice(0, line.length, ...line.filter(({ form }) => !form));
  const why = get("refused")?.querySelector(".wrong");
  if (!why) return;
  const close = sheet.querySelector(".close").cloneNode(true);
  close.type = "button";
  close.addEventListener("click", () => close.parentElement.remove());
  why.querySelector("span").prepend(make("b", { textContent: `${sent.said}: ` }));
  why.append(close);
  get("told").append(why);
};
// A piece stays picked for its next step, unless that is the same again (setting up).
const actionOf = (step) => new URLSearchParams(step).get("action");
const letGo = ({ pick, values }) => {
  const it = pick && get(pick);
  const again = (link) => actionOf(new URL(link.href).searchParams.get("do")) === actionOf(values.do);
  if (it?.checked && [...targets(it).querySelectorAll(".way.key-go:not([data-looked])")].some(again)) {
    it.checked = false;
  }
};
// Who plays with the keyboard goes on at the piece that was moved, or at the next one.
const goOn = ({ by, pick, after }) => {
  if (!by) return;
  const next = [pick, after].map(get).find((one) => one?.matches(".pick:not(.look)")) ?? get("dock");
  next?.focus({ preventScroll: true });
};

// A tap on a square does it, where there is one way; else the sheet asks which.
const take = (pick, ways) => {
  const [way] = ways;
  if (ways.length > 1) choose(pick, ways);
  else if (!looked(way)) enqueue(pick, way.does, way.place, tone(way) === "go");
  else {
    const link = step(way, way.words, "away");
    document.body.append(link);
    link.click();
    link.remove();
  }
};
const goal = (ways) => (same(ways) ? ways[0].words : ways[0].place);
const choose = (pick, ways, title = goal(ways), called = calledBy(ways)) => {
  const buttons = ways.map((way) => {
    const button = step(way, called(way), "button big");
    if (way.note) button.replaceChildren(make("span", {}, called(way), make("small", { textContent: way.note })));
    if (button.matches("button")) {
      button.type = "button";
      button.addEventListener("click", () => {
        sheet.close();
        take(pick, [way]);
      });
    }
    return button;
  });
  const heading = make("h2", { textContent: `${name(pick)} → ${title}` });
  const which = make("div", { className: "choose" }, heading, make("div", { className: "buttons" }, ...buttons));
  get("sheet-body").replaceChildren(which);
  sheet.showModal();
};
document.addEventListener("click", (event) => {
  const link = event.target.closest(".way.apart");
  if (!link) return;
  event.preventDefault();
  event.stopImmediatePropagation();
  const pick = picked();
  const ways = [...waysOf(pick).values()].flat().filter((way) => way.link === link);
  choose(pick, ways, link.textContent, ({ words }) => words);
}, true);
document.addEventListener("click", (event) => {
  const link = event.target.closest(".to-values");
  if (!link) return;
  event.preventDefault();
  const table = get(link.hash.slice(1));
  table.scrollIntoView({ block: "nearest" });
  table.focus({ preventScroll: true });
});
document.addEventListener("click", (event) => {
  const link = event.target.closest(".way[data-puts]");
  if (!link) return;
  event.preventDefault();
  event.stopImmediatePropagation();
  misplaced = misplaced ? null : picked().id;
  paint();
}, true);
document.addEventListener("click", (event) => {
  const button = event.target.closest(".overlay[action$='/act'] button:not(.step)");
  if (!button) return;
  event.preventDefault();
  const pick = picked();
  const leads = ([, ways]) => ways.some((way) => way.does === button.value);
  const place = button.dataset.place ?? [...tapped(pick)].find(leads)?.[0];
  const picks = [...overlay().querySelectorAll(".pick:not(.look)")];
  if (place) take(pick, tapped(pick).get(place));
  else enqueue(pick, button.value);
  if (event.detail === 0 && line.length) {
    Object.assign(line.at(-1), { by: "keys", after: picks[(picks.indexOf(pick) + 1) % picks.length].id });
  }
}, true);
// A card and its squares are picked and let go together, and instead of a piece. By keys its squares may come first.
const ofCard = (pick) => pick.id.startsWith("pick-card-");
const layDown = () => {
  const card = document.querySelector(".pick-card:checked");
  if (card) card.checked = false;
};
document.addEventListener("change", ({ target }) => {
  if (target.closest("[data-with]")) paint();
  if (!target.matches(".pick")) return;
  corrected = null;
  const ways = ofCard(target) && document.querySelector(`[data-pick="${target.id}"]`)?.closest(".card-ways");
  if (!ways || !target.checked) layDown();
  else ways.previousElementSibling.previousElementSibling.checked = true;
  paint();
});
// A card lights its squares up as soon as it is picked, where one way of it leads to the board; its link lists them.
const light = () => {
  const links = document.querySelectorAll(`${waysOfCard} [data-pick]`);
  const pick = links.length === 1 && get(links[0].dataset.pick);
  const now = document.querySelector(".pick:checked");
  const reads = document.querySelector(".pick-card:checked");
  if (pick ? pick === now : !now || (!reads && !ofCard(now))) return;
  if (pick) pick.checked = true;
  else now.checked = false;
  paint();
  const first = pick ? targets(pick).querySelector(".reach :is(a, button)") : null;
  first?.scrollIntoView({ block: "nearest", inline: "nearest" });
};
document.addEventListener("change", ({ target }) => {
  if (target.matches("[name='card']")) light();
});
document.addEventListener("click", ({ target }) => {
  const link = target.closest("[data-pick]");
  if (!link) return;
  link.dataset.do ??= new URL(link.href).searchParams.get("do");
  link.search = `?do=${encodeURIComponent(link.dataset.do + alongWith(link.dataset.pick))}`;
}, true);
// A tap on a square where there is nothing to do lets go too.
document.addEventListener("click", (event) => {
  const nothing = event.target.closest(".let-go") || event.target.matches(".overlay");
  const pick = nothing && document.querySelector(".pick:checked");
  if (!pick) return;
  event.preventDefault();
  pick.checked = false;
  pick.dispatchEvent(new Event("change", { bubbles: true }));
});
document.addEventListener("keyup", (event) => {
  if (event.key === "Escape") paint();
});

// Who can act but is out of sight has a chip above the board: a tap on it picks that piece, and leads to it.
const unseen = () => {
  // A map that is higher than its stage is moved with it.
  const view = get("board-view") ?? document.querySelector(".board.hexes")?.closest(".play-main");
  const able = ".overlay[action$='/act'] > label:not(.look, .quiet, .away)";
  const box = view?.getBoundingClientRect();
  return view ? [...document.querySelectorAll(able)].filter((label) => {
    const { left, right, top, bottom } = label.getBoundingClientRect();
    const [x, y] = [(left + right) / 2, (top + bottom) / 2];
    return x < box.left || x > box.right || y < box.top || y > box.bottom;
  }) : [];
};
const chip = (label) => {
  const drawn = pieceOf(get(label.htmlFor))?.cloneNode(true);
  const picture = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  picture.setAttribute("viewBox", "-5 -5 10 10");
  drawn?.removeAttribute("id");
  if (drawn) picture.append(drawn);
  const words = label.textContent.trim().replace(/\s+/g, " ");
  const button = make("button", { type: "button" }, picture, words.split(" ").at(-1));
  button.setAttribute("aria-label", words);
  button.addEventListener("click", () => {
    const pick = get(label.htmlFor);
    pick.checked = true;
    pick.focus({ preventScroll: true });
    label.scrollIntoView({ block: "center", inline: "center" });
    pick.dispatchEvent(new Event("change", { bubbles: true }));
  });
  return button;
};
const chips = () => {
  const place = get("chips");
  if (!place) return;
  const all = unseen();
  const shown = all.map(({ htmlFor, textContent }) => `${textContent} ${pieceOf(get(htmlFor))?.outerHTML}`).join();
  place.hidden = !all.length;
  if (place.dataset.shown === shown && place.childElementCount) return;
  place.dataset.shown = shown;
  place.replaceChildren(...all.map(chip));
};
let due = 0;
const chipsSoon = () => {
  cancelAnimationFrame(due);
  due = requestAnimationFrame(chips);
};
document.addEventListener("scroll", chipsSoon, { capture: true, passive: true });
document.addEventListener("htmx:after:swap", chipsSoon);
document.addEventListener("change", chipsSoon);
chipsSoon();

// Dragging: a piece follows the pointer, and goes back where it may not be dropped.
let drag = null;
const far = () => !root.classList.contains("fits") && Boolean(get("whole")?.checked);
const lift = () => {
  const pick = get(drag.pick);
  const ghost = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  ghost.setAttribute("viewBox", "-5 -5 10 10");
  ghost.setAttribute("class", "ghost");
  const piece = pieceOf(pick).cloneNode(true);
  piece.removeAttribute("id");
  ghost.append(piece);
  drag.size = labelOf(pick).getBoundingClientRect().height * 1.3;
  ghost.style.width = ghost.style.height = `${drag.size}px`;
  document.body.append(ghost);
  drag.ghost = ghost;
  pick.checked = true;
  layDown();
  root.classList.add("is-dragging");
  paint();
};
const over = (place) => {
  document.querySelectorAll(".is-over").forEach((square) => square.classList.remove("is-over"));
  if (!place) return;
  targets(get(drag.pick)).querySelector(`.reach .${spot(place).replaceAll(" ", ".")}`)?.classList.add("is-over");
};
const follow = (event) => {
  const above = event.pointerType === "touch" ? 0.85 : 0.5;
  const [x, y] = [event.clientX - drag.size / 2, event.clientY - drag.size * above];
  drag.ghost.style.transform = `translate(${x}px, ${y}px)`;
  over(placeUnder(event));
  const view = get("board-view");
  if (!view) return;
  const box = view.getBoundingClientRect();
  const push = (at, low, high) => (at < low + 32 ? -12 : at > high - 32 ? 12 : 0);
  view.scrollBy(push(event.clientX, box.left, box.right), push(event.clientY, box.top, box.bottom));
};
const drop = () => {
  drag?.ghost?.remove();
  const lifted = Boolean(drag?.ghost);
  drag = null;
  root.classList.remove("is-dragging");
  if (lifted) paint();
  return lifted;
};
let swallow = false;
document.addEventListener("pointerdown", (event) => {
  swallow = false;
  if (!event.isPrimary && drag?.ghost) {
    get(drag.pick).checked = false;
    drop();
  }
  const label = event.target.closest?.(".overlay[action$='/act'] > label:not(.look)");
  const pick = label && get(label.htmlFor);
  if (!pick || !event.isPrimary || event.button !== 0 || far() || line.some((one) => one.pick === pick.id)) return;
  drag = { pick: pick.id, pointer: event.pointerId, x: event.clientX, y: event.clientY };
});
document.addEventListener("pointermove", (event) => {
  if (drag?.pointer !== event.pointerId) return;
  if (!get(drag.pick) || !pieceOf(get(drag.pick))) drop();
  else if (drag.ghost || Math.hypot(event.clientX - drag.x, event.clientY - drag.y) > 8) {
    if (!drag.ghost) lift();
    follow(event);
  }
});
document.addEventListener("pointerup", (event) => {
  if (drag?.pointer !== event.pointerId) return;
  const pick = get(drag.pick);
  if (!drop()) return;
  const place = pick && overlay() && placeUnder(event);
  const ways = place && waysOf(pick).get(place);
  if (ways) take(pick, ways);
  else if (pick && (!place || spot(place) !== spotOf(labelOf(pick)))) pick.checked = false;
  paint();
  swallow = true;
});
document.addEventListener("pointercancel", drop);
document.addEventListener("keydown", (event) => {
  if (event.key === "Escape") drop();
});
document.addEventListener("click", (event) => {
  if (!swallow) return;
  swallow = false;
  event.preventDefault();
  event.stopPropagation();
}, true);

paint();

/* A view that comes between press and release lays fresh squares, and browsers then click nothing. The square beneath
   the pointer is clicked where it means what was pressed. */

const squareUnder = ({ target }) => target.closest?.(".reach :is(a, button)");
const meaning = ({ value, href, dataset }) => value || href || dataset.place;
let pressed = null;
document.addEventListener("pointerdown", (event) => {
  pressed = event.pointerType === "mouse" && event.button === 0 ? squareUnder(event) : null;
});
document.addEventListener("pointerup", (event) => {
  const square = pressed && !pressed.isConnected && squareUnder(event);
  const same = square && meaning(square) === meaning(pressed);
  pressed = null;
  // A click that counts none is one by keys.
  if (same) square.dispatchEvent(new MouseEvent("click", { bubbles: true, cancelable: true, detail: 1 }));
});
