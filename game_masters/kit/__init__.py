"""What every game master and every bot has in common.

thought.py           what a bot thinks of a position, for a remark              (no I/O, no wire)
bot.py               what a computer player is                                   (no I/O, no wire)
rules.py             what a game is: declared facts, a state that obeys the rules, notation, bots   (no I/O, no wire)
encoding.py          moves and views as numbers, for learners                               (no I/O, no wire)
entries.py           the entries of a fixture, read key by key                            (no I/O, no wire)
fixture.py           a file that games begin from, as the kit reads it                             (no I/O)
puzzle_book.py       what a game declares of its puzzles                                             (no I/O)
puzzles.py           positions to solve, and the judge
shown_puzzles.py  puzzles as people see them before they try one
solving.py           one try at a puzzle: the solver moves, the bundled bot answers
payload.py           safe reading of the XML that a game's notation understands
client.py            what a master or a bot may ask of its connection: send, pause, note, finish
entry.py             how both get in: extensions asked for, login, refusal                          (no I/O)
refusals.py          what to do about a refused login                                               (no I/O)
master.py            the broker's messages in, a master's answers out, many games at once           (no I/O)
resuming.py          games that their players go on with another time: which, and who sits where       (no I/O)
suspended_games.py   the folder where they are stored
leading.py           one of those games, from its beginning to its end                              (no I/O)
seating.py           who sits where: players, the seats that the program plays, options             (no I/O)
showing.py           what the players receive for a state: one for all, or one for each             (no I/O)
acknowledgements.py  which part of the record each seat has surely read, so that states hold the rest  (no I/O)
engine.py            protocols of engines, and where they are found                              (no I/O)
engine_process.py    a program that plays by lines
front_end.py         programs that drive engines, as players                             (no I/O)
player.py            the broker's messages in, a bot's answers out                                  (no I/O)
choosing.py          how a bot chooses: at once, or beside the conversation                          (no I/O)
thinking.py          work in a thread, one piece at a time
comeback.py          how a bot comes back after a cut line: its session, or its seat                 (no I/O)
sitting.py           one game as a bot goes through it, cut connections included                    (no I/O)
tables.py            how a bot comes to its games: from the pool, or at a table                     (no I/O)
hosting.py           setting a table up, or sitting down at one                                     (no I/O)
table_options.py     the options about tables on the command line, as a place to play               (no I/O)
memory.py            what a bot remembers so that it plays on when it is started again          (no I/O)
memory_file.py       the file where it keeps that
run.py               the Trio loop that masters and bots run in: connect, log in, answer, reconnect
contract.py          what a contract test of a game is
check.py             contract tests that every game must pass: its rules, notation and bots
check_questions.py   contract test of what questions reveal: who is asked what, and when
check_pictures.py    contract tests of the pictures of a game
check_sketches.py    contract tests of its sketches
check_led.py         contract tests of a game that is led by the master
rehearsal.py         plays a game with the real master and bots over a simple broker, for check_led.py
match.py             plays bots against each other, and counts wins and time
gallery.py           pictures of a game of random moves, to look at while a renderer is written
golden.py            whole games as readable text, recorded and replayed
"""
