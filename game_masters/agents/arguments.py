"""The arguments of tools: what options may be, and a sentence for those that are wrong."""

from collections.abc import Mapping
from typing import Any, Final, TypeAlias

from mcp.server.mcpserver import Context, MCPServer
from mcp.server.mcpserver.exceptions import ToolError
from mcp.types import CallToolResult, InputRequiredResult
from pydantic import ValidationError

from ugs.printable import shortened, unknown

OptionValue: TypeAlias = str | bool | int | float
"""The value of an option: models write ``3`` and ``true`` as often as texts."""
WANTED: Final[Mapping[str, str]] = {
    "options": "wanted: an object of names and values, each a text, a number, true or false",
    "move": "wanted: the number of a move, or a text",
}
"""What is wanted of these arguments."""
BY_FAULT: Final[Mapping[str, str]] = {
    "missing": "is missing",
    "string_type": "wanted: a text",
    "float_type": "wanted: a number",
    "float_parsing": "wanted: a number",
}
"""What is wanted of any other one, by the fault that the package finds."""


class AgentServer(MCPServer[Any]):
    """An MCP server that says in a sentence which argument of a tool is wrong."""

    async def call_tool(
        self, name: str, arguments: dict[str, Any], context: Context[Any, Any] | None = None
    ) -> CallToolResult | InputRequiredResult:
        """As the package does, but only with arguments that the tool knows. Raises ToolError; its text begins with the
        name of the tool."""
        tool = self._tool_manager.get_tool(name)
        if tool is None:
            there = [one.name for one in self._tool_manager.list_tools()]
            raise ToolError(unknown("tool", shortened(name), there))
        known = list(tool.parameters.get("properties", {}))
        strange = next((one for one in arguments if one not in known), None)
        if strange is not None:
            raise ToolError(f"{name}: {unknown('argument', shortened(strange), known)}")
        try:
            return await super().call_tool(name, arguments, context)
        except ToolError as error:
            cause = error.__cause__
            if isinstance(cause, ValidationError):
                # The package's own text is a dump of its types, with what was written.
                raise ToolError(f"{name}: {_fault(cause)}") from cause
            if isinstance(cause, ToolError):
                raise ToolError(f"{name}: {cause}") from cause
            raise


def option_texts(options: Mapping[str, OptionValue]) -> Mapping[str, str]:
    """Return options as the texts that games read."""
    return {name: _text(value) for name, value in options.items()}


def _text(value: OptionValue) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    # Some clients write all numbers with a point.
    return str(int(value)) if isinstance(value, float) and value.is_integer() else str(value)


def _fault(error: ValidationError) -> str:
    """Return a sentence about the first wrong argument."""
    first = error.errors(include_url=False, include_context=False, include_input=False)[0]
    name = str(first["loc"][0]) if first["loc"] else "arguments"
    wanted = WANTED.get(name) if first["type"] != "missing" else None
    return f"{name}: {wanted or BY_FAULT.get(first['type'], first['msg'])}"
