/* A game master of Nim in C, for tests: heaps of sticks, who takes the last one wins.
 *
 *     cc -O2 -o nim nim.c && ./nim HOST PORT
 *
 * It leads one game at a time, and reads no more XML than what the server writes. */

#define _POSIX_C_SOURCE 200809L

#include <netdb.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#define HEAPS 3
#define WIDEST 5
#define TEXT 65536

static int heaps[HEAPS], turn;
static char game[256], nicks[2][512], news[256];
static int line;

static void say(const char *text)
{
    for (size_t sent = 0, length = strlen(text); sent < length;) {
        ssize_t more = send(line, text + sent, length - sent, MSG_NOSIGNAL);
        if (more < 0)
            return;
        sent += (size_t)more;
    }
}

static void add(char *text, const char *form, ...)
{
    size_t length = strlen(text);
    va_list values;
    va_start(values, form);
    vsnprintf(text + length, TEXT - length, form, values);
    va_end(values);
}

/* The value of an attribute behind `at`, as it is written. */
static const char *attribute(const char *at, const char *name, char *value, size_t room)
{
    char begin[64];
    snprintf(begin, sizeof begin, " %s=\"", name);
    const char *found = at != NULL ? strstr(at, begin) : NULL;
    value[0] = 0;
    if (found == NULL)
        return NULL;
    found += strlen(begin);
    snprintf(value, room, "%.*s", (int)strcspn(found, "\""), found);
    return found;
}

static int sticks(void)
{
    int count = 0;
    for (int heap = 0; heap < HEAPS; heap++)
        count += heaps[heap];
    return count;
}

/* Each stick stands for taking it and all to its right. */
static void tell(int winner)
{
    static char text[TEXT];
    text[0] = 0;
    add(text, "<message type=\"x-sketch\"><gameId id=\"%s\"/><sketch><grid columns=\"%d\" rows=\"%d\" look=\"open\"/>", game,
        WIDEST, HEAPS);
    add(text, "<counter name=\"sticks\" value=\"%d\"/>", sticks());
    for (int heap = 0; heap < HEAPS; heap++)
        for (int stick = 0; stick < heaps[heap]; stick++)
            add(text, "<pieces at=\"%d,%d\" colour=\"wood\" shape=\"bar\" name=\"stick\"/>", stick, heap);
    if (news[0])
        add(text, "<news>%s</news>", news);
    for (int heap = 0; heap < HEAPS && winner < 0; heap++)
        for (int stick = 0; stick < heaps[heap]; stick++)
            add(text, "<offer label=\"take %d of row %d\" at=\"%d,%d\"><move><take heap=\"%d\" count=\"%d\"/></move></offer>",
                heaps[heap] - stick, heap + 1, stick, heap, heap, heaps[heap] - stick);
    add(text, "</sketch></message><message type=\"gameState\"><gameId id=\"%s\"/>", game);
    if (winner < 0)
        add(text, "<nextPlayer nick=\"%s\"/>", nicks[turn]);
    else
        add(text, "<gameOver><player nick=\"%s\" result=\"%s\"/><player nick=\"%s\" result=\"%s\"/></gameOver>", nicks[0],
            winner == 0 ? "winner" : "loser", nicks[1], winner == 1 ? "winner" : "loser");
    add(text, "<gameState heaps=\"%d %d %d\"/></message>", heaps[0], heaps[1], heaps[2]);
    if (winner >= 0)
        game[0] = 0;
    say(text);
}

static void hear(const char *message)
{
    char value[512];
    attribute(message, "type", value, sizeof value);
    if (strcmp(value, "beginGame") == 0) {
        attribute(strstr(message, "<gameId"), "id", game, sizeof game);
        const char *player = strstr(message, "<player");
        attribute(player, "nick", nicks[0], sizeof nicks[0]);
        attribute(player != NULL ? strstr(player + 1, "<player") : NULL, "nick", nicks[1], sizeof nicks[1]);
        for (int heap = 0; heap < HEAPS; heap++)
            heaps[heap] = WIDEST - HEAPS + heap + 1;
        turn = 0;
        news[0] = 0;
        tell(-1);
    } else if (strcmp(value, "move") == 0 && game[0]) {
        const char *move = strstr(message, "<take");
        int heap = attribute(move, "heap", value, sizeof value) != NULL ? atoi(value) : -1;
        int count = attribute(move, "count", value, sizeof value) != NULL ? atoi(value) : 0;
        if (heap < 0 || heap >= HEAPS || count < 1 || count > heaps[heap]) {
            tell(1 - turn); /* an illegal move loses */
            return;
        }
        heaps[heap] -= count;
        snprintf(news, sizeof news, "%.180s takes %d of row %d", nicks[turn], count, heap + 1);
        turn = 1 - turn;
        tell(sticks() == 0 ? 1 - turn : -1);
    } else if (strcmp(value, "playerLeftGame") == 0 && game[0]) {
        attribute(strstr(message, "<player "), "nick", value, sizeof value);
        tell(strcmp(value, nicks[0]) == 0 ? 1 : 0);
    } else if (strcmp(value, "error") == 0) {
        printf("the server says: %s\n", message);
    } else if (strcmp(value, "loginResponse") == 0) {
        printf("leading nim\n");
    }
    fflush(stdout);
}

int main(int count, char *arguments[])
{
    static char heard[4 * TEXT];
    size_t length = 0;
    struct addrinfo wanted = {.ai_family = AF_UNSPEC, .ai_socktype = SOCK_STREAM}, *found = NULL;

    if (count != 3 || getaddrinfo(arguments[1], arguments[2], &wanted, &found) != 0)
        return 2;
    line = socket(found->ai_family, found->ai_socktype, found->ai_protocol);
    if (line < 0 || connect(line, found->ai_addr, found->ai_addrlen) != 0)
        return 1;
    freeaddrinfo(found);
    say("<message type=\"x-hello\"><ext name=\"sketch\"/></message><message type=\"gameMasterLogin\"><gameMasterLogin"
        " id=\"nim\" gameType=\"nim\" playersMin=\"2\" playersMax=\"2\"/></message>");
    for (;;) {
        ssize_t got = recv(line, heard + length, sizeof heard - length - 1, 0);
        if (got <= 0)
            return 0;
        length += (size_t)got;
        heard[length] = 0;
        for (;;) {
            char *start = strstr(heard, "<message"), *tag = start != NULL ? strchr(start, '>') : NULL;
            char *end = tag == NULL ? NULL : tag[-1] == '/' ? tag + 1 : strstr(tag, "</message>");
            if (end == NULL)
                break;
            end += tag[-1] == '/' ? 0 : strlen("</message>");
            char kept = *end;
            *end = 0;
            hear(start);
            *end = kept;
            memmove(heard, end, (length -= (size_t)(end - heard)) + 1);
        }
    }
}
