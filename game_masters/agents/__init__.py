"""A door for agents: programs that call tools of the Model Context Protocol (MCP) play here, as players like any other.

agent_seat.py  one agent at a server: what it was shown, its offers, its moves
accounts.py    what tools answer: games, rules and positions in words
tools.py       the tools, and who may use which seat                                 (``ugs[mcp]``)
arguments.py   what is wrong with their arguments, in a sentence                     (``ugs[mcp]``)
mounted.py     the tools over HTTP, in the page of a server                          (``ugs[mcp]``)
stdio.py       the tools over standard input and output                              (``ugs[mcp]``)

To the server each seat is a connection with a nick and, where nicks have one, its token. Clocks, budgets and verdicts
are those of every player.
"""
