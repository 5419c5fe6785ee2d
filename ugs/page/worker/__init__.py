"""The page in a worker process: reads the journal, computes, draws, writes HTML and JSON.

answers.py           what it can be asked: a table
championships.py     championships
charts.py            charts
site_files.py        its files, each whole or not there
export.py            the pages of a journal as files
kept_drawings.py     games that an earlier copy of the site has drawn
exported_games.py    the games among them, each with its record and its positions
drawing_processes.py processes that draw several of them at a time
all_renderers.py     what these load
games.py             games: as they run, as they were
live_views.py        the running server's facts
move_times.py        how long players have taken for their moves
my_games.py          the games of one player, as it saw them
openapi.py           the description of the API
packed_positions.py  the positions of a game as one script for them
players.py           players
process.py           the process
replays.py           games that have ended, position by position
public_journal.py    the public part of the journal
puzzles.py           puzzles of installed games
standings.py         standings
standings_cache.py   standings, computed in a thread and kept
page_views.py        one function for each page: from journal and facts to values; the table of them
"""
