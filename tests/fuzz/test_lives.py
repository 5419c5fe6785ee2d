"""Whole sessions with bytes and tokens, as Hypothesis chooses them."""

from tests.fuzz.lives import USUAL, WholeSessions

TestWholeSessions = WholeSessions.TestCase
TestWholeSessions.settings = USUAL
