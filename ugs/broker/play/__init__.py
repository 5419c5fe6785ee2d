"""A game from its begin to the last thank you.

wrong_messages.py  answers to peers that sent something wrong
errors_per_minute.py  the limit of wrong messages, beyond it the connection is closed
dismissals.py      peers whose connections the server closes, with the reason
beginning.py       how a game begins: who sits where, and the master's beginGame
budgets.py         how long players have for all their moves
endings.py         how games end: what is recorded, what is announced, and when
faults.py          faults of players in a row
intake.py          messages of masters and players about games: checked, then looked up in life.py
leaving.py         players who go out of a running game
peer_errors.py     errors that peers report
timeouts.py        the clock of a game has run out: one rule for each phase
reasons.py         why a game ends or a player has to go, in the words of its master
record_entries.py  records the entries of games
refused_moves.py   what follows from moves that a master has refused
return_to_seat.py  players who take their seat again after leaving
server_restart.py  running games after the server itself was lost
showing.py         sends states of masters to players
sketching.py       how positions look in the words of their master
takeover.py        another master for a game
thanks.py          the answer that a player owes after a game
turns.py           whose turn it is
move_clock.py      the clock of a move: started, stopped, how long it runs
"""
