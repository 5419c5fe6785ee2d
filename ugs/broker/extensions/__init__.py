"""The extensions of UGS v4, one module or folder each; peers that have not asked for any notice nothing.

request.py      what an extension is: requests, hooks, timers
switchboard.py  finds the extensions, and takes in their messages

Every other module or folder here is an extension; its first sentence names the families of messages it is for. An
extension is found by its file: a module or folder here with an ``EXTENSION``. It keeps its data under its own keys
(``state/extras.py``) and reacts to facts (``facts.py``). Extensions do not import each other; the server runs without
any of them.
"""
