// A complete game master for the universal game server in one file, for Node, without packages: Connect Four.
//
//     node master.mjs HOST PORT [ID]
//
// It leads any number of games at a time (game type connect-four) and draws them, so that people play them on the page
// of the server and watch replays there, although the server knows nothing of the game. Copy it, then put your own game
// in place of the first part; the rest can stay as it is.

import net from "node:net";

const GAME_TYPE = "connect-four";
const COLUMNS = 7;
const ROWS = 6;

// --- your own game ------------------------------------------------------------------------------------------------

// Cells are [column, row], with row 0 at the top. A disc is the number of the seat that dropped it.
class ConnectFour {
  constructor(nicks) {
    this.nicks = nicks;
    this.discs = new Map(); // "column,row" -> seat
    this.turn = 0;
    this.last = "";
    this.line = null; // the two ends of four in a row
  }

  free(column) {
    for (let row = ROWS - 1; row >= 0; row -= 1) if (!this.discs.has(`${column},${row}`)) return row;
    return -1;
  }

  open() {
    return [...Array(COLUMNS).keys()].filter((column) => this.free(column) >= 0);
  }

  // Drops a disc of the seat whose turn it is; the text says what is wrong with it, or is empty.
  drop(column) {
    const row = Number.isInteger(column) && column >= 0 && column < COLUMNS ? this.free(column) : -1;
    if (row < 0) return `column ${column} is full, or there is none`;
    this.last = `${column},${row}`;
    this.discs.set(this.last, this.turn);
    this.line = this.#four(column, row);
    this.turn = 1 - this.turn;
    return "";
  }

  // The ends of four in a row through this cell, or null.
  #four(column, row) {
    const seat = this.discs.get(`${column},${row}`);
    for (const [right, down] of [[1, 0], [0, 1], [1, 1], [1, -1]]) {
      const reach = (sign) => {
        let far = 0;
        while (this.discs.get(`${column + sign * (far + 1) * right},${row + sign * (far + 1) * down}`) === seat) far += 1;
        return far;
      };
      const [ahead, behind] = [reach(1), reach(-1)];
      if (ahead + behind >= 3) {
        return [`${column - behind * right},${row - behind * down}`, `${column + ahead * right},${row + ahead * down}`];
      }
    }
    return null;
  }

  // The results by nick once the game is over, else null. Equal results are a draw.
  results() {
    if (this.line) return this.nicks.map((nick, seat) => [nick, seat === 1 - this.turn ? "winner" : "loser"]);
    return this.open().length ? null : this.nicks.map((nick) => [nick, "winner"]);
  }

  // What every player reads: all discs.
  state() {
    const discs = [...this.discs].map(([cell, seat]) => `<disc at="${cell}" seat="${seat}"/>`);
    return `<gameState>${discs.join("")}</gameState>`;
  }

  // What people see: the words for that are in schemas/README.md, under "sketch".
  sketch() {
    const looks = ['colour="red" shape="disc"', 'colour="yellow" shape="diamond"'];
    const seats = this.nicks.map((nick, seat) => `<seat nick="${escape(nick)}" ${looks[seat]}/>`);
    const pieces = looks.map((look, seat) => {
      const own = [...this.discs].filter(([, whose]) => whose === seat).map(([cell]) => cell);
      return own.length ? `<pieces at="${own.join(" ")}" ${look}/>` : "";
    });
    const line = this.line ? `<line from="${this.line[0]}" to="${this.line[1]}" colour="green"/>` : "";
    const news = this.last
      ? `<mark at="${this.last}"/><news>${escape(this.nicks[this.discs.get(this.last)])} drops into column ${this.last[0]}</news>`
      : "";
    const offers = this.results() ? [] : this.open().map((column) => {
      const cells = [...Array(ROWS).keys()].map((row) => `${column},${row}`); // a click anywhere in the column
      const move = `<move><drop column="${column}"/></move>`;
      return `<offer label="column ${column}" at="${cells.join(" ")}">${move}</offer>`;
    });
    const ground = `<grid columns="${COLUMNS}" rows="${ROWS}" numbers="yes"/>`;
    return `<sketch>${ground}${seats.join("")}${pieces.join("")}${line}${news}${offers.join("")}</sketch>`;
  }
}

// Plays the move that is in this element; the text says what is wrong with it, or is empty.
function play(game, move) {
  const column = child(move, "drop")?.attributes.column;
  return game.drop(/^\d$/.test(column ?? "") ? Number(column) : NaN);
}

// --- just enough XML ------------------------------------------------------------------------------------------------

const MARKUP = /<!--.*?-->|<!\[CDATA\[.*?\]\]>|<\?.*?\?>|<[^!?](?:[^"'>]|"[^"]*"|'[^']*')*>/sy;
const ATTRIBUTE = /([^\s=<>"'/]+)\s*=\s*("[^"]*"|'[^']*')/g;

const NAMED = { lt: "<", gt: ">", amp: "&", quot: '"', apos: "'" };
const unescape = (text) =>
  text.replace(/&(?:#x([0-9a-f]+)|#(\d+)|(\w+));/gi, (whole, hex, decimal, name) => {
    if (hex) return String.fromCodePoint(parseInt(hex, 16));
    if (decimal) return String.fromCodePoint(parseInt(decimal, 10));
    return NAMED[name] ?? whole;
  });
const escape = (text) => text.replace(/[&<>"']/g, (sign) => `&#${sign.codePointAt(0)};`);
const child = (element, name) => element?.children.find((each) => each.name === name);

// Cuts what arrives into documents and makes each a tree of elements {name, attributes, children}. TCP knows no
// documents: one may come in many pieces, and one piece may hold many.
class Documents {
  #buffer = "";
  #position = 0; // the buffer up to here has been looked at
  #open = []; // elements that have begun and not ended, outermost first

  feed(piece) {
    this.#buffer += piece;
    const complete = [];
    for (;;) {
      const start = this.#buffer.indexOf("<", this.#position);
      MARKUP.lastIndex = start;
      const found = start >= 0 ? MARKUP.exec(this.#buffer) : null;
      if (found === null) return complete; // no complete piece of markup left: wait for more
      const inner = this.#open.at(-1);
      if (inner) inner.text += unescape(this.#buffer.slice(this.#position, start));
      this.#position = MARKUP.lastIndex;
      const root = this.#markup(found[0]);
      if (root) {
        complete.push(root);
        this.#buffer = this.#buffer.slice(this.#position);
        this.#position = 0;
      }
    }
  }

  #markup(markup) {
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

// A letter in names: those of XML that most scripts need. And a name without a prefix, which would have to be declared.
const LETTER = String.raw`A-Za-z_\xc0-\xd6\xd8-\xf6\xf8-\u0131\u0391-\u03a1\u03a3-\u03ce\u0410-\u044f\u3041-\u3094\u30a1-\u30fa\u4e00-\u9fa5\uac00-\ud7a3`;
const NAME = `[${LETTER}][${LETTER}0-9.\\-\\xb7]*`;
const BLANK = String.raw`[ \t\r\n]`;
const OWN = new RegExp(
  String.raw`(?<aside><!--(?:[^\-]|-[^\-])*-->|<\?(?![Xx][Mm][Ll][\s?])${NAME}(?:${BLANK}[^]*?)?\?>)|<!\[CDATA\[[^]*?\]\]>|(?<text>[^<]+)` +
    String.raw`|<(?<end>/?)(?<name>${NAME})(?<given>(?:${BLANK}+(?:xml:)?${NAME}${BLANK}*=${BLANK}*(?:"[^"<]*"|'[^'<]*'))*)${BLANK}*(?<empty>/?)>`,
  "y",
);
const NO_SIGN = /[\0-\x08\v\f\x0e-\x1f\ufffe\uffff]/;
const NO_TEXT = /&(?!(?:lt|gt|amp|quot|apos|#\d+|#x[\da-fA-F]+);)/;
const NUMBERED = /&#(?:x([\da-fA-F]+)|(\d+));/g;
const isSign = (code) => /^[\t\n\r\x20-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]$/u.test(code < 0x110000 ? String.fromCodePoint(code) : "");

// What a game has written, which has to be one element of this name. Throws where that is not so: the server would close
// the connection for it, and all games would be lost.
function written(where, name, text) {
  const own = text.trim();
  const open = [];
  let begun = false;
  const fails = (wrong, end) => {
    throw new Error(`${where} is no XML to be sent: ${wrong}, behind ${JSON.stringify(own.slice(Math.max(0, end - 80), end))}`);
  };
  if (NO_SIGN.test(own)) fails("a sign that is none of XML", own.search(NO_SIGN) + 1);
  for (let place = 0; place < own.length; place = OWN.lastIndex) {
    OWN.lastIndex = place;
    const found = OWN.exec(own)?.groups;
    if (!found) fails("no tag as XML has them", place + 20);
    const begins = found.name !== undefined && !found.end;
    const isBlank = found.aside !== undefined || /^[ \t\r\n]+$/.test(found.text ?? "");
    if (open.length === 0 && !isBlank && (begun || !begins || found.name !== name)) fails(`expected one <${name}>`, OWN.lastIndex);
    const said = found.text ?? found.given ?? "";
    const codes = [...said.matchAll(NUMBERED)].map(([, hex, decimal]) => (hex ? parseInt(hex, 16) : parseInt(decimal, 10)));
    if (NO_TEXT.test(said) || !codes.every(isSign)) fails("a sign that has to be escaped, or is none of XML", OWN.lastIndex);
    if (found.text?.includes("]]>")) fails("a sign that has to be escaped, or is none of XML", OWN.lastIndex);
    const names = begins ? [...found.given.matchAll(ATTRIBUTE)].map(([, given]) => given) : [];
    if (new Set(names).size < names.length) fails("an attribute twice", OWN.lastIndex);
    if (found.end && (found.name !== open.at(-1) || found.given || found.empty)) fails(`expected </${open.at(-1)}>`, OWN.lastIndex);
    if (found.end) open.pop();
    if (begins && !found.empty) open.push(found.name);
    begun ||= begins;
  }
  if (open.length || !begun) fails(`expected more, up to </${name}>`, own.length);
  return own;
}

// How a game says that it has ended. Throws for what the server does not take.
function checked(results, nicks) {
  const named = results?.map(([nick]) => nick).sort();
  const isRight = !results || String(named) === String([...nicks].sort());
  if (isRight && (results ?? []).every(([, result]) => ["winner", "loser"].includes(result))) return results;
  throw new Error(`results() gave ${JSON.stringify(results)}; expected "winner" or "loser" for each of ${nicks.join(", ")}`);
}

// A line for people, of texts that may be a player's: short, and without what a terminal obeys.
const plain = (text) => text.slice(0, 1000).replace(/\p{C}|\p{Zl}|\p{Zp}/gu, " ");

// An element as XML, for people: all its text stands before its children.
function shown({ name, attributes, children, text }) {
  const given = Object.entries(attributes).map(([key, value]) => ` ${key}="${escape(value)}"`).join("");
  const within = escape(text.trim()) + children.map(shown).join("");
  return within ? `<${name}${given}>${within}</${name}>` : `<${name}${given}/>`;
}

// --- the protocol ---------------------------------------------------------------------------------------------------

const [host, port, id = "four-in-a-row"] = process.argv.slice(2);
if (port === undefined) {
  console.error("usage: node master.mjs HOST PORT [ID]");
  process.exit(2);
}

const games = new Map(); // by id
const nicksOf = new Map(); // of the games that run
const lastOf = new Map(); // their last moves
let draws = false; // whether the server takes sketches
let explains = false; // whether it takes reasons
let why = "the server does not say why"; // our login is refused

const connection = net.connect({ host, port: Number(port), noDelay: true });
connection.setEncoding("utf8");

// What belongs together goes out in one piece: two small ones would wait for each other.
const send = (...messages) => connection.write(messages.join(""));

// Tells how a game stands: first what it looks like and which rule was broken, then the state itself.
function tell(gameId, game, results = checked(game.results(), nicksOf.get(gameId)), wrong = "") {
  const about = `<gameId id="${escape(gameId)}"/>`;
  const sketch = draws ? `<message type="x-sketch">${about}${written("sketch()", "sketch", game.sketch())}</message>` : "";
  const ended = results?.map(([nick, result]) => `<player nick="${escape(nick)}" result="${result}"/>`).join("");
  const next = results ? `<gameOver>${ended}</gameOver>` : `<nextPlayer nick="${escape(game.nicks[game.turn])}"/>`;
  const cause = `<cause code="illegal-move" nick="${escape(game.nicks[game.turn])}">${escape(wrong.slice(0, 1000))}</cause>`;
  const reason = explains && wrong ? `<message type="x-reason">${about}${written("the reason", "cause", cause)}</message>` : "";
  const state = written("state()", "gameState", game.state());
  send(sketch, reason, `<message type="gameState">${about}${next}${state}</message>`);
  if (results) forget(gameId);
}

function forget(gameId) {
  for (const known of [games, nicksOf, lastOf]) known.delete(gameId);
}

// The code of a game has failed: that costs this game, and the others go on. Nobody has to wait for an answer of ours.
function giveUp(message, fault) {
  const gameId = child(message, "gameId")?.attributes.id;
  if (gameId === undefined) throw fault;
  console.error(new Date().toISOString(), fault);
  console.error(`${gameId}: given up after ${message.attributes.type}`);
  console.error(`  players: ${plain((nicksOf.get(gameId) ?? []).join(", "))}`);
  if (lastOf.has(gameId)) console.error(`  last move: ${plain(shown(lastOf.get(gameId)))}`);
  console.error(`  once more: ugs replay ${gameId} --data-dir DIR --master "node ${process.argv[1]} {host} {port}"`);
  forget(gameId);
  const reason = '<reason code="INVALID_REQUEST">its program has failed</reason>';
  if (explains) send(`<message type="x-failed"><gameId id="${escape(gameId)}"/>${reason}</message>`);
  else send(`<message type="error">game ${escape(gameId)}: the game master failed and gives this game up</message>`);
}

const answers = {
  "x-hello"(message) {
    const granted = message.children.filter((each) => each.name === "ext").map((each) => each.attributes.name);
    [draws, explains] = [granted.includes("sketch"), granted.includes("reason")];
  },

  // Why a login is refused comes before its answer.
  "x-failed"(message) {
    why = child(message, "reason")?.text || why;
  },

  loginResponse(message) {
    if (child(message, "response")?.attributes.accept === "yes") {
      console.log(`leading ${GAME_TYPE} as ${id}`);
      return;
    }
    console.log(`login refused: ${why} (error ${child(message, "error")?.attributes.id})`);
    process.exitCode = 1;
    connection.end();
  },

  beginGame(message) {
    const gameId = child(message, "gameId").attributes.id;
    const nicks = message.children.filter((each) => each.name === "player").map((each) => each.attributes.nick);
    nicksOf.set(gameId, [...nicks]);
    games.set(gameId, new ConnectFour(nicks));
    tell(gameId, games.get(gameId));
  },

  move(message) {
    const gameId = child(message, "gameId").attributes.id;
    const game = games.get(gameId);
    if (!game) return; // it has ended meanwhile
    lastOf.set(gameId, child(message, "move"));
    const wrong = play(game, child(message, "move"));
    if (!wrong) {
      tell(gameId, game);
    } else {
      // An illegal move loses, and the reason says so.
      console.log(`${gameId}: ${game.nicks[game.turn]}: ${wrong}`);
      tell(gameId, game, game.nicks.map((nick, seat) => [nick, seat === game.turn ? "loser" : "winner"]), wrong);
    }
  },

  playerLeftGame(message) {
    const gameId = child(message, "gameId").attributes.id;
    const game = games.get(gameId);
    const leaver = child(message, "player")?.attributes.nick;
    if (game) tell(gameId, game, game.nicks.filter((nick) => nick !== leaver).map((nick) => [nick, "winner"]));
  },

  error(message) {
    console.log("the server says:", message.text.trim());
  },

  serverShutdown() {
    connection.end();
  },
};

const documents = new Documents();
connection.on("connect", () => {
  const login = `<gameMasterLogin id="${escape(id)}" gameType="${GAME_TYPE}" playersMin="2" playersMax="2"/>`;
  send(
    '<message type="x-hello"><ext name="sketch"/><ext name="reason"/><program name="master.mjs" version="1"/></message>',
    `<message type="gameMasterLogin">${login}</message>`,
  );
});
connection.on("data", (piece) => {
  for (const message of documents.feed(piece)) {
    try {
      answers[message.attributes.type]?.(message);
    } catch (fault) {
      giveUp(message, fault);
    }
  }
});
connection.on("error", (error) => {
  console.error("no connection:", error.message);
  process.exitCode = 1;
});
