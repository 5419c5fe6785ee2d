"""The cards and the characters of the game.

playing_cards.py  the 80 cards
characters.py     the 16 characters
"""
