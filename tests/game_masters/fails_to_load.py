"""A module that a careless package might name as its entry point."""

raise RuntimeError("cards are sold out")
