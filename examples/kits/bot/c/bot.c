/* Your bot: which game it plays, and how it chooses a move. What the server wants to hear is in protocol.c.
 *
 *     make && ./bot HOST PORT NICK [--game TYPE] [--games N] [--token-file FILE] [--session-file FILE]
 *
 * As it comes it plays five in line, and every game whose states list the legal moves as play elements, at random. */

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "protocol.h"

/* What the page of your bot shows: the results of each VERSION. */
const char *const NAME = "mybot", *const VERSION = "1";
const char *const GAME_TYPE = "5-in-line-tic-tac-toe";
#define SIZE 20 /* of the board, as long as no state shows another one */
#define MAX_SIZE 100

static int width, height;
static bool taken[MAX_SIZE][MAX_SIZE]; /* fields with a stone */

static bool is_size(const char *text)
{
    return atoi(text) > 0 && atoi(text) <= MAX_SIZE;
}

void game_begins(void)
{
    width = height = SIZE;
    memset(taken, 0, sizeof taken);
}

/* Remembers what a state shows. In five in line that is the stone put last, sometimes once more at the end, and the size
 * of a board that is not the usual one. When we are asked for a move, the last stone is the opponent's. */
void bot_sees(const struct element *state)
{
    if (is_size(attribute(state, "width")) && is_size(attribute(state, "height"))) {
        width = atoi(attribute(state, "width"));
        height = atoi(attribute(state, "height"));
    }
    for (const struct element *tac = child(state, "tac"); tac != NULL; tac = next_one(tac)) {
        int x = atoi(attribute(tac, "x")), y = atoi(attribute(tac, "y"));
        if (x >= 0 && x < MAX_SIZE && y >= 0 && y < MAX_SIZE)
            taken[x][y] = true;
    }
}

/* Our move in this state, as XML: put your own ideas here. Nothing ends the bot: it knows no move. */
void bot_move(const struct element *state, char *move, size_t room)
{
    /* Where the state lists the legal moves, each is a "play" with an id, or a "forfeit". */
    const struct element *listed = next_listed_move(state, state), *chosen = listed;
    for (int count = 1; listed != NULL; listed = next_listed_move(state, listed), count++)
        if (rand() % count == 0)
            chosen = listed;
    if (chosen != NULL) {
        snprintf(move, room, "<play id=\"%s\"/>", attribute(chosen, "id"));
        return;
    }
    bool empty = state == NULL || (state->children == NULL && state->attributes == NULL);
    if (!empty && child(state, "tac") == NULL && *attribute(state, "width") == 0) {
        *move = 0; /* no state of five in line */
        return;
    }
    int x, y;
    do {
        x = rand() % width;
        y = rand() % height;
    } while (taken[x][y]);
    taken[x][y] = true; /* the state that shows it may get lost with the line */
    snprintf(move, room, "<tic x=\"%d\" y=\"%d\"/>", x, y);
}
