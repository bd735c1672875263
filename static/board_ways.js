/* The ways from a picked piece to squares: what a tap on each does. */

import { overlay, sizes, spot, spotOf, targets } from "./board_squares.js";
import { correction } from "./board_state.js";
import { get, make } from "./companion.js";

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
export const waysOfCard = ".pick-card:checked + label + .card-ways";
export const alongWith = (id) => [...document.querySelectorAll(`${waysOfCard} [data-with="${id}"] :checked:enabled`)]
  .map((one) => `&${one.name}=${encodeURIComponent(one.value)}`).join("");
// For each place the ways that lead there. Those apart, such as to one's own pieces, are chosen from a list or dragged
// to: a tap on one's own piece picks it.
export const waysOf = (pick) => {
  if (pick.id === correction.misplaced) return free(pick);
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
export const same = (ways) => ways.every(({ words }) => words === ways[0].words);
export const calledBy = (ways) => {
  const alike = same(ways);
  return ({ link, words }) => (alike ? link.textContent : `${link.textContent}: ${words}`);
};
export const tapped = (pick) => new Map(
  [...waysOf(pick)]
    .map(([place, ways]) => [place, ways.filter(({ apart }) => !apart)])
    .filter(([, ways]) => ways.length),
);
// What may cost a piece of one's own is read first, as what has odds is.
export const looked = ({ link, risky }) => risky || "looked" in link.dataset;
export const tone = ({ link }) => (link.matches(".key-fight") ? "fight" : "go");
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
export const step = (way, words, looks) => {
  const { pathname } = new URL(way.link.href);
  const shown = way.note ? [`${words}: ${way.note}`, brief(way)] : [words];
  if (!looked(way)) return make("button", { name: "do", value: way.does, className: looks }, ...shown);
  const link = make("a", { href: `${pathname}?do=${encodeURIComponent(way.does)}`, className: looks }, ...shown);
  link.dataset.sheet = "";
  return link;
};
