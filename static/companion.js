/* What pages do beyond htmx: the sheet, dice to tap, sound. Every page works without it. */
(() => {
  "use strict";
  const root = document.documentElement;
  const get = (id) => document.getElementById(id);
  const kept = {
    read(name) { try { return localStorage.getItem(name); } catch { return null; } },
    write(name, value) { try { localStorage.setItem(name, value); } catch { /* private windows keep nothing */ } },
  };
  root.classList.add("scripted");

  // A fresh view leaves open what was opened, and a tap on a radio where it is.
  htmx.registerExtension("companion", {
    htmx_before_morph_attr: (element, detail) => !(detail.attrName === "open" && element.tagName === "DETAILS"),
  });

  // The sheet: a link marked data-sheet opens there.
  const sheet = get("sheet");
  const open = (href, same = false) => {
    const body = get("sheet-body");
    body.setAttribute("aria-busy", "true");
    const how = { source: "#sheet-body", target: "#sheet-body", swap: same ? "innerMorph" : "innerHTML" };
    htmx.ajax("GET", href, how).finally(() => {
      body.removeAttribute("aria-busy");
      if (!same) sheet.scrollTop = 0;
    });
    if (!sheet.open) {
      body.replaceChildren(); // what was read before must not be taken for what was asked for now
      sheet.showModal();
    }
  };
  document.addEventListener("click", (event) => {
    const link = event.target.closest("a[data-sheet]");
    if (link && !event.ctrlKey && !event.metaKey && !event.shiftKey && sheet?.showModal) {
      event.preventDefault();
      boxed(link);
      open(link.getAttribute("href"));
    }
    if (event.target === sheet) sheet.close();
    const menu = get("menu");
    if (menu?.open && !menu.contains(event.target)) menu.open = false;
  });
  document.addEventListener("keydown", (event) => {
    if (event.key !== "Escape") return;
    const picked = document.querySelector(".pick:checked");
    if (picked) picked.checked = false;
    if (get("menu")) get("menu").open = false;
  });
  // What is left to choose changes the odds, or what else can be chosen: ask again.
  // A list that is filled in is sent once and no part of the form.
  const filled = (form) => String(new URLSearchParams([...new FormData(form)].filter(([name]) => name !== "kept")));
  let foreseen = {}; // the form for which an answer is on its way, and what was in it
  const foresee = (form, changed) => {
    const plan = form?.querySelector("[data-plan]");
    if (!plan || (changed && plan.dataset.plan && plan.dataset.plan !== changed.name)) return;
    foreseen = { form, fields: filled(form) };
    open(`${plan.getAttribute("formaction")}?${new URLSearchParams(new FormData(form))}`, true);
  };
  // An answer that was overtaken by what was tapped since would take it away again.
  document.addEventListener("htmx:before:swap", (event) => {
    const { form, fields } = foreseen;
    if (event.detail.ctx.sourceElement?.id !== "sheet-body" || !form?.isConnected || filled(form) === fields) return;
    event.preventDefault();
    foresee(form);
  });
  document.addEventListener("change", ({ target }) => foresee(target.closest("#sheet form"), target));
  // A plan is filled in as it comes: what was tapped or typed does not follow its attribute.
  const planned = ({ target } = {}) => target === "#plan" || target?.id === "plan" || target?.id === "sheet-body";
  document.addEventListener("htmx:after:swap", ({ detail: { ctx } }) => {
    if (planned(ctx)) get("plan")?.querySelector("form")?.reset();
  });
  // Asking for the odds is no attack: the form itself must not hear of it.
  document.addEventListener("submit", (event) => {
    if (!event.submitter?.matches("#sheet [data-plan]")) return;
    event.preventDefault();
    event.stopPropagation();
    foresee(event.target);
  }, true);
  const hasTable = () => Boolean(get("board") ?? document.querySelector(".tableau"));
  let boarded = hasTable();
  let box = null; // its form may be gone when the answer is there
  let below = false; // whether it lies in a tableau, perhaps far beneath the board
  const boxed = (from) => {
    if (sheet?.contains(from)) return;
    box = from.closest("details.offer, .lying > details");
    below = Boolean(from.closest(".tableau"));
  };
  document.addEventListener("submit", ({ target }) => boxed(target), true);
  document.addEventListener("htmx:after:swap", (event) => {
    const target = event.detail.ctx?.target;
    const inSheet = sheet?.open && event.detail.ctx.request?.method === "POST" && sheet.contains(event.detail.ctx.sourceElement);
    if (inSheet && !planned(event.detail.ctx)) sheet.close();
    // What was said in a box is done with: it folds up, unless it was refused.
    const { request: how, response: came } = event.detail.ctx ?? {};
    if (how?.method === "POST" && came?.status < 400) {
      if (box) box.open = false;
      if (below) showBoard();
      below = false;
    }
    if (target?.id !== "main") return;
    // A board that comes is seen, however far down a list somebody was.
    if (!boarded && hasTable()) window.scrollTo(0, 0);
    boarded = hasTable();
    // What was tapped is gone: who listens or types goes on where the next step is.
    if (event.detail.ctx.request?.method === "POST" && document.activeElement === document.body) {
      get("dock")?.focus({ preventScroll: true });
    }
  });

  // A piece that is picked is let go by a second tap, and when dice or a question come: what it says lies over them.
  const letGo = () => {
    const pick = document.querySelector(".pick:checked");
    if (!pick) return;
    pick.checked = false;
    pick.dispatchEvent(new Event("change", { bubbles: true }));
  };
  let held = null;
  document.addEventListener("pointerdown", (event) => {
    const label = event.target.closest("label");
    const input = label?.htmlFor && get(label.htmlFor);
    held = input?.matches(".pick, .pick-card") && input.checked ? input : null;
  });
  document.addEventListener("click", (event) => {
    const label = event.target.closest("label");
    if (held && label?.htmlFor === held.id) {
      event.preventDefault();
      held.checked = false;
      held = null;
    }
  });

  // What did not get through is said at once, where it was tapped, and can be sent again: the table takes it only once.
  const unsent = get("unsent");
  const words = unsent.querySelector("span");
  const alarm = words.textContent;
  let again = null;
  document.addEventListener("submit", ({ target, submitter }) => {
    again = () => { if (target.isConnected) target.requestSubmit(submitter?.form === target ? submitter : null); };
  }, true);
  const failed = (version) => {
    (sheet.open ? sheet : get("notices") ?? document.body).append(unsent);
    words.textContent = alarm;
    unsent.classList.remove("is-back");
    unsent.hidden = false;
    unsent.dataset.version = version;
    unsent.scrollIntoView({ block: "nearest" });
  };
  document.addEventListener("unsent", ({ detail }) => {
    again = detail;
    failed(get("state")?.dataset.version ?? "");
  });
  document.addEventListener("htmx:error", ({ detail: { ctx } }) => {
    if (ctx?.target?.id === "sheet-body") again = () => open(ctx.request.action);
    else if (ctx?.request?.method !== "POST") return;
    failed(get("state")?.dataset.version ?? "");
  });
  document.addEventListener("htmx:after:swap", ({ detail: { ctx } }) => {
    const there = ctx?.request?.method === "POST" || ctx?.target?.id === "sheet-body";
    if (there || (get("state")?.dataset.version ?? "") !== unsent.dataset.version) unsent.hidden = true;
  });
  // A phone that is back is alarmed no more; what was chosen can still be sent.
  document.addEventListener("back", () => {
    words.textContent = words.dataset.back;
    unsent.classList.add("is-back");
  });
  sheet.addEventListener("close", () => { unsent.hidden = true; });
  unsent.querySelector("button").addEventListener("click", () => {
    unsent.hidden = true;
    again();
  });

  // Dice to tap: six faces stand for the rows of choices beneath, which still are what is sent.
  const pads = (within) => within.querySelectorAll?.("[data-pad]:not(.has-pad)").forEach((entry) => {
    const rows = [...entry.querySelectorAll(".die-row")];
    const die = (face) => entry.querySelector(`input[value="${face}"] + label .die`).cloneNode(true);
    const pad = document.createElement("div");
    pad.className = "pad";
    const thrown = pad.appendChild(document.createElement("div"));
    thrown.className = "pad-thrown";
    thrown.setAttribute("aria-live", "polite");
    const faces = pad.appendChild(document.createElement("div"));
    faces.className = "pad-faces";
    const show = () => {
      thrown.replaceChildren(...rows.map((row) => {
        const chosen = row.querySelector("input:checked");
        if (!chosen) return Object.assign(document.createElement("span"), { className: "empty" });
        const button = document.createElement("button");
        button.type = "button";
        button.setAttribute("aria-label", `${chosen.value} ✕`);
        button.append(die(chosen.value));
        button.addEventListener("click", () => { chosen.checked = false; show(); });
        return button;
      }));
      const full = rows.every((row) => row.querySelector("input:checked"));
      faces.querySelectorAll("button").forEach((button) => { button.disabled = full; });
    };
    for (let face = 1; face <= Number(entry.dataset.pad); face += 1) {
      const button = faces.appendChild(document.createElement("button"));
      button.type = "button";
      button.setAttribute("aria-label", String(face));
      button.append(die(face));
      button.addEventListener("click", () => {
        const row = rows.find((one) => !one.querySelector("input:checked"));
        if (row) row.querySelector(`input[value="${face}"]`).checked = true;
        show();
      });
    }
    entry.classList.add("has-pad");
    entry.before(pad);
    show();
  });

  // Sound and vibration on a throw: off until switched on, on this phone only.
  const buzz = () => {
    if (kept.read("buzz") === "on") navigator.vibrate?.([30, 40, 60]);
    if (kept.read("sound") !== "on") return;
    const audio = new AudioContext();
    [0, 0.07, 0.15].forEach((at, index) => {
      const tone = audio.createOscillator();
      const loud = audio.createGain();
      tone.type = "triangle";
      tone.frequency.value = 320 - index * 60;
      loud.gain.setValueAtTime(0.25, audio.currentTime + at);
      loud.gain.exponentialRampToValueAtTime(0.001, audio.currentTime + at + 0.09);
      tone.connect(loud).connect(audio.destination);
      tone.start(audio.currentTime + at);
      tone.stop(audio.currentTime + at + 0.1);
    });
    setTimeout(() => audio.close(), 600);
  };
  document.addEventListener("alarm", buzz);
  let last = get("state")?.dataset.throw;
  document.addEventListener("htmx:after:swap", ({ detail: { ctx } }) => {
    pads(document);
    if (get("scan")) get("scan").hidden = !document.querySelector(".is-open");
    const now = get("state")?.dataset.throw;
    const thrown = now && now !== last;
    if (thrown) {
      buzz();
      letGo();
    }
    if (thrown || ctx?.request?.method === "POST") get("dock")?.scrollIntoView({ block: "nearest" });
    last = now;
  });
  document.querySelectorAll("[data-switch]").forEach((button) => {
    button.closest(".needs-script").hidden = false;
    const name = button.dataset.switch;
    const show = () => button.setAttribute("aria-pressed", String(kept.read(name) === "on"));
    button.addEventListener("click", () => {
      kept.write(name, kept.read(name) === "on" ? "off" : "on");
      show();
      if (kept.read(name) === "on") buzz();
    });
    show();
  });
  document.addEventListener("DOMContentLoaded", () => pads(document));
  if (document.readyState !== "loading") pads(document);

  // What lies over the foot of the page is measured, so that the board stays in sight above it. What is new is read from
  // its beginning.
  const atFoot = (element) => element && ["sticky", "fixed"].includes(getComputedStyle(element).position)
    && parseFloat(getComputedStyle(element).bottom) === 0 ? element.offsetHeight : 0;
  const measure = () => {
    const about = document.querySelector(".pick:checked + label + .targets .about");
    root.style.setProperty("--dock", `${Math.max(atFoot(get("dock")), atFoot(about))}px`);
  };
  const showBoard = () => {
    measure();
    get("board")?.scrollIntoView({ block: "nearest" });
  };
  document.addEventListener("change", (event) => { if (event.target.matches(".pick")) showBoard(); });
  addEventListener("resize", measure);
  // What a card may do is read above what lies over the foot of the page.
  document.addEventListener("toggle", ({ target }) => {
    if (!target.open || !target.matches(".lying > details")) return;
    measure();
    for (const part of [target, target.lastElementChild.lastElementChild]) part.scrollIntoView({ block: "nearest" });
  }, true);
  const told = () => (get("last") ?? get("newest"))?.textContent;
  const filling = () => get("dock")?.contains(document.activeElement?.closest("input, select, textarea"));
  let said = told();
  let asked = null;
  let waited = null;
  // The second tap of a double one must not answer what nobody has read.
  let hushed = 0;
  const hush = () => {
    document.querySelectorAll("#dock form[action$='/answer']").forEach((form) => { form.inert = hushed > 0; });
  };
  const fresh = () => {
    const question = document.querySelector("form[action$='/answer']") ? get("state").dataset.version : null;
    const waiting = document.querySelector("#dock .waiting");
    if ((question && question !== asked) || (waiting && !waited)) letGo();
    measure();
    if (question !== asked || (told() !== said && !filling())) get("dock")?.scrollTo(0, 0);
    if (question && question !== asked) {
      showBoard();
      hushed += 1;
      setTimeout(() => { hushed -= 1; hush(); }, 400);
    }
    hush();
    asked = question;
    waited = waiting;
    said = told();
  };
  document.addEventListener("htmx:after:swap", fresh);
  if (get("state")) fresh();
})();
