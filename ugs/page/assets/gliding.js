// What has moved on a board is seen to move: when a new picture takes the place of an old one, pieces glide from where
// they were, and new ones come up. Pictures name their pieces: data-piece is the name of one, data-pieces stands on a path
// or a group of several that are told apart by their looks. Pictures that name none change at once, as all do for readers
// who want no motion.
"use strict";

(() => {
  const MAX_MS = 200;
  const LEAST_MS = 60; // shorter than that, no eye follows
  const MAX_CHANGED = 24; // more is another position and no move
  const NEAR = 0.5; // units of a picture within which a piece has stayed; numbers in it are rounded
  const still = matchMedia("(prefers-reduced-motion: reduce)");
  const boards = new Map(); // by name of the picture: the element, its pieces, and since when it is shown

  // From units of an element to those of the picture.
  const toPicture = (svg, element) => svg.getScreenCTM().inverse().multiply(element.getScreenCTM());

  // A path of several pieces: each begins with where it is, and goes on from there in steps that its looks are made of.
  const OUTLINE = /M\s*(-?[\d.]+)[\s,]*(-?[\d.]+)([^M]*)/g;
  const outlines = (svg, path, placed) => {
    const { a, b, c, d, e, f } = toPicture(svg, path);
    const looks = `${path.getAttribute("class")} ${path.getAttribute("fill")} ${path.getAttribute("stroke-width")}`;
    return [...path.getAttribute("d").matchAll(OUTLINE)].map(([outline, left, top, steps]) => (
      { element: path, outline, x: a * left + c * top + e, y: b * left + d * top + f, key: looks + steps, placed }));
  };
  const single = (svg, element, key, placed) => {
    const { a, d, e, f } = svg.getScreenCTM();
    const { x, y } = element.getBoundingClientRect();
    return { element, outline: null, x: (x - e) / a, y: (y - f) / d, key, placed };
  };
  const WHERE = /\s(?:x|y|cx|cy|x1|x2|y1|y2|transform)="[^"]*"/g;
  const several = (svg, part) => {
    const placed = part.dataset.pieces === "placed";
    if (part.localName === "path") return outlines(svg, part, placed);
    return [...part.children].flatMap((one) => (one.localName === "path" ? outlines(svg, one, placed)
      : [single(svg, one, one.outerHTML.replace(WHERE, ""), placed)]));
  };
  const piecesOf = (svg) => [...svg.querySelectorAll("[data-piece], [data-pieces]")]
    .flatMap((part) => ("piece" in part.dataset ? [single(svg, part, part.dataset.piece, false)] : several(svg, part)));

  // Which pieces are not where one that looks the same was, and where each of them has come from: the nearest place that
  // such a piece has left; null for a new one, as all are that games only place.
  const distance = (one, other) => Math.hypot(one.x - other.x, one.y - other.y);
  const changed = (before, now) => {
    const left = new Map();
    for (const one of before) left.set(one.key, [...(left.get(one.key) ?? []), one]);
    const take = (one, most) => {
      const found = (left.get(one.key) ?? []).reduce((best, other) => (
        distance(one, other) <= (best ? distance(one, best) : most) ? other : best), null);
      if (found) left.get(one.key).splice(left.get(one.key).indexOf(found), 1);
      return found;
    };
    return now.filter((one) => !take(one, NEAR)).map((one) => ({ one, from: one.placed ? null : take(one, Infinity) }));
  };

  // Copies glide above everything, since a square that is drawn later would hide what moves over it, and what they stand
  // for can be clicked meanwhile. Nothing of the picture itself is changed.
  const cloned = (element, outline) => {
    const copy = element.cloneNode(outline === null);
    for (const part of [copy, ...copy.querySelectorAll("*")]) for (const name of ["data-offer", "data-piece", "data-pieces"]) part.removeAttribute(name);
    if (outline !== null) copy.setAttribute("d", outline);
    copy.setAttribute("pointer-events", "none");
    copy.setAttribute("data-glides", "");
    return copy;
  };
  const glide = (svg, moved, ms) => {
    const timing = { duration: ms, easing: "ease-out" };
    const copies = [];
    const hidden = new Map();
    for (const { one, from } of moved) {
      const parent = one.element.parentNode;
      const layer = cloned(parent === svg ? document.createElementNS(svg.namespaceURI, "g") : parent, "");
      const { a, b, c, d, e, f } = toPicture(svg, parent);
      layer.removeAttribute("d");
      layer.setAttribute("transform", `matrix(${a} ${b} ${c} ${d} ${e} ${f})`);
      const copy = layer.appendChild(cloned(one.element, one.outline));
      copies.push(layer);
      if (from) copy.animate({ translate: [`${(from.x - one.x) / a}px ${(from.y - one.y) / d}px`, "0 0"] }, timing);
      else copy.animate({ opacity: [0, 1] }, timing);
      hidden.set(one.element, [...(hidden.get(one.element) ?? []), one.outline]);
    }
    for (const [element, without] of hidden) {
      // What it is hidden by goes in the very frame in which it is seen again.
      element.animate({ opacity: [0, 0] }, timing).onfinish = () => copies.forEach((copy) => copy.remove());
      if (without[0] === null) continue;
      const rest = [...element.getAttribute("d").matchAll(OUTLINE)].map(([outline]) => outline);
      for (const outline of without) rest.splice(rest.indexOf(outline), 1);
      const copy = cloned(element, rest.join(""));
      element.after(copy);
      copies.push(copy);
    }
    svg.append(...copies.filter((copy) => !copy.parentNode));
  };

  const look = () => {
    const shown = [...document.querySelectorAll(".picture > svg[aria-labelledby]")];
    const names = new Set(shown.map((svg) => svg.getAttribute("aria-labelledby")));
    for (const name of boards.keys()) if (!names.has(name)) boards.delete(name); // its game has left the page
    for (const svg of shown) {
      const name = svg.getAttribute("aria-labelledby");
      const known = boards.get(name);
      if (known?.svg === svg || !svg.getBoundingClientRect().width) continue;
      // A picture that was kept while something moved on it.
      for (const copy of svg.querySelectorAll("[data-glides]")) copy.remove();
      const [now, pieces] = [performance.now(), piecesOf(svg)];
      boards.set(name, { svg, pieces, since: now });
      const ms = known ? Math.min(MAX_MS, 0.8 * (now - known.since)) : 0;
      if (ms < LEAST_MS || still.matches || document.hidden) continue;
      const moved = changed(known.pieces, pieces);
      if (moved.length && moved.length <= MAX_CHANGED) glide(svg, moved, ms);
    }
  };
  look();
  new MutationObserver(look).observe(document.getElementById("main"), { childList: true, subtree: true });
})();
