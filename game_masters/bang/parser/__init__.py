"""The XML of KBang's protocol, read and written.

actions.py  moves as XML
writing.py  events and snapshots as XML
reading.py  events and snapshots out of XML
"""
