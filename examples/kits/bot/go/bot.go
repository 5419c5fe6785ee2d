// Your bot: which game it plays, and how it chooses a move. What the server wants to hear is in protocol.go.
//
//	go build -o bot . && ./bot HOST PORT NICK [--game TYPE] [--games N] [--tls [--ca FILE]]
//
// As it comes it plays five in line, and every game whose states list the legal moves, at random.

package main

import (
	"fmt"
	"math/rand"
	"os"
	"strconv"
)

const (
	gameType = "5-in-line-tic-tac-toe"
	size     = 20 // of the board, as long as no state shows another one
	maxSize  = 100
)

// One game; there is a new one for each.
type game struct {
	width, height int
	taken         [maxSize][maxSize]bool // fields with a stone
	legal         []*Element             // the legal moves, where the state lists them: id, and text
}

// Sees remembers what a state shows. In five in line that is the stone put last, sometimes once more at the end, and the
// size of a board that is not the usual one.
func (g *game) Sees(state *Element) {
	width, _ := strconv.Atoi(state.Attribute("width"))
	height, _ := strconv.Atoi(state.Attribute("height"))
	if 0 < width && width <= maxSize && 0 < height && height <= maxSize {
		g.width, g.height = width, height
	}
	for _, tac := range state.All("tac") {
		x, _ := strconv.Atoi(tac.Attribute("x"))
		y, _ := strconv.Atoi(tac.Attribute("y"))
		g.taken[x][y] = true
	}
	g.legal = state.All("play")
}

// Move is our move, as XML: put your own ideas here.
func (g *game) Move() string {
	if len(g.legal) > 0 {
		return fmt.Sprintf(`<play id="%s"/>`, g.legal[rand.Intn(len(g.legal))].Attribute("id"))
	}
	x, y := rand.Intn(g.width), rand.Intn(g.height)
	for g.taken[x][y] {
		x, y = rand.Intn(g.width), rand.Intn(g.height)
	}
	g.taken[x][y] = true // the state that shows it may get lost with the line
	return fmt.Sprintf(`<tic x="%d" y="%d"/>`, x, y)
}

func main() {
	os.Exit(Run(func() Bot { return &game{width: size, height: size} }, gameType))
}
