"""Scans, finds, streams and attacks the library of a server of its own.

    python3 Tests/OtherClients/library_checks BIN-FOLDER [--only WORD] [--slow] [--kills N] [--seed N]

Needs ffmpeg, which makes the music, and Python's library. Written from Protocol/spec/library.md, playlists.md, tracks.md and folders.md.
"""
import argparse, importlib, pathlib, random, sys

FOLDER = pathlib.Path(__file__).resolve().parent
if __package__ in (None, ""):  # run by the folder's name: then Python looks for modules in here, not beside it
    sys.path[0] = str(FOLDER.parent)

import verdicts  # noqa: E402
from protocol_checks import helpers  # noqa: E402

CHAPTERS = ("finding", "playlists", "streams", "folders", "large", "killed")


def main():
    parser = argparse.ArgumentParser(prog="library_checks", description="Uses the library of a Sona server of its own.")
    parser.add_argument("programs", type=pathlib.Path, help="the folder of sona")
    parser.add_argument("--only", default="", help="only checks whose titles contain this")
    parser.add_argument("--slow", action="store_true", help="fifty kills of each kind")
    parser.add_argument("--kills", type=int, help="how often the server is killed; 5, or with --slow 50")
    parser.add_argument("--seed", type=int, help="of the moments of the kills; told at the end")
    given = parser.parse_args()
    from room_checks.server import MortalServer
    from library_checks import stage
    helpers.CHECKS.clear()
    MortalServer.programs = given.programs.resolve()
    stage.KILLS = given.kills or (50 if given.slow else 5)
    stage.SEED = random.randrange(1 << 32) if given.seed is None else given.seed
    for chapter in CHAPTERS:
        importlib.import_module(f"library_checks.{chapter}")
    checks = verdicts.chosen(parser.prog, helpers.CHECKS, given.only, given.slow)
    report = verdicts.Report()
    stage.make_music()
    stage.SERVER = MortalServer("--exempt", "127.0.0.1", "--account-budgets", "100", "--music", f"Music={stage.MUSIC}",
                                "--music", f"Odd={stage.ODD}", "--music", f"Chosen={stage.CHOSEN}")
    try:
        with stage.SERVER:
            stage.wait_for_scans()
            verdicts.run(checks, helpers.outcome, report)
    finally:
        stage.SERVER.stop()
        stage.remove_music()
    sys.exit(report.status())


if __name__ == "__main__":
    main()
