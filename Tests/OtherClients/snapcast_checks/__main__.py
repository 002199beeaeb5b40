"""Speakers: Snapcast's protocol byte by byte, and Debian's snapclient held against `sonactl listen`.

    python3 Tests/OtherClients/snapcast_checks BIN-FOLDER [--only WORD] [--slow]

Needs ffmpeg; snapclient and numpy where sound is measured. Written from Protocol/spec/other-players.md.
"""
import argparse, importlib, pathlib, sys

FOLDER = pathlib.Path(__file__).resolve().parent
if __package__ in (None, ""):  # run by the folder's name: then Python looks for modules in here, not beside it
    sys.path[0] = str(FOLDER.parent)

import verdicts  # noqa: E402
from protocol_checks import helpers  # noqa: E402

CHAPTERS = ("messages", "rooms", "programs")


def main():
    parser = argparse.ArgumentParser(prog="snapcast_checks", description="Speakers that speak Snapcast's protocol.")
    parser.add_argument("programs", type=pathlib.Path, help="the folder of sona and sonactl")
    parser.add_argument("--only", default="", help="only checks whose titles contain this")
    parser.add_argument("--slow", action="store_true", help="also checks of more than 12 s")
    given = parser.parse_args()
    from room_checks.server import MortalServer
    from autoplay_checks import stage
    from radio_checks.__main__ import free_port
    from snapcast_checks import tools
    helpers.CHECKS.clear()
    MortalServer.programs = stage.PROGRAMS = tools.PROGRAMS = given.programs.resolve()
    for chapter in CHAPTERS:
        importlib.import_module(f"snapcast_checks.{chapter}")
    checks = verdicts.chosen(parser.prog, helpers.CHECKS, given.only, given.slow)
    report = verdicts.Report()
    stage.make_music()
    tools.make_noise()
    tools.PORT, tools.METRICS = free_port(), free_port()
    stage.SERVER = MortalServer(
        "--exempt", "127.0.0.1", "--account-budgets", "100", "--music", f"Music={stage.MUSIC}", "--guests-hear", "full",
        "--snapcast-listen", f"127.0.0.1:{tools.PORT}", "--snapcast-room", f"@{tools.HOUSE}",
        "--metrics", f"127.0.0.1:{tools.METRICS}")
    try:
        with stage.SERVER:
            tools.wait_for_music()
            verdicts.run(checks, helpers.outcome, report)
    finally:
        tools.end_all()
        stage.SERVER.stop()
        stage.remove_music()
    sys.exit(report.status())


if __name__ == "__main__":
    main()
