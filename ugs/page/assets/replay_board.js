// A game, position by position: the arrows, the slider and the list lead to one, and it plays by itself. One that runs
// stays where its reader has stepped back to, until the last position is wanted again. The links of the page do the same
// without this script.
"use strict";

(() => {
  const game = document.querySelector("[data-replay]");
  if (!game) return;
  const source = game.dataset.replay;
  const kept = new Map();
  const asked = new Map();
  let total = 0;
  let unmoved = 0; // 1: no move led to the last position
  let at = 0;
  let wanted = 0;
  let since = null;
  let timer = null;
  let end = null; // the last position of a game that runs, while an earlier one is shown
  const $ = (id) => document.getElementById(id);
  const board = () => game.querySelector("[data-part=board]");
  const runs = () => Boolean(game.querySelector(".live"));
  const lines = () => [...game.querySelectorAll(".moves li[data-position]")];

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
        if (runs()) asked.delete(first); // there may be more by the next time
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
    if (next <= total && number % 10 > 4 && !kept.has(next)) fetchFrom(next);
    return kept.get(number);
  };

  const list = (element, texts) => {
    element.replaceChildren(...texts.map((text) => Object.assign(document.createElement("li"), { textContent: text })));
  };

  const centre = (line) => {
    const moves = line.parentElement;
    moves.scrollTop = line.offsetTop - moves.offsetTop - moves.clientHeight / 2;
  };

  const here = (number) => {
    const address = new URL(location.href);
    address.searchParams.delete("at"); // links of before count positions from 1
    if (!source) address.hash = `move-${number - 1}`;
    else if (number === total && runs()) address.searchParams.delete("move");
    else address.searchParams.set("move", String(number - 1));
    return address;
  };

  // The list of a long game holds the moves about one position. Where another one is shown, the moves about that are
  // put in their place, as far as they are known. In a copy of the site it holds all of them.
  const relist = (number) => {
    const moves = game.querySelector(".moves");
    if (!source || !moves || moves.querySelector(`[data-position="${number}"]`)) return;
    const near = [...kept.values()].filter((one) => Math.abs(one.number - number) <= 30).sort((one, other) => one.number - other.number);
    moves.replaceChildren(...near.map((one) => {
      const line = Object.assign(document.createElement("li"), { value: one.number - 1 });
      line.dataset.position = String(one.number);
      const [, of, dots, move] = (one.written ?? "").match(/^(\d+)(\.+) (.+)$/) ?? [];
      if (move) line.dataset[dots === "." ? "first" : "second"] = of;
      const words = one.news.slice(0, 6).join(" · ") || (one.number === 1 ? "the beginning" : `move ${one.number - 1}`);
      const text = move ?? words;
      line.append(Object.assign(document.createElement("a"), { href: here(one.number).href, textContent: text }));
      return line;
    }));
  };

  const mark = () => {
    for (const line of lines()) {
      const shown = Number(line.dataset.position) === at;
      line.classList.toggle("here", shown);
      const link = line.querySelector("a");
      if (shown) link?.setAttribute("aria-current", "step"); else link?.removeAttribute("aria-current");
      if (shown) centre(line);
    }
  };

  const totalOf = (figure) => [Number(figure.dataset.total), Number(figure.hasAttribute("data-unmoved"))];

  // What is put in place by the server, at the begin or as a game goes on.
  const taken = (part) => {
    const figure = part.querySelector("[data-total]");
    if (!figure) return;
    [total, unmoved] = totalOf(figure);
    at = wanted = Number(figure.dataset.at);
    for (const one of part.querySelectorAll("[data-needs-script]")) one.hidden = false;
    part.querySelector('[data-step="play"]').hidden = runs() && at === total;
  };
  addEventListener("ugs:news", (event) => {
    if (event.target !== board() || wanted === total) return;
    event.preventDefault();
    end = event.detail;
    const figure = Object.assign(document.createElement("template"), { innerHTML: end }).content.querySelector("[data-total]");
    if (figure) [total, unmoved] = totalOf(figure);
    where();
  });
  addEventListener("ugs:part", (event) => {
    if (event.target === board()) taken(event.target);
    mark();
  });
  const where = () => {
    const words = unmoved && at === total ? ["", "the end", ""] : ["move ", String(at - 1), ` of ${total - 1 - unmoved}`];
    $("at").textContent = words[1];
    $("at").parentElement.replaceChildren(words[0], $("at"), words[2]);
    $("slider").max = String(total);
    $("slider").value = String(at);
    $("slider").setAttribute("aria-valuetext", words.join(""));
    game.querySelector('[data-step="play"]').hidden = runs() && at === total;
  };

  const show = async (number) => {
    const least = runs() ? Number(lines()[0]?.dataset.position ?? 1) : 1;
    wanted = Math.min(Math.max(number, least), total);
    if (runs() && wanted === total) { follow(); return; }
    const one = await position(wanted);
    if (!one) { if (at === total && end !== null) follow(); wanted = at; }
    // The reader has gone on to another one meanwhile.
    if (!one || one.number !== wanted) return;
    if (runs() && at === total && end === null) end = board().innerHTML;
    at = wanted;
    since = one.since_s;
    $("board").innerHTML = one.svg;
    $("words").textContent = one.words;
    list($("news"), one.news.slice(-6));
    list($("remarks"), one.remarks ?? []);
    const ended = at === total && !runs();
    $("board").parentElement.classList.toggle("halted", ended && one.next.length > 0);
    $("next").textContent = one.next.length && !ended ? `to move: ${one.next.join(", ")}` : at === total ? "the game has ended" : "\u00a0";
    where();
    relist(at);
    mark();
    history.replaceState(null, "", here(at));
  };

  // Back to a game as it runs.
  const follow = () => {
    stop();
    at = wanted = total;
    if (end !== null) dispatchEvent(new CustomEvent("ugs:put", { detail: { part: board(), html: end } }));
    end = null;
    mark();
    history.replaceState(null, "", here(at));
  };

  const label = (text) => { game.querySelector('[data-step="play"]').textContent = text; };
  const stop = () => { clearTimeout(timer); timer = null; label("play"); };
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
    label("pause");
    timer = 0;
    if (at >= total) await show(1);
    if (timer !== null) timer = setTimeout(tick, 400);
  };

  const steps = {
    first: () => show(1), back: () => show(wanted - 1), next: () => show(wanted + 1), last: () => show(total),
    play: () => (timer === null ? start() : stop()),
  };
  taken(board());
  const first = game.querySelector(".moves li.here");
  if (first) centre(first);
  if (location.hash === "#why") document.getElementById("why")?.setAttribute("open", "");
  const [, counted, linked] = location.hash.match(/^#(move-)?(\d+)$/) ?? [];
  if (linked) show(Number(linked) + (counted ? 1 : 0));
  game.addEventListener("click", (event) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
    const step = event.target.closest("[data-step]");
    const line = event.target.closest(".moves li[data-position]");
    if (!step && !(line && event.target.closest("a"))) return;
    event.preventDefault();
    if (step) { if (step.dataset.step !== "play") stop(); steps[step.dataset.step](); }
    else { stop(); show(Number(line.dataset.position)); }
  });
  game.addEventListener("input", (event) => {
    if (event.target.id === "slider") { stop(); show(Number(event.target.value)); }
  });
  const keys = { ArrowRight: "next", ArrowLeft: "back", Home: "first", End: "last", " ": "play" };
  addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || !(event.key in keys) || !total) return;
    if (event.target.closest("input, select, button, summary, a") && event.key === " ") return;
    if (event.target.closest("select, input")) return;
    event.preventDefault();
    if (keys[event.key] !== "play") stop();
    steps[keys[event.key]]();
  });
})();
