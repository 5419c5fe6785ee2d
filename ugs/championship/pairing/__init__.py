"""Who plays with whom, computed: the pairs of a round, the groups of games of three and more.

rounds.py        the games of a round robin and of a gauntlet, drawn up by places
swiss_round.py   one Swiss round, with all that its games depend on
swiss_pairs.py   one Swiss round of games of two: the pairings
swiss_groups.py  one Swiss round of games of three and more
groups.py        who plays with whom in games of three and more
cyclic.py        the same for very many entrants, without a search
matching.py      the largest set of pairs
"""
