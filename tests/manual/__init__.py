"""The manual as a site: ``python -m tests.manual.build dist/docs``.

nav.py       which page is for whom
staging.py   pages of the repository where mkdocs finds them, with links that lead to each other
markdown.py  the dialect of GitHub as mkdocs reads it
commands.py  the help of every command, from the commands themselves
api.py       what the kit offers, from its docstrings
shim.js      lets the search work from a disk
build.py     all of it, and mkdocs
"""
