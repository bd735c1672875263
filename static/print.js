/* Pages made for paper: a button that prints, and what is folded is unfolded on paper. */

document.querySelectorAll("[data-print]").forEach((button) => {
  button.closest(".needs-script").hidden = false;
  button.addEventListener("click", () => print());
});

addEventListener("beforeprint", () => {
  document.querySelectorAll("main details.part").forEach((fold) => {
    fold.open = true;
  });
});
