// Open pages follow the server: the parts that have changed are put in place. Without this script a page can be read
// all the same, and is loaded again now and then.
"use strict";

(() => {
  const state = document.getElementById("state");
  const status = (text) => { if (state) state.textContent = text; };

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
  const moved = (part) => [...part.querySelectorAll("details, .scroll, .picture")];
  const keep = (part, before) => {
    const now = moved(part);
    if (now.length !== before.length) return;
    before.forEach(([open, left, top], number) => {
      if (now[number].tagName === "DETAILS") now[number].open = open;
      now[number].scrollTo(left, top);
    });
  };

  // What the page was loaded with is not put in place again: the first news are all parts.
  const written = (html) => Object.assign(document.createElement("template"), { innerHTML: html }).innerHTML;
  const known = new Map([...document.querySelectorAll("[data-part]")].map((part) => [part.dataset.part, part.innerHTML]));
  const put = (name, html) => {
    const part = document.querySelector(`[data-part="${CSS.escape(name)}"]`);
    const now = written(html);
    if (!part || known.get(name) === now) return;
    known.set(name, now);
    const news = new CustomEvent("ugs:news", { bubbles: true, cancelable: true, detail: html });
    if (part.dispatchEvent(news)) replace(part, html);
  };
  // What a reader points at stays until the pointer is elsewhere, and what stands below a part does not move up.
  const later = new Map();
  const isCalm = (part) => "calm" in part.dataset && part.matches(":hover");
  document.addEventListener("pointerout", () => {
    for (const [part, html] of later) if (!isCalm(part)) { later.delete(part); replace(part, html); }
  });
  const replace = (part, html) => {
    if (isCalm(part)) { later.set(part, html); return; }
    later.delete(part);
    const { bottom, height } = part.getBoundingClientRect();
    if ("calm" in part.dataset) part.style.minHeight = `${height}px`;
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
    // A part above the window has grown: what is read below it stays where it is.
    if (bottom < 0) scrollBy(0, part.getBoundingClientRect().height - height);
    part.dispatchEvent(new CustomEvent("ugs:part", { bubbles: true }));
  };

  addEventListener("ugs:put", (event) => replace(event.detail.part, event.detail.html));

  // A page in the background needs no news; it gets all of them when it is looked at again.
  const follow = (address) => {
    let source = null;
    let over = false;
    const stop = () => { source?.close(); source = null; };
    const start = () => {
      if (source || over || document.hidden) return;
      source = new EventSource(address);
      source.onopen = () => status("");
      source.onmessage = (event) => {
        const news = JSON.parse(event.data);
        for (const [name, html] of Object.entries(news.parts)) put(name, html);
        if (news.over) { over = true; stop(); }
      };
      source.onerror = () => {
        if (!source) return;
        status("not connected: what is shown may be old");
        // After an answer that is no stream a browser does not try again by itself.
        if (source.readyState === EventSource.CLOSED) { stop(); setTimeout(start, 5000); }
      };
    };
    document.addEventListener("visibilitychange", () => (document.hidden ? stop() : start()));
    addEventListener("pagehide", stop);
    start();
  };

  // Clocks: the time that each player has used, and how long who is to move has thought since.
  const game = document.querySelector("[data-thinking]");
  let thinking = game ? performance.now() - Number(game.dataset.thinking) * 1000 : null;
  addEventListener("ugs:part", (event) => {
    if (event.target.dataset.part === "seats") { thinking = performance.now(); tick(); }
  });
  const tick = () => {
    if (thinking === null) return;
    const seconds = (performance.now() - thinking) / 1000;
    for (const part of document.querySelectorAll("[data-ticking]")) part.textContent = seconds >= 1 ? `for ${Math.floor(seconds)} s` : "";
    for (const clock of document.querySelectorAll("[data-used]")) {
      const used = Math.floor(Number(clock.dataset.used) + ("thinks" in clock.dataset ? seconds : 0));
      clock.textContent = `${Math.floor(used / 60)}:${String(used % 60).padStart(2, "0")}`;
    }
  };
  tick();
  setInterval(tick, 1000);

  // How long it takes until something begins; the server has written it in minutes.
  const left = (seconds) => {
    if (seconds <= 0) return "any moment now";
    const days = Math.floor(seconds / 86400);
    const hours = Math.floor(seconds / 3600) % 24;
    const minutes = Math.floor(seconds / 60) % 60;
    const parts = [[days, days > 1 ? "days" : "day"], [hours, "h"], [days ? 0 : minutes, "min"], [days || hours ? 0 : Math.floor(seconds) % 60, "s"]];
    return `in ${parts.filter(([number]) => number).map(([number, unit]) => `${number} ${unit}`).join(" ")}`;
  };
  const countDown = () => {
    for (const part of document.querySelectorAll("[data-until]")) {
      const text = left((Date.parse(part.dataset.until) - Date.now()) / 1000);
      if (part.textContent !== text) part.textContent = text;
    }
  };
  countDown();
  setInterval(countDown, 1000);
  addEventListener("ugs:part", countDown);

  // A board may be larger than its place, and is moved about in it then.
  const LEVELS = [0, 1, 1.7, 2.6];
  const WHOLE = 0.9; // of its place; a board that is wider needs no step to fill it
  let level = 0;
  const place = () => document.querySelector(".stage-card .picture");
  const buttons = () => document.querySelectorAll("[data-zoom]");
  const zoom = () => {
    const picture = place();
    const drawn = picture?.querySelector("svg");
    if (!drawn) return;
    const { width, height } = drawn.getBoundingClientRect();
    const { width: across, height: down } = drawn.viewBox.baseVal;
    level = (level + 1) % LEVELS.length;
    if (level === 1 && Math.min(width, (height * across) / down) > WHOLE * picture.clientWidth) level = 2;
    document.documentElement.classList.toggle("zoomed", level > 0);
    document.documentElement.style.setProperty("--zoom", String(LEVELS[level]));
    zoomable();
    tallest = 0;
    keepHeight();
    picture.scrollTo((picture.scrollWidth - picture.clientWidth) / 2, (picture.scrollHeight - picture.clientHeight) / 2);
    for (const button of buttons()) button.querySelector(".unseen").textContent = level < LEVELS.length - 1 ? "enlarge the board" : "show the whole board";
  };
  // Positions of one game may differ in height, and so do their news: what stands below would jump with every move.
  let tallest = 0;
  let most = 0;
  const keepNews = () => {
    const news = document.querySelector(".news");
    if (!news) return;
    news.style.minHeight = "";
    most = Math.max(most, news.getBoundingClientRect().height);
    news.style.minHeight = `${most}px`;
  };
  const keepHeight = () => {
    keepNews();
    const picture = place();
    if (!picture) return;
    picture.style.minHeight = "";
    if (level || !picture.querySelector("svg")) { tallest = 0; return; }
    tallest = Math.max(tallest, picture.getBoundingClientRect().height);
    picture.style.minHeight = `${tallest}px`;
  };
  const stage = document.querySelector(".board-column");
  if (stage) new MutationObserver(keepHeight).observe(stage, { childList: true, subtree: true });
  addEventListener("resize", () => { tallest = most = 0; keepHeight(); });
  keepHeight();
  const zoomable = () => {
    for (const button of buttons()) button.hidden = false;
    if (place()) place().tabIndex = level || place().closest(".tree") ? 0 : -1; // what scrolls can be reached by keys
  };
  zoomable();
  addEventListener("ugs:part", zoomable);
  addEventListener("click", (event) => { if (event.target.closest?.("[data-zoom]")) zoom(); });
  addEventListener("keydown", (event) => {
    if (event.key === "z" && !event.ctrlKey && !event.metaKey && !event.altKey && !event.target.closest("input, select, textarea")) zoom();
  });

  localTimes(document);
  // On a narrow screen a row of links may be wider than what can be seen of it.
  const centre = () => {
    for (const nav of document.querySelectorAll(".choices")) {
      const here = nav.querySelector("[aria-current]");
      if (here) nav.scrollLeft += here.getBoundingClientRect().left - nav.getBoundingClientRect().left - (nav.clientWidth - here.offsetWidth) / 2;
    }
  };
  centre();
  addEventListener("resize", centre);
  const address = document.body.dataset.live;
  if (address && location.protocol.startsWith("http")) follow(address);
})();
