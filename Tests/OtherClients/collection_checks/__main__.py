"""Submits, decides, collects and is told, on a server of its own.

    python3 Tests/OtherClients/collection_checks BIN-FOLDER [--only WORD] [--slow] [--seed N]

Needs Python's library alone. Written from Protocol/spec.
"""
import argparse, importlib, pathlib, random, sys

FOLDER = pathlib.Path(__file__).resolve().parent
if __package__ in (None, ""):  # run by the folder's name: then Python looks for modules in here, not beside it
    sys.path[0] = str(FOLDER.parent)

import verdicts  # noqa: E402
from protocol_checks import helpers  # noqa: E402

CHAPTERS = ("notifications", "submissions", "sharing", "plans")


def main():
    parser = argparse.ArgumentParser(prog="collection_checks", description="Collects music on a Sona server of its own.")
    parser.add_argument("programs", type=pathlib.Path, help="the folder of sona")
    parser.add_argument("--only", default="", help="only checks whose titles contain this")
    parser.add_argument("--slow", action="store_true", help="with a thousand submissions")
    parser.add_argument("--seed", type=int, help="of what is decided; told when something fails")
    given = parser.parse_args()
    from room_checks.server import MortalServer
    from collection_checks import stage
    helpers.CHECKS.clear()
    MortalServer.programs = given.programs.resolve()
    stage.PROGRAMS, stage.IS_SLOW = given.programs.resolve(), given.slow
    stage.SEED = random.randrange(1 << 32) if given.seed is None else given.seed
    for chapter in CHAPTERS:
        importlib.import_module(f"collection_checks.{chapter}")
    checks = verdicts.chosen(parser.prog, helpers.CHECKS, given.only, given.slow)
    report = verdicts.Report()
    stage.SERVER = MortalServer("--exempt", "127.0.0.1", "--account-budgets", "100")
    try:
        with stage.SERVER:
            verdicts.run(checks, helpers.outcome, report)
    finally:
        stage.SERVER.stop()
    sys.exit(report.status())


if __name__ == "__main__":
    main()
