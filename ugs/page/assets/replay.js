// A game that has ended, position by position: the arrows, the slider and the list lead to one, and it plays by itself.
// The links of the page do the same without this script.
"use strict";

(() => {
  const game = document.querySelector("[data-replay]");
  if (!game) return;
  const total = Number(game.dataset.total);
  const source = game.dataset.replay;
  const kept = new Map();
  const asked = new Map();
  let at = Number(game.dataset.at);
  let wanted = at;
  let since = null;
  let timer = null;
  const $ = (id) => document.getElementById(id);
  const play = game.querySelector('[data-step="play"]');

  for (const part of game.querySelectorAll("[data-needs-script]")) part.hidden = false;
  play.hidden = false;

  // A copy of the site has all positions in a script: pieces of text, and how each position differs from the one before.
  const edited = (before, edits) => {
    let now = [];
    let from = 0;
    for (const [place, dropped, ...pieces] of edits) {
      now = now.concat(before.slice(from, place), pieces);
      from = place + dropped;
    }
    return now.concat(before.slice(from));
  };
  const unpacked = ({ every, pieces, positions }, number) => {
    const last = number - 1;
    const text = (name) => {
      let list = [];
      for (let one = last - (last % every); one <= last; one += 1) list = edited(list, positions[one][name]);
      return list.map((piece) => pieces[piece]).join("");
    };
    return { ...positions[last], number, svg: text("svg"), words: text("words") };
  };

  // Positions of a server come some at a time, and those after the one that is shown before they are needed. Of a long
  // game only the last ones are kept.
  const MAX_KEPT = 300;
  const keep = (one) => {
    kept.delete(one.number);
    kept.set(one.number, one);
    while (kept.size > MAX_KEPT) {
      const [oldest] = kept.keys();
      kept.delete(oldest);
      asked.delete(oldest);
      asked.delete(block(oldest));
    }
  };
  const block = (number) => number - ((number - 1) % 10);
  const fetchFrom = (first) => {
    if (source && !asked.has(first)) {
      asked.set(first, fetch(`${source}&from=${first}`).then(async (answer) => {
        if (!answer.ok) throw new Error(String(answer.status));
        for (const one of (await answer.json()).positions) keep(one);
      }).catch(() => asked.delete(first)));
    }
    return asked.get(first) ?? Promise.resolve();
  };
  const position = async (number) => {
    if (window.ugsReplay) return unpacked(window.ugsReplay, number);
    for (let tries = 0; !kept.has(number) && tries < 3; tries += 1) {
      await fetchFrom(tries ? number : block(number));
    }
    const next = block(number) + 10;
    if (next <= total && number % 10 > 4) fetchFrom(next);
    return kept.get(number);
  };

  const list = (element, lines) => {
    element.replaceChildren(...lines.map((line) => Object.assign(document.createElement("li"), { textContent: line })));
  };

  const centre = (line) => {
    const moves = line.parentElement;
    moves.scrollTop = line.offsetTop - moves.offsetTop - moves.clientHeight / 2;
  };

  // The list of a long game holds the moves about one position. Where another one is shown, the moves about that are
  // put in their place, as far as they are known.
  const relist = (number) => {
    const moves = game.querySelector(".moves");
    if (!moves || moves.querySelector(`[data-position="${number}"]`)) return;
    const near = [...kept.values()].filter((one) => Math.abs(one.number - number) <= 30).sort((one, other) => one.number - other.number);
    moves.replaceChildren(...near.map((one) => {
      const line = Object.assign(document.createElement("li"), { value: one.number - 1 });
      line.dataset.position = String(one.number);
      const address = new URL(location.href);
      address.searchParams.set("at", String(one.number));
      const text = one.news.slice(0, 3).join(" · ") || (one.number === 1 ? "the beginning" : `move ${one.number - 1}`);
      line.append(Object.assign(document.createElement("a"), { href: address.href, textContent: text }));
      return line;
    }));
  };

  const show = async (number) => {
    wanted = Math.min(Math.max(number, 1), total);
    const one = await position(wanted);
    if (!one || one.number !== wanted) return;
    at = wanted;
    since = one.since_s;
    $("board").innerHTML = one.svg;
    $("words").textContent = one.words;
    list($("news"), one.news.slice(-6));
    $("next").textContent = one.next.length ? `to move: ${one.next.join(", ")}` : at === total ? "the game has ended" : "\u00a0";
    $("at").textContent = String(at - 1);
    $("slider").value = String(at);
    $("slider").setAttribute("aria-valuetext", `move ${at - 1} of ${total - 1}`);
    relist(at);
    for (const line of game.querySelectorAll(".moves li")) {
      const here = Number(line.dataset.position) === at;
      line.classList.toggle("here", here);
      const link = line.querySelector("a");
      if (here) link?.setAttribute("aria-current", "step"); else link?.removeAttribute("aria-current");
      if (here) centre(line);
    }
    const address = new URL(location.href);
    if (source) address.searchParams.set("at", String(at)); else address.hash = String(at);
    history.replaceState(null, "", address);
  };

  const stop = () => { clearTimeout(timer); timer = null; play.textContent = "play"; };
  const tick = async () => {
    if (at >= total) { stop(); return; }
    const before = since;
    await show(at + 1);
    if (timer === null) return;
    const speed = Number($("speed").value);
    const took = before === null ? 700 : (since - before) * 1000;
    timer = setTimeout(tick, speed ? 700 / speed : Math.min(Math.max(took, 30), 10000));
  };
  const start = async () => {
    play.textContent = "pause";
    timer = 0;
    if (at >= total) await show(1);
    if (timer !== null) timer = setTimeout(tick, 400);
  };

  const steps = {
    first: () => show(1), back: () => show(wanted - 1), next: () => show(wanted + 1), last: () => show(total),
    play: () => (timer === null ? start() : stop()),
  };
  const first = game.querySelector(".moves li.here");
  if (first) centre(first);
  const linked = Number(location.hash.slice(1));
  if (linked) show(linked);
  game.addEventListener("click", (event) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
    const step = event.target.closest("[data-step]");
    const line = event.target.closest(".moves li[data-position]");
    if (!step && !(line && event.target.closest("a"))) return;
    event.preventDefault();
    if (step) { if (step.dataset.step !== "play") stop(); steps[step.dataset.step](); }
    else { stop(); show(Number(line.dataset.position)); }
  });
  $("slider").addEventListener("input", () => { stop(); show(Number($("slider").value)); });
  const keys = { ArrowRight: "next", ArrowLeft: "back", Home: "first", End: "last", " ": "play" };
  addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || !(event.key in keys)) return;
    if (event.target.closest("input, select, button, summary, a") && event.key === " ") return;
    if (event.target.closest("select, input")) return;
    event.preventDefault();
    if (keys[event.key] !== "play") stop();
    steps[keys[event.key]]();
  });
})();
