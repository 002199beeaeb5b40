"""On a terminal: rooms, listen, chat."""
from __future__ import annotations

import argparse
import asyncio
import os
import sys

from . import ConnectionLost, RequestError, connect


async def rooms(given: argparse.Namespace) -> None:
    async with connect(given.url, token=given.token) as sona:
        found = await sona.request("room.search", query=given.query)
        for room in found["rooms"]:
            track = (room["track"] or {}).get("title") or "live"
            print(f"{room['id']}  {room['listeners']:>5}  {room['title']}" + (f"  ♪ {track}" if room["live"] else ""))


async def listen(given: argparse.Namespace) -> None:
    async with connect(given.url, token=given.token) as sona:
        room = await sona.enter(given.room, invite=given.invite, data_saver=given.data_saver)
        print(f"{room.info['title']}: {(room.track or {}).get('title') or 'silent'}", file=sys.stderr)
        if await room.record(given.output, given.seconds) is None:
            sys.exit("Nothing was heard.")


async def chat(given: argparse.Namespace) -> None:
    async with connect(given.url, token=given.token) as sona:
        room = await sona.enter(given.room, invite=given.invite, audio=False)
        events = sona.events()
        for message in room.chat:
            show(message)
        if given.say:
            await room.send(given.say)
            return
        async for event in events:
            if event["type"] == "chat.message":
                show(event["data"]["message"])


def show(message: dict) -> None:
    # Nothing that moves the cursor gets to the terminal.
    text = "".join(one for one in message["text"] if one.isprintable())
    print(f"{message['user']['username'] or 'Guest'}: {text}", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(prog="sona-client", description="A client of Sona, the social listening server.")
    parser.add_argument("--token", default=os.environ.get("SONA_TOKEN"), help="access token of an account; else a guest (SONA_TOKEN)")
    commands = parser.add_subparsers(required=True)

    def command(name, run, about):
        made = commands.add_parser(name, help=about, description=about)
        made.add_argument("url", help="https://HOST of the server")
        made.set_defaults(run=run)
        return made
    one = command("rooms", rooms, "Lists public rooms.")
    one.add_argument("query", nargs="?", default="", help="words to look for")
    for name, run, about in (("listen", listen, "Writes what is heard in a room as Ogg Opus."), ("chat", chat, "Follows the chat of a room.")):
        one = command(name, run, about)
        one.add_argument("room", help="identifier of the room, or @ and the name of a user")
        one.add_argument("--invite", help="code of an invite")
        if name == "listen":
            one.add_argument("output", help="file.opus")
            one.add_argument("--seconds", type=float, help="end after so long; else with the broadcast")
            one.add_argument("--data-saver", action="store_true", help="at a lower bit rate, if the room offers that")
        else:
            one.add_argument("--say", metavar="TEXT", help="write this, and end")
    given = parser.parse_args()
    try:
        asyncio.run(given.run(given))
    except KeyboardInterrupt:
        sys.exit(130)
    except (RequestError, ConnectionLost, OSError) as error:
        sys.exit(f"sona-client: {error}")


if __name__ == "__main__":
    main()
