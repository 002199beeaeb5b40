"""Hears music on a server of its own, and looks at what services of others, and webhooks, get to know of it.

    python3 Tests/OtherClients/scrobble_checks BIN-FOLDER [--only WORD]

Needs ffmpeg, which makes the music. Maloja (PyPI: malojaserver) takes the listens of an evening if it stands beside the Python that
runs this; the other services are stood in for by servers written to what ListenBrainz and Last.fm have published. Written from
Protocol/spec/scrobbling.md, plays.md and webhooks.md.
"""
import argparse, importlib, pathlib, sys

FOLDER = pathlib.Path(__file__).resolve().parent
if __package__ in (None, ""):  # run by the folder's name: then Python looks for modules in here, not beside it
    sys.path[0] = str(FOLDER.parent)

import verdicts  # noqa: E402
from protocol_checks import helpers  # noqa: E402

CHAPTERS = ("connecting", "sending", "evening", "webhooks")


def main():
    parser = argparse.ArgumentParser(prog="scrobble_checks", description="Looks at what services get to know of what is heard.")
    parser.add_argument("programs", type=pathlib.Path, help="the folder of sona and sonactl")
    parser.add_argument("--only", default="", help="only checks whose titles contain this")
    given = parser.parse_args()
    from room_checks.server import MortalServer
    from scrobble_checks import services, stage
    helpers.CHECKS.clear()
    MortalServer.programs = given.programs.resolve()
    for chapter in CHAPTERS:
        importlib.import_module(f"scrobble_checks.{chapter}")
    checks = verdicts.chosen(parser.prog, helpers.CHECKS, given.only, False)
    report = verdicts.Report()
    stage.make_music()
    lastfm = services.LastFM()
    secret = stage.FOLDER / "lastfm-secret"
    secret.write_text(services.SECRET)
    stage.OPTIONS = ("--exempt", "127.0.0.1", "--account-budgets", "100", "--music", f"Music={stage.MUSIC}", "--lastfm-key", services.KEY,
                     "--lastfm-secret-file", secret, "--lastfm-url", lastfm.url)
    stage.LASTFM = lastfm
    stage.SERVER = MortalServer(*stage.OPTIONS, "--private-services")
    try:
        with stage.SERVER:
            stage.wait_for_music()
            verdicts.run(checks, helpers.outcome, report)
    finally:
        stage.SERVER.stop()
        lastfm.stop()
        stage.remove_music()
    sys.exit(report.status())


if __name__ == "__main__":
    main()
