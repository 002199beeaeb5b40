"""Asks servers of its own whether strangers, their connections and their proxies are dealt with as deploy/README.md says.

    python3 Tests/OtherClients/edge_checks BIN-FOLDER [--only WORD] [--slow]

Needs Python's library, `openssl`, and Debian's nginx, caddy and haproxy, which run as ordinary programs on free ports.
"""
import argparse, importlib, pathlib, sys

FOLDER = pathlib.Path(__file__).resolve().parent
if __package__ in (None, ""):  # run by the folder's name: then Python looks for modules in here, not beside it
    sys.path[0] = str(FOLDER.parent)

from protocol_checks import helpers  # noqa: E402

CHAPTERS = ("gate", "cookies", "descriptors", "frames", "hangups", "proxies", "unread")


def main():
    parser = argparse.ArgumentParser(prog="edge_checks", description="Checks the edge of Sona servers of its own.")
    parser.add_argument("programs", type=pathlib.Path, help="the folder of sona and sonaload")
    parser.add_argument("--only", default="", help="only checks whose titles contain this")
    parser.add_argument("--slow", action="store_true", help="more of what takes its time")
    given = parser.parse_args()
    from account_checks.server import Server
    from edge_checks import stage
    Server.programs = given.programs.resolve()
    stage.slow = given.slow
    count = {"ok": 0, "known": 0, "FAIL": 0}
    for chapter in CHAPTERS:
        importlib.import_module(f"edge_checks.{chapter}")
    for title, slow, function in helpers.CHECKS:
        if given.only not in title or slow and not given.slow:
            continue
        result, why = helpers.outcome(function)
        count[result] += 1
        print(f"{result:<5} {title}{': ' if why else ''}{why}", flush=True)
    print(f"{count['ok']} passed, {count['FAIL']} failed")
    sys.exit(1 if count["FAIL"] or not count["ok"] else 0)


if __name__ == "__main__":
    main()
