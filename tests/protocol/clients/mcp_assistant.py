"""The official Python SDK of the Model Context Protocol uses our tools as an assistant does.

Usage: mcp_assistant.py RECORD ENGINE [ARGUMENT…]  (with `mcp` on PYTHONPATH)
Prints one JSON object: what the SDK made of the answers, each checked by it against the tool's own schema.
"""

import asyncio
import json
import os
import sys

from mcp import ClientSession, StdioServerParameters, stdio_client


async def main():
    record, command, *arguments = sys.argv[1:]
    with open(record, encoding="utf-8") as file:
        sgf = file.read()
    parameters = StdioServerParameters(command=command, args=arguments, env=dict(os.environ))
    async with stdio_client(parameters) as (reader, writer), ClientSession(reader, writer) as session:
        started = await session.initialize()
        found = {"server": started.server_info.name, "instructions": started.instructions or ""}
        tools = (await session.list_tools()).tools
        found["tools"] = {
            tool.name: [bool(tool.description), tool.input_schema["type"], bool(tool.output_schema)] for tool in tools
        }

        async def use(name, **values):
            answer = await session.call_tool(name, values)
            return {"failure": answer.content[0].text} if answer.is_error else answer.structured_content

        found["shown"] = await use("show_position", moves=["D4", "C3"], size=9)
        found["analysed"] = await use("analyze_position", moves=["D4", "F6"], size=9, visits=20, ownership=True)
        found["saved"] = await use("save_game", sgf=sgf)
        found["listed"] = await use("search_library", player="Shusaku")
        found["game"] = await use("get_game", id=found["saved"]["id"])
        found["position"] = await use("find_position", sgf=sgf, after=1)
        found["reviewed"] = await use("review_game", sgf="(;SZ[5]KM[7.5];B[cc];W[aa];B[bb])", visits=4)
        found["figures"] = await use("library_figures")
        found["odd"] = [
            await use("show_position", moves=["D4", "D4"], size=9),
            await use("show_position", size=0),
            await use("analyze_position", moves=[], size=9, visits=-1),
            await use("get_game", id="'; drop table games"),
        ]
        print(json.dumps(found))


asyncio.run(main())
