// A complete game master for the universal game server: Connect Four. What the server wants to hear is in protocol.go.
//
//	go build -o master . && ./master HOST PORT [ID]
//
// It leads any number of games at a time (game type connect-four) and draws them, so that people play them on the page of
// the server and watch replays there, although the server knows nothing of the game. Put your own game in place of it.

package main

import (
	"fmt"
	"math/rand"
	"os"
	"strconv"
	"strings"
)

// What people choose for a game. Where a fixed few values are allowed, write them as Values: []string{"4", "5"}.
var options = []Option{
	{Name: "columns", Default: "7", Least: 4, Most: 12},
	{Name: "rows", Default: "6", Least: 4, Most: 12},
}

// How the discs of each seat look.
var looks = []string{`colour="red" shape="disc"`, `colour="yellow" shape="diamond"`}

// Column and row, with row 0 at the top.
type cell struct{ column, row int }

// What a cell is called in states and sketches.
func (at cell) String() string { return fmt.Sprintf("%d,%d", at.column, at.row) }

// One game; there is a new one for each.
type connectFour struct {
	nicks         []string
	columns, rows int
	mover         int          // the seat that is to move
	discs         map[cell]int // which seat dropped the disc there
	order         []cell       // the discs, as they fell; a map has no order, and one game has to send the same bytes
	line          []cell       // the two ends of four in a row
}

// Begins a game of these players. Nothing is left to chance in it; a game that shuffles or rolls does it with this, so
// that another master can take it over.
func begin(nicks []string, chosen Options, _ *rand.Rand) Game {
	columns, rows := chosen.Number("columns"), chosen.Number("rows")
	return &connectFour{nicks: nicks, columns: columns, rows: rows, discs: map[cell]int{}}
}

// Mover is the seat that is to move.
func (game *connectFour) Mover() int { return game.mover }

// Play plays the move in a <move> for the seat that is to move; what is wrong with it, or nothing.
func (game *connectFour) Play(move *Element) string {
	wanted := move.Child("drop").Attribute("column")
	for _, column := range game.open() {
		if strconv.Itoa(column) == wanted {
			at := cell{column, game.free(column)}
			game.discs[at] = game.mover
			game.order = append(game.order, at)
			game.line = game.four(at)
			game.mover = 1 - game.mover
			return ""
		}
	}
	return fmt.Sprintf("column %.20q is full, or there is none", wanted)
}

// Ended is how the game ended; nil as long as it goes on.
func (game *connectFour) Ended() *End {
	switch {
	case game.line != nil:
		results := []string{Winner, Winner}
		results[game.mover] = Loser
		return &End{results, "row-completed", fmt.Sprintf("four in a row from %s to %s", game.line[0], game.line[1])}
	case len(game.open()) == 0:
		return &End{[]string{Draw, Draw}, "board-full", "the board is full"}
	}
	return nil
}

// State is what every player reads: how large the board is, and all discs.
func (game *connectFour) State() string {
	var state strings.Builder
	fmt.Fprintf(&state, `<board columns="%d" rows="%d"/>`, game.columns, game.rows)
	for _, at := range game.order {
		fmt.Fprintf(&state, `<disc at="%s" seat="%d"/>`, at, game.discs[at])
	}
	return `<gameState>` + state.String() + `</gameState>`
}

// Sketch is what people see: the words for that are in schemas/README.md, under "sketch". What is over offers no move.
func (game *connectFour) Sketch(over bool) string {
	var sketch strings.Builder
	fmt.Fprintf(&sketch, `<grid columns="%d" rows="%d" numbers="yes"/>`, game.columns, game.rows)
	for seat, nick := range game.nicks {
		fmt.Fprintf(&sketch, `<seat nick="%s" %s/>`, Escape(nick), looks[seat])
	}
	own := make([][]string, len(looks))
	for _, at := range game.order {
		own[game.discs[at]] = append(own[game.discs[at]], at.String())
	}
	for seat, cells := range own {
		if len(cells) > 0 {
			fmt.Fprintf(&sketch, `<pieces at="%s" %s/>`, strings.Join(cells, " "), looks[seat])
		}
	}
	if game.line != nil {
		fmt.Fprintf(&sketch, `<line from="%s" to="%s" colour="green"/>`, game.line[0], game.line[1])
	}
	if count := len(game.order); count > 0 {
		last := game.order[count-1]
		news := fmt.Sprintf("%s drops into column %d", game.nicks[game.discs[last]], last.column)
		fmt.Fprintf(&sketch, `<mark at="%s"/><news>%s</news>`, last, Escape(news))
	}
	if !over {
		for _, column := range game.open() {
			var cells []string // a click anywhere in the column
			for row := 0; row < game.rows; row++ {
				cells = append(cells, cell{column, row}.String())
			}
			move := fmt.Sprintf(`<move><drop column="%d"/></move>`, column)
			fmt.Fprintf(&sketch, `<offer label="column %d" at="%s">%s</offer>`, column, strings.Join(cells, " "), move)
		}
	}
	return `<sketch>` + sketch.String() + `</sketch>`
}

// The columns that are not full.
func (game *connectFour) open() []int {
	var found []int
	for column := 0; column < game.columns; column++ {
		if _, taken := game.discs[cell{column, 0}]; !taken {
			found = append(found, column)
		}
	}
	return found
}

// The row that a disc falls to, in a column that is not full.
func (game *connectFour) free(column int) int {
	row := game.rows - 1
	for ; row > 0; row-- {
		if _, taken := game.discs[cell{column, row}]; !taken {
			break
		}
	}
	return row
}

// The ends of four in a row through this cell; nil when there are none.
func (game *connectFour) four(at cell) []cell {
	for _, step := range []cell{{1, 0}, {0, 1}, {1, 1}, {1, -1}} {
		first, before := game.reach(at, -step.column, -step.row)
		last, behind := game.reach(at, step.column, step.row)
		if before+behind >= 3 {
			return []cell{first, last}
		}
	}
	return nil
}

// The last cell in this direction with a disc of the same seat, and how far away it is.
func (game *connectFour) reach(at cell, right, down int) (cell, int) {
	seat := game.discs[at]
	for far := 0; ; far++ {
		following := cell{at.column + right, at.row + down}
		if other, taken := game.discs[following]; !taken || other != seat {
			return at, far
		}
		at = following
	}
}

func main() {
	kind := Kind{GameType: "connect-four", Least: 2, Most: 2, ID: "four-in-a-row", Options: options, Begin: begin}
	os.Exit(Run(kind))
}
