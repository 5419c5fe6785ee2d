"""The description of the API, made from the table of pages and the types of what they show."""

from typing import Any, Final, get_type_hints

import msgspec

from ugs import __version__
from ugs.page.pages import MAX_NUMBER, MAX_TEXT, PAGES, Page, Param
from ugs.page.worker.page_views import VIEWS

ERROR: Final = {
    "type": "object",
    "properties": {"error": {"type": "string", "description": "what is wrong, for people"}},
    "required": ["error"],
}
REFUSALS: Final = {
    "400": "the query is wrong: an unknown, repeated, missing or wrong parameter",
    "404": "there is nothing of that name",
    "503": "it cannot be answered at present: nothing is kept, too much is being asked, or it is still being computed",
}


def document() -> dict[str, Any]:
    """The whole document, as OpenAPI 3.1."""
    schemas: dict[str, Any] = {"Error": ERROR}
    paths: dict[str, Any] = {}
    for page in PAGES:
        name = _schema_of(page, schemas)
        paths[page.api] = {"get": _operation(page, page.name, {"application/json": {"schema": _ref(name)}})}
        if page.table:
            table = {"text/csv": {"schema": {"type": "string"}}}
            paths[page.api + ".csv"] = {"get": _operation(page, f"{page.name}_csv", table)}
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Universal game server",
            "version": __version__,
            "description": "What the pages of this server show, as JSON. Times are seconds since 1970 (UTC).",
        },
        "servers": [{"url": "/"}],
        "paths": paths,
        "components": {"schemas": schemas},
    }


def _schema_of(page: Page, schemas: dict[str, Any]) -> str:
    """Add what a page shows to the schemas; its name there."""
    shown = get_type_hints(VIEWS[page.name])["return"]
    _, found = msgspec.json.schema_components([shown], ref_template="#/components/schemas/{name}")
    schemas |= found
    return str(shown.__name__)


def _operation(page: Page, name: str, content: dict[str, Any]) -> dict[str, Any]:
    answers: dict[str, Any] = {"200": {"description": page.summary, "content": content}}
    for status, about in REFUSALS.items():
        answers[status] = {"description": about, "content": {"application/json": {"schema": _ref("Error")}}}
    answers["304"] = {"description": "the same as the client has (If-None-Match)"}
    return {
        "operationId": name,
        "summary": page.summary,
        "parameters": [_parameter(param) for param in page.params],
        "responses": answers,
    }


def _parameter(param: Param) -> dict[str, Any]:
    schema: dict[str, Any] = {"type": "string", "minLength": 1, "maxLength": MAX_TEXT}
    if param.number:
        schema = {"type": "integer", "minimum": 0, "maximum": MAX_NUMBER - 1}
    elif param.choices:
        schema = {"type": "string", "enum": list(param.choices)}
    return {"name": param.name, "in": "query", "required": param.required, "description": param.about, "schema": schema}


def _ref(name: str) -> dict[str, str]:
    return {"$ref": f"#/components/schemas/{name}"}
