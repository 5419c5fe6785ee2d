"""Fuzzing: bytes that a machine makes up, judged by what must hold for any bytes.

targets.py    the table of all targets: what is fed, what it may never do, what it starts from
wires.py      bytes of a stream: framer and codec, each against a second way and an independent reader
clients.py    texts of clients of the gateway: its reader against a simple one, and whole conversations
plainly.py    the simple reader
talks.py      bytes of several peers into one broker, and what the broker sends back as bytes
lives.py      whole sessions: the state machines of the broker's tests, one of them with bytes and tokens
drive.py      one target under atheris, which looks for bytes that reach new code
plain.py      without atheris: bytes changed by a seeded source of chance
cost.py       a fuzzer for cost: inputs of which a byte costs the more, the longer they are (`make fuzz-cost`)
work.py       what it counts: lines, steps of regular expressions, bytes unpacked; the same on every machine
crowds.py     what it feeds: one stream, one client's request, a conversation of many peers and the page
growth.py     the same for servers full of others: scenes are doubled until one message in them is too dear
scenes.py     what there is in a scene, and its broker, whose turns are counted
dear.py       the messages, one of each kind, and how dear each may be
corpus/       where a target starts: a few inputs each, what was found among them

`python -m tests.fuzz --minutes 20` runs all targets (`make fuzz`), each a process; `make test` feeds every target its
corpus and a few changed inputs, and lets atheris look for a moment. A find is a file beside the corpus: it is mended,
and stays there as a regression test.
"""
