"""Looks after a server as an operator does: by sonactl at its socket, by its log and metrics, and by sona doctor.

    python3 Tests/OtherClients/operations_checks BIN-FOLDER [--only WORD]

Needs openssl, and promtool (Debian: prometheus), mandoc, fish and zsh; checks whose program is missing say so. Written from
deploy/README.md, log.md, music.md and monitoring/README.md.
"""
import argparse, importlib, pathlib, sys

FOLDER = pathlib.Path(__file__).resolve().parent
if __package__ in (None, ""):  # run by the folder's name: then Python looks for modules in here, not beside it
    sys.path[0] = str(FOLDER.parent)

import verdicts  # noqa: E402
from protocol_checks import helpers  # noqa: E402

CHAPTERS = ("manuals", "asking", "outside", "words", "doctor")


def main():
    parser = argparse.ArgumentParser(prog="operations_checks", description="Looks after a server as an operator does.")
    parser.add_argument("programs", type=pathlib.Path, help="the folder of sona, sonactl and sonaload")
    parser.add_argument("--only", default="", help="only checks whose titles contain this")
    given = parser.parse_args()
    from account_checks.server import Server
    from operations_checks import stage
    helpers.CHECKS.clear()
    Server.programs = given.programs.resolve()
    for chapter in CHAPTERS:
        importlib.import_module(f"operations_checks.{chapter}")
    checks = verdicts.chosen(parser.prog, helpers.CHECKS, given.only, False)
    report = verdicts.Report()
    stage.make()
    try:
        with stage.SERVER:
            verdicts.run(checks, helpers.outcome, report)
    finally:
        stage.clear()
    sys.exit(report.status())


if __name__ == "__main__":
    main()
