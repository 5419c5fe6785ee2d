"""What stands in the way of a server on this machine, and what to do about it, before it starts.

    diagnosis.py       what was found: subject, grade, what to do
    machine_checks.py  Python, packages, open files, clock
    folder_checks.py   the data directory: disk, rights, journal
    port_checks.py     whether the ports are free
    secret_checks.py   files of TLS and of tokens, and who may come in
    game_checks.py     the installed games, and those that the settings name
    examination.py     a configuration, and all checks in order

Each check is a function that judges values; what reads them from the machine stands beside it. Nothing is changed.
"""
