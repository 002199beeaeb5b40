"""Looks whether what a package of Sona says of itself is so, and whether the server speaks with a service manager.

    python3 Tests/OtherClients/package_checks BIN-FOLDER [--only WORD]

Needs Python's library, `ldd`, `openssl`, `git` and, for the unit, `systemd-analyze`. Tests/Package installs a package.
"""
import argparse, importlib, pathlib, sys

FOLDER = pathlib.Path(__file__).resolve().parent
if __package__ in (None, ""):  # run by the folder's name: then Python looks for modules in here, not beside it
    sys.path[0] = str(FOLDER.parent)

import verdicts  # noqa: E402
from protocol_checks import helpers  # noqa: E402

CHAPTERS = ("texts", "manager", "certificates")


def main():
    parser = argparse.ArgumentParser(prog="package_checks", description="Checks the texts of the package and the server's service.")
    parser.add_argument("programs", type=pathlib.Path, help="the folder of sona and sonactl")
    parser.add_argument("--only", default="", help="only checks whose titles contain this")
    given = parser.parse_args()
    from account_checks.server import Server
    Server.programs = given.programs.resolve()
    for chapter in CHAPTERS:
        importlib.import_module(f"package_checks.{chapter}")
    report = verdicts.Report()
    verdicts.run(verdicts.chosen(parser.prog, helpers.CHECKS, given.only), helpers.outcome, report)
    sys.exit(report.status())


if __name__ == "__main__":
    main()
