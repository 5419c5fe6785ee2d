"""Championships on paper: the plan of one, and who plays whom, where and when. No wire, no clock, no chance.

plan.py          the plan file: Plan
ledger.py        what has happened in a championship, entry by entry
schedule.py      what every format can do: Schedule, Fixture
due_draws.py     what has to be drawn before a championship can go on, at once or elsewhere
formats.py       the table of formats, and ``make``, which makes the schedule of a plan
fixed.py         the base of formats whose games are all known beforehand
round_robin.py   format: all against all
gauntlet.py      format: one against all the others
rounds.py        the games of these two, drawn up by places
swiss.py         format: each round, players with about equal points meet
swiss_round.py   one Swiss round, with all that its games depend on
swiss_pairs.py   one Swiss round of games of two
swiss_groups.py  one Swiss round of games of three and more
knock_out.py     format: the loser of a match is out
bracket.py       the tree of matches of a knock-out
composite.py     the base of formats that are made of others
stages.py        format: one after the other, with those who came through
league.py        format: divisions, season after season
ladder.py        format: goes on and on, players of about equal strength meet
groups.py        who plays with whom in games of three and more
cyclic.py        the same for very many entrants, without a search
kept.py          drawn games as text, to be kept
seats.py         who sits where, so that all players sit in every seat equally often
assignment.py    the cheapest assignment of seats to players
matching.py      the largest set of pairs
balance.py       how fair a list of fixtures is
forecast.py      how many games, how fair, how long: a championship played through on paper
ledger_text.py   the ledger in words for people
tables/          what people see: brackets, cross tables, rounds by score
"""
