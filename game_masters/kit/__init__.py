"""What every game master and every bot shares; the map is in :mod:`game_masters`."""
