"""Replaces a server by another process while people listen.

    python3 Tests/OtherClients/handover_checks BIN-FOLDER [--only WORD]

Needs ffmpeg. Written from Protocol/spec/resuming.md and deploy/upgrading.md.
"""
import argparse, importlib, pathlib, sys

FOLDER = pathlib.Path(__file__).resolve().parent
if __package__ in (None, ""):  # run by the folder's name: then Python looks for modules in here, not beside it
    sys.path[0] = str(FOLDER.parent)

import verdicts  # noqa: E402
from protocol_checks import helpers  # noqa: E402


def main():
    parser = argparse.ArgumentParser(prog="handover_checks", description="One process takes over from another.")
    parser.add_argument("programs", type=pathlib.Path, help="the folder of sona and sonactl")
    parser.add_argument("--only", default="", help="only checks whose titles contain this")
    given = parser.parse_args()
    from autoplay_checks import stage
    from handover_checks.server import ReplacedServer
    helpers.CHECKS.clear()
    ReplacedServer.programs = stage.PROGRAMS = given.programs.resolve()
    importlib.import_module("handover_checks.replacing")
    checks = verdicts.chosen(parser.prog, helpers.CHECKS, given.only)
    report = verdicts.Report()
    stage.make_music()
    stage.SERVER = ReplacedServer(
        "--exempt", "127.0.0.1", "--account-budgets", "100", "--music", f"Music={stage.MUSIC}", "--guests-hear", "full",
        "--log-format", "json")
    try:
        with stage.SERVER:
            stage.wait_for_music()
            verdicts.run(checks, helpers.outcome, report)
    finally:
        stage.SERVER.stop()
        stage.remove_music()
    sys.exit(report.status())


if __name__ == "__main__":
    main()
