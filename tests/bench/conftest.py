from tests.journal.postgresql.conftest import shared_database, url

__all__ = ["shared_database", "url"]
