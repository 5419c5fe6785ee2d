// The protocol of the universal game server, with nothing but the standard library. Your ideas are in bot.go.
//
// Connects, logs in, reads documents, thanks for games, and comes back when the server was away.

package main

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/xml"
	"errors"
	"flag"
	"fmt"
	"io"
	"math/rand"
	"net"
	"os"
	"os/signal"
	"strings"
	"syscall"
	"time"
)

// Element of XML. The text is what stands directly in it.
type Element struct {
	Name       string
	Attributes map[string]string
	Children   []*Element
	Text       string
}

// All children of this name.
func (element *Element) All(name string) []*Element {
	var found []*Element
	if element != nil {
		for _, child := range element.Children {
			if child.Name == name {
				found = append(found, child)
			}
		}
	}
	return found
}

// ListedMoves are the moves that a state lists, at any depth: a <play id="..."/> each, or a <forfeit id="..."/>.
func (element *Element) ListedMoves() []*Element {
	var found []*Element
	if _, named := element.Attributes["id"]; named && (element.Name == "play" || element.Name == "forfeit") {
		found = append(found, element)
	}
	for _, child := range element.Children {
		found = append(found, child.ListedMoves()...)
	}
	return found
}

// Child of this name, the first one; nil when there is none.
func (element *Element) Child(name string) *Element {
	if found := element.All(name); len(found) > 0 {
		return found[0]
	}
	return nil
}

// Attribute of this name; empty when there is none, or no element.
func (element *Element) Attribute(name string) string {
	if element == nil {
		return ""
	}
	return element.Attributes[name]
}

func (element *Element) text() string {
	if element == nil {
		return ""
	}
	return element.Text
}

// Escape makes a text the value of an attribute.
func Escape(text string) string {
	return strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, "&quot;").Replace(text)
}

// The next document: TCP knows no documents, so one ends with the tag that closes the outermost element.
func nextDocument(decoder *xml.Decoder) (*Element, error) {
	var open []*Element
	for {
		token, err := decoder.RawToken()
		if err != nil {
			return nil, err
		}
		switch token := token.(type) {
		case xml.StartElement:
			element := &Element{Name: token.Name.Local, Attributes: map[string]string{}}
			for _, attribute := range token.Attr {
				element.Attributes[attribute.Name.Local] = attribute.Value
			}
			if len(open) > 0 {
				outer := open[len(open)-1]
				outer.Children = append(outer.Children, element)
			}
			open = append(open, element)
		case xml.CharData:
			if len(open) > 0 {
				open[len(open)-1].Text += string(token)
			}
		case xml.EndElement:
			if len(open) == 0 {
				return nil, errors.New("an end tag without its start tag")
			}
			if len(open) == 1 {
				return open[0], nil
			}
			open = open[:len(open)-1]
		}
	}
}

// Bot plays one game.
type Bot interface {
	Sees(state *Element) // a <gameState>, ours to move or not
	Move() string        // our move, as it stands between <move> and </move>; empty when we know none
}

// The silence without a game after which we ask what we wait for.
const silence = 3 * time.Second

// Connections that end before our login was answered; then it is no use to go on.
const mostUnanswered = 4

const noServer = "nobody answers a login there: is it the right port? It may speak TLS (--tls), or not"

// Documents of ours that the server refuses without a whole game in between; then the next one is no better.
const mostRefused = 3

// Why a server does not let us in, by the number of its error.
var refusals = map[string]string{
	"1": "the nick is taken, needs its token (UGS_TOKEN), or is none (1 to 64 characters, no control characters)",
	"2": "this server does not offer this game",
	"3": "there is no room: the server or the pool of the game is full, or a championship has begun",
}

// What an error says that we are in this game, which is over for us then: no end of it is shown to us. "" if it does not.
func endIn(said, game string) string {
	if strings.HasPrefix(said, "game void:") {
		return "void"
	}
	if strings.HasPrefix(said, "removed by the game master") || strings.HasPrefix(said, "document refused") {
		return "loser"
	}
	for _, end := range [][2]string{{"lost", "loser"}, {"won", "winner"}, {"drawn", "a draw"}} { // won or drawn when we were away
		if strings.Contains(said, "game "+game+" is "+end[0]) {
			return end[1]
		}
	}
	return ""
}

// What has to be remembered from one connection to the next.
type player struct {
	newBot                   func() Bot
	host, port, nick, gameID string
	called                   string   // the nick that the server knows us by: of "NAME#TOKEN" it is the name
	counted                  string   // the game that was counted last: after a cut line we may hear of its end once more
	session                  string   // its token: who shows it goes on with the game after a cut line; empty without one
	inSession                bool     // the server has told us of a session of ours, in this run
	answered                 bool     // we have just come back, and the server waits for no move of ours
	back                     bool     // we have just come back into a game: what we know of it may be old, or nothing
	held                     *Element // the last state, as long as we wait for those before it
	token                    string   // of the nick, where nicks have tokens
	sessionFile              string   // where the token of the session is kept, if anywhere
	asking                   string   // how the server is asked about us and our games, where that token is kept
	hinted                   bool     // we have said how a server is started
	gameType                 string
	program                  string // the name and version of this bot, as an element
	encryption               *tls.Config
	stopped                  context.Context // somebody has stopped us
	line                     net.Conn
	bot                      Bot
	games, played            int
	welcome                  bool          // we were let in before, so a refusal means that the server has not missed us yet
	atALoss                  bool          // we have logged out, for want of a move
	explained                bool          // the server has said why it refuses our login
	explains                 bool          // it says what we wait for when it is asked
	asks                     bool          // we shall ask
	lists                    bool          // it shows all states of our game when it is asked
	refused                  bool          // or it is no use to try again for another reason
	waited                   bool          // until the nick was free; we do so once
	kept                     time.Duration // the server keeps the nick for so long, perhaps for an earlier start of ours
	broken                   int           // how often the server has put us out since the last whole game
	unanswered               int           // connections in a row that ended before our login was answered
	pause                    time.Duration // before the next connection, at most; twice as long each time, until we are let in
}

// Sends one message, or several in one piece, which begins with the XML declaration. What cannot be sent is lost with the
// connection, which the next read will notice.
func (me *player) say(body string) {
	_, _ = io.WriteString(me.line, `<?xml version="1.0" encoding="UTF-8"?>`+body)
}

// Read waits for more; after a silence without a game we ask what we wait for.
func (me *player) Read(bytes []byte) (int, error) {
	for {
		deadline := time.Time{}
		if me.asks {
			deadline = time.Now().Add(silence)
		}
		_ = me.line.SetReadDeadline(deadline)
		length, err := me.line.Read(bytes)
		if late, ok := err.(net.Error); !ok || !late.Timeout() {
			return length, err
		}
		me.say(`<message type="x-why" ref="waiting"/>`)
		me.asks = false
	}
}

func (me *player) dial() (net.Conn, error) {
	address := net.JoinHostPort(me.host, me.port)
	if me.encryption != nil { // the server has to prove that it is this host
		return (&tls.Dialer{Config: me.encryption}).DialContext(me.stopped, "tcp", address)
	}
	return (&net.Dialer{}).DialContext(me.stopped, "tcp", address)
}

// Connects, logs in and plays until the server closes.
func (me *player) play() {
	line, err := me.dial()
	var record tls.RecordHeaderError
	var unknown x509.UnknownAuthorityError
	var other x509.HostnameError
	var invalid x509.CertificateInvalidError
	switch {
	case errors.As(err, &unknown), errors.As(err, &other), errors.As(err, &invalid):
		fmt.Println("this is not the server, or --ca is missing:", err)
		me.refused = true // trying again does not help
		return
	case errors.As(err, &record):
		fmt.Println("no connection:", err)
		me.unanswered = mostUnanswered // what listens there does not speak TLS
		return
	case err != nil:
		fmt.Println("no connection:", err)
		if !me.welcome && me.unanswered == 0 && !me.hinted && me.stopped.Err() == nil {
			me.hinted = true
			fmt.Println("no server there: start one with ugs serve, or ugs demo (with bots); trying on until there is one")
		}
		return
	}
	defer line.Close()
	over := make(chan struct{})
	defer close(over)
	go logOut(me.stopped, line, over)
	me.line = line
	me.unanswered++
	me.asks, me.explains, me.lists, me.back, me.held = false, false, false, false, nil
	if me.session == "" {
		me.gameID = ""
	}
	// First we say what we know beyond the protocol: sessions, earlier states, reasons. A server that knows none says so in an
	// error.
	identity := ""
	if me.token != "" {
		identity = fmt.Sprintf(`<identity token="%s"/>`, Escape(me.token))
	}
	login := me.login()
	if me.session != "" {
		login = `<message type="x-resume"><session token="` + Escape(me.session) + `"/></message>`
	}
	families := `<ext name="session"/><ext name="state"/><ext name="reason"/>`
	me.say(`<message type="x-hello">` + families + me.program + identity + `</message>` + login)
	decoder := xml.NewDecoder(me)
	for {
		message, err := nextDocument(decoder)
		if err != nil {
			break
		}
		if !me.answer(message) {
			break
		}
	}
	if !me.atALoss && me.kept == 0 && me.stopped.Err() == nil && (me.games == 0 || me.played < me.games) {
		fmt.Println("the server has closed the connection")
		if me.unanswered == 1 && !me.welcome {
			fmt.Println(noServer)
		}
	}
}

// Our last word when somebody stops us, or the server would keep the nick for us. It closes then.
func logOut(stopped context.Context, line net.Conn, over chan struct{}) {
	select {
	case <-stopped.Done():
		_, _ = io.WriteString(line, `<?xml version="1.0" encoding="UTF-8"?><message type="logout"/>`)
		time.AfterFunc(2*time.Second, func() { _ = line.Close() })
	case <-over:
	}
}

func (me *player) login() string {
	login := fmt.Sprintf(`<playerLogin nick="%s" gameType="%s"/>`, Escape(me.nick), Escape(me.gameType))
	return `<message type="playerLogin">` + login + `</message>`
}

// False when the connection is of no more use.
func (me *player) answer(message *Element) bool {
	if message.Attribute("ref") == "waiting" { // the answer to our question
		if account := message.Child("account"); account != nil {
			fmt.Println("waiting:", strings.ReplaceAll(account.text(), "\n", "; "))
		}
		return true
	}
	switch message.Attribute("type") {
	case "x-hello": // what the server knows beyond the protocol
		for _, one := range message.All("ext") {
			me.explains = me.explains || one.Attribute("name") == "reason"
			me.lists = me.lists || one.Attribute("name") == "state"
		}
	case "loginResponse":
		me.unanswered = 0
		if message.Child("response").Attribute("accept") != "yes" {
			if me.kept > 0 {
				return false
			}
			number := message.Child("error").Attribute("id")
			why, known := refusals[number]
			if !known {
				why = "the server does not say why"
			}
			why = ": " + why
			if me.explained {
				why = ""
			}
			fmt.Printf("login refused%s (error %s)\n", why, number)
			me.explained = false
			me.refused = !me.welcome
			return false
		}
		me.welcome, me.waited, me.pause, me.asks = true, false, time.Second, me.explains
		name := strings.SplitN(me.nick, "#", 2)[0] // what stands behind it may be a token
		fmt.Printf("logged in as %s%s\n", name, me.asking)
	case "x-session":
		session := message.Child("session")
		me.session, me.inSession = session.Attribute("token"), true
		if nick := session.Attribute("nick"); nick != "" {
			me.called = nick
		}
		resumed := session.Attribute("resumed") == "yes"
		me.answered = session.Attribute("turn") == "no"
		me.back = resumed && session.Attribute("turn") != ""
		if me.sessionFile != "" { // for us alone: who has it can take our seat
			if err := os.WriteFile(me.sessionFile, []byte(me.session+"\n"), 0o600); err != nil {
				fmt.Printf("cannot write %s: %s; playing on without it\n", me.sessionFile, errors.Unwrap(err))
				me.sessionFile = ""
			}
		}
		if me.back {
			fmt.Println("back again")
		} else if resumed {
			fmt.Println("back again: no game of yours goes on")
		}
	case "x-ping": // the server asks whether we are there
		ref := message.Attribute("ref")
		if ref != "" {
			ref = ` ref="` + Escape(ref) + `"`
		}
		me.say(`<message type="x-pong"` + ref + `/>`)
	case "gameState":
		me.shown(message)
	case "x-states": // all states before the last one, which comes once more now
		if me.held == nil {
			break
		}
		me.held, me.bot = nil, me.newBot()
		for _, one := range message.All("shown") {
			for _, state := range one.All("gameState") {
				me.bot.Sees(state)
			}
		}
	case "x-verdict":
		var said []string
		for _, name := range []string{"account", "said"} {
			if text := message.Child(name).text(); text != "" {
				said = append(said, text)
			}
		}
		fmt.Println("why:", strings.Join(said, "; "))
	case "x-reason":
		fmt.Println("the game master says that we broke a rule:", message.Child("cause").text())
	case "x-failed": // why a login is refused comes before its answer
		reason := message.Child("reason")
		wait, _ := time.ParseDuration(reason.Attribute("waitSec") + "s")
		switch {
		case message.Attribute("ref") == "states": // then we go on with what we know
			if last := me.held; last != nil {
				me.held = nil
				me.shown(last)
			}
		case me.sessionIsOver(reason.text()):
		case reason.Attribute("code") == "DUPLICATE_USER" && wait > 0 && !me.waited:
			fmt.Printf("the nick is kept for %s s more: waiting\n", reason.Attribute("waitSec"))
			me.kept, me.waited = wait, true
		default:
			fmt.Println("the server says:", reason.text())
			if strings.Contains(reason.text(), "has a token") && me.token == "" {
				fmt.Println("where a nick has a token: --token-file FILE, or UGS_TOKEN in the environment")
			}
			me.explained = true
		}
	case "error":
		if me.sessionIsOver(message.Text) {
			break
		}
		said := strings.TrimSpace(message.Text)
		fmt.Println("the server says:", said)
		if strings.HasPrefix(said, "document refused") || strings.HasPrefix(said, "this session continues") {
			me.broken++
		}
		if result := endIn(said, me.gameID); result != "" && me.gameID != "" && me.gameID != me.counted {
			fmt.Println("game over:", result, "in", me.gameID)
			me.asks, me.held = me.explains, nil
			if me.isLast() {
				me.say(`<message type="logout"/>`)
			}
		}
	case "serverShutdown":
		fmt.Println("the server shuts down")
		me.session = "" // sessions end with a server that says good-bye
	} // Anything else, such as championsList, is good to know but asks nothing of us.
	return true
}

// Logs in when the server does not take us back; whether that was it.
func (me *player) sessionIsOver(why string) bool {
	if me.session == "" || me.unanswered == 0 {
		return false
	}
	if me.inSession { // else the token is of an earlier start, which may have ended well
		fmt.Println("the session is over:", why)
	}
	me.session, me.gameID = "", ""
	me.say(me.login())
	return true
}

// Counts the present game as played, once; whether that was the last one.
func (me *player) isLast() bool {
	if me.gameID != me.counted && (me.games == 0 || me.played < me.games) { // after our logout some may yet come
		me.played++
	}
	me.counted = me.gameID
	return me.played == me.games
}

func (me *player) shown(message *Element) {
	id := message.Child("gameId").Attribute("id")
	game := fmt.Sprintf(`<gameId id="%s"/>`, Escape(id))
	if id != me.gameID { // we hear of a new game by its first state
		me.gameID, me.bot, me.held = id, me.newBot(), nil
		fmt.Println("in game", id)
	}
	if state := message.Child("gameState"); state != nil {
		me.bot.Sees(state)
	}
	if me.back && me.lists || me.held != nil {
		if me.held == nil {
			me.say(`<message type="x-listStates" ref="states">` + game + `</message>`)
		} else { // it is among those that come, or comes once more behind them
			me.answered = false
		}
		me.back, me.held = false, message
		return
	}
	if next := message.Child("nextPlayer"); next != nil && next.Attribute("nick") == me.called && !me.answered {
		if move := me.bot.Move(); move != "" {
			me.say(`<message type="move">` + game + `<move>` + move + `</move></message>`)
		} else {
			fmt.Println("this state lists no moves that I know how to choose")
			me.atALoss, me.refused = true, true
			me.say(`<message type="logout"/>`)
		}
	}
	me.answered = false
	over := message.Child("gameOver")
	me.asks = me.explains && over != nil
	if over == nil {
		return
	}
	players := over.All("player")
	drawn := len(players) > 1
	for _, one := range players {
		drawn = drawn && one.Attribute("result") == players[0].Attribute("result")
	}
	for _, one := range players {
		if one.Attribute("nick") == me.called {
			result := one.Attribute("result")
			if drawn {
				result = "a draw"
			}
			fmt.Println("game over:", result, "in", id)
		}
	}
	me.broken = 0
	if me.isLast() {
		// A "thank you" would make us ready for a next game, so good-bye takes its place. The server closes now; reading
		// on until then makes sure that it got our last word.
		me.say(`<message type="logout"/>`)
	} else {
		me.say(`<message type="thank you">` + game + `</message>`)
	}
}

// Plays until it is no use to come back; the exit code.
func (me *player) run() int {
	var signalsAsUsual func()
	me.stopped, signalsAsUsual = signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	go func() { // who presses Ctrl-C once more does not wait
		<-me.stopped.Done()
		signalsAsUsual()
	}()
	for {
		me.play()
		if me.stopped.Err() != nil {
			fmt.Println("stopped")
			return 0
		}
		if me.games > 0 && me.played >= me.games {
			return 0
		}
		if me.broken >= mostRefused {
			fmt.Println("the server has put us out three times in a row: it says above why")
			return 1
		}
		if me.unanswered >= mostUnanswered && !me.welcome && !me.refused {
			fmt.Println(noServer)
			me.refused = true
		}
		if me.refused {
			return 1
		}
		pause := time.Duration((0.2 + 0.8*rand.Float64()) * float64(me.pause)) // not all bots at once
		if me.kept > 0 {
			pause, me.kept = me.kept, 0
		}
		select {
		case <-time.After(pause):
		case <-me.stopped.Done():
		}
		if me.pause *= 2; me.pause > 30*time.Second {
			me.pause = 30 * time.Second
		}
	}
}

// Whether the command line asks for no game at all.
func none(words *flag.FlagSet) bool {
	asked := false
	words.Visit(func(one *flag.Flag) { asked = asked || one.Name == "games" && one.Value.String() == "0" })
	return asked
}

// Why the token of our session cannot be written down, which is seen before there is one; nil where it can, or need not.
func writable(path string) error {
	if path == "" {
		return nil
	}
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o600)
	if err != nil {
		return errors.Unwrap(err)
	}
	return file.Close()
}

func usage(words *flag.FlagSet) int {
	fmt.Fprintln(os.Stderr, "usage: bot HOST PORT NICK [--game TYPE] [--games N] [--token-file FILE] [--session-file FILE] [--tls [--ca FILE]]")
	words.PrintDefaults()
	return 2
}

// Run does what the command line says; the exit code. Each game gets a bot of its own; the type is what it plays; the name
// and the version are what the server shows.
func Run(newBot func() Bot, gameType, name, version string) int {
	rand.Seed(time.Now().UnixNano())
	me := &player{newBot: newBot, pause: time.Second}
	me.program = fmt.Sprintf(`<program name="%s" version="%s"/>`, Escape(name), Escape(version))
	words := flag.NewFlagSet("bot", flag.ContinueOnError)
	words.Usage = func() {}
	words.StringVar(&me.gameType, "game", gameType, "the game type")
	words.IntVar(&me.games, "games", 0, "log out after this many games (without it: play on)")
	tokenFile := words.String("token-file", "", "the token of the nick is there (without it: in UGS_TOKEN)")
	words.StringVar(&me.sessionFile, "session-file", "", "keep the token of the session there: it shows our games")
	encrypted := words.Bool("tls", false, "speak TLS, and trust the right server only")
	ca := words.String("ca", "", "with --tls: file of the authorities to trust")
	if len(os.Args) < 4 || words.Parse(os.Args[4:]) != nil || words.NArg() > 0 || me.games < 0 || none(words) {
		return usage(words)
	}
	me.host, me.port, me.nick = os.Args[1], os.Args[2], os.Args[3]
	me.called = me.nick
	me.token = os.Getenv("UGS_TOKEN") // not on the command line, which all can see
	if *tokenFile != "" {
		token, err := os.ReadFile(*tokenFile)
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			return 2
		}
		me.token = strings.TrimSpace(string(token))
	}
	if err := writable(me.sessionFile); err != nil {
		fmt.Printf("cannot write %s: %s\n", me.sessionFile, err)
		return 1
	}
	if kept, err := os.ReadFile(me.sessionFile); err == nil { // a session that an earlier start has had goes on
		me.session = strings.TrimSpace(string(kept))
	}
	if me.sessionFile != "" {
		me.asking = fmt.Sprintf(" (why? ugs why --connect %s:%s --session-file %s", me.host, me.port, me.sessionFile)
		if *encrypted {
			me.asking += " --tls"
		}
		if *encrypted && *ca != "" {
			me.asking += " --ca " + *ca
		}
		me.asking += ")"
	}
	if *encrypted {
		me.encryption = &tls.Config{ServerName: me.host}
	}
	if *encrypted && *ca != "" {
		trusted, err := os.ReadFile(*ca)
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			return 2
		}
		me.encryption.RootCAs = x509.NewCertPool()
		me.encryption.RootCAs.AppendCertsFromPEM(trusted)
	}
	return me.run()
}
