"""Plays and browses by OpenSubsonic, as other people's players do.

    python3 Tests/OtherClients/subsonic_checks BIN-FOLDER [--only WORD] [--slow]

The client is somebody else's: py-opensonic, of PyPI, whose classes refuse an answer with a field missing. Each answer is held against
the specification's own schemas (openapi.json, Apache License 2.0) by jsonschema, and the XML against the JSON. Without these packages
the checks that need them fail. Written from deploy/subsonic.md.
"""
import argparse, importlib, pathlib, sys

FOLDER = pathlib.Path(__file__).resolve().parent
if __package__ in (None, ""):  # run by the folder's name: then Python looks for modules in here, not beside it
    sys.path[0] = str(FOLDER.parent)

import verdicts  # noqa: E402
from protocol_checks import helpers  # noqa: E402

CHAPTERS = ("signing", "forms", "browsing", "changing", "media", "client", "players")


def main():
    parser = argparse.ArgumentParser(prog="subsonic_checks", description="Asks a Sona server by OpenSubsonic.")
    parser.add_argument("programs", type=pathlib.Path, help="the folder of sona and sonactl")
    parser.add_argument("--only", default="", help="only checks whose titles contain this")
    parser.add_argument("--slow", action="store_true", help="also the checks that take long")
    given = parser.parse_args()
    from account_checks.server import Server
    from subsonic_checks import stage
    helpers.CHECKS.clear()
    Server.programs = given.programs.resolve()
    for chapter in CHAPTERS:
        importlib.import_module(f"subsonic_checks.{chapter}")
    checks = verdicts.chosen(parser.prog, helpers.CHECKS, given.only, given.slow)
    report = verdicts.Report()
    stage.make_music()
    stage.SERVER = Server("--exempt", "127.0.0.1", "--account-budgets", "100", "--music", f"Discs={stage.DISCS}",
                          "--music", f"Tapes={stage.TAPES}")
    try:
        with stage.SERVER:
            stage.wait_for_music()
            verdicts.run(checks, helpers.outcome, report)
    finally:
        stage.SERVER.stop()
        stage.FOLDER.cleanup()
    sys.exit(report.status())


if __name__ == "__main__":
    main()
