/* The protocol of the universal game server, with nothing but POSIX. Your ideas are in bot.c.
 *
 * Connects, logs in, cuts what arrives into documents, thanks for games, and comes back when the server was away. */

#define _POSIX_C_SOURCE 200809L

#include <errno.h>
#include <fcntl.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/types.h>
#include <time.h>
#include <unistd.h>

#include "protocol.h"

#define SILENCE_MS 3000                 /* without a game; then we ask what we wait for */
#define MOST_REFUSED 3                  /* documents of ours, without a whole game in between; then we give up */
#define NO_SERVER "nobody answers a login there: is it the right port? It may speak TLS, which this bot does not"
#define MOST_UNANSWERED 4               /* connections that end before our login was answered; then we give up */
#define MOST_BYTES (64ul * 1024 * 1024) /* of one message: more than servers let anybody say */
#define MOST_TEXT 4096                  /* of a nick, an id or a move in XML */

/* --- just enough XML --------------------------------------------------------------------------------------------- */

/* Where the piece of markup ends that begins at `at` with a "<"; NULL when it is not complete yet. It is a comment, a
 * CDATA section, a processing instruction (the XML declaration is one), or a tag, in whose attribute values a ">" may
 * stand. */
static const char *markup_end(const char *at, const char *end)
{
    static const char *const kinds[][2] = {{"<!--", "-->"}, {"<![CDATA[", "]]>"}, {"<?", "?>"}};
    for (size_t kind = 0; kind < sizeof kinds / sizeof *kinds; kind++) {
        size_t first = strlen(kinds[kind][0]), last = strlen(kinds[kind][1]);
        size_t here = (size_t)(end - at);
        if (strncmp(at, kinds[kind][0], here < first ? here : first) != 0)
            continue;
        for (const char *p = at + first; p + last <= end; p++)
            if (memcmp(p, kinds[kind][1], last) == 0)
                return p + last;
        return NULL;
    }
    char quote = 0;
    for (const char *p = at; p < end; p++) {
        if (quote)
            quote = *p == quote ? 0 : quote;
        else if (*p == '"' || *p == '\'')
            quote = *p;
        else if (*p == '>')
            return p + 1;
    }
    return NULL;
}

/* Memory for the texts and elements of one message: pieces in a list, all given back with it. */
struct piece {
    struct piece *before;
};
static struct piece *pieces;

static void *memory_for(size_t bytes)
{
    struct piece *piece = malloc(sizeof *piece + bytes);
    if (piece == NULL) {
        fputs("out of memory\n", stderr);
        exit(1);
    }
    piece->before = pieces;
    pieces = piece;
    return piece + 1;
}

static void forget_message(void)
{
    while (pieces != NULL) {
        struct piece *before = pieces->before;
        free(pieces);
        pieces = before;
    }
}

/* Writes a character as UTF-8. */
static char *put(char *text, unsigned long character)
{
    if (character < 0x80) {
        *text++ = (char)character;
    } else {
        int more = character < 0x800 ? 1 : character < 0x10000 ? 2 : 3;
        *text++ = (char)((0xff00 >> (more + 1) & 0xff) | character >> 6 * more);
        while (more-- > 0)
            *text++ = (char)(0x80 | (character >> 6 * more & 0x3f));
    }
    return text;
}

/* What stands from `from` to `to`, behind the text `before`, with references such as &amp; and &#233; replaced. With
 * `raw` there are none. */
static const char *text_between(const char *before, const char *from, const char *to, bool raw)
{
    static const struct { const char *name; char character; } named[] = {
        {"lt;", '<'}, {"gt;", '>'}, {"amp;", '&'}, {"quot;", '"'}, {"apos;", '\''}};
    size_t length = strlen(before);
    char *text = memory_for(length + (size_t)(to - from) + 1), *at = text + length;
    memcpy(text, before, length);
    while (from < to) {
        if (raw || *from != '&') {
            *at++ = *from++;
            continue;
        }
        if (*++from == '#') {
            char *behind;
            bool hex = from[1] == 'x';
            at = put(at, strtoul(from + (hex ? 2 : 1), &behind, hex ? 16 : 10) & 0x1fffff);
            from = behind + 1;
            continue;
        }
        for (size_t one = 0; one < sizeof named / sizeof *named; one++) {
            size_t size = strlen(named[one].name);
            if (strncmp(from, named[one].name, size) == 0) {
                *at++ = named[one].character;
                from += size;
                break;
            }
        }
    }
    *at = 0;
    return text;
}

/* The element of the tag from `at` to `end`, the last child of `parent` from now on. */
static struct element *new_element(struct element *parent, const char *at, const char *end)
{
    struct element *element = memory_for(sizeof *element);
    size_t size = strcspn(++at, " \t\r\n/>");
    *element = (struct element){.name = text_between("", at, at + size, true), .text = "", .parent = parent};
    for (at += size; at < end;) {
        at += strspn(at, " \t\r\n/>");
        size_t length = strcspn(at, " \t\r\n=/>");
        const char *quote = at + length + strcspn(at + length, "\"'>");
        if (quote >= end || *quote == '>')
            break;
        const char *last = strchr(quote + 1, *quote);
        struct attribute *found = memory_for(sizeof *found);
        *found = (struct attribute){.name = text_between("", at, at + length, true),
                                    .value = text_between("", quote + 1, last, false),
                                    .next = element->attributes};
        element->attributes = found;
        at = last + 1;
    }
    if (parent != NULL && parent->last != NULL)
        parent->last->next = element;
    else if (parent != NULL)
        parent->children = element;
    if (parent != NULL)
        parent->last = element;
    return element;
}

/* Reads a whole document, which ends with a zero byte; gives its root. */
static struct element *read_document(const char *at, const char *end)
{
    struct element *root = NULL, *open = NULL;
    while (at < end) {
        const char *start = memchr(at, '<', (size_t)(end - at));
        if (start == NULL)
            break;
        if (open != NULL && start > at)
            open->text = text_between(open->text, at, start, false);
        if ((at = markup_end(start, end)) == NULL)
            break;
        if (open != NULL && strncmp(start, "<![CDATA[", 9) == 0)
            open->text = text_between(open->text, start + 9, at - 3, true);
        if (start[1] == '!' || start[1] == '?')
            continue;
        if (start[1] != '/')
            open = new_element(open, start, at);
        if (root == NULL)
            root = open;
        if (open != NULL && (start[1] == '/' || at[-2] == '/'))
            open = open->parent;
    }
    return root;
}

const char *attribute(const struct element *element, const char *name)
{
    for (const struct attribute *one = element != NULL ? element->attributes : NULL; one != NULL; one = one->next)
        if (strcmp(one->name, name) == 0)
            return one->value;
    return "";
}

const struct element *child(const struct element *element, const char *name)
{
    const struct element *one = element != NULL ? element->children : NULL;
    while (one != NULL && strcmp(one->name, name) != 0)
        one = one->next;
    return one;
}

const struct element *next_one(const struct element *element)
{
    const struct element *one = element->next;
    while (one != NULL && strcmp(one->name, element->name) != 0)
        one = one->next;
    return one;
}

const struct element *next_listed_move(const struct element *state, const struct element *last)
{
    const struct element *one = last;
    while (one != NULL) {
        if (one->children != NULL) {
            one = one->children;
        } else {
            while (one != state && one->next == NULL)
                one = one->parent;
            one = one == state ? NULL : one->next;
        }
        if (one != NULL && (strcmp(one->name, "play") == 0 || strcmp(one->name, "forfeit") == 0)
            && *attribute(one, "id") != 0)
            return one;
    }
    return NULL;
}

size_t escaped(const char *text, char *value, size_t room)
{
    size_t length = 0;
    for (; *text != 0 && length + 8 < room; text++) {
        if (strchr("&<>\"", *text) != NULL)
            length += (size_t)sprintf(value + length, "&#%d;", *text);
        else
            value[length++] = *text;
    }
    value[length] = 0;
    return length;
}

/* --- the protocol: XML documents, one after another, with nothing between them ------------------------------------ */

/* A connection and what has arrived on it. TCP knows no documents: one may come in many pieces, and one piece may hold
 * many. So we count how deep in elements we are, and a document ends with the tag that brings us back to zero. */
struct line {
    int socket;
    bool asks; /* we shall ask what we wait for */
    char *data;
    size_t length, room;
    size_t position; /* the data up to here has been looked at */
    size_t used;     /* and up to here belongs to documents that were read */
    int depth;
    char *held; /* the last state, as long as we wait for those before it; NULL: we do not */
};

static void say(int socket, const char *form, ...);

/* Waits for more; after a silence without a game we ask what we wait for. */
static ssize_t receive(struct line *line)
{
    struct pollfd ready = {.fd = line->socket, .events = POLLIN};
    if (line->asks && poll(&ready, 1, SILENCE_MS) == 0) {
        say(line->socket, "<message type=\"x-why\" ref=\"waiting\"/>");
        line->asks = false;
    }
    return recv(line->socket, line->data + line->length, 65535, 0);
}

/* The next message, until the one after it; NULL when the connection is gone. */
static const struct element *next_message(struct line *line)
{
    forget_message();
    memmove(line->data, line->data + line->used, line->length -= line->used);
    line->position -= line->used;
    line->used = 0;
    for (;;) {
        char *end = line->data + line->length, *start = NULL;
        const char *behind = NULL;
        if (line->length > line->position)
            start = memchr(line->data + line->position, '<', line->length - line->position);
        if (start != NULL)
            behind = markup_end(start, end);
        if (behind == NULL) { /* no complete piece of markup left: wait for more bytes */
            if (line->room - line->length < 65536) {
                char *more = line->room < MOST_BYTES ? realloc(line->data, line->room * 2) : NULL;
                if (more == NULL)
                    return NULL;
                line->data = more;
                line->room *= 2;
            }
            ssize_t got = receive(line);
            if (got <= 0)
                return NULL;
            line->length += (size_t)got;
            line->data[line->length] = 0;
            continue;
        }
        line->position = (size_t)(behind - line->data);
        if (start[1] == '!' || start[1] == '?')
            continue; /* a comment, CDATA or <?...?> changes no depth */
        line->depth += start[1] == '/' ? -1 : behind[-2] == '/' ? 0 : 1;
        if (line->depth == 0) {
            line->used = line->position;
            return read_document(line->data, behind);
        }
    }
}

/* Waits with the message that was read last; NULL before it waits for none. */
static void hold(struct line *line, const char *document)
{
    free(line->held);
    line->held = NULL;
    if (document == NULL)
        return;
    if ((line->held = malloc(line->used + 1)) == NULL) {
        fputs("out of memory\n", stderr);
        exit(1);
    }
    memcpy(line->held, document, line->used);
    line->held[line->used] = 0;
}

/* Sends one message, or several in one piece, which begins with the XML declaration. What cannot be sent is lost with
 * the connection, which the next read will notice. */
static void say(int socket, const char *form, ...)
{
    char text[4 * MOST_TEXT] = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>";
    size_t length = strlen(text), sent = 0;
    va_list values;
    va_start(values, form);
    vsnprintf(text + length, sizeof text - length, form, values);
    va_end(values);
    for (length = strlen(text); sent < length;) {
        ssize_t more = send(socket, text + sent, length - sent, MSG_NOSIGNAL);
        if (more < 0)
            return;
        sent += (size_t)more;
    }
}

/* What others have written, for a terminal, which obeys control characters. */
static const char *harmless(const char *text)
{
    char *clean = memory_for(strlen(text) + 1), *p = clean;
    for (; *text != 0; text++)
        *p++ = (unsigned char)*text < ' ' || *text == 127 ? ' ' : *text;
    *p = 0;
    return clean + strspn(clean, " ");
}

static const char *text_of(const struct element *element)
{
    return element != NULL ? harmless(element->text) : "";
}

/* Prints what we wait for: a line for each reason. */
static void print_waiting(const struct element *account)
{
    printf("waiting: ");
    for (const char *at = account != NULL ? account->text : ""; *at != 0; at++) {
        if (*at == '\n')
            printf("; ");
        else
            putchar((unsigned char)*at < ' ' || *at == 127 ? ' ' : *at);
    }
    printf("\n");
}

/* What has to be remembered from one connection to the next. */
struct memory {
    const char *nick, *game_type;
    char called[MOST_TEXT];   /* the nick that the server knows us by: of "NAME#TOKEN" it is the name */
    char token[MOST_TEXT];    /* of the nick, where nicks have tokens, for XML; not on the command line, which all can see */
    const char *session_file; /* where the token of our session is kept; NULL: nowhere */
    long games, played; /* how many to play, 0: without end; how many are over */
    char session[MOST_TEXT]; /* its token: who shows it goes on with the game after a cut line; empty without one */
    char game[MOST_TEXT], counted[MOST_TEXT]; /* the last game, and the last one of which the end was counted, for XML */
    char id[MOST_TEXT]; /* the last game, for people */
    char asking[MOST_TEXT]; /* how the server is asked about us and our games, where the token is kept */
    bool hinted;        /* we have said how a server is started */
    bool in_session;    /* the server has told us of a session of ours, in this run */
    bool answered;      /* we have just come back, and the server waits for no move of ours */
    bool at_a_loss;     /* we have logged out, for want of a move */
    long kept_ms;       /* the server keeps the nick for so long, perhaps for an earlier start of ours */
    bool waited;        /* for that; we do so once */
    bool welcome;       /* we were let in before, so a refusal means that the server has not missed us yet */
    int broken;         /* how often the server has put us out since the last whole game */
    int unanswered;     /* connections in a row that ended before our login was answered */
    long pause_ms;      /* before the next connection, at most; twice as long each time, until we are let in */
};

/* Why a server does not let us in, by the number of its error. */
static const char *refusal(const char *number)
{
    static const char *const words[] = {
        "the nick is taken, needs its token (UGS_TOKEN), or is none (1 to 64 characters, no control characters)",
        "this server does not offer this game",
        "there is no room: the server or the pool of the game is full, or a championship has begun",
    };
    bool known = number[0] >= '1' && number[0] <= '3' && number[1] == '\0';
    return known ? words[number[0] - '1'] : "the server does not say why";
}

/* What an error says that we are in our game, which is over for us then: no end of it is shown to us. NULL if it does not. */
static const char *end_in(const char *error, const char *game)
{
    static const char *const beginnings[][2] = {
        {"game void:", "void"}, {"removed by the game master", "loser"}, {"document refused", "loser"}};
    static const char *const ends[][2] = {{"lost", "loser"}, {"won", "winner"}, {"drawn", "a draw"}}; /* when we were away */
    char end[MOST_TEXT + 16], said[MOST_TEXT];
    for (size_t one = 0; one < sizeof beginnings / sizeof *beginnings; one++)
        if (strncmp(error, beginnings[one][0], strlen(beginnings[one][0])) == 0)
            return beginnings[one][1];
    escaped(error, said, sizeof said); /* as the id of the game */
    for (size_t one = 0; one < sizeof ends / sizeof *ends; one++) {
        snprintf(end, sizeof end, "game %s is %s", game, ends[one][0]);
        if (strstr(said, end) != NULL)
            return ends[one][1];
    }
    return NULL;
}

/* Counts our game as played, once; whether that was the last one. */
static bool is_last(struct memory *memory)
{
    if (strcmp(memory->game, memory->counted) != 0 && (memory->games == 0 || memory->played < memory->games))
        memory->played++; /* none after the last one: what was under way when we logged out may yet come */
    strcpy(memory->counted, memory->game);
    return memory->games > 0 && memory->played == memory->games;
}

/* What is due when a game is over. */
static void end_game(int socket, const struct element *message, struct memory *memory, const char *id)
{
    const char *result = "";
    const struct element *first = child(child(message, "gameOver"), "player");
    bool drawn = first != NULL && next_one(first) != NULL;
    for (const struct element *one = first; one != NULL; one = next_one(one)) {
        drawn = drawn && strcmp(attribute(one, "result"), attribute(first, "result")) == 0;
        if (strcmp(attribute(one, "nick"), memory->called) == 0)
            result = attribute(one, "result");
    }
    printf("game over: %s in %s\n", drawn ? "a draw" : harmless(result), harmless(attribute(child(message, "gameId"), "id")));
    memory->broken = 0;
    if (is_last(memory)) /* after a cut line we may hear of its end once more */
        /* A "thank you" would make us ready for a next game, so good-bye takes its place. The server closes now;
         * reading on until then makes sure that it got our last word. */
        say(socket, "<message type=\"logout\"/>");
    else
        say(socket, "<message type=\"thank you\"><gameId id=\"%s\"/></message>", id);
}

/* Writes the token of our session down, for us alone: who has it can take our seat. */
static void keep_token(struct memory *memory, const char *token)
{
    int file = open(memory->session_file, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    bool written = file >= 0 && write(file, token, strlen(token)) >= 0 && write(file, "\n", 1) >= 0;
    if (file >= 0)
        close(file);
    if (!written) {
        printf("cannot write %s: %s; playing on without it\n", memory->session_file, strerror(errno));
        memory->session_file = NULL;
    }
}

/* Whether the token of our session can be written down, which is seen before there is one; else it says why. */
static bool is_writable(const char *path)
{
    int file = open(path, O_WRONLY | O_CREAT | O_APPEND, 0600);
    if (file < 0)
        printf("cannot write %s: %s\n", path, strerror(errno));
    else
        close(file);
    return file >= 0;
}

/* Reads the token in a file; false without one. */
static bool read_token(const char *path, char *token, size_t room)
{
    char line[MOST_TEXT / 8] = "";
    FILE *file = fopen(path, "r");
    if (file == NULL)
        return false;
    if (fgets(line, sizeof line, file) != NULL)
        line[strcspn(line, "\r\n")] = 0;
    fclose(file);
    escaped(line, token, room);
    return true;
}

static void log_in(int socket, const struct memory *memory)
{
    char nick[MOST_TEXT], game_type[MOST_TEXT];
    escaped(memory->nick, nick, sizeof nick);
    escaped(memory->game_type, game_type, sizeof game_type);
    say(socket, "<message type=\"playerLogin\"><playerLogin nick=\"%s\" gameType=\"%s\"/></message>", nick, game_type);
}

/* Logs in when the server does not take us back; whether that was it. */
static bool is_session_over(int socket, struct memory *memory, const char *why)
{
    if (*memory->session == 0 || memory->unanswered == 0)
        return false;
    if (memory->in_session) /* else the token is of an earlier start, which may have ended well */
        printf("the session is over: %s\n", why);
    *memory->session = *memory->game = 0;
    log_in(socket, memory);
    return true;
}

static volatile sig_atomic_t open_line = -1, stopped;

/* Our last word when somebody stops us, or the server would keep the nick for us. The server closes then; who presses
 * Ctrl-C once more does not wait for that. */
static void stop(int number)
{
    static const char last_word[] = "<?xml version=\"1.0\" encoding=\"UTF-8\"?><message type=\"logout\"/>";
    (void)number;
    if (open_line < 0)
        _exit(0);
    stopped = 1;
    if (send(open_line, last_word, sizeof last_word - 1, MSG_NOSIGNAL) < 0)
        _exit(0);
    shutdown(open_line, SHUT_WR);
}

/* Logs in and plays until the server closes. False when there is no point in coming back: refused, or all played. */
static bool play(struct line *line, struct memory *memory)
{
    char value[MOST_TEXT], move[MOST_TEXT], name[MOST_TEXT], version[MOST_TEXT];
    int socket = line->socket;
    const struct element *message;
    bool shown = *memory->token != 0;
    bool explained = false; /* the server has said why it refuses our login */
    bool explains = false;  /* it says what we wait for when it is asked */
    bool lists = false;     /* it shows all states of our game when it is asked */
    bool back = false;      /* we have just come back into a game: what we know of it may be old, or nothing */
    line->asks = false;
    hold(line, NULL);
    escaped(NAME, name, sizeof name);
    escaped(VERSION, version, sizeof version);
    /* First we say what we know beyond the protocol: sessions, earlier states, reasons. A server that knows none says so in
     * an error. */
    say(socket, "<message type=\"x-hello\"><ext name=\"session\"/><ext name=\"state\"/><ext name=\"reason\"/>"
        "<program name=\"%s\" version=\"%s\"/>%s%s%s</message>",
        name, version, shown ? "<identity token=\"" : "", memory->token, shown ? "\"/>" : "");
    if (*memory->session != 0) {
        say(socket, "<message type=\"x-resume\"><session token=\"%s\"/></message>", memory->session);
    } else {
        *memory->game = 0;
        log_in(socket, memory);
    }
    while ((message = next_message(line)) != NULL) {
        const char *type = attribute(message, "type");
        if (strcmp(type, "x-failed") == 0 && strcmp(attribute(message, "ref"), "states") == 0) {
            if (line->held == NULL)
                continue;
            message = read_document(line->held, line->held + strlen(line->held)); /* then we go on with what we know */
            type = "gameState";
            hold(line, NULL);
        }
        if (strcmp(type, "loginResponse") == 0) {
            memory->unanswered = 0;
            if (strcmp(attribute(child(message, "response"), "accept"), "yes") != 0) {
                const char *number = attribute(child(message, "error"), "id");
                if (memory->kept_ms > 0)
                    return true;
                printf("login refused%s%s (error %s)\n", explained ? "" : ": ", explained ? "" : refusal(number), harmless(number));
                return memory->welcome;
            }
            memory->welcome = true;
            memory->waited = false;
            memory->pause_ms = 1000;
            line->asks = explains;
            int length = (int)strcspn(memory->nick, "#"); /* what stands behind it may be a token */
            printf("logged in as %.*s%s\n", length, memory->nick, memory->asking);
        } else if (strcmp(type, "gameState") == 0) {
            const struct element *state = child(message, "gameState");
            escaped(attribute(child(message, "gameId"), "id"), value, sizeof value);
            line->asks = explains && child(message, "gameOver") != NULL;
            if (strcmp(value, memory->game) != 0) { /* we hear of a new game by its first state */
                strcpy(memory->game, value);
                snprintf(memory->id, sizeof memory->id, "%s", harmless(attribute(child(message, "gameId"), "id")));
                printf("in game %s\n", memory->id);
                game_begins();
                hold(line, NULL);
            }
            if (state != NULL)
                bot_sees(state);
            if ((back && lists) || line->held != NULL) {
                if (line->held == NULL)
                    say(socket, "<message type=\"x-listStates\" ref=\"states\"><gameId id=\"%s\"/></message>", value);
                else /* it is among those that come, or comes once more behind them */
                    memory->answered = false;
                back = false;
                hold(line, line->data);
                continue;
            }
            if (strcmp(attribute(child(message, "nextPlayer"), "nick"), memory->called) == 0 && !memory->answered) {
                bot_move(state, move, sizeof move);
                if (*move != 0) {
                    say(socket, "<message type=\"move\"><gameId id=\"%s\"/><move>%s</move></message>", value, move);
                } else {
                    printf("this state lists no moves that I know how to choose\n");
                    memory->at_a_loss = true;
                    say(socket, "<message type=\"logout\"/>");
                }
            }
            memory->answered = false;
            if (child(message, "gameOver") != NULL)
                end_game(socket, message, memory, value);
        } else if (strcmp(type, "x-states") == 0 && line->held != NULL) { /* all before the last one, which comes once more now */
            hold(line, NULL);
            game_begins();
            for (const struct element *one = child(message, "shown"); one != NULL; one = next_one(one))
                if (child(one, "gameState") != NULL)
                    bot_sees(child(one, "gameState"));
        } else if (strcmp(type, "x-verdict") == 0) {
            const char *account = text_of(child(message, "account")), *said = text_of(child(message, "said"));
            printf("why: %s%s%s\n", account, *account && *said ? "; " : "", said);
        } else if (strcmp(type, "x-hello") == 0) { /* what the server knows beyond the protocol */
            for (const struct element *one = child(message, "ext"); one != NULL; one = next_one(one)) {
                explains = explains || strcmp(attribute(one, "name"), "reason") == 0;
                lists = lists || strcmp(attribute(one, "name"), "state") == 0;
            }
        } else if (strcmp(attribute(message, "ref"), "waiting") == 0) { /* the answer to our question */
            if (strcmp(type, "x-account") == 0)
                print_waiting(child(message, "account"));
        } else if (strcmp(type, "x-session") == 0) {
            const struct element *session = child(message, "session");
            bool resumed = strcmp(attribute(session, "resumed"), "yes") == 0;
            escaped(attribute(session, "token"), memory->session, sizeof memory->session);
            memory->in_session = true;
            if (*attribute(session, "nick") != 0)
                snprintf(memory->called, sizeof memory->called, "%s", attribute(session, "nick"));
            if (memory->session_file != NULL)
                keep_token(memory, attribute(session, "token"));
            memory->answered = strcmp(attribute(session, "turn"), "no") == 0;
            back = resumed && *attribute(session, "turn") != 0;
            if (resumed)
                printf(back ? "back again\n" : "back again: no game of yours goes on\n");
        } else if (strcmp(type, "x-ping") == 0) { /* the server asks whether we are there */
            escaped(attribute(message, "ref"), value, sizeof value);
            say(socket, "<message type=\"x-pong\"%s%s%s/>", *value ? " ref=\"" : "", value, *value ? "\"" : "");
        } else if (strcmp(type, "x-failed") == 0) { /* why a login is refused comes before its answer */
            const struct element *reason = child(message, "reason");
            const char *wait = attribute(reason, "waitSec");
            if (is_session_over(socket, memory, text_of(reason)))
                continue;
            if (strcmp(attribute(reason, "code"), "DUPLICATE_USER") == 0 && atof(wait) > 0 && !memory->waited) {
                printf("the nick is kept for %s s more: waiting\n", harmless(wait));
                memory->kept_ms = (long)(1000 * atof(wait));
                memory->waited = true;
            } else {
                printf("the server says: %s\n", text_of(reason));
                if (strstr(text_of(reason), "has a token") != NULL && *memory->token == 0)
                    printf("where a nick has a token: --token-file FILE, or UGS_TOKEN in the environment\n");
                explained = true;
            }
        } else if (strcmp(type, "x-reason") == 0) {
            printf("the game master says that we broke a rule: %s\n", text_of(child(message, "cause")));
        } else if (strcmp(type, "error") == 0) {
            if (is_session_over(socket, memory, text_of(message)))
                continue;
            printf("the server says: %s\n", text_of(message));
            memory->broken += strncmp(text_of(message), "document refused", 16) == 0 ||
                              strncmp(text_of(message), "this session continues", 22) == 0;
            const char *result = end_in(text_of(message), memory->game);
            if (*memory->game != 0 && strcmp(memory->game, memory->counted) != 0 && result != NULL) {
                printf("game over: %s in %s\n", result, memory->id);
                line->asks = explains;
                hold(line, NULL);
                if (is_last(memory))
                    say(socket, "<message type=\"logout\"/>");
            }
        } else if (strcmp(type, "serverShutdown") == 0) {
            printf("the server shuts down\n");
            *memory->session = 0; /* sessions end with a server that says good-bye */
        } /* Anything else, such as championsList, is good to know but asks nothing of us. */
        fflush(stdout);
    }
    if (memory->at_a_loss || (memory->games > 0 && memory->played == memory->games))
        return false;
    printf(stopped ? "stopped\n" : "the server has closed the connection\n");
    if (!stopped && memory->unanswered == 1 && !memory->welcome)
        puts(NO_SERVER);
    return true;
}

/* A socket that is connected; -1 when nobody can be reached. */
static int dial(const char *host, const char *port)
{
    struct addrinfo wanted = {.ai_family = AF_UNSPEC, .ai_socktype = SOCK_STREAM}, *found = NULL;
    int connection = -1, one = 1;
    int failed = getaddrinfo(host, port, &wanted, &found);
    if (failed) {
        printf("no connection: %s\n", gai_strerror(failed));
        return -1;
    }
    for (struct addrinfo *at = found; at != NULL && connection < 0; at = at->ai_next) {
        connection = socket(at->ai_family, at->ai_socktype, at->ai_protocol);
        if (connection >= 0 && connect(connection, at->ai_addr, at->ai_addrlen) != 0) {
            printf("no connection: %s\n", strerror(errno));
            close(connection);
            connection = -1;
        }
    }
    freeaddrinfo(found);
    if (connection >= 0) /* moves are small and must not wait */
        setsockopt(connection, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
    return connection;
}

int main(int count, char *arguments[])
{
    static const char usage[] = "usage: bot HOST PORT NICK [--game TYPE] [--games N] [--token-file FILE] [--session-file FILE]\n";
    struct memory memory = {.game_type = GAME_TYPE, .pause_ms = 1000};
    struct line line = {.room = 1 << 17};
    struct sigaction stopping = {.sa_handler = stop, .sa_flags = SA_RESTART | (int)SA_RESETHAND};
    bool again = true, wrong = count < 4;

    if (count == 2 && (strcmp(arguments[1], "--help") == 0 || strcmp(arguments[1], "-h") == 0)) {
        printf("%s\nPlays N games, or without N until it is stopped.\n", usage);
        return 0;
    }
    if (getenv("UGS_TOKEN") != NULL)
        escaped(getenv("UGS_TOKEN"), memory.token, sizeof memory.token);
    for (int at = 4; at < count && !wrong; at += 2) {
        if (at + 1 < count && strcmp(arguments[at], "--game") == 0)
            memory.game_type = arguments[at + 1];
        else if (at + 1 < count && strcmp(arguments[at], "--session-file") == 0)
            memory.session_file = arguments[at + 1];
        else if (at + 1 < count && strcmp(arguments[at], "--token-file") == 0) {
            if (!read_token(arguments[at + 1], memory.token, sizeof memory.token)) {
                perror(arguments[at + 1]);
                return 2;
            }
        }
        else if (at + 1 < count && strcmp(arguments[at], "--games") == 0)
            wrong = (memory.games = atol(arguments[at + 1])) < 1;
        else
            wrong = true;
    }
    if (wrong) {
        fputs(usage, stderr);
        return 2;
    }
    memory.nick = arguments[3];
    snprintf(memory.called, sizeof memory.called, "%s", memory.nick);
    if (memory.session_file != NULL && !is_writable(memory.session_file))
        return 1;
    if (memory.session_file != NULL) /* the session of an earlier start goes on */
        read_token(memory.session_file, memory.session, sizeof memory.session);
    if (memory.session_file != NULL)
        snprintf(memory.asking, sizeof memory.asking, " (why? ugs why --connect %s:%s --session-file %s)", arguments[1],
                 arguments[2], memory.session_file);
    sigaction(SIGINT, &stopping, NULL);
    sigaction(SIGTERM, &stopping, NULL);
    srand((unsigned)time(NULL) ^ (unsigned)getpid() << 16);
    if ((line.data = malloc(line.room)) == NULL)
        return 1;
    while (again) {
        line.length = line.position = line.used = 0;
        line.depth = 0;
        line.socket = dial(arguments[1], arguments[2]);
        if (line.socket >= 0) {
            memory.unanswered++;
            open_line = line.socket;
            again = play(&line, &memory);
            open_line = -1;
            close(line.socket);
        } else if (!(memory.welcome || memory.unanswered > 0 || memory.hinted)) {
            memory.hinted = true;
            printf("no server there: start one with ugs serve, or ugs demo (with bots); trying on until there is one\n");
        }
        fflush(stdout);
        if (stopped)
            return 0;
        if (again && memory.broken >= MOST_REFUSED) {
            printf("the server has put us out three times in a row: it says above why\n");
            again = false;
        }
        if (memory.unanswered >= MOST_UNANSWERED && !memory.welcome) {
            puts(NO_SERVER);
            again = false;
        }
        if (again) { /* not all bots at once */
            long ms = memory.kept_ms > 0 ? memory.kept_ms : memory.pause_ms / 5 + rand() % (memory.pause_ms * 4 / 5);
            memory.kept_ms = 0;
            struct timespec pause = {.tv_sec = ms / 1000, .tv_nsec = ms % 1000 * 1000000L};
            nanosleep(&pause, NULL);
            memory.pause_ms = memory.pause_ms < 15000 ? 2 * memory.pause_ms : 30000;
        }
    }
    free(line.held);
    free(line.data);
    return memory.games > 0 && memory.played >= memory.games ? 0 : 1;
}
