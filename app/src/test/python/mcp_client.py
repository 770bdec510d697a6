"""Talks to ``leakline mcp`` with the client of the protocol's own SDK: mcp_client.py ROOT RECORDING COMMAND..."""

import asyncio
import json
import pathlib
import sys
import time

import mcp
import mcp_types as types
from mcp import Client, StdioServerParameters

MOST = 1500


async def talk(mode, root, recording, command):
    asked = []

    async def roots(_context):
        asked.append("roots")
        return types.ListRootsResult(roots=[types.Root(uri=pathlib.Path(root).as_uri())])

    async def person(_context, params):
        asked.append(params.message)
        return types.ElicitResult(action="decline")

    start = time.monotonic()
    server = StdioServerParameters(command=command[0], args=command[1:])
    async with Client(server, mode=mode, list_roots_callback=roots, elicitation_callback=person) as client:
        tools = (await client.list_tools()).tools
        answered = time.monotonic() - start
        names = [tool.name for tool in tools]
        assert len(names) <= 6, names
        for tool in tools:
            assert tool.annotations.read_only_hint is (tool.name != "leakline_attach"), tool

        async def call(name, **arguments):
            result = await client.call_tool(name, arguments)
            [content] = result.content
            assert len(content.text.encode()) <= MOST, content.text
            return content.text, result.is_error

        text, failed = await call("leakline_report", paths=[recording])
        assert not failed, text
        brief = json.loads(text)
        assert brief["verdict"] == "leak" and brief["next"].startswith("leakline "), brief
        text, failed = await call("leakline_detail", paths=[recording], part=brief["finding"]["id"])
        assert not failed and json.loads(text)["rows"], text
        text, failed = await call("leakline_report", paths=["/etc/hostname"])
        assert failed and "outside of the roots" in text, text
        text, failed = await call("leakline_attach", pid=1)
        assert failed and "refused" in text, text
        assert "roots" in asked and any("process 1" in each for each in asked), asked
    return round(answered, 2)


async def main():
    root, recording, *command = sys.argv[1:]
    print({mode: await talk(mode, root, recording, command) for mode in ("auto", "legacy")}, mcp.__name__)


asyncio.run(main())
