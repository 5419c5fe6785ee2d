"""ugs as a package of Debian, and as an image: ``python -m tests.debian.build dist``.

man.py      manual pages, from the commands themselves
tree.py     the files of the package, with the interpreter's environment that it brings
scripts.py  what dpkg runs
build.py    the package
image.py    an image of the same files: ``conf/Containerfile``
"""
