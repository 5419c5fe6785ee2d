"""Timers, and what they count: only time when a peer could act.

timer_deferral.py        a timer waits until the bytes of the peer that it judges are handled
timers.py                named timers
timers_after_sending.py  timers that count from when a peer has been handed its messages
wall_clock.py            what the clock on the wall shows, and showed before it was set
wire_credit.py           for how long a clock may stand still meanwhile
"""
