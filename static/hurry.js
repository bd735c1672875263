/* A question that waits only for a while: the seconds run down, and whoever sees the end of it says so. */
(() => {
  "use strict";
  const AGAIN = 2000; // milliseconds until it is said once more, should the table not have heard it
  const now = () => performance.now(); // the phone's clock may be set meanwhile
  let ticking = 0;
  let told = -AGAIN;
  const tell = (form) => {
    if (!form || now() < told + AGAIN) return;
    told = now();
    // Not by the form itself: nobody tapped it, so nothing that is read or typed here may close or lose its place.
    const sent = { method: "POST", body: new URLSearchParams(new FormData(form)), headers: { "HX-Request": "true" } };
    fetch(form.getAttribute("action"), sent).catch(() => {});
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
      if (left === 0) tell(document.querySelector(".time-up form"));
    });
    if (!waits.length) {
      clearInterval(ticking);
      ticking = 0;
    }
  };
  const watch = () => {
    ticking ||= setInterval(tick, 200);
    tick();
  };
  document.addEventListener("htmx:after:swap", watch);
  watch();
})();
