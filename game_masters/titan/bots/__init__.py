"""Computer players for Titan.

captain.py       plays to win: what it answers to each question
planning.py      its splits, moves and musters
fighting.py      its maneuvers and strikes
talks.py         what it offers before a battle
marshal.py       plays better: it reckons where the captain has rules of thumb
campaign.py      its splits, moves and flights
odds.py          what it expects of legions, lands and strikes
random_legal.py  asks for anything that is allowed
match.py         lets bots play each other, and prints how that went
"""

from game_masters.kit.rules import Bot
from game_masters.titan.bots.captain import choose_as_captain
from game_masters.titan.bots.marshal import choose_as_marshal
from game_masters.titan.bots.random_legal import choose_random

BOTS = (
    Bot("captain", "splits sanely, recruits up, attacks the weaker, flees the stronger", choose_as_captain),
    Bot("random-legal", "asks for anything that is allowed", choose_random),
    Bot("marshal", "a captain that reckons what attacks, flights and musters are worth", choose_as_marshal),
)
