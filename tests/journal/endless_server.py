"""A server that plays games without end and prints which results are kept, until the test kills it.

Takes the place of the journal and a number that no other such process on it has.
"""

import sys

from tests.journal.servers import JournalServer, won
from ugs.places import Place, place_of

AT_ONCE = 5


class PrintingServer(JournalServer):
    """Prints the games whose results are kept."""

    def wait_and_print(self, game_id: str) -> None:
        """Wait until a result is kept, then print its game."""
        self.reports.wait_for(f"kept {game_id}")
        print(game_id, flush=True)


def main(place: Place, life: str) -> None:
    """Play for ever."""
    server = PrintingServer(place)
    server.begins(f"{life}-open")  # so that each death leaves an unfinished game, whatever the moment
    number = 0
    while True:
        games = [f"{life}-{number + place}" for place in range(AT_ONCE)]
        for game in games:
            server.begins(game)
            server.moves(game)
        for game in games[:-1]:
            server.ends(won(game))
        server.journal.flush()
        for game in games[:-1]:
            server.wait_and_print(game)
        server.ends(won(games[-1]))
        server.journal.flush()
        server.wait_and_print(games[-1])
        number += AT_ONCE


if __name__ == "__main__":
    main(place_of(sys.argv[1]), sys.argv[2])
