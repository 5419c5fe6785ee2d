"""The formats of championships: one schedule each, which says who meets whom next.

format_contract.py  what every format can do: Schedule, Fixture
format_table.py  the table of formats, and ``make``, which makes the schedule of a plan
fixed.py         the base of formats whose games are all known beforehand
round_robin.py   format: all against all
gauntlet.py      format: one against all the others
swiss.py         format: each round, players with about equal points meet
knock_out.py     format: the loser of a match is out
bracket.py       the tree of matches of a knock-out
composite.py     the base of formats that are made of others
stages.py        format: one after the other, with those who came through
league.py        format: divisions, season after season
ladder.py        format: goes on and on, players of about equal strength meet
"""
