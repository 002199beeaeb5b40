"""Asks a server of its own whether rooms are as Protocol/spec/ says: who gets in, who may do what, who is told.

    python3 Tests/OtherClients/room_checks BIN-FOLDER [--only WORD] [--slow]

Nothing but Python's library. A recorder at every connection validates each message in both directions against
Protocol/schema/, counts the events of its room and its own without a gap, and compares them with what others in the
room got. What it notes in the meantime fails the check that runs.
"""
import argparse, importlib, pathlib, sys

FOLDER = pathlib.Path(__file__).resolve().parent
if __package__ in (None, ""):  # run by the folder's name: then Python looks for modules in here, not beside it
    sys.path[0] = str(FOLDER.parent)

import verdicts  # noqa: E402
from protocol_checks import helpers  # noqa: E402

CHAPTERS = ("doors", "waiting", "seat", "talk", "order", "standings", "attacks", "evening", "restart", "recorder")

# What the server does not keep yet. A check is taken off this list when it holds.
OPEN = ()


def main():
    parser = argparse.ArgumentParser(prog="room_checks", description="Checks rooms on a Sona server of its own.")
    parser.add_argument("programs", type=pathlib.Path, help="the folder of sona")
    parser.add_argument("--only", default="", help="only checks whose titles contain this")
    parser.add_argument("--slow", action="store_true", help="also those that take a minute")
    given = parser.parse_args()
    from room_checks import party
    from room_checks.server import MortalServer
    MortalServer.programs = given.programs.resolve()
    for chapter in CHAPTERS:
        importlib.import_module(f"room_checks.{chapter}")
    checks = verdicts.chosen(parser.prog, helpers.CHECKS, given.only, given.slow)
    report = verdicts.Report()
    server = MortalServer("--exempt", "127.0.0.1", "--account-budgets", "100")
    try:
        with server:
            party.SERVER = server
            verdicts.run(checks, helpers.outcome, report, party.judge(server, OPEN))
    finally:
        server.stop()
    print("{requests} requests, {replies} replies, {events} events looked at".format(**party.COUNTS))
    sys.exit(report.status())


if __name__ == "__main__":
    main()
