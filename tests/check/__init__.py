"""Tests of ``ugs.check``: cases, and programs that are right or broken on purpose."""
