// A game master of Reversi in Go, for tests: it draws its games, so that they are played by clicking.
//
//	go run reversi.go HOST PORT [SIZE]
//
// Nothing but the standard library. The board has SIZE columns and rows, 8 unless that is given.
package main

import (
	"encoding/xml"
	"fmt"
	"net"
	"os"
	"strconv"
	"strings"
)

type named struct {
	Nick   string `xml:"nick,attr"`
	Accept string `xml:"accept,attr"`
}

type message struct {
	XMLName xml.Name `xml:"message"`
	Type    string   `xml:"type,attr"`
	Text    string   `xml:",chardata"`
	GameID  struct {
		ID string `xml:"id,attr"`
	} `xml:"gameId"`
	Players  []named `xml:"player"`
	Response named   `xml:"response"`
	Move     struct {
		Put struct {
			X string `xml:"x,attr"`
			Y string `xml:"y,attr"`
		} `xml:"put"`
	} `xml:"move"`
}

type cell struct{ x, y int }

type game struct {
	nicks []string
	size  int
	discs map[cell]int
	turn  int
	last  *cell
	news  []string
}

var looks = []string{`colour="black" shape="disc"`, `colour="white" shape="disc"`}

func begin(nicks []string, size int) *game {
	middle := size / 2
	return &game{nicks: nicks, size: size, discs: map[cell]int{
		{middle - 1, middle - 1}: 1, {middle, middle}: 1, {middle, middle - 1}: 0, {middle - 1, middle}: 0,
	}}
}

// The discs that a disc of this seat would turn.
func (g *game) turned(seat int, at cell) []cell {
	var all []cell
	if _, taken := g.discs[at]; taken || at.x < 0 || at.y < 0 || at.x >= g.size || at.y >= g.size {
		return nil
	}
	for right := -1; right <= 1; right++ {
		for down := -1; down <= 1; down++ {
			var line []cell
			next := cell{at.x + right, at.y + down}
			owner, there := g.discs[next]
			for there && owner != seat && (right != 0 || down != 0) {
				line = append(line, next)
				next = cell{next.x + right, next.y + down}
				owner, there = g.discs[next]
			}
			if there && owner == seat {
				all = append(all, line...)
			}
		}
	}
	return all
}

func (g *game) moves(seat int) []cell {
	var found []cell
	for y := 0; y < g.size; y++ {
		for x := 0; x < g.size; x++ {
			if len(g.turned(seat, cell{x, y})) > 0 {
				found = append(found, cell{x, y})
			}
		}
	}
	return found
}

// Puts a disc of the seat whose turn it is; false if it may not lie there.
func (g *game) put(at cell) bool {
	turned := g.turned(g.turn, at)
	if len(turned) == 0 {
		return false
	}
	for _, one := range append(turned, at) {
		g.discs[one] = g.turn
	}
	g.last = &at
	g.news = []string{fmt.Sprintf("%s takes %d,%d and turns %d", g.nicks[g.turn], at.x, at.y, len(turned))}
	g.turn = 1 - g.turn
	if len(g.moves(g.turn)) == 0 {
		if len(g.moves(1-g.turn)) > 0 {
			g.news = append(g.news, g.nicks[g.turn]+" has to pass")
		}
		g.turn = 1 - g.turn
	}
	return true
}

func (g *game) counts() [2]int {
	var counts [2]int
	for _, seat := range g.discs {
		counts[seat]++
	}
	return counts
}

// The results by seat once nobody can move, else nil. Equal results are a draw.
func (g *game) results() []string {
	if len(g.moves(0)) > 0 || len(g.moves(1)) > 0 {
		return nil
	}
	switch counts := g.counts(); {
	case counts[0] > counts[1]:
		return []string{"winner", "loser"}
	case counts[0] < counts[1]:
		return []string{"loser", "winner"}
	}
	return []string{"winner", "winner"}
}

func escape(text string) string {
	var written strings.Builder
	_ = xml.EscapeText(&written, []byte(text))
	return written.String()
}

func (g *game) sketch(over bool) string {
	var s strings.Builder
	fmt.Fprintf(&s, `<sketch><grid columns="%d" rows="%d" numbers="yes"/>`, g.size, g.size)
	cells := [2][]string{}
	for y := 0; y < g.size; y++ {
		for x := 0; x < g.size; x++ {
			if seat, there := g.discs[cell{x, y}]; there {
				cells[seat] = append(cells[seat], fmt.Sprintf("%d,%d", x, y))
			}
		}
	}
	for seat, count := range g.counts() {
		nick := escape(g.nicks[seat])
		fmt.Fprintf(&s, `<seat nick="%s" %s/><counter nick="%s" name="discs" value="%d"/>`, nick, looks[seat], nick, count)
		if len(cells[seat]) > 0 {
			fmt.Fprintf(&s, `<pieces at="%s" %s/>`, strings.Join(cells[seat], " "), looks[seat])
		}
	}
	if g.last != nil {
		fmt.Fprintf(&s, `<mark at="%d,%d"/>`, g.last.x, g.last.y)
	}
	for _, line := range g.news {
		fmt.Fprintf(&s, `<news>%s</news>`, escape(line))
	}
	if !over {
		for _, at := range g.moves(g.turn) {
			move := fmt.Sprintf(`<move><put x="%d" y="%d"/></move>`, at.x, at.y)
			fmt.Fprintf(&s, `<offer label="disc on %d,%d" at="%d,%d">%s</offer>`, at.x, at.y, at.x, at.y, move)
		}
	}
	return s.String() + `</sketch>`
}

// How a game stands, as two messages in one piece.
func (g *game) told(id string, results []string) string {
	about, next := fmt.Sprintf(`<gameId id="%s"/>`, escape(id)), ""
	for seat, result := range results {
		next += fmt.Sprintf(`<player nick="%s" result="%s"/>`, escape(g.nicks[seat]), result)
	}
	if results != nil {
		next = `<gameOver>` + next + `</gameOver>`
	} else {
		next = fmt.Sprintf(`<nextPlayer nick="%s"/>`, escape(g.nicks[g.turn]))
	}
	state := `<gameState>`
	for at, seat := range g.discs {
		state += fmt.Sprintf(`<disc x="%d" y="%d" seat="%d"/>`, at.x, at.y, seat)
	}
	sketch := fmt.Sprintf(`<message type="x-sketch">%s%s</message>`, about, g.sketch(results != nil))
	return sketch + fmt.Sprintf(`<message type="gameState">%s%s%s</gameState></message>`, about, next, state)
}

func hear(games map[string]*game, heard message, size int) string {
	id := heard.GameID.ID
	g := games[id]
	switch heard.Type {
	case "loginResponse":
		fmt.Println("leading reversi:", heard.Response.Accept)
	case "beginGame":
		g = begin([]string{heard.Players[0].Nick, heard.Players[1].Nick}, size)
		games[id] = g
		return g.told(id, nil)
	case "move":
		x, wrongX := strconv.Atoi(heard.Move.Put.X)
		y, wrongY := strconv.Atoi(heard.Move.Put.Y)
		if g == nil {
			return ""
		}
		results := []string{"loser", "loser"}
		if wrongX == nil && wrongY == nil && g.put(cell{x, y}) {
			results = g.results()
		} else {
			results[1-g.turn] = "winner" // an illegal move loses
		}
		if results != nil {
			delete(games, id)
		}
		return g.told(id, results)
	case "playerLeftGame":
		if g == nil || len(heard.Players) == 0 {
			return ""
		}
		delete(games, id)
		results := []string{"winner", "winner"}
		for seat, nick := range g.nicks {
			if nick == heard.Players[0].Nick {
				results[seat] = "loser"
			}
		}
		return g.told(id, results)
	case "error":
		fmt.Println("the server says:", heard.Text)
	}
	return ""
}

func main() {
	size := 8
	if len(os.Args) == 4 {
		size, _ = strconv.Atoi(os.Args[3])
	}
	line, wrong := net.Dial("tcp", net.JoinHostPort(os.Args[1], os.Args[2]))
	if wrong != nil {
		fmt.Fprintln(os.Stderr, wrong)
		os.Exit(1)
	}
	fmt.Fprint(line, `<message type="x-hello"><ext name="sketch"/></message><message type="gameMasterLogin">`+
		`<gameMasterLogin id="reversi" gameType="reversi" playersMin="2" playersMax="2"/></message>`)
	games := map[string]*game{}
	documents := xml.NewDecoder(line)
	for {
		var heard message
		if wrong := documents.Decode(&heard); wrong != nil {
			return
		}
		if answer := hear(games, heard, size); answer != "" {
			fmt.Fprint(line, answer)
		}
	}
}
