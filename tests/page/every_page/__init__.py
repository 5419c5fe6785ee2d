"""Every page with every kind of game, as people see it: ``python -m tests.page.every_page DIR``."""
