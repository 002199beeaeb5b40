"""Holds a server of its own to what Protocol/spec/ says of rooms full of people, and of their queue.

    PYTHON Tests/OtherClients/party_checks BIN-FOLDER [--slow] [--only WORD] [--seed NUMBER]

Needs jsonschema: every text message in either direction is held against Protocol/schema/ by it. What happens at
random happens so again with the same seed.
"""
import argparse, importlib, pathlib, random, sys

FOLDER = pathlib.Path(__file__).resolve().parent
if __package__ in (None, ""):  # run by the folder's name: then Python looks for modules in here, not beside it
    sys.path[0] = str(FOLDER.parent)

import verdicts  # noqa: E402
from protocol_checks import helpers  # noqa: E402

CHAPTERS = ("five_rooms", "killed", "refused", "suggesting", "deciding", "order", "going_on", "telling", "walk",
            "noticed")

# What the server does not keep yet. A check is taken off this list when it holds.
OPEN = ()


def main():
    parser = argparse.ArgumentParser(prog="party_checks", description="Checks parties on a Sona server of its own.")
    parser.add_argument("programs", type=pathlib.Path, help="the folder of sona")
    parser.add_argument("--only", default="", help="only checks whose titles contain this")
    parser.add_argument("--slow", action="store_true", help="also those that take a minute; more of the others")
    parser.add_argument("--seed", type=int, default=random.randrange(10**6), help="of what happens at random")
    given = parser.parse_args()
    from party_checks import schemas, stage
    from room_checks import party
    from room_checks.server import MortalServer
    for helper in ("doors", "seat", "restart"):
        importlib.import_module(f"room_checks.{helper}")
    helpers.CHECKS.clear()  # those of rooms are asked by a program of their own
    schemas.watch_everything()
    MortalServer.programs = given.programs.resolve()
    stage.SEED, stage.SLOW = given.seed, given.slow
    print(f"seed {given.seed}", flush=True)
    for chapter in CHAPTERS:
        importlib.import_module(f"party_checks.{chapter}")
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
