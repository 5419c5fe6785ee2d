//! The protocol of the universal game server, with nothing but the standard library. Your ideas are in main.rs.
//!
//! Connects, logs in, cuts what arrives into documents, thanks for games, and comes back when the server was away.

use std::collections::hash_map::RandomState;
use std::collections::HashMap;
use std::env;
use std::hash::{BuildHasher, Hasher};
use std::io::{self, Read, Write};
use std::net::TcpStream;
use std::thread::sleep;
use std::time::Duration;

/// A source of chance that is good enough for games.
pub struct Chance(u64);

impl Chance {
    pub fn new() -> Chance {
        Chance(RandomState::new().build_hasher().finish() | 1)
    }

    /// A number from 0 up to, but without, the bound.
    pub fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        ((self.0 >> 11) % bound as u64) as usize
    }
}

// --- just enough XML -------------------------------------------------------------------------------------------------

/// An element of XML; the text is what stands directly in it.
#[derive(Clone, Default)]
pub struct Element {
    pub name: String,
    pub attributes: HashMap<String, String>,
    pub children: Vec<Element>,
    pub text: String,
}

impl Element {
    /// All children of this name.
    pub fn all<'a>(&'a self, name: &'a str) -> impl Iterator<Item = &'a Element> {
        self.children.iter().filter(move |child| child.name == name)
    }

    /// The moves that a state lists, at any depth: elements play, or forfeit, with an id.
    pub fn listed_moves(&self) -> Vec<&Element> {
        let is_move = matches!(self.name.as_str(), "play" | "forfeit") && self.attributes.contains_key("id");
        let own = Some(self).filter(|_| is_move);
        own.into_iter().chain(self.children.iter().flat_map(Element::listed_moves)).collect()
    }

    /// The first child of this name.
    pub fn child(&self, name: &str) -> Option<&Element> {
        self.children.iter().find(|child| child.name == name)
    }

    /// The value of an attribute; empty without it.
    pub fn attribute(&self, name: &str) -> &str {
        self.attributes.get(name).map_or("", String::as_str)
    }
}

/// The text as the value of an attribute.
pub fn escape(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;")
}

/// Bytes as text, with references such as &amp; and &#233; replaced.
fn unescape(bytes: &[u8]) -> String {
    let text = String::from_utf8_lossy(bytes);
    let mut rest = text.as_ref();
    let mut done = String::with_capacity(rest.len());
    while let Some(at) = rest.find('&') {
        done.push_str(&rest[..at]);
        let end = rest[at..].find(';').map_or(rest.len(), |end| at + end);
        let word = &rest[at + 1..end];
        let number = match word.strip_prefix('#') {
            Some(digits) => match digits.strip_prefix('x') {
                Some(hex) => u32::from_str_radix(hex, 16).ok(),
                None => digits.parse().ok(),
            },
            None => None,
        };
        match (word, number.and_then(char::from_u32)) {
            (_, Some(character)) => done.push(character),
            ("lt", _) => done.push('<'),
            ("gt", _) => done.push('>'),
            ("amp", _) => done.push('&'),
            ("quot", _) => done.push('"'),
            ("apos", _) => done.push('\''),
            _ => done.push_str(&rest[at..(end + 1).min(rest.len())]),
        }
        rest = &rest[(end + 1).min(rest.len())..];
    }
    done + rest
}

fn find(bytes: &[u8], what: &[u8], from: usize) -> Option<usize> {
    let from = from.min(bytes.len());
    bytes[from..]
        .windows(what.len())
        .position(|piece| piece == what)
        .map(|at| from + at)
}

/// The length of the piece of markup at the beginning of the bytes, which begin with "<"; None when it is not complete
/// yet. It is a comment, a CDATA section, a processing instruction (the XML declaration is one), or a tag, in whose
/// attribute values a ">" may stand.
fn markup_length(bytes: &[u8]) -> Option<usize> {
    for (first, last) in [("<!--", "-->"), ("<![CDATA[", "]]>"), ("<?", "?>")] {
        if bytes.starts_with(first.as_bytes()) {
            return find(bytes, last.as_bytes(), first.len()).map(|at| at + last.len());
        }
        if first.as_bytes().starts_with(bytes) {
            return None; // it may yet become one
        }
    }
    let mut quote = None;
    for (at, &byte) in bytes.iter().enumerate() {
        match (quote, byte) {
            (Some(open), _) if open == byte => quote = None,
            (Some(_), _) => {}
            (None, b'"' | b'\'') => quote = Some(byte),
            (None, b'>') => return Some(at + 1),
            _ => {}
        }
    }
    None
}

/// The element of a tag.
fn new_element(tag: &[u8]) -> Element {
    let is_space = |byte: &u8| byte.is_ascii_whitespace() || *byte == b'/' || *byte == b'>';
    let mut at = tag
        .iter()
        .skip(1)
        .position(is_space)
        .map_or(tag.len(), |end| end + 1);
    let mut element = Element {
        name: unescape(&tag[1..at]),
        ..Element::default()
    };
    while let Some(equals) = find(tag, b"=", at) {
        let name = String::from_utf8_lossy(&tag[at..equals]).trim().to_string();
        let quotes = tag[equals..]
            .iter()
            .position(|byte| matches!(byte, b'"' | b'\''));
        let from = quotes.map_or(tag.len(), |open| equals + open + 1);
        let to = find(tag, &tag[from - 1..from], from).unwrap_or(tag.len());
        element.attributes.insert(name, unescape(&tag[from..to]));
        at = to + 1;
    }
    element
}

/// Cuts what arrives into documents and makes each a tree of elements. TCP knows no documents: one may come in many
/// pieces, and one piece may hold many. So we keep the elements that are open, and a document ends with the tag that
/// closes the last of them.
#[derive(Default)]
struct Documents {
    buffer: Vec<u8>,
    position: usize,    // the buffer up to here has been looked at
    open: Vec<Element>, // elements that have begun and not ended, outermost first
}

impl Documents {
    /// Takes the next bytes; gives the documents that are complete with them.
    fn feed(&mut self, bytes: &[u8]) -> Vec<Element> {
        self.buffer.extend_from_slice(bytes);
        let mut complete = Vec::new();
        while let Some(start) = find(&self.buffer, b"<", self.position) {
            let length = match markup_length(&self.buffer[start..]) {
                Some(length) => length,
                None => break, // no complete piece of markup left: wait for more
            };
            let text = unescape(&self.buffer[self.position..start]);
            let markup = self.buffer[start..start + length].to_vec();
            self.text(&text);
            self.position = start + length;
            if let Some(root) = self.markup(&markup) {
                complete.push(root);
                self.buffer.drain(..self.position);
                self.position = 0;
            }
        }
        complete
    }

    fn text(&mut self, text: &str) {
        if let Some(element) = self.open.last_mut() {
            element.text.push_str(text);
        }
    }

    /// Handles a piece of markup; gives the root element when that is the end of it.
    fn markup(&mut self, markup: &[u8]) -> Option<Element> {
        if markup.starts_with(b"<![CDATA[") {
            self.text(&String::from_utf8_lossy(&markup[9..markup.len() - 3]));
        }
        if markup.starts_with(b"<!") || markup.starts_with(b"<?") {
            return None;
        }
        if !markup.starts_with(b"</") {
            self.open.push(new_element(markup));
            if !markup.ends_with(b"/>") {
                return None;
            }
        }
        let ended = self.open.pop()?;
        match self.open.last_mut() {
            Some(outer) => outer.children.push(ended),
            None => return Some(ended),
        }
        None
    }
}

// --- the protocol: XML documents, one after another, with nothing between them ---------------------------------------

/// What plays one game.
pub trait Bot {
    /// Takes in a `<gameState>`, ours to move or not.
    fn sees(&mut self, state: &Element);
    /// Our move, as it stands between `<move>` and `</move>`; empty when we know none.
    fn choose_move(&mut self) -> String;
}

/// Documents of ours that the server refuses without a whole game in between; then the next one is no better.
const MOST_REFUSED: u32 = 3;
/// Connections that end before our login was answered; then it is no use to go on.
const MOST_UNANSWERED: u32 = 4;
const NO_SERVER: &str = "nobody answers a login there: is it the right port? It may speak TLS, which this bot does not";
const SECOND: Duration = Duration::from_secs(1);
/// The silence without a game after which we ask what we wait for.
const SILENCE: Duration = Duration::from_secs(3);
const USAGE: &str = "usage: bot HOST PORT NICK [--game TYPE] [--games N] [--token-file FILE] [--session-file FILE]";

/// Why a server does not let us in, by the number of its error.
fn refusal(number: &str) -> &'static str {
    match number {
        "1" => "the nick is taken, needs its token (UGS_TOKEN), or is none (1 to 64 characters, no control characters)",
        "2" => "this server does not offer this game",
        "3" => "there is no room: the server or the pool of the game is full, or a championship has begun",
        _ => "the server does not say why",
    }
}

/// What an error says that we are in this game, which is over for us then: no end of it is shown to us.
fn end_in(said: &str, game: &str) -> Option<&'static str> {
    let beginnings = [("game void:", "void"), ("removed by the game master", "loser"), ("document refused", "loser")];
    let ends = [("lost", "loser"), ("won", "winner"), ("drawn", "a draw")]; // won or drawn when we were away
    let begun = beginnings.iter().find(|one| said.starts_with(one.0));
    begun.or_else(|| ends.iter().find(|one| said.contains(&format!("game {} is {}", game, one.0)))).map(|one| one.1)
}

/// What has to be remembered from one connection to the next.
struct Player<F> {
    new_bot: F,
    nick: String,
    called: String, // the nick that the server knows us by: of "NAME#TOKEN" it is the name
    game_type: String,
    program: String, // the name and version of this bot, as an element
    token: String, // of the nick, where nicks have tokens; not on the command line, which all can see
    session_file: Option<String>, // where the token of our session is kept, if anywhere
    asking: String, // how the server is asked about us and our games, where that token is kept
    hinted: bool, // we have said how a server is started
    games: Option<u64>,
    played: u64,
    counted: String, // the game that was counted last: after a cut line we may hear of its end once more
    in_session: bool, // the server has told us of a session of ours, in this run
    answered: bool, // we have just come back, and the server waits for no move of ours
    back: bool, // we have just come back into a game: what we know of it may be old, or nothing
    held: Option<Element>, // the last state, as long as we wait for those before it
    session: String, // its token: who shows it goes on with the game after a cut line; empty without one
    game: (String, Box<dyn Bot>),
    welcome: bool, // we were let in before, so a refusal means that the server has not missed us yet
    at_a_loss: bool, // we have logged out, for want of a move
    explained: bool, // the server has said why it refuses our login
    explains: bool, // it says what we wait for when it is asked
    asks: bool, // we shall ask
    lists: bool, // it shows all states of our game when it is asked
    kept: Duration, // the server keeps the nick for so long, perhaps for an earlier start of ours
    waited: bool, // for that; we do so once
    refused: bool, // or it is no use to try again for another reason
    broken: u32, // how often the server has put us out since the last whole game
    unanswered: u32, // connections in a row that ended before our login was answered
    pause: Duration, // before the next connection, at most; twice as long each time, until we are let in
}

/// Sends one message, or several in one piece, which begins with the XML declaration.
fn say(line: &mut TcpStream, body: &str) -> io::Result<()> {
    line.write_all(format!("<?xml version=\"1.0\" encoding=\"UTF-8\"?>{}", body).as_bytes())
}

/// Writes the token of our session down, for us alone: who has it can take our seat.
fn keep_token(path: &str, token: &str) -> io::Result<()> {
    let mut how = std::fs::OpenOptions::new();
    how.write(true).create(true).truncate(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut how, 0o600);
    writeln!(how.open(path)?, "{}", token)
}

/// Whether the token of our session can be written down, which is seen before there is one; else it says why.
fn is_writable(path: &str) -> bool {
    let mut how = std::fs::OpenOptions::new();
    how.append(true).create(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut how, 0o600);
    match how.open(path) {
        Ok(_) => true,
        Err(error) => {
            println!("cannot write {}: {}", path, error);
            false
        }
    }
}

/// Ctrl-C and the like: our last word, or the server would keep the nick for us. It closes then. Rust knows no signals, so
/// this is what C does.
#[cfg(unix)]
mod stopping {
    use std::os::unix::io::AsRawFd;
    use std::sync::atomic::{AtomicBool, AtomicI32, Ordering::SeqCst};

    static LINE: AtomicI32 = AtomicI32::new(-1);
    static STOPPED: AtomicBool = AtomicBool::new(false);
    const LAST_WORD: &[u8] = b"<?xml version=\"1.0\" encoding=\"UTF-8\"?><message type=\"logout\"/>";

    extern "C" {
        fn signal(number: i32, action: usize) -> usize;
        fn write(file: i32, bytes: *const u8, length: usize) -> isize;
        fn shutdown(socket: i32, how: i32) -> i32;
        fn _exit(code: i32) -> !;
    }

    extern "C" fn stop(number: i32) {
        STOPPED.store(true, SeqCst);
        let line = LINE.load(SeqCst);
        unsafe {
            signal(number, 0); // who presses Ctrl-C once more does not wait
            if line < 0 || write(line, LAST_WORD.as_ptr(), LAST_WORD.len()) < 0 {
                _exit(0);
            }
            shutdown(line, 1); // nothing more comes from us
        }
    }

    pub fn watch() {
        for number in [2, 15] {
            unsafe { signal(number, stop as extern "C" fn(i32) as usize) };
        }
    }

    pub fn line_is(line: Option<&std::net::TcpStream>) {
        LINE.store(line.map_or(-1, |line| line.as_raw_fd()), SeqCst);
    }

    pub fn stopped() -> bool {
        STOPPED.load(SeqCst)
    }
}
#[cfg(not(unix))]
mod stopping {
    pub fn watch() {}
    pub fn line_is(_: Option<&std::net::TcpStream>) {}
    pub fn stopped() -> bool {
        false
    }
}

fn text_of<'a>(message: &'a Element, name: &str) -> &'a str {
    message.child(name).map_or("", |child| child.text.as_str())
}

impl<F: Fn() -> Box<dyn Bot>> Player<F> {
    /// Connects, logs in and plays until the server closes.
    fn play(&mut self, host: &str, port: u16) -> io::Result<()> {
        let mut line = TcpStream::connect((host, port))?;
        stopping::line_is(Some(&line));
        let outcome = self.talk(&mut line);
        stopping::line_is(None);
        outcome
    }

    fn talk(&mut self, line: &mut TcpStream) -> io::Result<()> {
        line.set_nodelay(true)?; // moves are small and must not wait
        self.unanswered += 1;
        self.explains = false;
        self.asks = false;
        self.lists = false;
        self.back = false;
        self.held = None;
        let identity = if self.token.is_empty() {
            String::new()
        } else {
            format!("<identity token=\"{}\"/>", escape(&self.token))
        };
        // First we say what we know beyond the protocol: sessions, earlier states, reasons. A server that knows none says
        // so in an error.
        let hello = format!(
            "<message type=\"x-hello\"><ext name=\"session\"/><ext name=\"state\"/><ext name=\"reason\"/>{}{}</message>",
            self.program, identity
        );
        let login = if self.session.is_empty() {
            self.game.0.clear();
            self.login()
        } else {
            format!(
                "<message type=\"x-resume\"><session token=\"{}\"/></message>",
                escape(&self.session)
            )
        };
        say(line, &(hello + &login))?;
        let mut documents = Documents::default();
        let mut piece = [0; 65536];
        loop {
            let length = self.receive(line, &mut piece)?;
            if length == 0 {
                return Ok(());
            }
            for message in documents.feed(&piece[..length]) {
                self.answer(&message, line)?;
            }
        }
    }

    /// Waits for more; after a silence without a game we ask what we wait for.
    fn receive(&mut self, line: &mut TcpStream, piece: &mut [u8]) -> io::Result<usize> {
        line.set_read_timeout(if self.asks { Some(SILENCE) } else { None })?;
        match line.read(piece) {
            Err(error)
                if self.asks && matches!(error.kind(), io::ErrorKind::WouldBlock | io::ErrorKind::TimedOut) =>
            {
                self.asks = false;
                say(line, "<message type=\"x-why\" ref=\"waiting\"/>")?;
                self.receive(line, piece)
            }
            // By Ctrl-C, which the server answers.
            Err(error) if error.kind() == io::ErrorKind::Interrupted => self.receive(line, piece),
            other => other,
        }
    }

    fn login(&self) -> String {
        format!(
            "<message type=\"playerLogin\"><playerLogin nick=\"{}\" gameType=\"{}\"/></message>",
            escape(&self.nick),
            escape(&self.game_type)
        )
    }

    fn answer(&mut self, message: &Element, line: &mut TcpStream) -> io::Result<()> {
        if message.attribute("ref") == "waiting" {
            // The answer to our question; nothing where it does not tell now.
            if message.attribute("type") == "x-account" {
                println!("waiting: {}", text_of(message, "account").replace('\n', "; "));
            }
            return Ok(());
        }
        match message.attribute("type") {
            // What the server knows beyond the protocol.
            "x-hello" => {
                self.explains = message.all("ext").any(|ext| ext.attribute("name") == "reason");
                self.lists = message.all("ext").any(|ext| ext.attribute("name") == "state");
            }
            "loginResponse" => {
                self.unanswered = 0;
                if message
                    .child("response")
                    .map_or("", |response| response.attribute("accept"))
                    != "yes"
                {
                    if self.kept > Duration::ZERO {
                        return Err(io::Error::new(io::ErrorKind::WouldBlock, "the nick is kept"));
                    }
                    let number = message
                        .child("error")
                        .map_or("?", |error| error.attribute("id"));
                    if self.explained {
                        println!("login refused (error {})", number);
                    } else {
                        println!("login refused: {} (error {})", refusal(number), number);
                    }
                    self.explained = false;
                    self.refused = !self.welcome;
                    return Err(io::Error::new(
                        io::ErrorKind::PermissionDenied,
                        "login refused",
                    ));
                }
                self.welcome = true;
                self.waited = false;
                self.pause = SECOND;
                self.asks = self.explains;
                let name = self.nick.split('#').next().unwrap_or(""); // what stands behind it may be a token
                println!("logged in as {}{}", name, self.asking);
            }
            "x-session" => {
                let fact = |name| message.child("session").map_or("", |one| one.attribute(name));
                self.session = fact("token").to_string();
                self.in_session = true;
                if !fact("nick").is_empty() {
                    self.called = fact("nick").to_string();
                }
                let resumed = fact("resumed") == "yes";
                self.answered = fact("turn") == "no";
                self.back = resumed && !fact("turn").is_empty();
                if let Some(path) = &self.session_file {
                    if let Err(error) = keep_token(path, &self.session) {
                        println!("cannot write {}: {}; playing on without it", path, error);
                        self.session_file = None;
                    }
                }
                if resumed {
                    println!("{}", if self.back { "back again" } else { "back again: no game of yours goes on" });
                }
            }
            // The server asks whether we are there.
            "x-ping" => match message.attribute("ref") {
                "" => say(line, "<message type=\"x-pong\"/>")?,
                text => say(
                    line,
                    &format!("<message type=\"x-pong\" ref=\"{}\"/>", escape(text)),
                )?,
            },
            "gameState" => self.shown(message, line)?,
            // All states before the last one, which comes once more now.
            "x-states" if self.held.is_some() => {
                self.held = None;
                self.game.1 = (self.new_bot)();
                for state in message.all("shown").filter_map(|shown| shown.child("gameState")) {
                    self.game.1.sees(state);
                }
            }
            // Then we go on with what we know.
            "x-failed" if message.attribute("ref") == "states" => {
                if let Some(last) = self.held.take() {
                    self.shown(&last, line)?;
                }
            }
            "x-verdict" => {
                let said = ["account", "said"].map(|name| text_of(message, name));
                let said: Vec<&str> = said.into_iter().filter(|text| !text.is_empty()).collect();
                println!("why: {}", said.join("; "));
            }
            "x-reason" => println!(
                "the game master says that we broke a rule: {}",
                text_of(message, "cause")
            ),
            "x-failed" | "error" if !self.session.is_empty() && self.unanswered > 0 => {
                if self.in_session {
                    // Else the token is of an earlier start, which may have ended well.
                    let why = message.child("reason").unwrap_or(message).text.trim();
                    println!("the session is over: {}", why);
                }
                self.session.clear();
                self.game.0.clear();
                say(line, &self.login())?;
            }
            // Why a login is refused comes before its answer.
            "x-failed" => {
                let fact = |name| message.child("reason").map_or("", |one| one.attribute(name));
                match fact("waitSec").parse::<f64>() {
                    Ok(seconds) if fact("code") == "DUPLICATE_USER" && !self.waited => {
                        println!("the nick is kept for {} s more: waiting", fact("waitSec"));
                        self.kept = SECOND.mul_f64(seconds);
                        self.waited = true;
                    }
                    _ => {
                        println!("the server says: {}", text_of(message, "reason"));
                        if text_of(message, "reason").contains("has a token") && self.token.is_empty() {
                            println!("where a nick has a token: --token-file FILE, or UGS_TOKEN in the environment");
                        }
                        self.explained = true;
                    }
                }
            }
            "error" => {
                let said = message.text.trim();
                println!("the server says: {}", said);
                self.broken += u32::from(["document refused", "this session continues"].iter().any(|one| said.starts_with(one)));
                let end = end_in(said, &self.game.0).filter(|_| !self.game.0.is_empty() && self.game.0 != self.counted);
                if let Some(result) = end {
                    println!("game over: {} in {}", result, self.game.0);
                    self.asks = self.explains;
                    self.held = None;
                    if self.is_last() {
                        say(line, "<message type=\"logout\"/>")?;
                    }
                }
            }
            "serverShutdown" => {
                println!("the server shuts down");
                self.session.clear(); // sessions end with a server that says good-bye
            }
            _ => {} // such as championsList: good to know, but it asks nothing of us
        }
        Ok(())
    }

    /// Counts our game as played, once; whether that was the last one.
    fn is_last(&mut self) -> bool {
        // None after the last one: what was under way when we logged out may yet come.
        self.played += u64::from(self.game.0 != self.counted && Some(self.played) != self.games);
        self.counted = self.game.0.clone();
        Some(self.played) == self.games
    }

    fn shown(&mut self, message: &Element, line: &mut TcpStream) -> io::Result<()> {
        let id = message
            .child("gameId")
            .map_or("", |game_id| game_id.attribute("id"));
        let about = format!("<gameId id=\"{}\"/>", escape(id));
        if id != self.game.0 {
            self.game = (id.to_string(), (self.new_bot)()); // we hear of a new game by its first state
            println!("in game {}", id);
            self.held = None;
        }
        if let Some(state) = message.child("gameState") {
            self.game.1.sees(state);
        }
        if (self.back && self.lists) || self.held.is_some() {
            self.back = false;
            if self.held.replace(message.clone()).is_none() {
                return say(line, &format!("<message type=\"x-listStates\" ref=\"states\">{}</message>", about));
            }
            self.answered = false; // it is among those that come, or comes once more behind them
            return Ok(());
        }
        let answered = std::mem::replace(&mut self.answered, false);
        if message
            .child("nextPlayer")
            .map_or(false, |next| next.attribute("nick") == self.called && !answered)
        {
            let chosen = self.game.1.choose_move();
            if chosen.is_empty() {
                println!("this state lists no moves that I know how to choose");
                self.at_a_loss = true;
                self.refused = true;
                return say(line, "<message type=\"logout\"/>");
            }
            say(
                line,
                &format!(
                    "<message type=\"move\">{}<move>{}</move></message>",
                    about, chosen
                ),
            )?;
        }
        self.asks = self.explains && message.child("gameOver").is_some();
        if let Some(over) = message.child("gameOver") {
            let results: Vec<&str> = over.all("player").map(|one| one.attribute("result")).collect();
            let drawn = results.len() > 1 && results.iter().all(|one| *one == results[0]);
            for own in over
                .all("player")
                .filter(|player| player.attribute("nick") == self.called)
            {
                let result = if drawn { "a draw" } else { own.attribute("result") };
                println!("game over: {} in {}", result, id);
            }
            self.broken = 0;
            if self.is_last() {
                // A "thank you" would make us ready for a next game, so good-bye takes its place. The server closes now;
                // reading on until then makes sure that it got our last word.
                return say(line, "<message type=\"logout\"/>");
            }
            return say(
                line,
                &format!("<message type=\"thank you\">{}</message>", about),
            );
        }
        Ok(())
    }
}

fn wrong_usage() -> i32 {
    eprintln!("{}", USAGE);
    2
}

/// Does what the command line says; the exit code. Each game gets a bot of its own; the type is what it plays;
/// the name and the version are what the server shows.
pub fn run<F: Fn() -> Box<dyn Bot>>(new_bot: F, game_type: &str, name: &str, version: &str) -> i32 {
    let words: Vec<String> = env::args().skip(1).collect();
    let port = words.get(1).and_then(|port| port.parse().ok());
    let (host, port, nick) = match (words.first(), port, words.get(2)) {
        (Some(host), Some(port), Some(nick)) => (host, port, nick),
        _ => return wrong_usage(),
    };
    let mut me = Player {
        counted: String::new(),
        in_session: false,
        answered: false,
        back: false,
        held: None,
        session: String::new(),
        game: (String::new(), new_bot()),
        new_bot,
        nick: nick.clone(),
        called: nick.clone(),
        game_type: game_type.to_string(),
        program: format!("<program name=\"{}\" version=\"{}\"/>", escape(name), escape(version)),
        token: env::var("UGS_TOKEN").unwrap_or_default(),
        session_file: None,
        asking: String::new(),
        hinted: false,
        games: None,
        played: 0,
        welcome: false,
        at_a_loss: false,
        explained: false,
        explains: false,
        asks: false,
        lists: false,
        kept: Duration::ZERO,
        waited: false,
        refused: false,
        broken: 0,
        unanswered: 0,
        pause: SECOND,
    };
    for pair in words[3..].chunks(2) {
        match (
            pair[0].as_str(),
            pair.get(1),
            pair.get(1).and_then(|value| value.parse::<u64>().ok()),
        ) {
            ("--game", Some(value), _) => me.game_type = value.clone(),
            ("--token-file", Some(value), _) => match std::fs::read_to_string(value) {
                Ok(token) => me.token = token.trim().to_string(),
                Err(error) => {
                    eprintln!("{}: {}", value, error);
                    return 2;
                }
            },
            ("--session-file", Some(value), _) => me.session_file = Some(value.clone()),
            ("--games", _, Some(number)) if number > 0 => me.games = Some(number),
            _ => return wrong_usage(),
        }
    }
    if let Some(path) = &me.session_file {
        if !is_writable(path) {
            return 1;
        }
        me.asking = format!(" (why? ugs why --connect {}:{} --session-file {})", host, port, path);
        // A session that an earlier start has had goes on.
        me.session = std::fs::read_to_string(path).unwrap_or_default().trim().to_string();
    }
    let mut chance = Chance::new();
    stopping::watch();
    loop {
        match me.play(host, port) {
            Ok(()) if me.at_a_loss || me.games == Some(me.played) => {}
            Ok(()) if stopping::stopped() => {
                println!("stopped");
                return 0;
            }
            Err(_) if me.kept > Duration::ZERO => {}
            Ok(()) => {
                println!("the server has closed the connection");
                if me.unanswered == 1 && !me.welcome {
                    println!("{}", NO_SERVER);
                }
            }
            Err(error) => {
                println!("no connection: {}", error);
                if !(me.welcome || me.refused || me.unanswered > 0 || me.hinted) {
                    me.hinted = true;
                    println!("no server there: start one with ugs serve, or ugs demo (with bots); trying on until there is one");
                }
            }
        }
        if me.games == Some(me.played) {
            return 0;
        }
        if me.broken >= MOST_REFUSED {
            println!("the server has put us out three times in a row: it says above why");
            return 1;
        }
        if me.unanswered >= MOST_UNANSWERED && !me.welcome && !me.refused {
            println!("{}", NO_SERVER);
            me.refused = true;
        }
        if me.refused {
            return 1;
        }
        if me.kept > Duration::ZERO {
            sleep(std::mem::take(&mut me.kept));
            continue;
        }
        sleep(
            me.pause
                .mul_f64(0.2 + 0.8 * chance.below(1000) as f64 / 1000.0),
        ); // not all bots at once
        me.pause = (2 * me.pause).min(30 * SECOND);
    }
}
