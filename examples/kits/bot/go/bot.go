// Your bot: which game it plays, and how it chooses a move. What the server wants to hear is in protocol.go.
//
//	go build -o bot . && ./bot HOST PORT NICK [--game TYPE] [--games N] [--token-file FILE] [--session-file FILE] [--tls [--ca FILE]]
//
// As it comes it plays five in line, and every game whose states list the legal moves as play elements, at random.

package main

import (
	"fmt"
	"math/rand"
	"os"
	"strconv"
)

const (
	name     = "mybot" // what the page of your bot shows: the results of each version
	version  = "1"
	gameType = "5-in-line-tic-tac-toe"
	size     = 20 // of the board, as long as no state shows another one
	maxSize  = 100
)

// One game; there is a new one for each.
type game struct {
	width, height int
	taken         [maxSize][maxSize]bool // fields with a stone
	legal         []*Element             // the legal moves, where the state lists them, each with an id
	foreign       bool                   // the state is none of five in line
}

// Sees remembers what a state shows. In five in line that is the stone put last, sometimes once more at the end, and the
// size of a board that is not the usual one. When we are asked for a move, the last stone is the opponent's.
func (g *game) Sees(state *Element) {
	width, _ := strconv.Atoi(state.Attribute("width"))
	height, _ := strconv.Atoi(state.Attribute("height"))
	if 0 < width && width <= maxSize && 0 < height && height <= maxSize {
		g.width, g.height = width, height
	}
	tacs := state.All("tac")
	for _, tac := range tacs {
		x, _ := strconv.Atoi(tac.Attribute("x"))
		y, _ := strconv.Atoi(tac.Attribute("y"))
		g.taken[x][y] = true
	}
	g.legal = state.ListedMoves()
	filled := len(state.Children) > 0 || len(state.Attributes) > 0
	g.foreign = filled && len(tacs) == 0 && state.Attribute("width") == ""
}

// Move is our move, as XML: put your own ideas here. Nothing ends the bot: it knows no move.
func (g *game) Move() string {
	if len(g.legal) > 0 {
		return fmt.Sprintf(`<play id="%s"/>`, Escape(g.legal[rand.Intn(len(g.legal))].Attribute("id")))
	}
	if g.foreign {
		return ""
	}
	x, y := rand.Intn(g.width), rand.Intn(g.height)
	for g.taken[x][y] {
		x, y = rand.Intn(g.width), rand.Intn(g.height)
	}
	g.taken[x][y] = true // the state that shows it may get lost with the line
	return fmt.Sprintf(`<tic x="%d" y="%d"/>`, x, y)
}

func main() {
	os.Exit(Run(func() Bot { return &game{width: size, height: size} }, gameType, name, version))
}
