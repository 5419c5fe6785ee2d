"""What players and server can send, as values.

words.py   the words of the protocol: states, pockets, roles, reasons
moves.py   what players may do
events.py  what happens, as the protocol has it, and who may see what of it
"""
