/* A question that waits only for a while: the seconds run down, and whoever sees the end of it says so. */

const now = () => performance.now(); // the phone's clock may be set meanwhile
const SAY_AGAIN = 2000; // milliseconds until it is said once more, should the table not have heard it
let countdown = 0;
let saidAt = -SAY_AGAIN;
const timeIsUp = (form) => {
  if (!form || now() < saidAt + SAY_AGAIN) return;
  saidAt = now();
  // Not by the form itself: nobody tapped it, so nothing that is read or typed here may close or lose its place.
  const body = new URLSearchParams(new FormData(form));
  fetch(form.getAttribute("action"), { method: "POST", body, headers: { "HX-Request": "true" } }).catch(() => {});
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
    if (left === 0) timeIsUp(document.querySelector(".time-up form"));
  });
  if (!waits.length) {
    clearInterval(countdown);
    countdown = 0;
  }
};
const watchTime = () => {
  countdown ||= setInterval(tick, 200);
  tick();
};
document.addEventListener("htmx:after:swap", watchTime);
watchTime();
