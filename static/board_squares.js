/* The squares of a board by their names and where they are drawn, and the pieces that can be picked on them. */

import { get } from "./companion.js";

export const overlay = () => document.querySelector(".overlay[action$='/act']");
export const picked = () => document.querySelector(".overlay[action$='/act'] .pick:checked");
export const labelOf = (pick) => pick.nextElementSibling;
export const targets = (pick) => labelOf(pick).nextElementSibling;
export const name = (pick) => targets(pick).querySelector(".about b").textContent;
export const pieceOf = (pick) => get(`at-${pick.id.slice("pick-".length)}`);
// The piece once more, by itself.
export const portrait = (pick) => {
  const picture = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  const piece = pieceOf(pick)?.cloneNode(true);
  picture.setAttribute("viewBox", "-5 -5 10 10");
  piece?.removeAttribute("id");
  if (piece) picture.append(piece);
  return picture;
};

// A square has a name, and as classes its column and row from the top left. Hexagons may be low, by half of one.
export const sizes = () => ["files", "ranks", "low"].map((side) => get("corner").dataset[side]?.split(" "));
export const spot = (place) => {
  const [files, ranks, low] = sizes();
  const row = ranks.findIndex((rank) => place.endsWith(rank) && files.includes(place.slice(0, -rank.length)));
  const file = place.slice(0, -ranks[row].length);
  return `f${files.indexOf(file) + 1} r${row + 1}${low?.includes(file) ? " low" : ""}`;
};
export const spotOf = (element) => /f\d+ r\d+( low)?/.exec(element.className)[0];
export const placeUnder = ({ clientX, clientY }) => {
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
