// Your bot: which game it plays, and how it chooses a move. What the server wants to hear is in protocol.mjs.
//
//     node bot.mjs HOST PORT NICK [--game TYPE] [--games N] [--token-file FILE] [--session-file FILE] [--tls [--ca FILE]]
//
// As it comes it plays five in line, and every game whose states list the legal moves as play elements, at random.

import { children, listedMoves, run } from "./protocol.mjs";

const NAME = "mybot"; // what the page of your bot shows: the results of each VERSION
const VERSION = "1";
const GAME_TYPE = "5-in-line-tic-tac-toe";
const SIZE = 20; // of the board, as long as no state shows another one

const choice = (list) => list[Math.floor(Math.random() * list.length)];

// One game; there is a new object for each.
class Bot {
  width = SIZE;
  height = SIZE;
  taken = new Set(); // fields with a stone, each written "x,y"
  legal = []; // the legal moves, where the state lists them, each with an id
  ours = true; // the state is one of five in line

  // Remembers what a state shows. In five in line that is the stone put last, sometimes once more at the end, and the
  // size of a board that is not the usual one. When we are asked for a move, the last stone is the opponent's.
  sees(state) {
    this.width = Number(state.attributes.width ?? this.width);
    this.height = Number(state.attributes.height ?? this.height);
    const tacs = children(state, "tac");
    for (const { attributes } of tacs) this.taken.add(`${attributes.x},${attributes.y}`);
    this.legal = listedMoves(state);
    const empty = state.children.length === 0 && Object.keys(state.attributes).length === 0;
    this.ours = tacs.length > 0 || "width" in state.attributes || empty;
  }

  // Our move, as XML: put your own ideas here. Nothing ends the bot: it knows no move.
  move() {
    if (this.legal.length) return `<play id="${choice(this.legal).attributes.id}"/>`;
    if (!this.ours) return "";
    const free = [];
    for (let x = 0; x < this.width; x += 1) {
      for (let y = 0; y < this.height; y += 1) if (!this.taken.has(`${x},${y}`)) free.push({ x, y });
    }
    const { x, y } = choice(free);
    this.taken.add(`${x},${y}`); // the state that shows it may get lost with the line
    return `<tic x="${x}" y="${y}"/>`;
  }
}

run(Bot, GAME_TYPE, NAME, VERSION);
