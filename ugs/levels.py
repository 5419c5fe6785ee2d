"""How severe a log line is: a word for settings and options, in a module that loads nothing."""

from typing import Literal, TypeAlias

LogLevel: TypeAlias = Literal["debug", "info", "warning", "error"]
