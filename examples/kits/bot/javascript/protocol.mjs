// The protocol of the universal game server, for Node, without packages. Your ideas are in bot.mjs.
//
// Connects, logs in, cuts what arrives into documents, thanks for games, and comes back when the server was away.

import fs from "node:fs";
import net from "node:net";
import tls from "node:tls";
import { parseArgs } from "node:util";

// --- just enough XML --------------------------------------------------------------------------------------------

// A comment, a CDATA section, a processing instruction (the XML declaration is one), or a tag, in whose attribute
// values a ">" may stand. "y" means: exactly at lastIndex; "s": a dot is any character.
const MARKUP = /<!--.*?-->|<!\[CDATA\[.*?\]\]>|<\?.*?\?>|<[^!?](?:[^"'>]|"[^"]*"|'[^']*')*>/sy;
const ATTRIBUTE = /([^\s=<>"'/]+)\s*=\s*("[^"]*"|'[^']*')/g;

const NAMED = { lt: "<", gt: ">", amp: "&", quot: '"', apos: "'" };
const unescape = (text) =>
  text.replace(/&(?:#x([0-9a-f]+)|#(\d+)|(\w+));/gi, (whole, hex, decimal, name) => {
    if (hex) return String.fromCodePoint(parseInt(hex, 16));
    if (decimal) return String.fromCodePoint(parseInt(decimal, 10));
    return NAMED[name] ?? whole;
  });
export const escape = (text) => text.replace(/[&<>"]/g, (sign) => `&#${sign.codePointAt(0)};`);

// Cuts what arrives into documents and makes each a tree of elements {name, attributes, children, text}. TCP knows no
// documents: one may come in many pieces, and one piece may hold many. So we keep the elements that are open, and a
// document ends with the tag that closes the last of them.
class Documents {
  #buffer = "";
  #position = 0; // the buffer up to here has been looked at
  #open = []; // elements that have begun and not ended, outermost first

  // Takes the next piece of text; gives the documents that are complete with it.
  feed(piece) {
    this.#buffer += piece;
    const complete = [];
    for (;;) {
      const start = this.#buffer.indexOf("<", this.#position);
      MARKUP.lastIndex = start;
      const found = start >= 0 ? MARKUP.exec(this.#buffer) : null;
      if (found === null) return complete; // no complete piece of markup left: wait for more
      this.#text(unescape(this.#buffer.slice(this.#position, start)));
      this.#position = MARKUP.lastIndex;
      const root = this.#markup(found[0]);
      if (root) {
        complete.push(root);
        this.#buffer = this.#buffer.slice(this.#position);
        this.#position = 0;
      }
    }
  }

  #text(text) {
    const inner = this.#open.at(-1);
    if (inner) inner.text += text;
  }

  // Handles a piece of markup; gives the root element when that is the end of it.
  #markup(markup) {
    if (markup.startsWith("<![CDATA[")) this.#text(markup.slice(9, -3));
    if (markup.startsWith("<!") || markup.startsWith("<?")) return null;
    if (!markup.startsWith("</")) {
      const element = { name: /^<([^\s/>]+)/.exec(markup)[1], attributes: {}, children: [], text: "" };
      for (const [, name, quoted] of markup.matchAll(ATTRIBUTE)) {
        element.attributes[name] = unescape(quoted.slice(1, -1));
      }
      this.#open.at(-1)?.children.push(element);
      this.#open.push(element);
      if (!markup.endsWith("/>")) return null;
    }
    const ended = this.#open.pop();
    return this.#open.length === 0 ? ended : null;
  }
}

// The first child of this name, and all of them.
export const child = (element, name) => element?.children.find((each) => each.name === name);
export const children = (element, name) => element?.children.filter((each) => each.name === name) ?? [];

// The moves that a state lists, at any depth: a <play id="..."/> each, or a <forfeit id="..."/>.
export const listedMoves = (element) => [
  ...(["play", "forfeit"].includes(element.name) && "id" in element.attributes ? [element] : []),
  ...element.children.flatMap(listedMoves),
];

// --- the protocol: XML documents, one after another, with nothing between them ------------------------------------

// Why a server does not let us in, by the number of its error.
const REFUSALS = {
  1: "the nick is taken, needs its token (UGS_TOKEN), or is none (1 to 64 characters, no control characters)",
  2: "this server does not offer this game",
  3: "there is no room: the server or the pool of the game is full, or a championship has begun",
};

// What an error says of a game that is over: won or drawn when we were away.
const ENDS = { lost: "loser", won: "winner", drawn: "a draw" };

// What an error says that we are in this game, which is over for us then: no end of it is shown to us. "" if it does not.
const endIn = (error, game) => {
  if (game === "") return "";
  if (error.startsWith("game void:")) return "void";
  if (/^(removed by the game master|document refused)/.test(error)) return "loser";
  return Object.entries(ENDS).find(([word]) => error.includes(`game ${game} is ${word}`))?.[1] ?? "";
};

const SILENCE_MS = 3000; // without a game; then we ask what we wait for
const MOST_REFUSED = 3; // documents of ours without a whole game in between; then the next one is no better
const NO_SERVER = "nobody answers a login there: is it the right port? It may speak TLS (--tls), or not";
const MOST_UNANSWERED = 4; // connections that end before our login was answered; then it is no use to go on

// The words and options of the command line; nothing when it is wrong.
function commandLine(gameType) {
  try {
    return parseArgs({
      allowPositionals: true,
      options: {
        game: { type: "string", default: gameType },
        games: { type: "string" },
        "token-file": { type: "string" },
        "session-file": { type: "string" },
        tls: { type: "boolean" },
        ca: { type: "string" },
        help: { type: "boolean", short: "h" },
      },
    });
  } catch {
    return undefined;
  }
}

// What a file holds; without one the program ends.
function content(path) {
  try {
    return fs.readFileSync(path, "utf8").trim();
  } catch (error) {
    console.error(error.message);
    return process.exit(2);
  }
}

// Writes the token of our session down, for us alone: who has it can take our seat. Gives whether that could be done.
function keepToken(path, token) {
  try {
    fs.writeFileSync(path, `${token}\n`, { mode: 0o600 });
    return true;
  } catch (error) {
    console.log(`cannot write ${path}: ${error.message}; playing on without it`);
    return false;
  }
}

// Sees that the token of our session can be written down, before there is one; else the program ends.
function checkWritable(path) {
  try {
    fs.closeSync(fs.openSync(path, "a", 0o600));
  } catch (error) {
    console.log(`cannot write ${path}: ${error.message}`);
    process.exit(1);
  }
}

// Does what the command line says. `Bot` is a class, of which each game gets an object; `gameType` is what it plays; the name
// and the version are what the server shows.
export function run(Bot, gameType, name, version) {
  const usage = "usage: node bot.mjs HOST PORT NICK [--game TYPE] [--games N] [--token-file FILE] [--session-file FILE] [--tls [--ca FILE]]";
  const wrong = () => {
    console.error(usage);
    process.exit(2);
  };
  const { positionals, values } = commandLine(gameType) ?? wrong();
  const [host, port, nick] = positionals;
  if (values.help) {
    console.log(
      `${usage}\n\nPlays N games, or without N until it is stopped. --token-file FILE has the token of the nick (without it: UGS_TOKEN). --session-file FILE keeps the token of the session there, which shows our games. --tls encrypts the line; --ca FILE names the authorities to trust.`,
    );
    process.exit(0);
  }
  const games = values.games === undefined ? Infinity : Number(values.games);
  if (nick === undefined || !(games >= 1)) wrong();
  // Where nicks have tokens: ours; not on the command line, which all can see.
  const ours = values["token-file"] === undefined ? (process.env.UGS_TOKEN ?? "") : content(values["token-file"]);
  const ca = values.ca === undefined ? undefined : fs.readFileSync(values.ca); // without it: the authorities of Node

  let connection;

  // Sends one message, or several in one piece, which begins with the XML declaration.
  const send = (body) => connection.write(`<?xml version="1.0" encoding="UTF-8"?>${body}`);

  const program = `<program name="${escape(name)}" version="${escape(version)}"/>`;
  const login =
    `<message type="playerLogin"><playerLogin nick="${escape(nick)}" gameType="${escape(values.game)}"/></message>`;
  // The token of our session: who shows it goes on with the game after a cut line, and at a new start; "" without one.
  let file = values["session-file"];
  if (file !== undefined) checkWritable(file);
  let token = file !== undefined && fs.existsSync(file) ? fs.readFileSync(file, "utf8").trim() : "";
  // How the server is asked about us and our games, where the token is kept.
  const trust = values.tls ? ` --tls${values.ca === undefined ? "" : ` --ca ${values.ca}`}` : "";
  const asking = file === undefined ? "" : ` (why? ugs why --connect ${host}:${port} --session-file ${file}${trust})`;
  let hinted = false; // we have said how a server is started
  let inSession = false; // the server has told us of a session of ours, in this run
  const shown = nick.split("#")[0]; // what stands behind it may be a token
  let called = nick; // the nick that the server knows us by: of "NAME#TOKEN" it is the name
  let answered = false; // we have just come back, and the server waits for no move of ours
  let back = false; // we have just come back into a game: what we know of it may be old, or nothing
  let held; // the last state, as long as we wait for those before it
  let counted = ""; // the game that was counted last: after a cut line we may hear of its end once more
  let currentGame = "";
  let bot = new Bot();
  let played = 0;
  let welcome = false; // we were let in before, so a refusal means that the server has not missed us yet
  let atALoss = false; // we have logged out, for want of a move
  let explained = false; // the server has said why it refuses our login
  let explains = false; // it says what we wait for when it is asked
  let asks = false; // we shall ask
  let lists = false; // it shows all states of our game when it is asked
  let keptSec = 0; // the server keeps the nick for so long, perhaps for an earlier start of ours
  let waited = false; // for that; we do so once
  let refused = false; // or it is no use to try again for another reason
  let broken = 0; // how often the server has put us out since the last whole game
  let unanswered = 0; // connections in a row that ended before our login was answered
  let pause = 1000; // milliseconds before the next connection, at most; twice as many each time, until we are let in
  process.exitCode = 1; // until the wanted number of games has been played

  // Logs in when the server does not take us back; gives whether that was it.
  const sessionIsOver = (why) => {
    if (!token || !unanswered) return false;
    // Else the token is of an earlier start, which may have ended well.
    if (inSession) console.log("the session is over:", why);
    token = currentGame = "";
    send(login);
    return true;
  };

  // Counts the present game as played, once; gives whether that was the last one.
  const isLast = () => {
    if (currentGame !== counted && played !== games) played += 1; // after our logout some may yet come
    counted = currentGame;
    if (played === games) process.exitCode = 0;
    return played === games;
  };

  const answers = {
    loginResponse(message) {
      unanswered = 0;
      if (child(message, "response")?.attributes.accept === "yes") {
        welcome = true;
        waited = false;
        pause = 1000;
        asks = explains;
        console.log(`logged in as ${shown}${asking}`);
      } else if (keptSec) {
        connection.destroy();
      } else {
        refused = !welcome;
        const number = child(message, "error")?.attributes.id;
        const why = explained ? "" : `: ${REFUSALS[number] ?? "the server does not say why"}`;
        console.log(`login refused${why} (error ${number ?? "?"})`);
        explained = false;
        connection.destroy();
      }
    },

    // What the server knows beyond the protocol.
    "x-hello"(message) {
      const granted = children(message, "ext").map((ext) => ext.attributes.name);
      explains = granted.includes("reason");
      lists = granted.includes("state");
    },

    "x-account"(message) {
      if (message.attributes.ref === "waiting") console.log("waiting:", child(message, "account")?.text.replaceAll("\n", "; "));
    },

    "x-session"(message) {
      const session = child(message, "session").attributes;
      token = session.token;
      inSession = true;
      called = session.nick || called;
      answered = session.turn === "no";
      back = session.resumed === "yes" && session.turn !== undefined;
      if (file !== undefined && !keepToken(file, token)) file = undefined;
      if (session.resumed === "yes") console.log(back ? "back again" : "back again: no game of yours goes on");
    },

    // The server asks whether we are there.
    "x-ping"(message) {
      const ref = message.attributes.ref;
      send(`<message type="x-pong"${ref ? ` ref="${escape(ref)}"` : ""}/>`);
    },

    gameState(message) {
      const id = child(message, "gameId").attributes.id;
      const gameId = `<gameId id="${escape(id)}"/>`;
      if (id !== currentGame) {
        currentGame = id; // we hear of a new game by its first state
        console.log("in game", id);
        bot = new Bot();
        held = undefined;
      }
      const state = child(message, "gameState");
      if (state) bot.sees(state);
      if (back && lists) {
        back = false;
        held = message;
        send(`<message type="x-listStates" ref="states">${gameId}</message>`);
        return;
      }
      if (held) {
        answered = false;
        held = message; // it is among those that come, or comes once more behind them
        return;
      }
      if (child(message, "nextPlayer")?.attributes.nick === called && !answered) {
        const move = bot.move();
        if (move) {
          send(`<message type="move">${gameId}<move>${move}</move></message>`);
        } else {
          console.log("this state lists no moves that I know how to choose");
          atALoss = refused = true;
          send('<message type="logout"/>');
        }
      }

      answered = false;

      const gameOver = child(message, "gameOver");
      asks = explains && gameOver !== undefined;
      if (gameOver) {
        const own = gameOver.children.find((player) => player.attributes.nick === called);
        const results = children(gameOver, "player").map((player) => player.attributes.result);
        const drawn = results.length > 1 && new Set(results).size === 1;
        console.log("game over:", drawn ? "a draw" : own?.attributes.result, "in", id);
        broken = 0;
        if (isLast()) {
          // A "thank you" would make us ready for a next game, so good-bye takes its place. The server closes now, and
          // then this program ends.
          send('<message type="logout"/>');
        } else {
          send(`<message type="thank you">${gameId}</message>`);
        }
      }
    },

    // All states before the last one, which comes once more now.
    "x-states"(message) {
      if (!held) return;
      held = undefined;
      bot = new Bot();
      for (const state of children(message, "shown").flatMap((shown) => children(shown, "gameState"))) bot.sees(state);
    },

    "x-verdict"(message) {
      const said = ["account", "said"].map((name) => child(message, name)?.text).filter(Boolean);
      console.log("why:", said.join("; "));
    },

    // Why a login is refused comes before its answer.
    "x-failed"(message) {
      if (message.attributes.ref === "waiting") return; // it does not tell now
      if (message.attributes.ref === "states") {
        const last = held;
        held = undefined;
        if (last) answers.gameState(last); // then we go on with what we know
        return;
      }
      const reason = child(message, "reason");
      if (sessionIsOver(reason?.text)) return;
      const wait = reason?.attributes.code === "DUPLICATE_USER" ? reason.attributes.waitSec : undefined;
      if (wait && !waited) {
        waited = true;
        keptSec = Number(wait);
        console.log(`the nick is kept for ${wait} s more: waiting`);
      } else {
        console.log("the server says:", reason?.text);
        if (reason?.text.includes("has a token") && !ours) {
          console.log("where a nick has a token: --token-file FILE, or UGS_TOKEN in the environment");
        }
        explained = true;
      }
    },

    "x-reason"(message) {
      console.log("the game master says that we broke a rule:", child(message, "cause")?.text);
    },

    error(message) {
      if (sessionIsOver(message.text)) return;
      const text = message.text.trim();
      console.log("the server says:", text);
      if (/^(document refused|this session continues)/.test(text)) broken += 1;
      const result = endIn(text, currentGame);
      if (currentGame === counted || result === "") return;
      console.log("game over:", result, "in", currentGame);
      asks = explains;
      held = undefined;
      if (isLast()) send('<message type="logout"/>');
    },

    serverShutdown() {
      console.log("the server shuts down");
      token = ""; // sessions end with a server that says good-bye
    },

    // Anything else, such as championsList, is good to know but asks nothing of us.
  };

  // Connects, logs in and plays; when the connection is gone, the same again after a moment.
  function play() {
    const documents = new Documents();
    const where = { host, port: Number(port), noDelay: true }; // moves are small and must not wait
    // With TLS the server has to prove that it is this host.
    connection = values.tls ? tls.connect({ ...where, ca }) : net.connect(where);
    connection.setEncoding("utf8"); // puts characters together again whose bytes came in two pieces
    connection.on(values.tls ? "secureConnect" : "connect", () => {
      unanswered += 1;
      asks = explains = lists = back = false;
      held = undefined;
      if (!token) currentGame = "";
      // First we say what we know beyond the protocol: sessions, earlier states, reasons. A server that knows none says so
      // in an error.
      const identity = ours && `<identity token="${escape(ours)}"/>`;
      const families = '<ext name="session"/><ext name="state"/><ext name="reason"/>';
      const hello = `<message type="x-hello">${families}${program}${identity}</message>`;
      const resume = `<message type="x-resume"><session token="${escape(token)}"/></message>`;
      send(hello + (token ? resume : login));
    });
    connection.on("data", (piece) => {
      for (const message of documents.feed(piece)) answers[message.attributes.type]?.(message);
    });
    // After a silence without a game we ask what we wait for.
    connection.setTimeout(SILENCE_MS);
    connection.on("timeout", () => {
      if (asks) send('<message type="x-why" ref="waiting"/>');
      asks = false;
    });
    connection.on("error", (error) => {
      console.log("no connection:", error.message);
      if (connection.authorizationError || error.code?.startsWith("ERR_TLS_CERT")) {
        console.log("this is not the server, or --ca is missing");
        refused = true; // trying again does not help
      } else if (error.code?.startsWith("ERR_SSL") || error.code === "EPROTO") {
        unanswered = MOST_UNANSWERED; // what listens there does not speak TLS
      } else if (!(welcome || unanswered || hinted)) {
        hinted = true;
        console.log("no server there: start one with ugs serve, or ugs demo (with bots); trying on until there is one");
      }
    });
    connection.on("close", () => {
      if (process.exitCode === 0 || atALoss) return;
      if (!keptSec) console.log("the server has closed the connection");
      if (unanswered === 1 && !welcome) console.log(NO_SERVER);
      if (broken >= MOST_REFUSED) {
        console.log("the server has put us out three times in a row: it says above why");
        refused = true;
      }
      if (unanswered >= MOST_UNANSWERED && !welcome && !refused) {
        console.log(NO_SERVER);
        refused = true;
      }
      if (refused) return;
      if (keptSec) {
        setTimeout(play, 1000 * keptSec);
        keptSec = 0;
        return;
      }
      setTimeout(play, pause * (0.2 + 0.8 * Math.random())); // not all bots at once
      pause = Math.min(2 * pause, 30_000);
    });
  }

  // A last word when somebody stops us, or the server would keep the nick for us. The server closes then.
  function stop() {
    console.log("stopped");
    process.exitCode = 0;
    asks = false;
    if (connection.readyState !== "open") process.exit();
    connection.removeAllListeners("data").resume();
    connection.end('<?xml version="1.0" encoding="UTF-8"?><message type="logout"/>');
    setTimeout(() => process.exit(), 2000).unref();
  }

  process.once("SIGINT", stop);
  process.once("SIGTERM", stop);
  play();
}
