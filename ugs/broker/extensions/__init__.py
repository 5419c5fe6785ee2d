"""The extensions of UGS v4, one module or folder each; a peer that has not asked for any notices nothing.

request.py      what an extension is: requests, hooks, timers
switchboard.py  finds the extensions, and takes in their messages

Every other module or folder here is an extension; its first sentence names the families of messages it is for.
An extension is found by its file: a module or folder here with an ``EXTENSION``. It keeps its data under keys of its
own (``state/extras.py``) and hears of what happens by facts (``facts.py``). None imports another one; the server runs
without any of them.
"""
