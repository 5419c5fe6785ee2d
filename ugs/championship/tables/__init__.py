"""Championships as people look at them: what became of each game, brackets, cross tables, rounds by score: as
values for the page, as lines for a terminal.

scheduled_games.py  each game as far as it has come, from the ledger
match_trees.py      a knock-out: its matches with their scores, and who goes where
cross_tables.py     a round robin or a gauntlet: who got what against whom
score_groups.py     a Swiss: who met whom in each round, by points
stage_tables.py     stages: what each is, and who stands where in it
sections.py         which of these a championship has
table_text.py       all of them as lines for a terminal
tree_text.py        a knock-out as a bracket of lines
"""
