"""Plays what the server makes of music, and kills the server meanwhile.

    python3 Tests/OtherClients/media_checks BIN-FOLDER [--only WORD] [--slow] [--kills N] [--seed N]

Files are made, and answers are read, by ffmpeg; mpv plays where it is installed. Written from Protocol/spec/media.md, jobs.md, likes.md, plays.md, player.md and tracks.md.
"""
import argparse, importlib, pathlib, random, sys

FOLDER = pathlib.Path(__file__).resolve().parent
if __package__ in (None, ""):  # run by the folder's name: then Python looks for modules in here, not beside it
    sys.path[0] = str(FOLDER.parent)

import verdicts  # noqa: E402
from protocol_checks import helpers  # noqa: E402

CHAPTERS = ("streams", "players", "jobs", "commands", "likes", "plays", "player", "lyrics", "killed")


def main():
    parser = argparse.ArgumentParser(prog="media_checks", description="Plays what a Sona server makes of music.")
    parser.add_argument("programs", type=pathlib.Path, help="the folder of sona and sonactl")
    parser.add_argument("--only", default="", help="only checks whose titles contain this")
    parser.add_argument("--slow", action="store_true", help="fifty kills of each kind")
    parser.add_argument("--kills", type=int, help="how often the server is killed; 8, or with --slow 50")
    parser.add_argument("--seed", type=int, help="of the moments of the kills; told at the end")
    given = parser.parse_args()
    from room_checks.server import MortalServer
    from media_checks import stage
    helpers.CHECKS.clear()
    MortalServer.programs = given.programs.resolve()
    stage.KILLS = given.kills or (50 if given.slow else 8)
    stage.SEED = random.randrange(1 << 32) if given.seed is None else given.seed
    for chapter in CHAPTERS:
        importlib.import_module(f"media_checks.{chapter}")
    checks = verdicts.chosen(parser.prog, helpers.CHECKS, given.only, given.slow)
    report = verdicts.Report()
    stage.make_music()
    stage.SERVER = MortalServer("--exempt", "127.0.0.1", "--account-budgets", "100", "--music", str(stage.MUSIC),
                                "--guests-hear", "preview")
    try:
        with stage.SERVER:
            stage.wait_for_tracks()
            verdicts.run(checks, helpers.outcome, report)
    finally:
        stage.SERVER.stop()
        stage.FOLDER.cleanup()
    sys.exit(report.status())


if __name__ == "__main__":
    main()
