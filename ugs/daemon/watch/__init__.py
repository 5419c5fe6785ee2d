"""Spectators: they get what is published when there is time for it.

spectator_queue.py  one channel of spectators
spectators.py       what is published goes to many spectators, when there is time for it
"""
