"""Uploads music to a server of its own, by tus and by PUT, and kills the server meanwhile.

    python3 Tests/OtherClients/upload_checks BIN-FOLDER [--only WORD] [--slow] [--kills N] [--seed N]

The client of tus is somebody else's: tuspy, of PyPI. The rest is Python's library. Written from Protocol/spec/uploads.md.
"""
import argparse, importlib, pathlib, random, sys

FOLDER = pathlib.Path(__file__).resolve().parent
if __package__ in (None, ""):  # run by the folder's name: then Python looks for modules in here, not beside it
    sys.path[0] = str(FOLDER.parent)

import verdicts  # noqa: E402
from protocol_checks import helpers  # noqa: E402

CHAPTERS = ("resumable", "plain", "limits", "full_disk", "killed", "commands")


def main():
    parser = argparse.ArgumentParser(prog="upload_checks", description="Uploads music to a Sona server of its own.")
    parser.add_argument("programs", type=pathlib.Path, help="the folder of sona")
    parser.add_argument("--only", default="", help="only checks whose titles contain this")
    parser.add_argument("--slow", action="store_true", help="fifty kills of each kind")
    parser.add_argument("--kills", type=int, help="how often the server is killed; 20, or with --slow 50")
    parser.add_argument("--seed", type=int, help="of the moments of the kills; told at the end")
    given = parser.parse_args()
    from room_checks.server import MortalServer
    from upload_checks import stage
    helpers.CHECKS.clear()
    MortalServer.programs = given.programs.resolve()
    stage.KILLS = given.kills or (50 if given.slow else 20)
    stage.SEED = random.randrange(1 << 32) if given.seed is None else given.seed
    for chapter in CHAPTERS:
        importlib.import_module(f"upload_checks.{chapter}")
    checks = verdicts.chosen(parser.prog, helpers.CHECKS, given.only, given.slow)
    report = verdicts.Report()
    stage.SERVER = MortalServer("--exempt", "127.0.0.1", "--account-budgets", "100", "--upload-max", "64",
                                "--upload-quota", "160", "--allow-origin", stage.PAGE)
    try:
        with stage.SERVER:
            verdicts.run(checks, helpers.outcome, report)
    finally:
        stage.SERVER.stop()
    sys.exit(report.status())


if __name__ == "__main__":
    main()
