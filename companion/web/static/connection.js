/* The life of the connection: what is on a page is right again by itself within seconds, and the page says so until it is. */
(() => {
  "use strict";
  const get = (id) => document.getElementById(id);

  // A stream that says nothing for twelve seconds is dead, whatever the phone believes.
  const main = document.querySelector("[hx-sse\\:connect]");
  const resting = get("resting");
  let heard = Date.now();
  let stream = null;
  let away = 0;
  const alive = () => {
    heard = Date.now();
    clearTimeout(away);
    away = 0;
    if (resting) resting.hidden = true;
    main?.classList.remove("is-away");
  };
  const lost = (wait) => {
    if (away || !resting) return;
    away = setTimeout(() => { resting.hidden = false; main?.classList.add("is-away"); }, wait);
  };
  const version = (text) => Number(/data-version="(\d+)"/.exec(text)?.[1] ?? -1);
  const shown = () => Number(get("state")?.dataset.version ?? -1);
  let newest = shown();
  if (main) {
    document.addEventListener("htmx:config:request", ({ detail: { ctx } }) => {
      // The page has come with all that there is to see: the stream need not begin with the same.
      if (ctx.sourceElement === main) ctx.request.headers["Last-Event-ID"] = get("state")?.dataset.version ?? "";
    });
    document.addEventListener("htmx:sse:after:connection", (event) => { stream = event.detail.connection; alive(); });
    document.addEventListener("htmx:sse:error", () => lost(1500));
    document.addEventListener("htmx:sse:close", () => { stream = null; lost(1500); });
    document.addEventListener("htmx:error", (event) => {
      if (event.detail.ctx?.request?.method !== "POST") lost(0);
    });
    document.addEventListener("resting", () => lost(0));
    document.addEventListener("gone", () => location.reload());
    document.addEventListener("htmx:sse:before:message", (event) => {
      alive();
      const { data, event: name } = event.detail.message;
      if (name === "resting") lost(0);
      if (!name && version(data) < shown()) event.detail.cancelled = true;
    });
    // An answer that was overtaken on its way by what others did shows what was: the stream says again what is.
    document.addEventListener("htmx:after:swap", () => {
      if (shown() < newest && stream) {
        stream.lastEventId = "";
        stream.reader?.cancel();
      }
      newest = Math.max(newest, shown());
    });
    setInterval(() => {
      if (document.hidden || Date.now() - heard < 12000) return;
      heard = Date.now();
      lost(0);
      stream?.reader?.cancel();
    }, 2000);
    document.addEventListener("visibilitychange", () => { if (!document.hidden) heard = Date.now(); });
  }

  // Who waits at the door asks again without loading the page, until there is a word.
  const waits = "data-again";
  const ask = async () => {
    const answer = await fetch(location.href).catch(() => null);
    if (answer && (answer.redirected || !(await answer.text()).includes(waits))) location.assign(answer.url);
    else setTimeout(ask, 2000);
  };
  if (document.querySelector(`[${waits}]`)) setTimeout(ask, 2000);
})();
