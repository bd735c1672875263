/* The life of the connection: what is on a page is right again by itself within seconds, and the page says so until it is. */
(() => {
  "use strict";
  const get = (id) => document.getElementById(id);

  // A stream that says nothing for five seconds may be dead, whatever the phone believes: one short question tells.
  const SILENCE = 5000;
  const ANSWER = 2000; // milliseconds that the server has to answer it
  const AGAIN = 1000; // between two questions while nobody answers
  const RARELY = 5000; // while somebody does, and the stream comes back by itself
  const LATE = 1500; // a stream that is back sooner was never away
  const main = document.querySelector("[hx-sse\\:connect]");
  const resting = get("resting");
  const now = () => performance.now(); // a phone's clock may be set meanwhile
  let heard = now();
  let asked = 0;
  let answered = null; // whether the last question was, since the stream spoke
  let stream = null;
  let away = false;
  let late = 0;
  const alive = () => {
    heard = now();
    answered = null;
    clearTimeout(late);
    late = 0;
    if (!away) return;
    away = false;
    resting.hidden = true;
    main.classList.remove("is-away");
    document.dispatchEvent(new Event("back"));
  };
  const lost = () => {
    away = true;
    resting.hidden = false;
    main.classList.add("is-away");
  };
  const silent = () => now() - heard > SILENCE;
  const reaches = async () => {
    const cut = new AbortController();
    const end = setTimeout(() => cut.abort(), ANSWER);
    try {
      await (await fetch("/now", { cache: "no-store", signal: cut.signal })).text();
      return true;
    } catch { return false; } finally { clearTimeout(end); }
  };
  // What waits for its next try tries now; what fell silent, or hangs, is left for a new one.
  const renew = () => {
    if (stream?.reader) stream.reader.cancel();
    else if (stream?.delayCanceller) stream.delayCanceller();
    else if (stream) stream.abortController.abort();
    else htmx.trigger(main, "again");
  };
  let looking = null;
  const look = (anew) => {
    looking ??= (async () => {
      asked = now();
      const before = answered;
      answered = await reaches();
      looking = null;
      if (!answered) lost();
      else if (anew || (before !== true && (away || silent()))) renew();
    })();
  };
  const failed = () => {
    late ||= setTimeout(lost, LATE);
    look();
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
    document.addEventListener("htmx:sse:error", failed);
    document.addEventListener("htmx:sse:before:connection", (event) => {
      if (event.detail.connection.attempt) failed(); // it ended without an error
    });
    document.addEventListener("htmx:sse:close", () => {
      stream = null;
      failed();
      setTimeout(() => htmx.trigger(main, "again"));
    });
    document.addEventListener("htmx:error", ({ detail: { ctx } }) => (ctx?.sourceElement === main ? failed : look)());
    document.addEventListener("resting", lost);
    document.addEventListener("gone", () => location.reload());
    document.addEventListener("htmx:sse:before:message", (event) => {
      alive();
      const { data, event: name } = event.detail.message;
      if (name === "resting") lost();
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
    // A laptop without a network still reaches itself, so that the browser's word is only a reason to ask.
    addEventListener("offline", () => look());
    addEventListener("online", () => look(true));
    document.addEventListener("visibilitychange", () => {
      if (document.hidden) return;
      heard = now();
      look();
      setTimeout(() => stream?.delayCanceller?.()); // it waits for the page to be seen, and then a moment longer
    });
    setInterval(() => {
      if (document.hidden || !(away || late || silent())) return;
      if (now() - asked > (answered ? RARELY : AGAIN)) look();
    }, 500);
  }

  // Who waits at the door asks again without loading the page, until there is a word.
  const waits = "data-again";
  const ask = async () => {
    try {
      const answer = await fetch(location.href);
      if (answer.redirected || !(await answer.text()).includes(waits)) {
        location.assign(answer.url);
        return;
      }
    } catch { /* it is asked again */ }
    setTimeout(ask, 2000);
  };
  if (document.querySelector(`[${waits}]`)) setTimeout(ask, 2000);
})();
