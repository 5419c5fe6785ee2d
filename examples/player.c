/* A complete player for the universal game server in one file of C, with nothing but POSIX.
 *
 *     cc -O2 -o player player.c
 *     ./player HOST PORT NICK [--games N]
 *
 * It plays five in line (game type 5-in-line-tic-tac-toe, board 20 x 20) with random legal moves. Copy it, then put
 * your own ideas into choose_move; the rest can stay as it is. When the server goes away, it comes back with it. */

#define _POSIX_C_SOURCE 200809L

#include <errno.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/types.h>
#include <time.h>
#include <unistd.h>

#define GAME_TYPE "5-in-line-tic-tac-toe"
#define SIZE 20
#define TEXT 4096                        /* of one text or attribute; what is longer is cut */
#define MOST_UNANSWERED 4                /* connections that end before our login was answered; then we give up */
#define MOST_BYTES (64ul * 1024 * 1024)  /* of one message: more than servers let anybody say */

/* --- your own ideas ---------------------------------------------------------------------------------------------- */

/* The field for our next stone. taken[x][y] says whether a stone lies there; at least one field is free. */
static void choose_move(bool taken[SIZE][SIZE], int *x, int *y)
{
    do {
        *x = rand() % SIZE;
        *y = rand() % SIZE;
    } while (taken[*x][*y]);
}

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

/* Appends a character to a text as UTF-8, if there is room. */
static size_t put(char *text, size_t length, unsigned long character)
{
    if (length + 5 > TEXT)
        return length;
    if (character < 0x80) {
        text[length++] = (char)character;
    } else {
        int more = character < 0x800 ? 1 : character < 0x10000 ? 2 : 3;
        text[length++] = (char)((0xff00 >> (more + 1) & 0xff) | character >> 6 * more);
        while (more-- > 0)
            text[length++] = (char)(0x80 | (character >> 6 * more & 0x3f));
    }
    return length;
}

/* Copies text from `from` to `to` behind what is in `text`, and replaces references such as &amp; and &#233;. */
static void unescape(char *text, const char *from, const char *to)
{
    static const struct { const char *name; char character; } named[] = {
        {"lt;", '<'}, {"gt;", '>'}, {"amp;", '&'}, {"quot;", '"'}, {"apos;", '\''}};
    size_t length = strlen(text);
    while (from < to && length + 5 <= TEXT) {
        if (*from != '&') {
            text[length++] = *from++;
            continue;
        }
        if (*++from == '#') {
            char *behind;
            bool hex = from[1] == 'x';
            length = put(text, length, strtoul(from + (hex ? 2 : 1), &behind, hex ? 16 : 10));
            from = behind + 1;
            continue;
        }
        for (size_t one = 0; one < sizeof named / sizeof *named; one++) {
            size_t size = strlen(named[one].name);
            if (strncmp(from, named[one].name, size) == 0) {
                text[length++] = named[one].character;
                from += size;
                break;
            }
        }
    }
    text[length] = 0;
}

/* The value of an attribute of the tag from `at` to `end`; false when it has no such attribute. */
static bool attribute(const char *at, const char *end, const char *name, char *value)
{
    size_t size = strlen(name);
    for (at += 1 + strcspn(at + 1, " \t\r\n/>"); at < end;) {
        at += strspn(at, " \t\r\n/>");
        size_t length = strcspn(at, " \t\r\n=/>");
        const char *quote = at + length + strcspn(at + length, "\"'>");
        if (quote >= end || *quote == '>')
            return false;
        const char *last = strchr(quote + 1, *quote);
        if (length == size && strncmp(at, name, size) == 0) {
            value[0] = 0;
            unescape(value, quote + 1, last);
            return true;
        }
        at = last + 1;
    }
    return false;
}

/* --- the protocol: XML documents, one after another, with nothing between them ------------------------------------ */

/* What we want to know of a message. */
struct message {
    char type[TEXT], text[TEXT];          /* its type, and the text directly in it */
    char game[TEXT], next[TEXT];          /* gameId and nextPlayer; empty without */
    char result[TEXT];                    /* ours, where the game is over */
    char accept[TEXT], error[TEXT];       /* of a loginResponse */
    char account[TEXT], said[TEXT], cause[TEXT]; /* of x-verdict, and x-reason or x-failed */
    bool over, stone;                     /* has a gameOver; has a stone, at x and y */
    int x, y;
};

#define DEEPEST 3 /* message/gameState/tac: nothing that lies deeper concerns us */

/* Takes a start tag of the document; `path` has the names of the elements that are open, it is the last of them. */
static void start_tag(struct message *message, char path[][64], int depth, const char *at, const char *end,
                      const char *nick)
{
    char value[TEXT];
    const char *name = path[depth - 1];
    if (depth == 1) {
        attribute(at, end, "type", message->type);
    } else if (depth == 2) {
        if (strcmp(name, "gameId") == 0)
            attribute(at, end, "id", message->game);
        else if (strcmp(name, "nextPlayer") == 0)
            attribute(at, end, "nick", message->next);
        else if (strcmp(name, "response") == 0)
            attribute(at, end, "accept", message->accept);
        else if (strcmp(name, "error") == 0)
            attribute(at, end, "id", message->error);
        else if (strcmp(name, "gameOver") == 0)
            message->over = true;
    } else if (strcmp(path[1], "gameOver") == 0 && strcmp(name, "player") == 0) {
        if (attribute(at, end, "nick", value) && strcmp(value, nick) == 0)
            attribute(at, end, "result", message->result);
    } else if (strcmp(path[1], "gameState") == 0 && strcmp(name, "tac") == 0) {
        message->x = attribute(at, end, "x", value) ? atoi(value) : -1;
        message->y = attribute(at, end, "y", value) ? atoi(value) : -1;
        message->stone = message->x >= 0 && message->x < SIZE && message->y >= 0 && message->y < SIZE;
    }
}

/* Where the text goes that stands in the innermost of `depth` open elements; NULL: nowhere. */
static char *text_of(struct message *message, char path[][64], int depth)
{
    if (depth == 1)
        return message->text;
    if (depth != 2)
        return NULL;
    return strcmp(path[1], "account") == 0 ? message->account
         : strcmp(path[1], "said") == 0    ? message->said
         : strcmp(path[1], "cause") == 0   ? message->cause
         : strcmp(path[1], "reason") == 0  ? message->cause
                                           : NULL;
}

/* Reads a whole document, which ends with a zero byte. */
static void read_message(struct message *message, const char *at, const char *end, const char *nick)
{
    char path[DEEPEST][64] = {""};
    int depth = 0;
    memset(message, 0, sizeof *message);
    while (at < end) {
        const char *start = memchr(at, '<', (size_t)(end - at));
        char *text = text_of(message, path, depth);
        if (text != NULL && start != NULL)
            unescape(text, at, start);
        if (start == NULL || (at = markup_end(start, end)) == NULL)
            return;
        if (text != NULL && strncmp(start, "<![CDATA[", 9) == 0)
            snprintf(text + strlen(text), TEXT - strlen(text), "%.*s", (int)(at - start - 12), start + 9);
        if (start[1] == '!' || start[1] == '?')
            continue;
        if (start[1] == '/') {
            depth--;
            continue;
        }
        if (++depth <= DEEPEST) {
            snprintf(path[depth - 1], sizeof *path, "%.*s", (int)strcspn(start + 1, " \t\r\n/>"), start + 1);
            start_tag(message, path, depth, start, at, nick);
        }
        if (at[-2] == '/')
            depth--;
    }
}

/* A connection and what has arrived on it. TCP knows no documents: one may come in many pieces, and one piece may hold
 * many. So we count how deep in elements we are, and a document ends with the tag that brings us back to zero. */
struct line {
    int socket;
    char *data;
    size_t length, room;
    size_t position; /* the data up to here has been looked at */
    size_t used;     /* and up to here belongs to documents that were read */
    int depth;
};

/* The next message; false when the connection is gone. */
static bool next_message(struct line *line, struct message *message, const char *nick)
{
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
                    return false;
                line->data = more;
                line->room *= 2;
            }
            ssize_t got = recv(line->socket, line->data + line->length, 65535, 0);
            if (got <= 0)
                return false;
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
            read_message(message, line->data, behind, nick);
            return true;
        }
    }
}

/* Sends one message, or several in one piece, which begins with the XML declaration. What cannot be sent is lost with
 * the connection, which the next read will notice. */
static void say(int socket, const char *form, ...)
{
    char text[8 * TEXT] = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>";
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

/* A text as the value of an attribute. */
static const char *escaped(const char *text, char *value)
{
    size_t length = 0;
    for (; *text != 0 && length + 8 < TEXT; text++) {
        if (strchr("&<>\"", *text) != NULL)
            length += (size_t)sprintf(value + length, "&#%d;", *text);
        else
            value[length++] = *text;
    }
    value[length] = 0;
    return value;
}

/* What others have written, for a terminal, which obeys control characters. */
static const char *harmless(char *text)
{
    for (char *p = text; *p != 0; p++)
        if ((unsigned char)*p < ' ' || *p == 127)
            *p = ' ';
    return text + strspn(text, " ");
}

/* What has to be remembered from one connection to the next. */
struct memory {
    const char *nick;
    long games, played; /* how many to play, 0: without end; how many are over */
    bool welcome;       /* we were let in before, so a refusal means that the server has not missed us yet */
    int unanswered;     /* connections in a row that ended before our login was answered */
    long pause_ms;      /* before the next connection, at most; twice as long each time, until we are let in */
};

/* Why a server does not let us in, by the number of its error. */
static const char *refusal(const char *number)
{
    static const char *const words[] = {
        "the nick is taken, needs its token, or is none (1 to 64 characters, no control characters)",
        "this server does not offer this game",
        "there is no room: the server or the pool of the game is full, or a championship has begun",
    };
    bool known = number[0] >= '1' && number[0] <= '3' && number[1] == '\0';
    return known ? words[number[0] - '1'] : "the server does not say why";
}

/* Logs in and plays until the server closes. False when there is no point in coming back: refused, or all played. */
static bool play(struct line *line, struct memory *memory)
{
    static struct message message; /* not on the stack, since it is large */
    static bool taken[SIZE][SIZE];
    static char game[TEXT];
    char name[TEXT], token[TEXT];
    int socket = line->socket, x, y;
    /* Where nicks have tokens: ours; not on the command line, which all can see. */
    const char *ours = getenv("UGS_TOKEN");
    bool shown = ours != NULL && *ours != 0;
    /* First we say what we can read beyond the protocol: reasons. A server that knows no such thing says so in an
     * error. */
    say(socket,
        "<message type=\"x-hello\"><ext name=\"reason\"/>%s%s%s</message>"
        "<message type=\"playerLogin\"><playerLogin nick=\"%s\" gameType=\"" GAME_TYPE "\"/></message>",
        shown ? "<identity token=\"" : "", shown ? escaped(ours, token) : "", shown ? "\"/>" : "",
        escaped(memory->nick, name));
    while (next_message(line, &message, memory->nick)) {
        if (strcmp(message.type, "loginResponse") == 0) {
            memory->unanswered = 0;
            if (strcmp(message.accept, "yes") != 0) {
                printf("login refused: %s (error %s)\n", refusal(message.error), harmless(message.error));
                return memory->welcome;
            }
            memory->welcome = true;
            memory->pause_ms = 1000;
            printf("logged in as %s\n", memory->nick);
        } else if (strcmp(message.type, "gameState") == 0) {
            if (strcmp(message.game, game) != 0) { /* we hear of a new game by its first state */
                strcpy(game, message.game);
                memset(taken, 0, sizeof taken);
            }
            /* The payload has the stone that was put last; the last state of a game may show it once more. */
            if (message.stone)
                taken[message.x][message.y] = true;
            if (strcmp(message.next, memory->nick) == 0) {
                choose_move(taken, &x, &y);
                say(socket,
                    "<message type=\"move\"><gameId id=\"%s\"/><move><tic x=\"%d\" y=\"%d\"/></move></message>",
                    escaped(game, name), x, y);
            }
            if (message.over) {
                printf("game over: %s in ", harmless(message.result));
                printf("%s\n", harmless(message.game));
                if (++memory->played == memory->games)
                    /* A "thank you" would make us ready for a next game, so good-bye takes its place. The server closes
                     * now; reading on until then makes sure that it got our last word. */
                    say(socket, "<message type=\"logout\"/>");
                else
                    say(socket, "<message type=\"thank you\"><gameId id=\"%s\"/></message>", escaped(game, name));
            }
        } else if (strcmp(message.type, "x-verdict") == 0) {
            printf("why: %s%s", harmless(message.account), message.account[0] && message.said[0] ? "; " : "");
            printf("%s\n", harmless(message.said));
        } else if (strcmp(message.type, "x-failed") == 0) { /* why a login is refused comes before its answer */
            printf("the server says: %s\n", harmless(message.cause));
        } else if (strcmp(message.type, "x-reason") == 0) {
            printf("the game master says that we broke a rule: %s\n", harmless(message.cause));
        } else if (strcmp(message.type, "error") == 0) {
            printf("the server says: %s\n", harmless(message.text));
        } else if (strcmp(message.type, "serverShutdown") == 0) {
            printf("the server shuts down\n");
        } /* Anything else, such as championsList, is good to know but asks nothing of us. */
        fflush(stdout);
    }
    printf("the server has closed the connection\n");
    return memory->games == 0 || memory->played < memory->games;
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
    static const char usage[] = "usage: player HOST PORT NICK [--games N]\n";
    struct memory memory = {.games = 0, .pause_ms = 1000};
    struct line line = {.room = 1 << 17};
    bool again = true;

    if (count == 2 && (strcmp(arguments[1], "--help") == 0 || strcmp(arguments[1], "-h") == 0)) {
        printf("%s\nPlays five in line with random moves: N games, or without N until it is stopped.\n", usage);
        return 0;
    }
    if (count == 6 && strcmp(arguments[4], "--games") == 0)
        memory.games = atol(arguments[5]);
    if ((count != 4 && count != 6) || (count == 6 && memory.games < 1)) {
        fputs(usage, stderr);
        return 2;
    }
    memory.nick = arguments[3];
    srand((unsigned)time(NULL) ^ (unsigned)getpid() << 16);
    if ((line.data = malloc(line.room)) == NULL)
        return 1;
    while (again) {
        line.length = line.position = line.used = 0;
        line.depth = 0;
        line.socket = dial(arguments[1], arguments[2]);
        if (line.socket >= 0) {
            memory.unanswered++;
            again = play(&line, &memory);
            close(line.socket);
        }
        fflush(stdout);
        if (memory.unanswered >= MOST_UNANSWERED && !memory.welcome) {
            printf("nobody answers a login there: is it the right port? It may speak TLS, which this player does not\n");
            again = false;
        }
        if (again) { /* not all bots at once */
            long ms = memory.pause_ms / 5 + rand() % (memory.pause_ms * 4 / 5);
            struct timespec pause = {.tv_sec = ms / 1000, .tv_nsec = ms % 1000 * 1000000L};
            nanosleep(&pause, NULL);
            memory.pause_ms = memory.pause_ms < 15000 ? 2 * memory.pause_ms : 30000;
        }
    }
    free(line.data);
    return memory.games > 0 && memory.played >= memory.games ? 0 : 1;
}
