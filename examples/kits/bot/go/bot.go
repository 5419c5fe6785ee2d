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
	size     = 20
)

// One game; there is a new one for each.
type game struct {
	taken [size][size]bool // fields with a stone
	legal []*Element       // the legal moves, where the state lists them: id, and text
}

// Sees remembers what a state shows. In five in line that is the stone put last, sometimes once more at the end.
func (g *game) Sees(state *Element) {
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
	x, y := rand.Intn(size), rand.Intn(size)
	for g.taken[x][y] {
		x, y = rand.Intn(size), rand.Intn(size)
	}
	return fmt.Sprintf(`<tic x="%d" y="%d"/>`, x, y)
}

func main() {
	os.Exit(Run(func() Bot { return &game{} }, gameType))
}
