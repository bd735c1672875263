/* Numbers to be set by steps, and what they cost of a budget of points. */

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

const fresh = () => document.querySelectorAll("form").forEach(count);
document.addEventListener("htmx:after:swap", fresh);
fresh();
