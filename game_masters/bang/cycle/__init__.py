"""The rules: turns, cards and what follows from them.

legality.py  which moves are allowed, and why others are not
acting.py    legal moves carried out
turns.py     turns begin, cards are drawn, turns end
plays.py     what cards do
answers.py   what players answer when they are asked
checks.py    cards that are turned: Dynamite, Jail, Barrel
harm.py      life points lost, last saves, eliminations, the end
"""
