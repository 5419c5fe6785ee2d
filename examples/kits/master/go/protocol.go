// The protocol of the universal game server for a game master, with nothing but the standard library. Your game is in
// master.go.
//
// Connects, logs in, reads documents, leads any number of games over its one connection, takes over games whose master was
// lost, and comes back when its line was cut.

package main

import (
	"bufio"
	"encoding/xml"
	"errors"
	"fmt"
	"hash/fnv"
	"io"
	"math/rand"
	"net"
	"os"
	"regexp"
	"runtime/debug"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"
)

// Results of a player. A draw is one for all who are still there.
const (
	Winner = "winner"
	Loser  = "loser"
	Draw   = "draw"
)

// Game is what is led: one game, whose players have the seats 0, 1 and so on.
type Game interface {
	Mover() int                // the seat that is to move
	Play(move *Element) string // plays the move in a <move> for that seat; what is wrong with it, or nothing
	Ended() *End               // how the game ended; nil as long as it goes on
	State() string             // what every player reads: a <gameState>
	Sketch(over bool) string   // what people see: a <sketch>, without offers when the game is over
}

// End of a game: the result of each seat, and why, as a word of the rules (letters, digits, hyphens) and in words. Without
// the word nothing is said of it.
type End struct {
	Results   []string
	Code, Why string
}

// What is wrong with this end of a game of so many players; nothing when the server takes it.
func (end *End) wrong(players int) string {
	if len(end.Results) != players {
		return fmt.Sprintf("Ended() gave the results %q; expected one for each of %d players", end.Results, players)
	}
	for _, result := range end.Results {
		if result != Winner && result != Loser && result != Draw {
			return fmt.Sprintf("Ended() gave the results %q; each is %q, %q or %q", end.Results, Winner, Loser, Draw)
		}
	}
	if len(end.Code) > 64 || strings.Trim(strings.ToLower(end.Code), "abcdefghijklmnopqrstuvwxyz0123456789-_.") != "" {
		return fmt.Sprintf("Ended() gave the code %q; it is one word of letters, digits and hyphens", end.Code)
	}
	return ""
}

func (end *End) drawn() bool {
	for _, result := range end.Results {
		if result == Draw {
			return true
		}
	}
	return false
}

// Kind of game. Begin makes a game of the nicks of its players, in the order of their seats, and of the options that were
// chosen for it. All chance in it comes from that generator: then the same moves make the same game, and another master
// can take it over.
type Kind struct {
	GameType    string
	Least, Most int    // players
	ID          string // of the master, unless the command line gives one
	Options     []Option
	Begin       func(nicks []string, options Options, chance *rand.Rand) Game
}

// Option that people choose for a game, at a table or for a championship; where no one has chosen, it is the default.
// Another value is one of these words or, where there are none, a whole number from the least to the most.
type Option struct {
	Name, Default string
	Values        []string // without blanks in them
	Least, Most   int
}

// Options of one game: all that the kind has, and what was chosen.
type Options map[string]string

// Number is the value of an option whose values are whole numbers.
func (options Options) Number(name string) int {
	number, err := strconv.Atoi(options[name])
	if err != nil {
		panic(fmt.Sprintf("option %q is no number: %q", name, options[name]))
	}
	return number
}

func (option Option) allows(value string) bool {
	for _, word := range option.Values {
		if value == word {
			return true
		}
	}
	number, err := strconv.Atoi(value)
	within := err == nil && number >= option.Least && number <= option.Most
	return value == option.Default || len(option.Values) == 0 && within
}

// What the server is offered; there are no seats that we play ourselves.
func (kind Kind) offers() string {
	offered := ""
	for _, option := range kind.Options {
		limits := fmt.Sprintf(`least="%d" most="%d"`, option.Least, option.Most)
		if len(option.Values) > 0 {
			limits = fmt.Sprintf(`values="%s"`, Escape(strings.Join(option.Values, " ")))
		}
		offered += fmt.Sprintf(`<option name="%s" value="%s" %s/>`, Escape(option.Name), Escape(option.Default), limits)
	}
	return `<message type="x-offers">` + offered + `<seats own="no"/></message>`
}

// What was chosen, in a message that begins a game. It panics at what we do not offer, which a game may have that another
// master began: that one cannot be led here.
func (kind Kind) chosen(message *Element) Options {
	options, offered := Options{}, map[string]Option{}
	for _, option := range kind.Options {
		options[option.Name], offered[option.Name] = option.Default, option
	}
	for _, choice := range message.All("option") {
		name, value := choice.Attribute("name"), choice.Attribute("value")
		if option, known := offered[name]; !known || !option.allows(value) {
			panic(fmt.Sprintf("there is no option %q with the value %q here", name, value))
		}
		options[name] = value
	}
	return options
}

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
	return strings.TrimSpace(element.Text)
}

// String is the element as XML, for people: all its text stands before its children.
func (element *Element) String() string {
	var said strings.Builder
	said.WriteString("<" + element.Name)
	for name, value := range element.Attributes {
		fmt.Fprintf(&said, ` %s="%s"`, name, Escape(value))
	}
	if element.text() == "" && len(element.Children) == 0 {
		return said.String() + "/>"
	}
	said.WriteString(">" + Escape(element.text()))
	for _, child := range element.Children {
		said.WriteString(child.String())
	}
	return said.String() + "</" + element.Name + ">"
}

var escaped = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, "&quot;", "'", "&#39;")

// Escape makes a text the value of an attribute, or what stands in an element.
func Escape(text string) string { return escaped.Replace(text) }

// A name as it is written: one with a prefix is another one.
func written(name xml.Name) string {
	if name.Space == "" {
		return name.Local
	}
	return name.Space + ":" + name.Local
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
			element := &Element{Name: written(token.Name), Attributes: map[string]string{}}
			for _, attribute := range token.Attr {
				element.Attributes[written(attribute.Name)] = attribute.Value
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

// What the game has written, which has to be one element of this name. It panics where that is not so: the server would
// close the connection for it, and all games would be lost.
func checked(from, name, text string) string {
	text = strings.TrimSpace(text)
	if !utf8.ValidString(text) || strings.IndexFunc(text, noSign) >= 0 {
		panic(fmt.Sprintf("%s is no XML to be sent: it has signs that are none of XML", from))
	}
	decoder, open, begun := xml.NewDecoder(strings.NewReader(text)), []string{}, false
	for begin := 0; ; begin = int(decoder.InputOffset()) {
		token, err := decoder.RawToken()
		end, wrong := int(decoder.InputOffset()), ""
		switch token := token.(type) {
		case xml.StartElement:
			if open = append(open, written(token.Name)); len(open) == 1 && (begun || open[0] != name) {
				wrong = "expected one <" + name + ">"
			} else {
				wrong = wrongTag(token, text[begin:end])
			}
			begun = true
		case xml.EndElement:
			if last := len(open) - 1; last < 0 {
				wrong = "expected one <" + name + ">"
			} else if open[last] != written(token.Name) {
				wrong = "expected </" + open[last] + ">"
			} else {
				open = open[:last]
			}
		case xml.CharData:
			if len(open) == 0 && strings.Trim(text[begin:end], " \t\r\n") != "" {
				wrong = "expected one <" + name + ">"
			} else if !strings.HasPrefix(text[begin:end], "<![CDATA[") {
				wrong = wrongNumbers(text[begin:end])
			}
		case xml.ProcInst:
			behind := text[begin+len("<?")+len(token.Target):]
			ends := strings.HasPrefix(behind, "?>") || strings.ContainsRune(" \t\r\n", rune(behind[0]))
			if !ends || strings.EqualFold(token.Target, "xml") || strings.Contains(token.Target, ":") {
				wrong = "expected another name behind <?"
			}
		case xml.Directive:
			wrong = "expected elements and texts alone"
		}
		switch {
		case errors.Is(err, io.EOF) && begun && len(open) == 0:
			return text
		case errors.Is(err, io.EOF):
			wrong = "expected more, up to </" + name + ">"
		case err != nil:
			wrong = err.Error()
		}
		if wrong != "" {
			if begin = end - 80; begin < 0 {
				begin = 0
			}
			panic(fmt.Sprintf("%s is no XML to be sent: %s, behind %q", from, wrong, text[begin:end]))
		}
	}
}

// What is wrong with a start tag, although Go takes it; nothing otherwise.
func wrongTag(tag xml.StartElement, text string) string {
	colon, known := strings.Contains(written(tag.Name), ":"), map[xml.Name]bool{}
	for _, attribute := range tag.Attr {
		if known[attribute.Name] {
			return "an attribute twice"
		}
		known[attribute.Name] = true
		isOurs := attribute.Name.Space == "" || attribute.Name.Space == "xml" // that one prefix needs no declaration
		colon = colon || !isOurs || strings.Contains(attribute.Name.Local, ":")
	}
	if colon {
		return "a name with a colon"
	}
	quote := byte(0)
	for place := 0; place < len(text)-1; place++ {
		switch sign := text[place]; {
		case quote == 0 && (sign == '"' || sign == '\''):
			quote = sign
		case quote != 0 && quote == sign:
			if quote = 0; !strings.ContainsRune(" \t\r\n/>", rune(text[place+1])) {
				return "no blank between attributes"
			}
		}
	}
	return wrongNumbers(text)
}

var numbered = regexp.MustCompile(`&#(?:x([0-9a-fA-F]+)|([0-9]+));`)

// What is wrong with the numbers of signs in a text or a tag, although Go takes them; nothing otherwise.
func wrongNumbers(text string) string {
	for _, found := range numbered.FindAllStringSubmatch(text, -1) {
		number, base := found[1], 16
		if number == "" {
			number, base = found[2], 10
		}
		if code, err := strconv.ParseInt(number, base, 32); err != nil || utf16.IsSurrogate(rune(code)) {
			return "the number of no sign of XML"
		}
	}
	return ""
}

// Whether XML has no such sign at all.
func noSign(sign rune) bool {
	return sign < ' ' && !strings.ContainsRune("\t\r\n", sign) || sign == '\ufffe' || sign == '\uffff'
}

// A line for people, of texts that may be a player's: short, and without what a terminal obeys.
func plain(text string) string {
	return strings.Map(func(sign rune) rune {
		if unicode.IsPrint(sign) {
			return sign
		}
		return ' '
	}, fmt.Sprintf("%.1000s", text))
}

// A game that is led. Nothing is sent here: one that is taken over goes through its moves once more without a word.
type led struct {
	Game
	id     string
	nicks  []string
	chosen string   // its options, for people
	last   *Element // the last move
	end    *End     // nil as long as it goes on
	breaks string   // the nick of who broke a rule, if that ended it
}

// The seat that is to move has moved. A move that breaks a rule loses the game.
func (game *led) moved(move *Element) {
	if game.end != nil {
		return
	}
	game.last = move
	mover := game.nicks[game.Mover()]
	if wrong := game.Play(move); wrong != "" {
		game.loses(mover, "illegal-move", wrong)
		game.breaks = mover
	} else if game.end = game.Ended(); game.end != nil {
		if wrong := game.end.wrong(len(game.nicks)); wrong != "" {
			panic(wrong)
		}
	}
}

// What is needed to find a fault of its program: who plays it, with which options, the last move, and how all moves are
// sent once more.
func (game *led) described() string {
	if game == nil {
		return ""
	}
	said := "  players: " + plain(strings.Join(game.nicks, ", ")) + "\n"
	if game.chosen != "" {
		said += "  options:" + plain(game.chosen) + "\n"
	}
	if game.last != nil {
		said += "  last move: " + plain(game.last.String()) + "\n"
	}
	return said + fmt.Sprintf("  once more: ugs replay %s --data-dir DIR --master \"%s {host} {port}\"\n", game.id, os.Args[0])
}

// A player has lost, and the others win. Who does not play here changes nothing.
func (game *led) loses(nick, code, why string) {
	results := make([]string, len(game.nicks))
	plays := false
	for seat, other := range game.nicks {
		results[seat] = Winner
		if other == nick {
			results[seat], plays = Loser, true
		}
	}
	if plays && game.end == nil {
		game.end = &End{results, code, why}
	}
}

// The messages that say how a game stands: what it looks like, why it is over, and then the state itself.
func (game *led) told(draws, explains bool) string {
	about := fmt.Sprintf(`<gameId id="%s"/>`, Escape(game.id))
	said, following := "", ""
	if draws {
		said = `<message type="x-sketch">` + about + checked("Sketch()", "sketch", game.Sketch(game.end != nil)) + `</message>`
	}
	if game.end == nil {
		following = fmt.Sprintf(`<nextPlayer nick="%s"/>`, Escape(game.nicks[game.Mover()]))
	} else {
		for seat, result := range game.end.Results {
			if result == Draw { // v4 has no word for it
				result = Winner
			}
			following += fmt.Sprintf(`<player nick="%s" result="%s"/>`, Escape(game.nicks[seat]), result)
		}
		following = `<gameOver>` + following + `</gameOver>`
	}
	if game.end != nil && explains && game.end.Code != "" {
		drawn := map[bool]string{false: "no", true: "yes"}[game.end.drawn()]
		cause := fmt.Sprintf(`code="%s" draw="%s"`, Escape(game.end.Code), drawn)
		if game.breaks != "" {
			cause += fmt.Sprintf(` nick="%s"`, Escape(game.breaks))
		}
		why := Escape(fmt.Sprintf("%.1000s", game.end.Why)) // the server takes 1,024 characters
		cause = checked("the reason", "cause", `<cause `+cause+`>`+why+`</cause>`)
		said += `<message type="x-reason">` + about + cause + `</message>`
	}
	state := checked("State()", "gameState", game.State())
	return said + `<message type="gameState">` + about + following + state + `</message>`
}

// Connections that end before our login was answered; then it is no use to go on.
const mostUnanswered = 4

// Why the server ends a game: the words of x-stop.
var ends = map[string]string{
	"CANCELLED":  "the player who had set up its table ended it or left",
	"NOT_VIABLE": "too few players were left at its table",
	"INACTIVE":   "no player at its table had done anything for long",
	"VOIDED":     "the organiser ended it",
}

// Why a server does not let a master in, by the number of its error.
var refusals = map[string]string{
	"1": "the id is taken, needs its token, or is none (1 to 64 characters, no control characters)",
	"2": "this server does not offer this game type",
	"3": "the server is full",
	"4": "the game type has as many masters as it may have",
	"5": "the numbers of players are wrong",
}

// What has to be remembered from one connection to the next, and the games of this one.
type master struct {
	Kind
	host, port string
	line       net.Conn
	answers    strings.Builder // to what has come; they go out in one piece before we wait for more
	games      map[string]*led // by their ids
	granted    map[string]bool // what the server knows beyond the protocol
	why        string          // the server's reason for refusing our login
	welcome    bool            // we were let in before, so a refusal means that the server has not missed us yet
	refused    bool            // it is no use to try again
	over       bool            // the server has said good-bye
	unanswered int             // connections in a row that ended before our login was answered
	pause      time.Duration   // before the next connection, at most; twice as long each time, until we are let in
}

// Read waits for more. All that was answered goes out before that, in one piece: two small ones would wait for each other.
func (me *master) Read(bytes []byte) (int, error) {
	if me.answers.Len() > 0 {
		if _, err := io.WriteString(me.line, me.answers.String()); err != nil {
			return 0, err
		}
		me.answers.Reset()
	}
	return me.line.Read(bytes)
}

// Connects, logs in and leads games until the server closes.
func (me *master) lead() {
	line, err := net.DialTimeout("tcp", net.JoinHostPort(me.host, me.port), 8*time.Second)
	if err != nil {
		fmt.Println("no connection:", err)
		return
	}
	defer line.Close()
	me.line = line
	me.unanswered++
	me.answers.Reset()
	me.games, me.granted, me.why = map[string]*led{}, map[string]bool{}, ""
	families := `<ext name="sketch"/><ext name="reason"/><ext name="restore"/><ext name="table"/>`
	// Where ids have tokens: ours; not on the command line, which all can see.
	if token := os.Getenv("UGS_TOKEN"); token != "" {
		families += fmt.Sprintf(`<identity token="%s"/>`, Escape(token))
	}
	login := fmt.Sprintf(`<gameMasterLogin id="%s" gameType="%s" playersMin="%d" playersMax="%d"/>`,
		Escape(me.ID), Escape(me.GameType), me.Least, me.Most)
	me.answers.WriteString(`<message type="x-hello">` + families + `<program name="master.go" version="1"/></message>` +
		`<message type="gameMasterLogin">` + login + `</message>`)
	decoder := xml.NewDecoder(bufio.NewReaderSize(me, 1<<16))
	for !me.over {
		message, err := nextDocument(decoder)
		if errors.Is(err, io.EOF) {
			fmt.Println("the server has closed the connection")
			return
		}
		if err != nil {
			fmt.Println("the connection is lost:", err)
			return
		}
		if !me.hears(message) {
			return
		}
	}
}

// False when the connection is of no more use.
func (me *master) hears(message *Element) bool {
	switch message.Attribute("type") {
	case "x-hello":
		for _, one := range message.All("ext") {
			me.granted[one.Attribute("name")] = true
		}
	case "x-failed": // why a login is refused comes before its answer
		me.why = message.Child("reason").text()
		if me.unanswered == 0 {
			fmt.Println("the server says:", me.why)
		}
	case "loginResponse":
		me.unanswered = 0
		if message.Child("response").Attribute("accept") != "yes" {
			number := message.Child("error").Attribute("id")
			if me.why == "" {
				me.why = refusals[number]
			}
			if me.why == "" {
				me.why = "the server does not say why"
			}
			fmt.Printf("login refused: %s (error %s)\n", me.why, number)
			me.refused = !me.welcome
			return false
		}
		me.welcome, me.pause = true, time.Second
		if me.granted["table"] { // no games come before our offers
			me.answers.WriteString(me.offers())
		}
		fmt.Printf("leading %s as %s\n", me.GameType, me.ID)
	case "beginGame", "x-restore", "move", "playerLeftGame":
		me.leads(message)
	case "x-stop":
		reason := message.Child("end").Attribute("reason")
		why, known := ends[reason]
		if !known {
			why = strings.ToLower(strings.ReplaceAll(reason, "_", " "))
		}
		fmt.Printf("the server has ended game %s: %s\n", message.Child("gameId").Attribute("id"), why)
		delete(me.games, message.Child("gameId").Attribute("id"))
	case "error":
		fmt.Println("the server says:", message.text())
	case "serverShutdown":
		fmt.Println("the server shuts down")
		me.over = true
	} // Anything else is good to know but asks nothing of us.
	return true
}

// What is said about a game. A fault of its program costs that game alone.
func (me *master) leads(message *Element) {
	id, kind := message.Child("gameId").Attribute("id"), message.Attribute("type")
	game := me.games[id]
	defer func() {
		if game == nil { // it failed as it began
			game = me.games[id]
		}
		if fault := recover(); fault != nil {
			now := time.Now().UTC().Format(time.RFC3339)
			fmt.Fprintf(os.Stderr, "%s %s%s: given up after %s: %v\n%s", now, debug.Stack(), id, kind, fault, game.described())
			delete(me.games, id)
			me.givesUp(id)
		}
	}()
	switch {
	case game == nil && (kind == "beginGame" || kind == "x-restore"):
		game = me.begun(id, message)
	case game == nil || kind == "beginGame" || kind == "x-restore":
		return // it has ended meanwhile, or goes on
	case kind == "move":
		game.moved(message.Child("move"))
	default:
		if game.loses(message.Child("player").Attribute("nick"), "", ""); game.end == nil {
			return // who has left does not play here
		}
	}
	if game.breaks != "" {
		fmt.Printf("%s: %s: %s\n", id, game.breaks, game.end.Why)
	}
	me.answers.WriteString(game.told(me.granted["sketch"], me.granted["reason"]))
	if game.end != nil {
		delete(me.games, id)
	}
}

// A new game, or one whose master was lost: everything happens in it once more.
func (me *master) begun(id string, message *Element) *led {
	var nicks []string
	for _, player := range message.All("player") {
		nicks = append(nicks, player.Attribute("nick"))
	}
	chance := time.Now().UnixNano()
	if seed := message.Child("seed").Attribute("value"); seed != "" {
		sum := fnv.New64a()
		_, _ = sum.Write([]byte(seed))
		chance = int64(sum.Sum64())
	}
	game := &led{id: id, nicks: nicks}
	for _, choice := range message.All("option") {
		game.chosen += " " + choice.Attribute("name") + "=" + choice.Attribute("value")
	}
	me.games[id] = game // a fault of its program, from here on, is one of this game
	game.Game = me.Begin(nicks, me.chosen(message), rand.New(rand.NewSource(chance)))
	for _, happened := range message.Children {
		switch happened.Name {
		case "moved":
			game.moved(happened.Child("move"))
		case "left":
			game.loses(happened.Attribute("nick"), "", "")
		}
	}
	return game
}

// The server, and the players, need not wait for an answer of ours. An old server has no word for that.
func (me *master) givesUp(id string) {
	if me.granted["table"] || me.granted["restore"] || me.granted["reason"] {
		reason := `<reason code="INVALID_REQUEST">its program has failed</reason>`
		me.answers.WriteString(fmt.Sprintf(`<message type="x-failed"><gameId id="%s"/>%s</message>`, Escape(id), reason))
	} else {
		text := "game " + id + ": the game master failed and gives this game up"
		me.answers.WriteString(`<message type="error">` + Escape(text) + `</message>`)
	}
}

// Leads games until it is no use to come back; the exit code.
func (me *master) run() int {
	for {
		me.lead()
		if me.over {
			return 0
		}
		if me.unanswered >= mostUnanswered && !me.welcome && !me.refused {
			fmt.Println("nobody answers a login there: is it the right port? It may speak TLS, which this master does not")
			me.refused = true
		}
		if me.refused {
			return 1
		}
		time.Sleep(time.Duration((0.2 + 0.8*rand.Float64()) * float64(me.pause))) // not all masters at once
		if me.pause *= 2; me.pause > 30*time.Second {
			me.pause = 30 * time.Second
		}
	}
}

// Run does what the command line says; the exit code.
func Run(kind Kind) int {
	rand.Seed(time.Now().UnixNano())
	if len(os.Args) < 3 || len(os.Args) > 4 {
		fmt.Fprintln(os.Stderr, "usage: master HOST PORT [ID]")
		return 2
	}
	me := &master{Kind: kind, host: os.Args[1], port: os.Args[2], pause: time.Second}
	if len(os.Args) == 4 {
		me.ID = os.Args[3]
	}
	return me.run()
}
