"""The game Apologies."""
