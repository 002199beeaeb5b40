"""Asks servers of its own whether strangers, their connections and their proxies are dealt with as deploy/README.md says.

    python3 Tests/OtherClients/edge_checks BIN-FOLDER [--only WORD] [--slow]

Needs Python's library, `openssl`, and Debian's nginx, caddy and haproxy, which run as ordinary programs on free ports.
"""
import argparse, importlib, pathlib, sys

FOLDER = pathlib.Path(__file__).resolve().parent
if __package__ in (None, ""):  # run by the folder's name: then Python looks for modules in here, not beside it
    sys.path[0] = str(FOLDER.parent)

import verdicts  # noqa: E402
from protocol_checks import helpers  # noqa: E402

CHAPTERS = ("gate", "cookies", "descriptors", "frames", "hangups", "proxies", "unread", "large")


def main():
    parser = argparse.ArgumentParser(prog="edge_checks", description="Checks the edge of Sona servers of its own.")
    parser.add_argument("programs", type=pathlib.Path, help="the folder of sona and sonaload")
    parser.add_argument("--only", default="", help="only checks whose titles contain this")
    parser.add_argument("--slow", action="store_true", help="more of what takes its time")
    given = parser.parse_args()
    from account_checks.server import Server
    from edge_checks import stage
    Server.programs = given.programs.resolve()
    stage.slow = given.slow
    for chapter in CHAPTERS:
        importlib.import_module(f"edge_checks.{chapter}")
    report = verdicts.Report()
    verdicts.run(verdicts.chosen(parser.prog, helpers.CHECKS, given.only, given.slow), helpers.outcome, report)
    sys.exit(report.status())


if __name__ == "__main__":
    main()
