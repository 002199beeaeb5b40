"""Has rooms of a server of its own play by themselves, and listens to them.

    python3 Tests/OtherClients/autoplay_checks BIN-FOLDER [--only WORD]

Needs ffmpeg, which makes the music, and Python's library. Written from Protocol/spec/autoplay.md, queue.md and hosting.md.
"""
import argparse, importlib, pathlib, sys

FOLDER = pathlib.Path(__file__).resolve().parent
if __package__ in (None, ""):  # run by the folder's name: then Python looks for modules in here, not beside it
    sys.path[0] = str(FOLDER.parent)

import verdicts  # noqa: E402
from protocol_checks import helpers  # noqa: E402

CHAPTERS = ("playing", "jingles", "audience", "asking", "shifting", "saver", "seat", "alone", "killed", "kept", "recorded")


def main():
    parser = argparse.ArgumentParser(prog="autoplay_checks", description="Listens to rooms that play by themselves.")
    parser.add_argument("programs", type=pathlib.Path, help="the folder of sona and sonactl")
    parser.add_argument("--only", default="", help="only checks whose titles contain this")
    given = parser.parse_args()
    from room_checks.server import MortalServer
    from autoplay_checks import stage
    helpers.CHECKS.clear()
    MortalServer.programs = stage.PROGRAMS = given.programs.resolve()
    for chapter in CHAPTERS:
        importlib.import_module(f"autoplay_checks.{chapter}")
    checks = verdicts.chosen(parser.prog, helpers.CHECKS, given.only, False)
    report = verdicts.Report()
    stage.make_music()
    stage.SERVER = MortalServer("--exempt", "127.0.0.1", "--account-budgets", "100", "--music", f"Music={stage.MUSIC}",
                                "--guests-hear", "full", "--autoplay-rest", "2")
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
