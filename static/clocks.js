/* Clocks that run: by the table's time, for a phone's own clock may be wrong. Without scripts a page says since when. */
(() => {
  "use strict";
  const SOON = 10_000;
  const EVERY = 200;
  const SLEPT = 3_000; // milliseconds between two looks after which the phone slept, or its clock was set
  let ahead = null; // milliseconds that the table's clock is ahead of this phone's
  let asking = false;
  let asked = 0;
  let looked = 0;
  let ticking = 0;
  let known = null; // what each clock did when it was last looked at
  const told = document.body.appendChild(document.createElement("div"));
  told.className = "away";
  told.setAttribute("role", "status");

  const learn = async () => {
    if (asking) return;
    asking = true;
    asked = Date.now();
    try {
      const answer = await fetch("/now", { cache: "no-store", signal: AbortSignal.timeout?.(SLEPT) });
      const came = Date.now();
      const now = Number(await answer.text());
      if (answer.ok && now) ahead = now - (asked + came) / 2;
      document.documentElement.classList.toggle("on-time", ahead !== null);
    } catch { /* it is asked again below */ }
    asking = false;
    look();
  };

  // As Clock.says in companion/kit/panels.py.
  const says = (left, upward) => {
    const shown = upward ? -left : left;
    const seconds = shown > 0 && !upward ? Math.ceil(shown / 1000) : Math.floor(Math.abs(shown) / 1000);
    const two = (number) => String(number).padStart(2, "0");
    const minutes = Math.floor(seconds / 60);
    const sign = shown < 0 && seconds ? "\u2212" : "";
    return sign + (minutes < 60 ? `${minutes}:` : `${Math.floor(minutes / 60)}:${two(minutes % 60)}:`) + two(seconds % 60);
  };
  const doing = (clock, left) => {
    if (!clock.dataset.since) return "stands";
    if ("upward" in clock.dataset || left > SOON) return "runs";
    return left > 0 ? "soon" : "out";
  };
  const tell = (clock, before, now) => {
    if (before === now || now === "stands") return;
    const words = before === "stands" && now === "soon" ? "runs" : now;
    told.textContent = clock.dataset[words];
    if (words !== "runs") document.dispatchEvent(new Event("alarm"));
  };
  const show = (clock) => {
    const { left, since } = clock.dataset;
    const now = Number(left) - (since ? Math.max(0, Date.now() + ahead - since) : 0);
    const upward = "upward" in clock.dataset;
    const time = clock.querySelector("time");
    const words = says(now, upward);
    if (time.textContent !== words) time.textContent = words;
    clock.classList.toggle("is-soon", !upward && now > 0 && now <= SOON);
    clock.classList.toggle("is-out", !upward && now <= 0);
    return doing(clock, now);
  };
  const look = () => {
    const clocks = [...document.querySelectorAll("[data-clock]")];
    const runs = clocks.some((clock) => clock.dataset.since);
    const passed = Date.now() - looked;
    looked = Date.now();
    if (runs && !ticking) ticking = setInterval(look, EVERY);
    else if (!runs) {
      clearInterval(ticking);
      ticking = 0;
    }
    if (ahead === null ? Date.now() - asked > SLEPT : runs && (passed < 0 || passed > SLEPT)) learn();
    if (ahead === null || asking) return; // a clock that may be wrong warns nobody
    const now = new Map(clocks.map((clock) => [clock.dataset.clock, show(clock)]));
    if (known) clocks.forEach((clock) => tell(clock, known.get(clock.dataset.clock) ?? "stands", now.get(clock.dataset.clock)));
    known = now;
  };
  document.addEventListener("htmx:after:swap", look);
  document.addEventListener("visibilitychange", () => { if (!document.hidden) learn(); });
  look();
})();
