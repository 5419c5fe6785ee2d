"""Game masters in other languages, which draw their games with sketches: programs for tests.

nim.c        Nim in C
reversi.go   Reversi in Go

Connect Four in JavaScript and in Go are examples for people: ``examples/kits/master``.
"""
