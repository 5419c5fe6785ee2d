"""Loads the renderers of all installed games as it is imported: for the process that drawing processes are copies of.

What is loaded there is loaded once. Nothing else may import this.
"""

from ugs.page.worker import exported_games as exported_games
from ugs.pictures.installed_renderers import installed

installed()
