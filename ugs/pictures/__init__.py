"""Pictures of games: as SVG, on the terminal, in words; and what a player may do, so that it can be clicked.

contract.py   what a game brings: a renderer, that is a function from what travels to pictures   (no I/O)
installed_renderers.py  what installed games bring: renderers, explanations of their options
album.py      the pictures of one game, and the tree where its renderer fails
tree.py       a state as a tree of its elements, with what has changed                           (no I/O)
sketched/     pictures of positions that a master has described                                  (no I/O)
recorded.py   the pictures of a recorded game                                                    (no I/O)
remark_marks.py   pictures with the marks of remarks on them                         (no I/O)
winners.py    who has won, by a gameOver                                                        (no I/O)
words_once.py   words of a picture, worked out once                              (no I/O)
clicks.py     whether a move is one click, or several in turn
svg.py        writing SVG that may stand on any page, with hostile texts in it                   (no I/O)
paint.py      the colours, in light and dark
lettering.py  texts of others in a given width
terminal.py   pictures on a terminal, with colours where it has them
"""
