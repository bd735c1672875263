/* Trackers are put in another order by dragging them at their handle; with the keyboard there are "Up" and "Down". */

const main = () => document.querySelector(".play-main");
const order = () => [...document.querySelectorAll("[data-tracker]")].map((panel) => panel.dataset.tracker);
let moved = null;
let before = "";

const over = (y, x) => [...main().querySelectorAll("[data-tracker]")].find((panel) => {
  const box = panel.getBoundingClientRect();
  return panel !== moved && y > box.top && y < box.bottom && x > box.left && x < box.right;
});

document.addEventListener("pointerdown", (event) => {
  const grip = event.target.closest(".grip");
  if (!grip || event.button) return;
  event.preventDefault();
  moved = grip.closest("[data-tracker]");
  before = order().join();
  moved.classList.add("dragged");
  grip.setPointerCapture(event.pointerId);
});

document.addEventListener("pointermove", ({ clientX, clientY }) => {
  if (!moved) return;
  const there = over(clientY, clientX);
  if (!there) return;
  const box = there.getBoundingClientRect();
  const later = moved.compareDocumentPosition(there) & Node.DOCUMENT_POSITION_FOLLOWING;
  // Only beyond its middle, or a small one would jump to and fro beside a large one.
  if (later ? clientY > box.top + box.height / 2 : clientY < box.top + box.height / 2) there[later ? "after" : "before"](moved);
});

const drop = (done) => {
  if (!moved) return;
  moved.classList.remove("dragged");
  moved = null;
  const form = document.getElementById("arrange");
  if (!done || !form || order().join() === before) return;
  form.querySelectorAll("[name='f.order']").forEach((input) => input.remove());
  order().forEach((id) => {
    const input = Object.assign(document.createElement("input"), { type: "hidden", name: "f.order", value: id });
    form.append(input);
  });
  form.requestSubmit();
};

document.addEventListener("pointerup", () => drop(true));
document.addEventListener("pointercancel", () => drop(false));
