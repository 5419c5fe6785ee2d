// What was played in this browser, by sessions: each one's token opens its own games, as long as the server knows it, and
// each game can be seen as spectators may see it. The list is the browser's own: play_board.js writes it, no server has it.
"use strict";

(() => {
  const MOST = 5; // games with a link of their own, of each session
  const box = document.getElementById("earlier");
  if (!box) return;
  const PLAYED = `ugs.played ${new URL(box.dataset.root || ".", document.baseURI).pathname}`; // of this server alone
  const make = (tag, text, more = {}) => Object.assign(document.createElement(tag), { textContent: text }, more);
  const sessions = () => { try { return JSON.parse(localStorage.getItem(PLAYED)) ?? []; } catch { return []; } };

  const line = ({ token, nick, title, at, games }) => {
    const what = make("span", "", { className: "grow" });
    const when = new Date(at).toLocaleString([], { dateStyle: "medium", timeStyle: "short" });
    what.append(make("span", nick, { className: "nick" }), make("span", ` ${title}, ${games.length === 1 ? "one game" : `${games.length} games`}, ${when}`, { className: "faint" }));
    const ways = make("span", "", { className: "ways" });
    for (const { id, outcome } of games.slice(-MOST).reverse()) {
      ways.append(make("a", outcome || "ended", { href: `${box.dataset.root}game?${new URLSearchParams({ id })}`, title: "as spectators may see it" }), " ");
    }
    const own = make("form", "", { method: "post", action: `${box.dataset.root}mine/enter` });
    own.append(make("input", "", { type: "hidden", name: "token", value: token }),
      make("button", "Its games", { type: "submit", className: "light", title: `as ${nick} saw them` }));
    const all = make("li", "");
    all.append(what, ways, own);
    return all;
  };
  const show = () => {
    const found = sessions();
    box.hidden = !found.length;
    const below = document.getElementById("earlier-below");
    if (below) below.hidden = box.hidden;
    document.getElementById("earlier-games").replaceChildren(...found.map(line).reverse());
  };
  document.getElementById("forget").addEventListener("click", () => { localStorage.removeItem(PLAYED); show(); });
  addEventListener("ugs:played", show);
  addEventListener("storage", show); // another tab has played
  show();
})();
