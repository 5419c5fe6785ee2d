"""The process of the server, its tasks, and the processes that it starts.

pairing_worker.py  what that process does
pairing_draws.py   draws of championships, in a process of their own
life_signs.py      signs of life for the service manager
garbage.py         looks for old garbage in quiet moments
process.py         open files, the garbage collector, which signals stop a server
supervision.py     tasks that fail begin again, or end the server where games are at stake
"""
