"""The memory that is held for peers and games: added up, and given back when it is too much.

growth.py          how much more it may be by now, without a look at any holder
holders.py         who holds it: what a look at each finds, and how it is freed
memory.py          all of it put together
memory_account.py  the memory that is held for peers and games, added up in slices
shedding.py        the limits of what is held, and who has to go when it is too much
"""
