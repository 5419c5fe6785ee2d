"""Championships on paper: the plan of one, and who plays whom, where and when. No wire, no clock, no chance.

plan.py          the plan file: Plan
format_words.py  the format in words for people
used_keys.py     which formats use a key of a plan
ledger.py        what has happened in a championship, entry by entry
due_draws.py     what has to be drawn before a championship can go on, at once or elsewhere
formats/         round robin, Swiss, knock-out, ladder and the others: who meets whom next
pairing/         the games of a round: pairs, groups, rounds drawn up by places
drawn_games.py   drawn games as text, to be kept in the ledger
seats.py         who sits where, so that all players sit in every seat equally often
assignment.py    the cheapest assignment of seats to players
balance.py       how fair a list of fixtures is
forecast.py      how many games, how fair, how long: a championship played through on paper
ledger_text.py   the ledger in words for people
point_sums.py    points, added
tiebreaks.py     the order among players with equal points
tables/          what people see: brackets, cross tables, rounds by score
"""
