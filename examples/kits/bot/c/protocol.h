/* What bot.c and protocol.c know of each other. */

#ifndef PROTOCOL_H
#define PROTOCOL_H

#include <stddef.h>

/* An element of XML. Names, values and texts have their references resolved; all of it is gone with its message. */
struct attribute {
    const char *name, *value;
    struct attribute *next;
};
struct element {
    const char *name, *text;        /* the text directly in it, never NULL */
    struct attribute *attributes;   /* the last one first */
    struct element *children, *next; /* in their order; the next one beside it */
    struct element *last, *parent;  /* its last child, and the element that it lies in */
};

const char *attribute(const struct element *element, const char *name);             /* "" when there is none */
const struct element *child(const struct element *element, const char *name);       /* the first one, or NULL */
const struct element *next_one(const struct element *element);                      /* the next one of its name */
/* The first element behind `last` among all that lie in the state, at any depth, that is a move which it lists: a "play",
 * or a "forfeit", with an id; or NULL. Begin with the state itself. */
const struct element *next_listed_move(const struct element *state, const struct element *last);
size_t escaped(const char *text, char *value, size_t room); /* the text with &amp; for & and so on; its length */

/* What bot.c has to offer. */
extern const char *const GAME_TYPE;
extern const char *const NAME, *const VERSION; /* of the bot, which the server shows */
void game_begins(void);                        /* forget the last game */
void bot_sees(const struct element *state);    /* take in a <gameState>, ours to move or not */
void bot_move(const struct element *state, char *move, size_t room); /* our move, between <move> and </move>; or "" */

#endif
