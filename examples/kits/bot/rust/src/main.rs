//! Your bot: which game it plays, and how it chooses a move. What the server wants to hear is in protocol.rs.
//!
//!     cargo build --release && target/release/bot HOST PORT NICK [--game TYPE] [--games N] [--token-file FILE] [--session-file FILE]
//!
//! As it comes it plays five in line, and every game whose states list the legal moves as play elements, at random.

mod protocol;

use protocol::{escape, Bot, Chance, Element};

const NAME: &str = "mybot"; // what the page of your bot shows: the results of each VERSION
const VERSION: &str = "1";
const GAME_TYPE: &str = "5-in-line-tic-tac-toe";
const SIZE: usize = 20; // of the board, as long as no state shows another one

/// One game; there is a new one for each.
struct Game {
    chance: Chance,
    taken: Vec<Vec<bool>>, // fields with a stone, by column
    legal: Vec<String>,    // the ids of the legal moves, where the state lists them
    foreign: bool,         // the state is none of five in line
}

impl Bot for Game {
    /// Remembers what a state shows. In five in line that is the stone put last, sometimes once more at the end, and the
    /// size of a board that is not the usual one. When we are asked for a move, the last stone is the opponent's.
    fn sees(&mut self, state: &Element) {
        if let (Ok(width), Ok(height)) = (
            state.attribute("width").parse::<usize>(),
            state.attribute("height").parse::<usize>(),
        ) {
            self.taken = vec![vec![false; height]; width];
        }
        for tac in state.all("tac") {
            if let (Ok(x), Ok(y)) = (
                tac.attribute("x").parse::<usize>(),
                tac.attribute("y").parse::<usize>(),
            ) {
                self.taken[x][y] = true;
            }
        }
        self.legal = (state.listed_moves().iter())
            .map(|one| one.attribute("id").to_string())
            .collect();
        let filled = !state.children.is_empty() || !state.attributes.is_empty();
        self.foreign = filled && state.child("tac").is_none() && state.attribute("width").is_empty();
    }

    /// Our move, as XML: put your own ideas here. Nothing ends the bot: it knows no move.
    fn choose_move(&mut self) -> String {
        if !self.legal.is_empty() {
            let chosen = self.chance.below(self.legal.len());
            return format!("<play id=\"{}\"/>", escape(&self.legal[chosen]));
        }
        if self.foreign {
            return String::new();
        }
        loop {
            let x = self.chance.below(self.taken.len());
            let y = self.chance.below(self.taken[x].len());
            if !self.taken[x][y] {
                self.taken[x][y] = true; // the state that shows it may get lost with the line
                return format!("<tic x=\"{}\" y=\"{}\"/>", x, y);
            }
        }
    }
}

fn main() {
    std::process::exit(protocol::run(
        || {
            Box::new(Game {
                chance: Chance::new(),
                taken: vec![vec![false; SIZE]; SIZE],
                legal: Vec::new(),
                foreign: false,
            })
        },
        GAME_TYPE,
        NAME,
        VERSION,
    ));
}
