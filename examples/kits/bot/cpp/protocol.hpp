// The protocol of the universal game server, with nothing but C++17 and POSIX. Your ideas are in bot.cpp.
//
// Connects, logs in, cuts what arrives into documents, thanks for games, and comes back when the server was away.

#pragma once

#include <fcntl.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <functional>
#include <iostream>
#include <map>
#include <memory>
#include <optional>
#include <random>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

namespace ugs {

// --- just enough XML ------------------------------------------------------------------------------------------------

// An element of XML; the text is what stands directly in it.
struct Element {
    std::string name, text;
    std::map<std::string, std::string> attributes;
    std::vector<Element> children;

    // All children of this name.
    std::vector<const Element *> all(std::string_view wanted) const {
        std::vector<const Element *> found;
        for (const Element &child : children)
            if (child.name == wanted) found.push_back(&child);
        return found;
    }

    // The moves that a state lists, at any depth: a <play id="..."/> each, or a <forfeit id="..."/>.
    std::vector<const Element *> listed_moves() const {
        std::vector<const Element *> found;
        if ((name == "play" || name == "forfeit") && attributes.count("id") > 0) found.push_back(this);
        for (const Element &child : children)
            for (const Element *move : child.listed_moves()) found.push_back(move);
        return found;
    }

    // The first child of this name, or nullptr.
    const Element *child(std::string_view wanted) const {
        const auto found = all(wanted);
        return found.empty() ? nullptr : found.front();
    }

    // The value of an attribute; empty without it.
    std::string attribute(const std::string &wanted) const {
        const auto found = attributes.find(wanted);
        return found == attributes.end() ? "" : found->second;
    }

    // An attribute of the first child of this name, and the text in it; empty without it.
    std::string fact(std::string_view wanted, const std::string &of) const {
        const Element *found = child(wanted);
        return found == nullptr ? "" : found->attribute(of);
    }
    std::string text_of(std::string_view wanted) const {
        const Element *found = child(wanted);
        return found == nullptr ? "" : found->text;
    }
};

// The text as the value of an attribute.
inline std::string escape(std::string_view text) {
    std::string value;
    for (const char sign : text)
        if (std::strchr("&<>\"", sign) != nullptr && sign != 0)
            value += "&#" + std::to_string(static_cast<int>(sign)) + ";";
        else
            value += sign;
    return value;
}

// The character of this number, in UTF-8.
inline std::string utf8(unsigned long character) {
    if (character < 0x80) return {static_cast<char>(character)};
    int more = character < 0x800 ? 1 : character < 0x10000 ? 2 : 3;
    std::string bytes{static_cast<char>((0xff00 >> (more + 1) & 0xff) | (character >> 6 * more & 0x3f))};
    while (more-- > 0) bytes += static_cast<char>(0x80 | (character >> 6 * more & 0x3f));
    return bytes;
}

// The text with references such as &amp; and &#233; replaced.
inline std::string unescape(std::string_view text) {
    static const std::map<std::string_view, char> named = {
        {"lt", '<'}, {"gt", '>'}, {"amp", '&'}, {"quot", '"'}, {"apos", '\''}};
    std::string done;
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t end = text[at] == '&' ? text.find(';', at) : std::string_view::npos;
        if (end == std::string_view::npos) {
            done += text[at++];
            continue;
        }
        const std::string word(text.substr(at + 1, end - at - 1));
        if (word.size() > 1 && word[0] == '#') {
            const bool hex = word[1] == 'x';
            done += utf8(std::strtoul(word.c_str() + (hex ? 2 : 1), nullptr, hex ? 16 : 10));
        } else if (const auto found = named.find(word); found != named.end()) {
            done += found->second;
        }
        at = end + 1;
    }
    return done;
}

// Cuts what arrives into documents and makes each a tree of elements. TCP knows no documents: one may come in many pieces,
// and one piece may hold many. So we keep the elements that are open, and a document ends with the tag that closes the
// last of them.
class Documents {
public:
    // Takes the next bytes; gives the documents that are complete with them.
    std::vector<Element> feed(std::string_view bytes) {
        buffer_ += bytes;
        std::vector<Element> complete;
        for (;;) {
            const std::size_t start = buffer_.find('<', position_);
            const std::size_t end = start == std::string::npos ? start : markup_end(start);
            if (end == std::string::npos) return complete; // no complete piece of markup left: wait for more
            text(unescape(std::string_view(buffer_).substr(position_, start - position_)));
            position_ = end;
            if (auto root = markup(std::string_view(buffer_).substr(start, end - start))) {
                complete.push_back(std::move(*root));
                buffer_.erase(0, position_);
                position_ = 0;
            }
        }
    }

private:
    std::string buffer_;
    std::size_t position_ = 0;  // the buffer up to here has been looked at
    std::vector<Element> open_; // elements that have begun and not ended, outermost first

    // Where the piece of markup ends that begins here; npos when it is not complete yet. It is a comment, a CDATA section,
    // a processing instruction (the XML declaration is one), or a tag, in whose attribute values a ">" may stand.
    std::size_t markup_end(std::size_t start) const {
        static const std::pair<std::string, std::string> sections[] = {{"<!--", "-->"}, {"<![CDATA[", "]]>"}, {"<?", "?>"}};
        for (const auto &[first, last] : sections) {
            const std::string here = buffer_.substr(start, first.size());
            if (here == first) {
                const std::size_t end = buffer_.find(last, start + first.size());
                return end == std::string::npos ? end : end + last.size();
            }
            if (first.compare(0, here.size(), here) == 0) return std::string::npos; // it may yet become one
        }
        char quote = 0;
        for (std::size_t at = start; at < buffer_.size(); at++) {
            const char sign = buffer_[at];
            if (quote != 0)
                quote = sign == quote ? 0 : quote;
            else if (sign == '"' || sign == '\'')
                quote = sign;
            else if (sign == '>')
                return at + 1;
        }
        return std::string::npos;
    }

    void text(std::string_view more) {
        if (!open_.empty()) open_.back().text += more;
    }

    static Element new_element(std::string_view tag) {
        Element element;
        std::size_t at = tag.find_first_of(" \t\r\n/>");
        element.name = tag.substr(1, at - 1);
        for (;;) {
            const std::size_t from = tag.find_first_not_of(" \t\r\n/>", at);
            const std::size_t open = from == tag.npos ? from : tag.find_first_of("\"'", from);
            if (open == tag.npos) return element;
            const std::size_t close = tag.find(tag[open], open + 1);
            const std::string name(tag.substr(from, tag.find_first_of(" \t\r\n=", from) - from));
            element.attributes[name] = unescape(tag.substr(open + 1, close - open - 1));
            at = close + 1;
        }
    }

    // Handles a piece of markup; gives the root element when that is the end of it.
    std::optional<Element> markup(std::string_view markup) {
        if (markup.substr(0, 9) == "<![CDATA[") text(markup.substr(9, markup.size() - 12));
        if (markup[1] == '!' || markup[1] == '?') return std::nullopt;
        if (markup[1] != '/') {
            open_.push_back(new_element(markup));
            if (markup[markup.size() - 2] != '/') return std::nullopt;
        }
        if (open_.empty()) return std::nullopt;
        Element ended = std::move(open_.back());
        open_.pop_back();
        if (open_.empty()) return ended;
        open_.back().children.push_back(std::move(ended));
        return std::nullopt;
    }
};

// --- the protocol: XML documents, one after another, with nothing between them --------------------------------------

// What plays one game.
class Player {
public:
    virtual ~Player() = default;
    virtual void sees(const Element &state) = 0; // a <gameState>, ours to move or not
    virtual std::string move() = 0;              // our move, between <move> and </move>; empty when we know none
};

// Plays for one nick, over as many connections as it takes.
class Client {
public:
    // The name and the version of the bot are what the server shows.
    Client(std::function<std::unique_ptr<Player>()> new_player, std::string game_type, const std::string &name,
           const std::string &version)
        : new_player_(std::move(new_player)), game_type_(std::move(game_type)),
          program_("<program name=\"" + escape(name) + "\" version=\"" + escape(version) + "\"/>") {}

    // Does what the command line says; the exit code.
    int run(int count, char *words[]) {
        bool wrong = count < 4;
        if (const char *token = std::getenv("UGS_TOKEN")) token_ = token;
        for (int at = 4; at < count && !wrong; at += 2) {
            const std::string_view word = words[at];
            if (at + 1 < count && word == "--game")
                game_type_ = words[at + 1];
            else if (at + 1 < count && word == "--token-file") {
                if (std::ifstream file(words[at + 1]); !(file >> token_)) {
                    std::cerr << words[at + 1] << ": no token\n";
                    return 2;
                }
            } else if (at + 1 < count && word == "--session-file")
                session_file_ = words[at + 1];
            else if (at + 1 < count && word == "--games")
                wrong = (games_ = std::atol(words[at + 1])) < 1;
            else
                wrong = true;
        }
        if (wrong) {
            std::cerr << "usage: bot HOST PORT NICK [--game TYPE] [--games N] [--token-file FILE] [--session-file FILE]\n";
            return 2;
        }
        if (!session_file_.empty() && !read_token()) return 1;
        nick_ = called_ = words[3];
        if (!session_file_.empty())
            asking_ = std::string(" (why? ugs why --connect ") + words[1] + ":" + words[2] + " --session-file " + session_file_ + ")";
        struct sigaction stopping {};
        stopping.sa_handler = stop;
        stopping.sa_flags = SA_RESTART | static_cast<int>(SA_RESETHAND);
        sigaction(SIGINT, &stopping, nullptr);
        sigaction(SIGTERM, &stopping, nullptr);
        std::mt19937 chance(std::random_device{}());
        std::uniform_real_distribution<double> part(0.2, 1.0);
        for (;;) {
            if (dial(words[1], words[2])) {
                play();
            } else if (!welcome_ && unanswered_ == 0 && !hinted_) {
                hinted_ = true;
                print("no server there: start one with ugs serve, or ugs demo (with bots); trying on until there is one");
            }
            if (stopped || (games_ > 0 && played_ >= games_)) return 0;
            if (broken_ >= MOST_REFUSED) {
                print("the server has put us out three times in a row: it says above why");
                return 1;
            }
            if (unanswered_ >= MOST_UNANSWERED && !welcome_ && !refused_) {
                print(NO_SERVER);
                refused_ = true;
            }
            if (refused_) return 1;
            const double pause = kept_s_ > 0 ? kept_s_ : part(chance) * pause_s_; // not all bots at once
            kept_s_ = 0;
            std::this_thread::sleep_for(std::chrono::duration<double>(pause));
            pause_s_ = std::min(2 * pause_s_, 30.0);
        }
    }

private:
    static constexpr int SILENCE_MS = 3000;   // without a game; then we ask what we wait for
    static constexpr int MOST_REFUSED = 3;    // documents of ours, without a whole game in between; then we give up
    static constexpr auto NO_SERVER = "nobody answers a login there: is it the right port? It may speak TLS, which this bot does not";
    static constexpr int MOST_UNANSWERED = 4; // connections that end before our login was answered; then we give up

    std::function<std::unique_ptr<Player>()> new_player_;
    std::string game_type_, program_, nick_, current_;
    std::string called_;          // the nick that the server knows us by: of "NAME#TOKEN" it is the name
    std::string token_;           // of the nick, where nicks have tokens; not on the command line, which all can see
    std::string session_file_;      // where the token of our session is kept; empty: nowhere
    std::string asking_;          // how the server is asked about us and our games, where that token is kept
    bool hinted_ = false;         // we have said how a server is started
    std::string counted_;         // the game that was counted last: after a cut line we may hear of its end once more
    std::string session_;         // its token: who shows it goes on with the game after a cut line; empty without one
    bool in_session_ = false;     // the server has told us of a session of ours, in this run
    bool answered_ = false;       // we have just come back, and the server waits for no move of ours
    bool back_ = false;           // we have just come back into a game: what we know of it may be old, or nothing
    std::optional<Element> held_; // the last state, as long as we wait for those before it
    std::unique_ptr<Player> player_;
    int line_ = -1;
    long games_ = 0, played_ = 0; // how many to play, 0: without end; how many are over
    bool welcome_ = false;        // we were let in before, so a refusal means that the server has not missed us yet
    bool at_a_loss_ = false;      // we have logged out, for want of a move
    bool explained_ = false;      // the server has said why it refuses our login
    bool explains_ = false;       // it says what we wait for when it is asked
    bool asks_ = false;           // we shall ask
    bool lists_ = false;          // it shows all states of our game when it is asked
    double kept_s_ = 0;           // the server keeps the nick for so long, perhaps for an earlier start of ours
    bool waited_ = false;         // for that; we do so once
    bool refused_ = false;        // or it is no use to try again for another reason
    int broken_ = 0;              // how often the server has put us out since the last whole game
    int unanswered_ = 0;          // connections in a row that ended before our login was answered
    double pause_s_ = 1;          // before the next connection, at most; twice as long each time, until we are let in

    inline static volatile std::sig_atomic_t open_line = -1, stopped = 0;

    // Our last word when somebody stops us, or the server would keep the nick for us. The server closes then; who presses
    // Ctrl-C once more does not wait for that.
    static void stop(int) {
        static const char last_word[] = "<?xml version=\"1.0\" encoding=\"UTF-8\"?><message type=\"logout\"/>";
        if (open_line < 0) _exit(0);
        stopped = 1;
        if (send(open_line, last_word, sizeof last_word - 1, MSG_NOSIGNAL) < 0) _exit(0);
        shutdown(open_line, SHUT_WR);
    }

    static void print(const std::string &text) { std::cout << text << std::endl; }

    // Why a server does not let us in, by the number of its error.
    static std::string refusal(const std::string &number) {
        static const std::map<std::string, std::string> words = {
            {"1", "the nick is taken, needs its token (UGS_TOKEN), or is none (1 to 64 characters, no control characters)"},
            {"2", "this server does not offer this game"},
            {"3", "there is no room: the server or the pool of the game is full, or a championship has begun"}};
        const auto found = words.find(number);
        return found == words.end() ? "the server does not say why" : found->second;
    }

    // Connects; false when nobody can be reached.
    bool dial(const char *host, const char *port) {
        addrinfo wanted{}, *found = nullptr;
        wanted.ai_socktype = SOCK_STREAM;
        if (const int failed = getaddrinfo(host, port, &wanted, &found); failed != 0) {
            print(std::string("no connection: ") + gai_strerror(failed));
            return false;
        }
        line_ = -1;
        for (const addrinfo *at = found; at != nullptr && line_ < 0; at = at->ai_next) {
            line_ = socket(at->ai_family, at->ai_socktype, at->ai_protocol);
            if (line_ >= 0 && connect(line_, at->ai_addr, at->ai_addrlen) != 0) {
                print(std::string("no connection: ") + std::strerror(errno));
                close(line_);
                line_ = -1;
            }
        }
        freeaddrinfo(found);
        const int one = 1; // moves are small and must not wait
        return line_ >= 0 && setsockopt(line_, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one) == 0;
    }

    // Sends one message, or several in one piece, which begins with the XML declaration. What cannot be sent is lost with
    // the connection, which the next read will notice.
    void say(const std::string &body) const {
        const std::string bytes = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>" + body;
        for (std::size_t sent = 0; sent < bytes.size();) {
            const ssize_t more = send(line_, bytes.data() + sent, bytes.size() - sent, MSG_NOSIGNAL);
            if (more < 0) return;
            sent += static_cast<std::size_t>(more);
        }
    }

    // Waits for more; after a silence without a game we ask what we wait for.
    ssize_t receive(std::vector<char> &piece) {
        pollfd ready{line_, POLLIN, 0};
        if (asks_ && poll(&ready, 1, SILENCE_MS) == 0) {
            say("<message type=\"x-why\" ref=\"waiting\"/>");
            asks_ = false;
        }
        return recv(line_, piece.data(), piece.size(), 0);
    }

    // Logs in and plays until the server closes.
    void play() {
        open_line = line_;
        unanswered_++;
        asks_ = explains_ = lists_ = back_ = false;
        held_.reset();
        if (session_.empty()) current_.clear();
        // First we say what we know beyond the protocol: sessions, earlier states, reasons. A server that knows none says so
        // in an error.
        const std::string identity = token_.empty() ? std::string() : "<identity token=\"" + escape(token_) + "\"/>";
        const std::string resume = "<message type=\"x-resume\"><session token=\"" + escape(session_) + "\"/></message>";
        const std::string families = "<ext name=\"session\"/><ext name=\"state\"/><ext name=\"reason\"/>";
        say("<message type=\"x-hello\">" + families + program_ + identity + "</message>" + (session_.empty() ? login() : resume));
        Documents documents;
        std::vector<char> piece(65536);
        bool of_use = true;
        for (ssize_t got; of_use && (got = receive(piece)) > 0;)
            for (const Element &message : documents.feed({piece.data(), static_cast<std::size_t>(got)}))
                of_use = of_use && answer(message);
        open_line = -1;
        if (!at_a_loss_ && kept_s_ == 0 && (stopped || games_ == 0 || played_ < games_)) print(stopped ? "stopped" : "the server has closed the connection");
        if (!stopped && unanswered_ == 1 && !welcome_) print(NO_SERVER);
        close(line_);
    }

    std::string login() const {
        return "<message type=\"playerLogin\"><playerLogin nick=\"" + escape(nick_) + "\" gameType=\"" +
               escape(game_type_) + "\"/></message>";
    }

    // False when the connection is of no more use.
    bool answer(const Element &message) {
        const std::string type = message.attribute("type");
        if (type == "loginResponse") return entered(message);
        if (type == "gameState") {
            shown(message);
        } else if (type == "x-hello") { // what the server knows beyond the protocol
            for (const Element *one : message.all("ext")) {
                explains_ = explains_ || one->attribute("name") == "reason";
                lists_ = lists_ || one->attribute("name") == "state";
            }
        } else if (type == "x-states" && held_) { // all states before the last one, which comes once more now
            held_.reset();
            player_ = new_player_();
            for (const Element *one : message.all("shown"))
                if (const Element *state = one->child("gameState")) player_->sees(*state);
        } else if (type == "x-failed" && message.attribute("ref") == "states") { // then we go on with what we know
            if (const std::optional<Element> last = std::exchange(held_, std::nullopt)) shown(*last);
        } else if (message.attribute("ref") == "waiting") { // the answer to our question
            std::string account = message.text_of("account");
            for (std::size_t at; (at = account.find('\n')) != account.npos;) account.replace(at, 1, "; ");
            if (type == "x-account") print("waiting: " + account);
        } else if (type == "x-session") {
            session_ = message.fact("session", "token");
            in_session_ = true;
            if (const std::string nick = message.fact("session", "nick"); !nick.empty()) called_ = nick;
            const bool resumed = message.fact("session", "resumed") == "yes";
            answered_ = message.fact("session", "turn") == "no";
            back_ = resumed && !message.fact("session", "turn").empty();
            if (!session_file_.empty()) keep_token();
            if (resumed) print(back_ ? "back again" : "back again: no game of yours goes on");
        } else if (type == "x-ping") { // the server asks whether we are there
            const std::string ref = message.attribute("ref");
            say("<message type=\"x-pong\"" + (ref.empty() ? "" : " ref=\"" + escape(ref) + "\"") + "/>");
        } else if (type == "x-verdict") {
            const std::string account = message.text_of("account"), said = message.text_of("said");
            print("why: " + account + (!account.empty() && !said.empty() ? "; " : "") + said);
        } else if (type == "x-reason") {
            print("the game master says that we broke a rule: " + message.text_of("cause"));
        } else if (type == "x-failed") { // why a login is refused comes before its answer
            const std::string why = message.text_of("reason"), wait = message.fact("reason", "waitSec");
            if (is_session_over(why)) return true;
            if (message.fact("reason", "code") == "DUPLICATE_USER" && std::atof(wait.c_str()) > 0 && !waited_) {
                print("the nick is kept for " + wait + " s more: waiting");
                kept_s_ = std::atof(wait.c_str());
                waited_ = true;
            } else {
                print("the server says: " + why);
                if (why.find("has a token") != why.npos && token_.empty())
                    print("where a nick has a token: --token-file FILE, or UGS_TOKEN in the environment");
                explained_ = true;
            }
        } else if (type == "error") {
            if (is_session_over(message.text)) return true;
            print("the server says: " + message.text);
            if (begins(message.text, "document refused") || begins(message.text, "this session continues")) broken_++;
            const std::string result = end_in(message.text);
            if (!current_.empty() && current_ != counted_ && !result.empty()) {
                print("game over: " + result + " in " + current_);
                asks_ = explains_;
                held_.reset();
                if (is_last()) say("<message type=\"logout\"/>");
            }
        } else if (type == "serverShutdown") {
            print("the server shuts down");
            session_.clear(); // sessions end with a server that says good-bye
        } // Anything else, such as championsList, is good to know but asks nothing of us.
        return true;
    }

    static bool begins(const std::string &text, const std::string &beginning) {
        const std::size_t at = text.find_first_not_of(" \t\r\n");
        return at != text.npos && text.compare(at, beginning.size(), beginning) == 0;
    }

    // What an error says that we are in our game, which is over for us then: no end of it is shown to us. "" if it does not.
    std::string end_in(const std::string &error) const {
        if (begins(error, "game void:")) return "void";
        if (begins(error, "removed by the game master") || begins(error, "document refused")) return "loser";
        const std::vector<std::pair<std::string, std::string>> ends{
            {"lost", "loser"}, {"won", "winner"}, {"drawn", "a draw"}}; // won or drawn when we were away
        for (const auto &[word, result] : ends)
            if (error.find("game " + current_ + " is " + word) != error.npos) return result;
        return "";
    }

    // Counts our game as played, once; whether that was the last one.
    bool is_last() {
        // None after the last one: what was under way when we logged out may yet come.
        played_ += current_ == counted_ || (games_ > 0 && played_ >= games_) ? 0 : 1;
        counted_ = current_;
        return played_ == games_;
    }

    // Logs in when the server does not take us back; whether that was it.
    bool is_session_over(const std::string &why) {
        if (session_.empty() || unanswered_ == 0) return false;
        // Else the token is of an earlier start, which may have ended well.
        if (in_session_) print("the session is over: " + why);
        session_.clear();
        current_.clear();
        say(login());
        return true;
    }

    // Takes the token that an earlier start has written down, if any: its session goes on. False where no token can be
    // written down, which is seen before there is one.
    bool read_token() {
        const int file = open(session_file_.c_str(), O_WRONLY | O_CREAT | O_APPEND, 0600);
        if (file < 0) {
            print("cannot write " + session_file_ + ": " + std::strerror(errno));
            return false;
        }
        close(file);
        std::ifstream(session_file_) >> session_;
        return true;
    }

    // Writes the token of our session down, for us alone: who has it can take our seat.
    void keep_token() {
        const std::string line = session_ + "\n";
        const int file = open(session_file_.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
        const bool written = file >= 0 && write(file, line.data(), line.size()) >= 0;
        if (file >= 0) close(file);
        if (written) return;
        print("cannot write " + session_file_ + ": " + std::strerror(errno) + "; playing on without it");
        session_file_.clear();
    }

    bool entered(const Element &message) {
        unanswered_ = 0;
        if (message.fact("response", "accept") != "yes") {
            if (kept_s_ > 0) return false;
            const std::string number = message.fact("error", "id");
            print("login refused" + (explained_ ? "" : ": " + refusal(number)) + " (error " + number + ")");
            explained_ = false;
            refused_ = !welcome_;
            return false;
        }
        welcome_ = true;
        waited_ = false;
        pause_s_ = 1;
        asks_ = explains_;
        const std::string name = nick_.substr(0, nick_.find('#')); // what stands behind it may be a token
        print("logged in as " + name + asking_);
        return true;
    }

    void shown(const Element &message) {
        const std::string id = message.fact("gameId", "id"), game = "<gameId id=\"" + escape(id) + "\"/>";
        if (id != current_) { // we hear of a new game by its first state
            current_ = id;
            print("in game " + id);
            player_ = new_player_();
            held_.reset();
        }
        if (const Element *state = message.child("gameState")) player_->sees(*state);
        if ((back_ && lists_) || held_) {
            if (held_)
                answered_ = false; // it is among those that come, or comes once more behind them
            else
                say("<message type=\"x-listStates\" ref=\"states\">" + game + "</message>");
            back_ = false;
            held_ = message;
            return;
        }
        if (message.fact("nextPlayer", "nick") == called_ && !answered_) {
            const std::string move = player_->move();
            if (move.empty()) {
                print("this state lists no moves that I know how to choose");
                at_a_loss_ = refused_ = true;
                say("<message type=\"logout\"/>");
            } else {
                say("<message type=\"move\">" + game + "<move>" + move + "</move></message>");
            }
        }
        answered_ = false;
        const Element *over = message.child("gameOver");
        asks_ = explains_ && over != nullptr;
        if (over == nullptr) return;
        const auto players = over->all("player");
        const bool drawn = players.size() > 1 && std::all_of(players.begin(), players.end(), [&](const Element *one) {
            return one->attribute("result") == players.front()->attribute("result");
        });
        for (const Element *one : players)
            if (one->attribute("nick") == called_)
                print("game over: " + (drawn ? "a draw" : one->attribute("result")) + " in " + id);
        broken_ = 0;
        // A "thank you" would make us ready for a next game, so after the last one good-bye takes its place. The server
        // closes now; reading on until then makes sure that it got our last word.
        if (is_last())
            say("<message type=\"logout\"/>");
        else
            say("<message type=\"thank you\">" + game + "</message>");
    }
};

} // namespace ugs
