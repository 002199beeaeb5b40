"""Asks a server of its own who may do what in a room, line by line of a table, and who is told of it.

    python3 Tests/OtherClients/rights_checks BIN-FOLDER [--only WORD]

Nothing but Python's library. The tables are written by hand from Protocol/spec/, and never from the server.
"""
import argparse, importlib, pathlib, sys

FOLDER = pathlib.Path(__file__).resolve().parent
if __package__ in (None, ""):  # run by the folder's name: then Python looks for modules in here, not beside it
    sys.path[0] = str(FOLDER.parent)

import verdicts  # noqa: E402
from protocol_checks import helpers  # noqa: E402

CHAPTERS = ("walking", "ranks", "telling", "codes")


def main():
    parser = argparse.ArgumentParser(prog="rights_checks", description="Checks rights on a Sona server of its own.")
    parser.add_argument("programs", type=pathlib.Path, help="the folder of sona")
    parser.add_argument("--only", default="", help="only checks whose titles contain this")
    given = parser.parse_args()
    from room_checks import party
    from room_checks.server import MortalServer
    from party_checks import stage  # noqa: F401  it brings the checks of other folders, which are asked there
    helpers.CHECKS.clear()
    MortalServer.programs = given.programs.resolve()
    for chapter in CHAPTERS:
        importlib.import_module(f"rights_checks.{chapter}")
    checks = verdicts.chosen(parser.prog, helpers.CHECKS, given.only)
    report = verdicts.Report()
    server = MortalServer("--exempt", "127.0.0.1", "--account-budgets", "100")
    try:
        with server:
            party.SERVER = server
            verdicts.run(checks, helpers.outcome, report, party.judge(server))
    finally:
        server.stop()
    print("{requests} requests, {replies} replies, {events} events looked at".format(**party.COUNTS))
    sys.exit(report.status())


if __name__ == "__main__":
    main()
