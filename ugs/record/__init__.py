"""A recorded game: its values, its text formats, and its description in words.

game.py            the values: GameRecord and its entries
ugsg.py            the text format for people; exact, and strict when read
jsonl.py           the text format for programs; exact and strict, too
ledgers.py         ledgers of championships in it
size_limits.py     how large a game, and a line, may be that is read from a file
strict_json.py     JSON of others, refused with the reason where it is a trap
files.py           reading and writing files in either format
tags.py            the head of the text for people
escapes.py         text and bytes inside one printable line
times.py           times as text
validation.py      what every record must fulfil so that it can be written
written_games.py   games in the file formats of other programs
views.py           what each player was shown, and the public view
response_times.py  how long players and masters took to answer
narration.py       a record in words
"""
