/* Taking stock: how far one is, and what lies otherwise; without scripts the lines are the same. */

import "./print.js";

const form = document.querySelector(".taking");
const told = form.querySelector(".so-far");
const ticks = [...form.querySelectorAll(".stock-line > input")];
const values = [...form.querySelectorAll("[name^='v.']")];
const isOther = (field) => field.value !== form.elements[field.name.replace("v.", "was.")].value;
const tell = () => {
  if (!told) return; // where nothing lies there is nothing to compare
  const others = values.filter(isOther);
  const lines = new Set(others.map((field) => field.closest(".stock-line")));
  ticks.forEach((tick) => {
    const other = lines.has(tick.parentElement);
    tick.parentElement.classList.toggle("is-other", other);
    if (other) tick.checked = false;
  });
  const right = ticks.filter((tick) => tick.checked).length;
  const words = told.dataset.right.replace("{right}", right).replace("{all}", ticks.length);
  told.textContent = others.length ? `${words} · ${told.dataset.other.replace("{count}", others.length)}` : words;
};
// After panels.js, whose steps change a value without an event of their own.
document.addEventListener("click", tell);
document.addEventListener("input", tell);
// Enter on a tick or in a count would finish the whole of it.
form.addEventListener("keydown", (event) => {
  if (event.key === "Enter" && event.target.matches("input")) event.preventDefault();
});
tell();
