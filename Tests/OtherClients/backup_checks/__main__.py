"""Makes backups of a server under load, kills them, restores them, and compares.

    python3 Tests/OtherClients/backup_checks BIN-FOLDER [--only WORD] [--long] [--seed N]

Needs ffmpeg, which makes the music; what goes to remote places needs rclone, and is left out without. The rest is Python's
library, its own sqlite3 included. Written from deploy/backups.md.
"""
import argparse, importlib, pathlib, random, sys

FOLDER = pathlib.Path(__file__).resolve().parent
if __package__ in (None, ""):  # run by the folder's name: then Python looks for modules in here, not beside it
    sys.path[0] = str(FOLDER.parent)

import verdicts  # noqa: E402
from protocol_checks import helpers  # noqa: E402

CHAPTERS = ("commands", "restoring", "killed", "remote", "schedule", "migrating", "replication", "load")


def main():
    parser = argparse.ArgumentParser(prog="backup_checks", description="Makes backups of a Sona server of its own.")
    parser.add_argument("programs", type=pathlib.Path, help="the folder of sona and sonaload")
    parser.add_argument("--only", default="", help="only checks whose titles contain this")
    parser.add_argument("--long", action="store_true", help="also what takes minutes")
    parser.add_argument("--seed", type=int, help="of the moments of the kills; told at the end")
    given = parser.parse_args()
    from room_checks.server import MortalServer
    from backup_checks import stage
    helpers.CHECKS.clear()
    MortalServer.programs = stage.PROGRAMS = given.programs.resolve()
    stage.LONG = given.long
    stage.SEED = random.randrange(1 << 32) if given.seed is None else given.seed
    for chapter in CHAPTERS:
        importlib.import_module(f"backup_checks.{chapter}")
    checks = verdicts.chosen(parser.prog, helpers.CHECKS, given.only, given.long)
    report = verdicts.Report()
    try:
        stage.start()
        with stage.SERVER:
            stage.fill()
            verdicts.run(checks, helpers.outcome, report)
    finally:
        stage.stop()
    sys.exit(report.status())


if __name__ == "__main__":
    main()
