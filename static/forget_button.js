/* What this phone saved under a name of somebody's own is forgotten at a second tap on its button. */

// A name stands in a sentence as it is, whatever signs it has.
export const withName = (words, name) => words.replace("{name}", () => name);

export const forgetsTwice = (button, name, forget) => {
  button.setAttribute("aria-label", withName(button.getAttribute("aria-label"), name));
  button.addEventListener("click", () => {
    if (button.textContent === button.dataset.sure) forget();
    else button.textContent = button.dataset.sure;
  });
};
