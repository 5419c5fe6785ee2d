"""The distributions that ``make dist`` builds out of this repository.

parts.py   which file belongs to which wheel
project.py  what each of them says of itself, made of ``pyproject.toml``
bill.py    its bill of materials, as CycloneDX
build.py   ``python -m tests.wheels.build DIR``
"""
