"""The JSON side of Apologies."""
