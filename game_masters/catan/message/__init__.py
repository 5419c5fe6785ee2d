"""The messages of JSettlers, as values, as text of a log and as XML.

message.py         what a message is
messages.py        the messages
gain_messages.py   those that list something for each seat
board_messages.py  those that describe the board
vocabulary.py      the numbers of the wire
bundles.py         resources by the handful
forms.py           how values in messages are written
element.py         what that needs of XML
coding.py          messages as text and as XML
events.py          messages with their audience
standing.py        what a player wants from now on
"""
