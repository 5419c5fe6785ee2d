"""Tables of championships, from ledgers that are played here."""
