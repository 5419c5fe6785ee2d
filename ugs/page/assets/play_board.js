// A person plays: what the server sends is shown, what is clicked is requested. All texts of others are put in place as
// texts; pictures come from the server's renderers, which write nothing but shapes and escaped texts.
"use strict";

(() => {
  const root = document.getElementById("play");
  if (!root) return;
  const $ = (id) => document.getElementById(id);
  // Another server may be behind the same host, at another path: it is sent nothing of what is kept here.
  const place = new URL(".", document.baseURI).pathname;
  const KEPT = `ugs.play ${place}`;
  const SEEN = `ugs.play.seen ${place}`; // what has happened in the game of this tab, and how it stood last
  const LEFT = `ugs.play.left ${place}`; // the session of the tab that was closed last
  const SITTING = `ugs.play.sitting ${place}`; // the sessions of all tabs that sit in a game: a browser that is killed closes none
  const SITS = new Set(["waiting", "table", "playing"]);
  const PLAYED = `ugs.played ${place}`; // what was played in this browser: played_here.js shows it
  const MAX_SESSIONS = 20;
  const MAX_SITTING = 8;
  const ANSWER_MS = 1000;
  const MAX_GAMES = 30; // of each session
  const MAX_NEWS = 30;
  const MAX_TOLD = 500;
  const LONG_LIST = 12;
  const FEW_OFFERS = 24;
  const explanations = JSON.parse(root.dataset.explained);
  const puzzles = JSON.parse(root.dataset.puzzles);
  const titles = JSON.parse(root.dataset.titles);
  let paused = JSON.parse(root.dataset.paused); // why, by game type; this and the titles as of the last look
  const titleOf = (gameType) => titles[gameType] ?? gameType;
  const site = document.title;
  const linked = new URLSearchParams(location.search); // from the page of puzzles: which game, and which of its puzzles
  let view = { phase: "out" };
  let board = null;
  let socket = null;
  let fresh = true;
  let tries = 0;
  let clockAt = 0;
  let clockOf = null;
  let resumed = false;
  let lost = false;
  let cameTo = ""; // the game of who comes back, which goes on unless it has ended meanwhile
  let returning = false; // … and is not there yet: what was shown stays
  let unanswered = false;
  let changing = ""; // the game type that is played next
  let played = false; // a game has ended in this session
  let missed = false; // the game of who comes back has ended meanwhile
  let seen = { game: "", news: [], last: null };

  const make = (tag, text, more = {}) => Object.assign(document.createElement(tag), { textContent: text }, more);
  // Kept for this tab alone: another one may play under another nick.
  const kept = () => { try { return JSON.parse(sessionStorage.getItem(KEPT) || "null"); } catch { return null; } };
  const keep = (what, goesOn = SITS.has(view.phase)) => {
    const token = (what ?? kept())?.token ?? "";
    if (what) sessionStorage.setItem(KEPT, JSON.stringify(what)); else sessionStorage.removeItem(KEPT);
    hold(what ? token : "");
    noteSitting(token, goesOn && what);
  };
  const store = (place, name, what) => { try { place.setItem(name, JSON.stringify(what)); } catch { /* no room, or not allowed */ } };

  // What a browser that is killed needs to come back. It writes to the disk some seconds later, and the later the more
  // often there is something new: this stays the same as long as a game goes on.
  const tab = String(Math.random());
  const sitting = () => { try { return JSON.parse(localStorage.getItem(SITTING)).filter((one) => one?.kept?.token); } catch { return []; } };
  const isSitting = (token) => sitting().some((one) => one.kept.token === token);
  const noteSitting = (token, what) => {
    const before = sitting();
    const now = before.filter((one) => one.kept.token !== token || (!what && one.tab !== tab)); // another tab may be at it by now
    if (what) now.push({ tab, kept: what });
    if (JSON.stringify(now) !== JSON.stringify(before)) store(localStorage, SITTING, now.slice(-MAX_SITTING));
  };

  // Each tab holds a lock of its session, which is free again however the tab ends. Browsers have locks with https and on
  // their own machine alone: elsewhere the other tabs are asked.
  const lockOf = (token) => `${KEPT} ${token}`;
  let held = "";
  let letGoOfHeld = () => {};
  const hold = (token) => {
    if (token === held) return;
    letGoOfHeld();
    letGoOfHeld = () => {};
    held = token;
    if (token) navigator.locks?.request(lockOf(token), () => held === token && new Promise((go) => { letGoOfHeld = go; }));
  };
  const tabs = navigator.locks ? null : new BroadcastChannel(KEPT);
  let wanted = ""; // the session that this tab asks for; of several tabs that do, one gets it
  tabs?.addEventListener("message", ({ data }) => {
    if (data.asked && (data.asked === held || (data.asked === wanted && tab < data.tab))) tabs.postMessage({ held: data.asked });
  });
  const ask = (token) => new Promise((known) => {
    wanted = token;
    const refused = ({ data }) => data.held === token || (data.asked === token && data.tab < tab);
    tabs.addEventListener("message", (event) => { if (refused(event)) known(false); });
    tabs.postMessage({ asked: token, tab });
    setTimeout(known, ANSWER_MS, true);
  });
  // Whether this tab has the session from now on: it is held as soon as it is found free, so that no other tab finds it so.
  const take = async (token) => {
    const free = tabs ? await ask(token) : await new Promise((known) => {
      const begin = (lock) => {
        known(Boolean(lock));
        return lock && new Promise((go) => { letGoOfHeld(); [held, letGoOfHeld] = [token, go]; });
      };
      navigator.locks.request(lockOf(token), { ifAvailable: true }, begin).catch(() => known(false));
    });
    wanted = "";
    if (free) hold(token); else elsewhere.add(token);
    return free;
  };
  const elsewhere = new Set(); // the sessions that other tabs were at when this one was opened

  // Who closes the tab, or whose browser has ended, and opens another one comes back, too. A tab that is loaded again has
  // its own, and what another tab is at stays there.
  const takeOver = async () => {
    try {
      const left = JSON.parse(localStorage.getItem(LEFT) || "null");
      localStorage.removeItem(LEFT);
      let own = kept();
      for (const one of own ? [] : sitting().reverse()) own ??= (await take(one.kept.token)) ? one.kept : null;
      if (!kept() && left && [undefined, left.kept.token].includes(own?.token)) { own = left.kept; sessionStorage.setItem(SEEN, JSON.stringify(left.seen)); }
      if (own) keep(own, isSitting(own.token));
      seen = JSON.parse(sessionStorage.getItem(SEEN) || "null") ?? seen;
    } catch { /* a browser that keeps nothing */ }
  };
  addEventListener("pagehide", () => { if (kept()) store(localStorage, LEFT, { kept: kept(), seen }); });

  // Whether it could be sent. What the server has not answered yet may be lost with the line.
  const send = (request) => {
    unanswered = true;
    if (socket?.readyState !== WebSocket.OPEN) { if (lost) sayLost(); return false; }
    socket.send(JSON.stringify(request));
    return true;
  };
  const state = (text) => { $("state").textContent = text; };

  // The line to the server.

  const sayLost = () => {
    if (view.stopping) { state("The server has stopped. This page tries whether it is back."); return; }
    const kept = view.token ? "; your seat is kept" : "";
    const click = unanswered ? `${kept ? "," : ";"} your last click was not received` : "";
    state(`The line to the server is lost${kept}${click}. Trying again.`);
  };

  const connect = () => {
    const address = new URL(root.dataset.line, document.baseURI);
    // https becomes wss by this, too.
    address.protocol = address.protocol.replace("http", "ws");
    socket = new WebSocket(address);
    fresh = true;
    clockOf = null;
    socket.onopen = () => { tries = 0; lost = unanswered = false; state(""); };
    socket.onmessage = (event) => receive(JSON.parse(event.data));
    socket.onclose = (event) => {
      socket = null;
      // 1008, a breach of policy: the server does not want this client back.
      if (event.code === 1008) { state(event.reason || "the server has closed the line"); return; }
      lost = true;
      sayLost();
      if (view.phase === "playing") show();
      tries += 1;
      // By chance, so that not all come back at the same moment after a restart.
      setTimeout(connect, Math.min(5000, 300 * 2 ** tries) * (0.5 + Math.random() / 2));
    };
  };

  const receive = (message) => {
    unanswered = false;
    if (message.wrong) note(message.wrong);
    // A click that was refused took the moves away.
    if (message.wrong && view.game?.mine && board?.number === view.game.number) showOffers(board.offers);
    if (message.board) {
      const first = !board;
      board = message.board;
      showBoard();
      if (first) show(); // before it, no one is asked for a move
    }
    if (message.view) receiveView(message.view);
  };

  const receiveView = (message) => {
    const first = fresh;
    fresh = false;
    const saved = kept();
    if (first && message.phase === "out" && saved) {
      state("coming back");
      resumed = true;
      cameTo = saved.playing || "";
      returning = Boolean(cameTo);
      board = null;
      showOffers([]);
      played = Boolean(saved.played);
      send({ do: "resume", token: saved.token, game_type: saved.game_type, waited: saved.waited, ended: linked.get("game_type") ? undefined : saved.ended }); // who follows a link wants something new
      return;
    }
    const before = view.phase;
    view = message;
    if (view.phase === "over") played = true;
    if (SITS.has(view.phase) && linked.get("game_type") === view.game_type) forgetLink();
    if (view.phase !== before && ["lobby", "out"].includes(view.phase)) { offerChange(); if (before !== "coming" || view.phase === "lobby") lookAgain(); }
    if (view.phase !== "lobby") missed = false;
    // A game that goes on comes right behind the lobby.
    else if (resumed && saved?.playing) setTimeout(() => { returning = false; missed = view.phase === "lobby"; if (missed) { remember(saved.playing, ""); show(); } }, 1500);
    if (!["coming", "lobby"].includes(view.phase)) returning = false;
    // Much is shown again while the same clock runs on: a warning, a line of chat, who has come.
    if (view.game?.clock?.number !== clockOf) [clockAt, clockOf] = [performance.now(), view.game?.clock?.number];
    if (view.phase === "out") {
      keep(null);
      sessionStorage.removeItem(SEEN);
      played = false;
      board = null;
      fillIn(view.nick || saved?.nick, changing || saved?.game_type);
      if (changing && saved) { resumed = false; send({ do: "login", nick: saved.nick, game_type: changing, token: "" }); }
      changing = "";
    }
    else if (view.token && view.phase !== "coming") keep({ token: view.token, game_type: view.game_type, nick: view.nick, waited: view.phase === "waiting", playing: view.phase === "playing" && view.game.id, last: lastGame(), ended: shownEnd(), played });
    if (view.phase !== "coming") state("");
    if (!returning) show();
    if (view.phase !== "over") return;
    remember(view.game.id, view.game.verdict.outcome ?? "");
    if (board) keepSeen();
    else if (wasShown()) { board = seen.last; showBoard(); }
  };

  // Who loads the page again sees how its last game has ended, until it has seen enough.
  const shownEnd = () => {
    if (view.phase !== "over") return undefined;
    const { id, number, halted, seats, verdict } = view.game;
    return { id, number, halted, seats, verdict: { ...verdict, told: (verdict.told ?? "").slice(0, MAX_TOLD) } };
  };
  const sessions = () => { try { return JSON.parse(localStorage.getItem(PLAYED)) ?? []; } catch { return []; } };
  // Whoever comes in again, under any name, finds the games of before.
  const remember = (id, outcome) => {
    const before = sessions();
    const own = before.find((one) => one.token === view.token) ?? { token: view.token, nick: view.nick, title: titleOf(view.game_type), games: [] };
    const games = [...own.games.filter((one) => one.id !== id), { id, outcome }].slice(-MAX_GAMES);
    store(localStorage, PLAYED, [...before.filter((one) => one.token !== view.token), { ...own, at: Date.now(), games }].slice(-MAX_SESSIONS));
    dispatchEvent(new Event("ugs:played"));
  };
  const keepSeen = () => {
    seen = { ...seen, last: { ...board, offers: [], news: [], past: [] } };
    store(sessionStorage, SEEN, seen);
  };
  const wasShown = () => Boolean(seen.last) && seen.game === view.game.id;

  // What a link has asked for has begun: the page, loaded again, is at that, or shows how it has ended.
  const forgetLink = () => {
    for (const name of ["game_type", "puzzle"]) linked.delete(name);
    history.replaceState(history.state, "", location.pathname);
  };

  // Who was away for too long comes in again as before.
  const fillIn = (nick, game_type) => {
    if (!$("nick")) return;
    if (nick) $("nick").value = nick;
    const wanted = linked.get("game_type") || game_type;
    if ([...$("game_type").options].some((option) => option.value === wanted)) $("game_type").value = wanted;
    showWanted();
    if (view.notes.length) $("nick").select();
  };

  // How the game was set up is known to who set it up, and to this page when it was loaded again.
  const lastGame = () => {
    const { game, table } = view;
    // The game at a table has its id, and may begin while this page is away.
    if (view.phase === "table") return { id: table.id, setting: table.guessed ? {} : { do: "host", seats: table.seats, computers: table.computers, public: table.public, options: table.options } };
    if (!game) return kept()?.last;
    return Object.keys(game.setting).length || kept()?.last?.id !== game.id ? { id: game.id, setting: game.setting } : kept().last;
  };
  const setting = () => {
    const last = kept()?.last;
    if (!last || last.id !== view.game?.id || !Object.keys(last.setting).length) return null;
    // Who begins early plays with fewer than there was room for.
    const seats = view.game.seats;
    return last.setting.do === "host" && seats.length ? { ...last.setting, seats: seats.length, computers: seats.filter((seat) => seat.kind === "program").length } : last.setting;
  };

  // A link names a game, but who comes back is at the one of before until it leaves.
  const hints = () => [...otherTab(), ...pauses(), ...otherHints()];
  const otherTab = () => {
    const there = view.phase === "out" ? sitting().filter((one) => elsewhere.has(one.kept.token)) : [];
    if (!there.length) return [];
    return [`You ${there.some((one) => one.kept.playing) ? "are in" : "wait for"} a game in another tab of this browser.`];
  };
  addEventListener("storage", (event) => { if (event.key === SITTING && view.notes) showNotes(); });
  const pauses = () => {
    const gameType = view.phase === "out" ? $("game_type")?.value : view.phase === "lobby" ? view.game_type : "";
    return paused[gameType] ? [`The organiser has paused ${titleOf(gameType)}, and no game of it begins: ${paused[gameType]}`] : [];
  };
  const otherHints = () => {
    if (view.stopping) return ["The server is about to stop and begins no new games. Games that run may still end."];
    if (missed) return view.notes.length ? [] : ["Your game has ended while the line was lost. My games has how it ended."];
    const wanted = linked.get("game_type");
    if (!resumed || !wanted || wanted === view.game_type || ["out", "coming"].includes(view.phase)) return [];
    return [`You are at ${titleOf(view.game_type)}. Leave it to play ${titleOf(wanted)}.`];
  };

  // What is shown.

  const HEADLINES = { out: "Play", coming: "Coming in", lobby: "What will you play?", waiting: "Waiting", table: "At a table", playing: "", over: "" };

  const NARROW = new Set(["out", "coming", "waiting", "table"]);

  const show = () => {
    const inGame = view.phase === "playing" || view.phase === "over";
    for (const id of ["headline", "notes", "doors"]) $(id).classList.toggle("narrow", NARROW.has(view.phase));
    for (const id of ["out", "lobby", "waiting", "table"]) $(id).hidden = view.phase !== id;
    $("game").hidden = !inGame;
    $("doors").hidden = view.phase === "out" || view.phase === "coming";
    $("session").value = view.token || "";
    $("session").form.hidden = !view.token;
    $("headline").textContent = inGame ? titleOf(view.game_type) : HEADLINES[view.phase];
    showNotes();
    ({ lobby: showLobby, waiting: showWaiting, table: showTable, playing: showGame, over: showGame })[view.phase]?.();
    document.title = `${isAsked() ? "● Your turn – " : ""}${site}`;
  };

  const showNotes = () => {
    const notes = [...view.notes, ...hints()];
    $("notes").hidden = !notes.length;
    $("noted").replaceChildren(...notes.map((text) => make("li", text)));
  };
  const note = (text) => {
    $("notes").hidden = false;
    $("noted").append(make("li", text));
  };

  // Game masters come and go while the page is open.
  const lookAgain = async () => {
    const answer = await fetch(location.pathname).catch(() => null);
    if (!answer?.ok) return;
    const found = new DOMParser().parseFromString(await answer.text(), "text/html");
    const there = [...found.querySelectorAll("#game_type option")].map((option) => option.value);
    if (!there.length || !$("game_type")) return;
    const now = found.getElementById("play").dataset;
    Object.assign(titles, JSON.parse(now.titles));
    const before = JSON.stringify(paused);
    paused = JSON.parse(now.paused);
    const chosen = $("game_type").value;
    $("game_type").replaceChildren(...there.map((one) => make("option", titleOf(one), { value: one })));
    if (there.includes(chosen)) $("game_type").value = chosen;
    offerChange();
    if (before !== JSON.stringify(paused)) showNotes();
  };
  const offerChange = () => {
    const others = [...($("game_type")?.options || [])].map((option) => option.value).filter((one) => one !== view.game_type);
    const chosen = $("changed").value;
    $("change").hidden = !others.length;
    $("changed").replaceChildren(...others.map((one) => make("option", titleOf(one), { value: one })));
    if (others.includes(chosen)) $("changed").value = chosen;
  };

  const showLobby = () => {
    board = null;
    const offered = view.offered;
    const there = Boolean(offered.master);
    $("pool-about").textContent = there ? `You are ${view.nick}. The next free player of ${titleOf(view.game_type)} is your opponent.`
      : "No game master for this game is here at present; you may wait for one.";
    const form = $("set-up");
    form.hidden = !there;
    if (there && form.dataset.of !== JSON.stringify(offered)) {
      form.dataset.of = JSON.stringify(offered);
      Object.assign($("seats"), { min: offered.players_min, max: offered.players_max, value: offered.players_min });
      $("computers-label").hidden = $("uncounted").hidden = !offered.computers;
      Object.assign($("computers"), { max: offered.players_max - 1, value: offered.proposed });
      $("public").checked = !offered.proposed;
      const others = offered.options.filter((option) => !isPuzzle(option));
      $("options-box").hidden = !others.length;
      $("options").replaceChildren(...others.map(optionField));
      offerPuzzles(offered.options.some(isPuzzle));
    }
    $("tables").replaceChildren(...view.tables.map(tableLine));
    $("no-tables").hidden = view.tables.length > 0;
    $("tables").hidden = !view.tables.length;
  };

  // A puzzle is an option of a table; it sets the number of seats, and has options of its own.

  const isPuzzle = (option) => option.name === "puzzle" && Boolean(puzzles[view.game_type]);
  const chosen = () => (puzzles[view.game_type] ?? [])[Number($("puzzle").value) - 1];
  const linkedPuzzle = (gameType) => (linked.get("game_type") === gameType ? (puzzles[gameType] ?? [])[Number(linked.get("puzzle")) - 1] : undefined);
  // Who comes from the page of puzzles is at a form that could be for anything.
  const showWanted = () => {
    const puzzle = linkedPuzzle($("game_type")?.value);
    if (!$("wanted")) return;
    $("wanted").hidden = !puzzle;
    $("wanted").textContent = puzzle ? `Puzzle ${linked.get("puzzle")}: ${puzzle.title}. Come in, then set up its table.` : "";
  };
  // The puzzle after the one that was played, as what a page may ask for a table; null if there is none.
  const nextPuzzle = () => {
    const next = Number(board?.puzzle) ? puzzles[view.game_type]?.[Number(board.puzzle)] : undefined;
    return next ? { do: "host", seats: next.seats, computers: next.seats - 1, public: false, options: { puzzle: String(Number(board.puzzle) + 1) } } : null;
  };
  const offerPuzzles = (there) => {
    const book = there ? puzzles[view.game_type] : [];
    $("puzzle-box").hidden = !there;
    $("puzzle").replaceChildren(make("option", "none, a whole game", { value: "0" }),
      ...book.map(({ title }, at) => make("option", `${at + 1}. ${title}`, { value: String(at + 1) })));
    const wanted = there && linkedPuzzle(view.game_type);
    if (wanted) $("puzzle").value = linked.get("puzzle");
    choosePuzzle();
    if (wanted) $("set-up").querySelector("[type=submit]").scrollIntoView({ block: "center" });
  };
  const choosePuzzle = () => {
    const puzzle = chosen();
    $("puzzle-task").textContent = puzzle ? puzzle.task : "";
    for (const id of ["seats", "computers", "public"]) $(id).disabled = Boolean(puzzle);
    for (const field of $("options").querySelectorAll("[data-option]")) field.disabled = Boolean(puzzle);
    if (puzzle) Object.assign($("seats"), { value: puzzle.seats });
    if (puzzle) Object.assign($("computers"), { value: puzzle.seats - 1 });
  };

  const sentence = (text) => text.charAt(0).toUpperCase() + text.slice(1).replace(/\.$/, "");

  const spaced = (name) => name.replaceAll("_", " ").replace(/([a-z])([A-Z][A-Z0-9]+)(?=[A-Z][a-z])/g, "$1 $2")
    .replace(/([a-z0-9A-Z])([A-Z])(?=[a-z])/g, (_, end, begin) => `${end} ${begin.toLowerCase()}`);

  const optionField = (option) => {
    const explained = explanations[view.game_type]?.[option.name];
    const isCode = Boolean(explained) && /^[A-Z0-9_]+$/.test(option.name); // says nothing to people
    const label = make("label", `${isCode ? sentence(explained) : sentence(spaced(option.name))} `);
    if (isCode) label.append(make("small", option.name, { className: "faint" }));
    else if (explained) label.append(make("small", `${sentence(explained)}.`, { className: "faint" }));
    const field = option.values.length ? make("select", "") : make("input", "");
    for (const value of option.values) field.append(make("option", value, { value, selected: value === option.value }));
    if (!option.values.length) field.value = option.value;
    if (option.least !== null) Object.assign(field, { type: "number", min: option.least });
    if (option.most !== null) Object.assign(field, { type: "number", max: option.most });
    Object.assign(field.dataset, { option: option.name, usual: option.value });
    label.append(field);
    return label;
  };

  const inWords = (options) => Object.entries(options).map(([name, value]) => `${spaced(name)}: ${value}`).join(", ");

  const tableLine = (table) => {
    const line = make("li", "");
    const options = inWords(table.options);
    const about = `${table.free} of ${table.seats} free${table.computers ? `, ${table.computers} for the computer` : ""}`;
    const sit = make("button", "Sit down", { type: "button", ariaLabel: `Sit down at ${table.name}` });
    sit.addEventListener("click", () => send({ do: "join", id: table.id }));
    const what = make("span", "", { className: "grow" });
    what.append(make("span", table.name, { className: "nick" }), " ", make("span", options ? `${about} · ${options}` : about, { className: "faint" }));
    line.append(what, sit);
    return line;
  };

  const showWaiting = () => { $("waiting-why").textContent = view.account; };

  const showTable = () => {
    const own = view.table.owner === view.nick;
    const missing = view.table.seats - view.table.computers - view.table.nicks.length;
    $("table-name").textContent = view.table.name;
    const alone = view.table.needed ? " The computer plays no seat of this game, and bots that wait for any opponent do not sit down at tables: Find a game leads to those." : "";
    $("table-seats").textContent = missing > 0 ? `${missing} ${missing === 1 ? "seat is" : "seats are"} free; the game begins when all are taken.${alone}` : "The game is about to begin.";
    $("table-options").textContent = inWords(view.table.options);
    $("table-why").textContent = missing > 0 ? "" : view.account;
    $("table-nicks").replaceChildren(...view.table.nicks.map((nick) => make("li", nick, { className: "nick" })));
    $("start").hidden = !own || view.table.needed > 0;
  };

  const OUTCOMES = { won: "You have won", lost: "You have lost", "given up": "You have given up", drawn: "A draw", void: "The game does not count" };

  // What giving up leads to: alone with the computer no player goes on, so the game is void.

  const GIVE_UP = {
    void: "Give this game up? You are alone with the computer: the game ends and is void.",
    own: "Give this game up? You have set up its table: the game ends for all and is void.",
    joined: "Give this game up? You lose it, and the others play on; if too few are left at its table, it is void.",
    lost: "Give this game up? You lose it, and the others play on or win.",
  };
  const timeOfDay = (seconds) => new Date(seconds * 1000).toLocaleTimeString([], { hour: "2-digit", minute: "2-digit", second: "2-digit" });
  const stake = () => (view.game.seats.some((seat) => seat.nick !== view.nick && seat.kind !== "program" && seat.state === "PLAYING") ? view.game.table || "lost" : "void");

  // A move is wanted of whoever sees the position: it may take some time to be drawn.
  const isAsked = () => Boolean(view.game?.mine) && Boolean(board) && !lost;
  const goesOn = (game) => {
    if (lost) return "The line is lost";
    if (isAsked()) return "Your turn";
    if (view.awaited !== null && game.sent) return "Your move is sent, it waits for the game master";
    if (view.awaited !== null && (!board || !game.next)) return "The game waits for its game master";
    if (game.next && game.next !== view.nick) return `${game.next} moves`;
    return game.number || wasShown() || cameTo === game.id ? "The game goes on" : "The game begins";
  };
  const noBoard = (over) => {
    if (over) return "It ended before its first position.";
    if (view.awaited !== null) return "The board comes as soon as the game master is back.";
    return cameTo === view.game.id ? "The board comes in a moment." : "The game master sets the game up.";
  };

  const showGame = () => {
    const game = view.game;
    const over = view.phase === "over";
    const gaveUp = game.verdict.cause === "cancelled" && !game.verdict.told; // it was its own table: the game has ended for all
    $("turn").textContent = !over ? goesOn(game) : gaveUp ? "You have given up; the game does not count" : OUTCOMES[game.verdict.outcome] || "The game is over for you";
    $("turn").className = !over && isAsked() ? "mine" : "";
    $("said").textContent = over ? game.verdict.told || "" : "";
    $("account").hidden = !(over && view.account);
    $("account").textContent = view.account;
    $("over").hidden = !over;
    $("other").hidden = !setting();
    $("next-puzzle").hidden = !over || !nextPuzzle();
    if ($("replay")) {
      $("replay").hidden = !view.token || game.verdict.outcome === "given up"; // it may go on without who has left
      Object.assign($("replay").elements.token, { value: view.token });
      Object.assign($("replay").elements.game, { value: game.id });
    }
    $("board").parentElement.classList.toggle("halted", over && game.halted);
    $("still").hidden = $("note-box").hidden = over;
    $("warned").textContent = view.warned;
    $("awaited").hidden = view.awaited === null;
    $("awaited").textContent = view.awaited === null ? "" : `The game master has lost its line. The game waits for it, or another one, until ${timeOfDay(view.awaited)}; no clock runs.`;
    $("players").replaceChildren(...game.seats.map((seat) => {
      const line = make("li", "", { className: seat.nick === game.next ? "next" : "" });
      line.append(make("span", seat.nick, { className: "nick" }));
      const more = [seat.nick === view.nick ? "you" : "", seat.label, seat.kind === "program" && !seat.nick.includes("computer") ? "computer" : "",
        seat.state === "PLAYING" || seat.state === "FINISHED" ? "" : seat.state.toLowerCase()].filter(Boolean).join(", ");
      if (more) line.append(make("span", ` ${more}`, { className: "faint" }));
      return line;
    }));
    if (!game.number) board = null;
    if (!over && !board && seen.game !== game.id) $("news").replaceChildren(); // that of the game before
    // What was shown last stays until the position comes, for instance while the game waits for its game master.
    const stale = !over && !board && wasShown();
    $("board").parentElement.classList.toggle("stale", stale);
    $("board").classList.toggle("sent", game.sent); // no one is to move before the next position
    if (stale && !game.number) $("board").innerHTML = seen.last.svg;
    else if (!game.number) $("board").replaceChildren(make("p", noBoard(over), { className: "empty" }));
    if (!game.mine || over) showOffers([]);
    showStuck();
    tick();
  };

  const showBoard = () => {
    $("board").innerHTML = board.svg;
    $("board").dataset.number = String(board.number);
    $("words").textContent = board.words;
    const puzzle = (puzzles[view.game_type] ?? [])[Number(board.puzzle) - 1];
    $("task").hidden = !puzzle;
    $("task").textContent = puzzle ? `Puzzle ${board.puzzle}: ${puzzle.task}` : "";
    addNews();
    keepSeen();
    showOffers(board.offers);
    showStuck();
  };

  // Who cannot move here has to know it, and what is left to do.
  const showStuck = () => {
    const isStuck = isAsked() && view.phase === "playing" && !board.offers.length;
    const why = isStuck && board.unshown ? `The board cannot be shown: the server has refused what the game master drew (${board.unshown}).` : "The page knows no moves of this position.";
    $("stuck").hidden = !isStuck;
    $("stuck").textContent = isStuck ? `${why} You cannot move here. What you can do is give up: ${GIVE_UP[stake()].replace("Give this game up? ", "").replace(/^You/, "you")}` : "";
  };

  // What is not new is not read aloud.
  const quietly = (list) => {
    list.setAttribute("aria-live", "off");
    setTimeout(() => list.setAttribute("aria-live", "polite"), 1000);
  };
  // What came before this page was opened is known to the server where it keeps games, else to this tab.
  const addNews = () => {
    const another = seen.game !== view.game.id;
    const before = board.past.length ? board.past : another ? [] : seen.news;
    const lines = board.news.filter(Boolean);
    // The first position after coming back may be the last one that was shown.
    if (!board.past.length && board.number <= 1 && !another && String(lines) === String(seen.news.slice(-lines.length))) lines.length = 0;
    seen = { game: view.game.id, news: [...before, ...lines].slice(-MAX_NEWS), last: null };
    const items = (texts) => texts.map((text) => make("li", text)).reverse();
    if (another || board.number <= 1 || !$("news").children.length) {
      quietly($("news"));
      $("news").replaceChildren(...items(seen.news));
    }
    else $("news").prepend(...items(lines)); // alone, since each line that is put in is read to who does not see it
    while ($("news").children.length > MAX_NEWS) $("news").lastChild.remove();
  };

  // Moves: parts of the picture stand for them, buttons for those without a part, and a list has them all.

  const numbers = (part) => part.dataset.offer.split(" ").map(Number);
  // The clicks of a move at this part, from 1; none where the order is free.
  const stepsOf = (part, number) => {
    const steps = part.dataset.steps?.split(" ").map(Number) ?? [];
    return numbers(part).flatMap((one, at) => (one === number && steps[at] ? [steps[at]] : []));
  };
  const comes = (part, number, click) => {
    const steps = stepsOf(part, number);
    return !steps.length || steps.includes(click);
  };
  let lengths = new Map(); // how many clicks a move takes, of those that are clicked in an order
  const measure = () => {
    lengths = new Map();
    for (const part of $("board").querySelectorAll("[data-steps]")) {
      const steps = part.dataset.steps.split(" ").map(Number);
      numbers(part).forEach((number, at) => { if (steps[at]) lengths.set(number, Math.max(steps[at], lengths.get(number) ?? 0)); });
    }
  };
  const isOrdered = () => lengths.size > 0;

  const moveButton = (number) => {
    const button = make("button", board.offers[number], { type: "button", className: "light move" });
    button.dataset.number = String(number);
    return button;
  };

  // Two moves with one label lead to the same, such as those with two equal cards: one of them is shown.

  const different = (found) => found.filter((number, at) => found.findIndex((other) => board.offers[other] === board.offers[number]) === at);

  const showOffers = (offers) => {
    $("choice").hidden = true;
    unpick();
    $("moves-box").hidden = !offers.length;
    $("board").classList.toggle("asked", offers.length > 0);
    $("board").classList.remove("few", "begins");
    if (!offers.length) { $("plain-moves").replaceChildren(); $("moves").replaceChildren(); return; }
    const parts = [...$("board").querySelectorAll("[data-offer]")].flatMap(numbers);
    const drawn = new Set(parts);
    // Where most of a board can be clicked, or a move is two clicks, marks on all of it would say nothing.
    $("board").classList.toggle("few", drawn.size === parts.length && parts.length <= FEW_OFFERS);
    $("how").hidden = !drawn.size;
    measure();
    showHow();
    const all = different(offers.map((_, number) => number));
    const plain = all.filter((number) => !drawn.has(number)).slice(0, LONG_LIST);
    $("plain-moves").replaceChildren(...plain.map(moveButton));
    $("all-moves").hidden = plain.length === all.length;
    $("all-title").textContent = `${all.length === 1 ? "The only move" : `All ${all.length} moves`}${board.more ? ` (${board.more} more are left out)` : ""}`;
    $("filter-box").hidden = all.length <= LONG_LIST;
    $("filter").value = "";
    list();
  };

  const showHow = () => {
    const begins = picked ? 0 : $("board").querySelectorAll("[data-begins]").length;
    $("board").classList.toggle("begins", isOrdered() && begins > 0 && begins <= FEW_OFFERS);
    const single = [...lengths.values()].every((clicks) => clicks === 1);
    const order = !single ? "Click where a move begins, then what is marked."
      : $("board").classList.contains("begins") ? "Click a place that is marked." : "Click on the board, or choose below.";
    const goOn = `Go on with what is marked${picked?.stops.length ? ", or click the last place once more to stop there" : ""}.`;
    $("how").textContent = picked?.goesOn ? goOn : picked && (isOrdered() || inTurn()) ? "Choose below." : isOrdered() ? order
      : inTurn() ? "Click a piece, then the place where it goes." : "Click on the board, or choose below.";
  };

  const list = () => {
    if (!$("all-moves").open || !board) return;
    const wanted = $("filter").value.toLowerCase();
    const found = different(board.offers.map((_, number) => number)).filter((number) => board.offers[number].toLowerCase().includes(wanted));
    $("moves").replaceChildren(...found.slice(0, 200).map(moveButton));
    if (found.length > 200) $("moves").append(make("span", `and ${found.length - 200} more`, { className: "faint" }));
  };

  const move = (number) => {
    const now = board;
    // At once, so that a second click sends no second move; where it cannot be sent, the moves stay.
    if (send({ do: "move", number: now.number, offer: number })) showOffers([]);
  };

  // A click is a part of a move: the moves that all clicked parts stand for are left. One part may be enough, but not
  // where moves are a piece and a place: who clicks a piece wants to see where it may go.

  const inTurn = () => $("board").querySelector("svg")?.dataset.clicks === "in-turn";
  const placeOf = (part) => part.dataset.place ?? part;

  let picked = null;
  const pick = (part, found) => {
    const before = picked;
    const click = (before?.parts.length ?? 0) + 1;
    unpick();
    const goesOn = before ? found.filter((number) => before.found.includes(number) && comes(part, number, click)) : [];
    // A cell that a move comes back to is a part of it once more.
    const again = before?.parts.some((one) => placeOf(one) === placeOf(part)) && !goesOn.some((number) => stepsOf(part, number).length);
    if (again) {
      const stops = placeOf(before.parts.at(-1)) === placeOf(part) ? before.stops : [];
      if (different(stops).length === 1) move(stops[0]); else letGo();
      return;
    }
    // Who has clicked a place and then a piece that could go there chooses that piece, and need not go there.
    const chooses = !isOrdered() && part.dataset.begins !== undefined && before?.parts.every((one) => one.dataset.begins === undefined);
    const both = chooses ? [] : goesOn;
    const left = both.length ? both : found.filter((number) => comes(part, number, 1));
    if (!left.length) { letGo(); $("how").textContent = before ? "The move does not go on there. Begin it again." : "No move begins there."; return; }
    const parts = both.length ? [...before.parts, part] : [part];
    if (different(left).length === 1 && left.every((number) => isWhole(number, parts.length))) { move(left[0]); return; }
    // Moves that end here, where others go on.
    const stops = isOrdered() ? left.filter((number) => isWhole(number, parts.length)) : [];
    const clicked = new Set(different(stops).length === 1 ? stops : []); // what one more click leads to
    picked = { parts, found: left, stops, goesOn: false };
    for (const one of picked.parts) { one.classList.add("picked"); markOver(one, "picked"); }
    if (isOrdered() && parts.length > 1) showAt(parts[0], part);
    const places = new Set(picked.parts.map(placeOf));
    for (const other of $("board").querySelectorAll("[data-offer]")) {
      const own = new Set(numbers(other));
      const next = left.filter((number) => own.has(number) && comes(other, number, parts.length + 1));
      if (!next.length || (places.has(placeOf(other)) && !next.some((number) => stepsOf(other, number).length))) continue;
      for (const number of next) clicked.add(number);
      other.classList.add("target");
      if (other.dataset.place === undefined || !places.has(other.dataset.place)) markOver(other, "target");
      if (other.dataset.place !== undefined) places.add(other.dataset.place);
    }
    // Where each part stands for all of a move, another one may lie below what was clicked.
    const apart = isOrdered() || inTurn() ? left.filter((number) => !clicked.has(number)) : left;
    picked.goesOn = clicked.size > 0 && apart.length < left.length;
    showHow();
    choose(apart);
  };
  const letGo = () => { unpick(); $("choice").hidden = true; showHow(); };
  // Whether a move has all its clicks.
  const isWhole = (number, clicks) => (lengths.has(number) ? clicks === lengths.get(number) : clicks > 1 || !inTurn());
  const unpick = () => {
    for (const part of $("board").querySelectorAll(".picked, .target")) part.classList.remove("picked", "target");
    for (const mark of $("board").querySelectorAll(".mark-over, .shade")) mark.remove();
    picked = null;
  };

  // Marks lie above what they mark, whatever it is drawn with.

  const markOver = (part, kind) => {
    const svg = $("board").querySelector("svg");
    const box = part.getBoundingClientRect();
    const toSvg = svg.getScreenCTM()?.inverse();
    if (!toSvg || !box.width || !box.height) return;
    const at = new DOMPoint(box.x + box.width / 2, box.y + box.height / 2).matrixTransform(toSvg);
    const half = Math.min(box.width, box.height) * toSvg.a / 2;
    const mark = document.createElementNS(svg.namespaceURI, "circle");
    for (const [name, value] of Object.entries({ class: `mark-over ${kind}-mark`, cx: at.x, cy: at.y, r: half * (kind === "picked" ? 0.95 : 0.5) })) {
      mark.setAttribute(name, value);
    }
    svg.append(mark);
  };

  // What lies where a move began is shown where it has come to, too.
  const showAt = (first, last) => {
    const svg = $("board").querySelector("svg");
    const [from, to] = [first.getBBox(), last.getBBox()];
    const lies = ([, x, y]) => x > from.x && x < from.x + from.width && y > from.y && y < from.y + from.height;
    const shade = document.createElementNS(svg.namespaceURI, "g");
    shade.setAttribute("class", "shade");
    shade.setAttribute("transform", `translate(${to.x - from.x} ${to.y - from.y})`);
    for (const path of svg.querySelectorAll(":scope > path[data-pieces]")) {
      const outlines = [...path.getAttribute("d").matchAll(/M(-?[\d.]+) (-?[\d.]+)[^M]*/g)].filter(lies).map(([outline]) => outline);
      if (!outlines.length) continue;
      const copy = path.cloneNode();
      copy.removeAttribute("data-pieces");
      copy.setAttribute("d", outlines.join(""));
      shade.append(copy);
    }
    svg.append(shade);
  };

  const choose = (found) => {
    $("choice").hidden = !found.length;
    if (!found.length) return;
    $("choice-title").textContent = different(found).length === 1 ? "This move?" : "Which of these?";
    $("choices").replaceChildren(...different(found).map(moveButton));
    $("choices").firstChild.focus({ preventScroll: true }); // the board stays where it is being clicked
  };

  // What is clicked. Something that stands for no move may lie above what does: an enemy in a land that can be entered.

  const below = (event) => document.elementsFromPoint(event.clientX, event.clientY)
    .map((part) => part.closest("#board [data-offer]")).find(Boolean);

  $("board").addEventListener("click", (event) => {
    const part = event.target.closest("[data-offer]") || below(event);
    if (!part || !board?.offers.length || !view.game?.mine) return;
    // The list of moves may be cut; the picture names all of them.
    const found = [...new Set(numbers(part))].filter((number) => number < board.offers.length);
    if (found.length) pick(part, found);
  });
  document.addEventListener("keydown", (event) => { if (event.key === "Escape" && picked) letGo(); });
  // Whether the session may end: where the browser keeps nothing, its games cannot be found again.
  const mayEnd = (what) => !played || sessions().some((one) => one.token === view.token) || confirm(`${what}? My games has those of this session alone: look at them before, or download them.`);
  root.addEventListener("click", (event) => {
    const asked = event.target.closest("[data-do]");
    if (asked?.dataset.do === "logout" && !(view.phase === "playing" ? confirm(GIVE_UP[stake()].replace("Give this game up", "Leave this game")) : mayEnd("Leave"))) return;
    const next = asked?.id === "next-puzzle" ? nextPuzzle() : null;
    if (next) send({ do: "same", setting: next });
    else if (asked) send(asked.id === "same" && setting() ? { do: "same", setting: setting() } : { do: asked.dataset.do });
    const wanted = event.target.closest(".move");
    if (wanted && board) move(Number(wanted.dataset.number));
  });
  $("all-moves").addEventListener("toggle", list);
  $("filter").addEventListener("input", list);
  $("note").addEventListener("submit", (event) => {
    event.preventDefault();
    send({ do: "note", text: $("note-text").value });
    $("note").reset();
  });
  $("give-up").addEventListener("click", () => { if (confirm(GIVE_UP[stake()])) send({ do: "quit" }); });
  $("puzzle").addEventListener("change", choosePuzzle);
  if (linked.get("game_type") && $("game_type")) $("game_type").value = linked.get("game_type");
  $("game_type")?.addEventListener("change", () => { showWanted(); showNotes(); });
  showWanted();
  $("change").addEventListener("submit", (event) => {
    event.preventDefault();
    if (!mayEnd("Change")) return;
    changing = $("changed").value;
    send({ do: "logout" });
  });
  $("wait").addEventListener("click", () => send({ do: "wait" }));
  $("look").addEventListener("click", () => { send({ do: "look" }); lookAgain(); });
  $("enter")?.addEventListener("submit", (event) => {
    event.preventDefault();
    resumed = false;
    send({ do: "login", nick: $("nick").value, game_type: $("game_type").value, token: $("token").value });
    $("token").value = "";
  });
  $("set-up").addEventListener("submit", (event) => {
    event.preventDefault();
    const options = chosen() ? { puzzle: $("puzzle").value } : {};
    if (!chosen()) for (const field of $("options").querySelectorAll("[data-option]")) {
      if (field.value !== field.dataset.usual) options[field.dataset.option] = field.value;
    }
    send({ do: "host", seats: Number($("seats").value), computers: Number($("computers").value), public: !chosen() && $("public").checked, options });
  });

  const spell = (seconds) => (seconds < 60 ? `${seconds} s` : `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`);
  const tick = () => {
    // Without the line what is left is not known: the server's may run on, or begin anew with it.
    const clock = lost ? null : view.game?.clock;
    const left = clock?.move_left_s;
    const there = view.phase === "playing" && left !== null && left !== undefined;
    const seconds = there ? Math.max(0, Math.round(left - (performance.now() - clockAt) / 1000)) : 0;
    const budgets = Object.entries(clock?.left_s || {}).map(([nick, rest]) => `${nick}: ${spell(Math.round(rest))}`).join(", ");
    $("clock").textContent = [there ? `${spell(seconds)} for this move` : "", budgets].filter(Boolean).join(" · ");
    $("clock").classList.toggle("low", there && seconds <= 5);
  };
  setInterval(tick, 1000);
  takeOver().then(connect);
})();
