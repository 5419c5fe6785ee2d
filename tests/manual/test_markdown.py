"""Pages as mkdocs reads them."""

import pytest

from tests.manual.markdown import for_mkdocs


@pytest.mark.parametrize(
    ("page", "wanted"),
    [
        ("text:\n- one\n- two\n", "text:\n\n- one\n- two\n"),
        ("text:\n| a |\n|---|\n", "text:\n\n| a |\n|---|\n"),
        ("1. one\n   - inner\n     more\n", "1. one\n    - inner\n        more\n"),
        ("- one\n\n  ```sh\n  a\n    b\n  ```\n- two\n", "- one\n\n    ```sh\n    a\n      b\n    ```\n- two\n"),
        ("```\n- not a list\n  | nor a table |\n```\n", "```\n- not a list\n  | nor a table |\n```\n"),
        ("- one\n\ntext\n\n    code\n", "- one\n\ntext\n\n    code\n"),
    ],
)
def test_lists_and_tables_are_as_mkdocs_wants_them(page: str, wanted: str) -> None:
    assert for_mkdocs(page) == wanted
