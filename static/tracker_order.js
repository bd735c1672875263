/* Trackers are put in another order by dragging them at their handle; with the keyboard there are "Up" and "Down". */

import { get, make, sayAgain } from "./companion.js";

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
