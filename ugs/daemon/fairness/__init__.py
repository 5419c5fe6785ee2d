"""No peer keeps another one waiting: turns, rates, and a watch on what holds the loop.

fair_queue.py  who is served next, so that no peer keeps another waiting
fairness.py    what there is once for a server
rates.py       how much a connection and an address may send in a time
steps.py       reports long steps of tasks to the watchdog
service_turns.py  a pass: turns for peers that have sent something
watchdog.py    counts and names the documents that hold the loop for too long
"""
