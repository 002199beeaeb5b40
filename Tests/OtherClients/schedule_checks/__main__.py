"""Runs a week of schedules on a moved clock, with both changes of clocks, and kills the server when something begins.

    python3 Tests/OtherClients/schedule_checks BIN-FOLDER [--only WORD]

Needs ffmpeg, which makes the music, libfaketime, which moves the clock of the server, and Python's library. Written from
Protocol/spec/schedules.md.
"""
import argparse, importlib, pathlib, sys

FOLDER = pathlib.Path(__file__).resolve().parent
if __package__ in (None, ""):  # run by the folder's name: then Python looks for modules in here, not beside it
    sys.path[0] = str(FOLDER.parent)

import verdicts  # noqa: E402
from protocol_checks import helpers  # noqa: E402

CHAPTERS = ("weeks", "running", "djs", "killed", "calendars")


def main():
    parser = argparse.ArgumentParser(prog="schedule_checks", description="Runs schedules on a moved clock.")
    parser.add_argument("programs", type=pathlib.Path, help="the folder of sona and sonactl")
    parser.add_argument("--only", default="", help="only checks whose titles contain this")
    given = parser.parse_args()
    from room_checks.server import MortalServer
    from schedule_checks import stage
    helpers.CHECKS.clear()
    MortalServer.programs = stage.PROGRAMS = given.programs.resolve()
    for chapter in CHAPTERS:
        importlib.import_module(f"schedule_checks.{chapter}")
    checks = verdicts.chosen(parser.prog, helpers.CHECKS, given.only, False)
    report = verdicts.Report()
    try:
        stage.start()
        with stage.SERVER:
            verdicts.run(checks, helpers.outcome, report)
    finally:
        stage.stop()
    sys.exit(report.status())


if __name__ == "__main__":
    main()
