"""A module that a careless package might have behind its entry point."""

raise RuntimeError("cards are sold out")
