// Open pages follow the server: the parts that have changed are put in place. Without this script a page can be read
// all the same, and is loaded again now and then.
"use strict";

(() => {
  const state = document.getElementById("state");
  const say = (text) => { if (state) state.textContent = text; };

  // Times are written in the reader's time zone.
  const localTimes = (root) => {
    for (const time of root.querySelectorAll("time[datetime]")) {
      const moment = new Date(time.dateTime);
      if (Number.isNaN(moment.getTime())) continue;
      const today = moment.toDateString() === new Date().toDateString();
      time.textContent = today
        ? moment.toLocaleTimeString([], { hour: "2-digit", minute: "2-digit", second: "2-digit" })
        : moment.toLocaleString([], { dateStyle: "medium", timeStyle: "short" });
    }
  };

  // What a reader has opened or scrolled stays as it is, as long as the part has the same things in it.
  const moved = (part) => [...part.querySelectorAll("details, .scroll")];
  const keep = (part, before) => {
    const now = moved(part);
    if (now.length !== before.length) return;
    before.forEach(([open, left, top], number) => {
      if (now[number].tagName === "DETAILS") now[number].open = open;
      now[number].scrollTo(left, top);
    });
  };

  const known = new Map();
  const put = (name, html) => {
    const part = document.querySelector(`[data-part="${CSS.escape(name)}"]`);
    if (!part || known.get(name) === html) return;
    known.set(name, html);
    const before = moved(part).map((one) => [one.open, one.scrollLeft, one.scrollTop]);
    const summary = [...part.querySelectorAll("summary")].indexOf(document.activeElement);
    const focused = part.contains(document.activeElement) ? document.activeElement : null;
    const again = focused && (focused.id ? `#${CSS.escape(focused.id)}` : focused.getAttribute("href")
      ? `a[href="${CSS.escape(focused.getAttribute("href"))}"]` : null);
    part.innerHTML = html;
    localTimes(part);
    keep(part, before);
    if (again) part.querySelector(again)?.focus();
    else if (summary >= 0) part.querySelectorAll("summary")[summary]?.focus();
    part.dispatchEvent(new CustomEvent("ugs:part", { bubbles: true }));
  };

  // A page in the background needs no news; it gets all of them when it is looked at again.
  const follow = (address) => {
    let source = null;
    let over = false;
    const stop = () => { source?.close(); source = null; };
    const start = () => {
      if (source || over || document.hidden) return;
      source = new EventSource(address);
      source.onopen = () => say("");
      source.onmessage = (event) => {
        const news = JSON.parse(event.data);
        for (const [name, html] of Object.entries(news.parts)) put(name, html);
        if (news.over) { over = true; stop(); }
      };
      source.onerror = () => {
        if (!source) return;
        say("not connected: what is shown may be old");
        if (source.readyState === EventSource.CLOSED) { stop(); setTimeout(start, 5000); }
      };
    };
    document.addEventListener("visibilitychange", () => (document.hidden ? stop() : start()));
    addEventListener("pagehide", stop);
    start();
  };

  // Since when who is to move thinks, from the last change of the board that this page has seen.
  let thinking = null;
  addEventListener("ugs:part", (event) => { if (event.target.dataset.part === "board") thinking = performance.now(); });
  setInterval(() => {
    if (thinking === null) return;
    const seconds = Math.floor((performance.now() - thinking) / 1000);
    for (const part of document.querySelectorAll("[data-ticking]")) part.textContent = seconds ? `for ${seconds} s` : "";
  }, 1000);

  localTimes(document);
  // On a narrow screen the navigation is wider than what can be seen of it.
  const nav = document.querySelector("nav[aria-label=Pages]");
  const here = nav?.querySelector("[aria-current]");
  if (here) nav.scrollLeft = here.offsetLeft - nav.offsetLeft - (nav.clientWidth - here.offsetWidth) / 2;
  const address = document.body.dataset.live;
  if (address && location.protocol.startsWith("http")) follow(address);
})();
