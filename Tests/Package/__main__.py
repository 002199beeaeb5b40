"""Installs the Debian package in a Debian of its own, and looks whether it does there what deploy/README.md says.

    python3 Tests/Package DEB [--only WORD] [--templates FOLDER]

Must be root, on a machine that lets systemd-nspawn start a container. Needs debootstrap, systemd-container, dpkg-dev and ffmpeg, and
Debian's packages; `deploy/package` makes the DEB. One story: the checks follow each other in one root, and --only leaves out
checks but not their order. Ends with 77 where no container can be started.
"""
import argparse, os, pathlib, shutil, sys, tempfile

FOLDER = pathlib.Path(__file__).resolve().parent
sys.path[0] = str(FOLDER.parent / "OtherClients")
sys.path.insert(0, str(FOLDER))

import verdicts  # noqa: E402
from protocol_checks import helpers  # noqa: E402
import root as roots  # noqa: E402
import story  # noqa: E402


def main():
    parser = argparse.ArgumentParser(prog="Tests/Package")
    parser.add_argument("package", type=pathlib.Path, help="the .deb that deploy/package made")
    parser.add_argument("--only", default="", help="only checks whose titles contain this")
    parser.add_argument("--templates", type=pathlib.Path, default=pathlib.Path(".build/package/debian"),
                        help="where the fresh Debian is kept for the next time")
    given = parser.parse_args()
    if os.geteuid() != 0 or not shutil.which("systemd-nspawn") or not shutil.which("debootstrap"):
        print("SKIPPED  the package in a fresh Debian: needs root, debootstrap and systemd-nspawn")
        sys.exit(77)
    template = roots.template(given.templates.resolve())
    folder = pathlib.Path(tempfile.mkdtemp(prefix="sona-package-"))
    root = roots.Root(template, folder)
    try:
        story.prepare(root, given.package.resolve(), folder)
        root.start()
        report = verdicts.Report()
        verdicts.run(verdicts.chosen(parser.prog, helpers.CHECKS, given.only), helpers.outcome, report)
        status = report.status()
        if status:
            print(root.journal()[-4000:])
    finally:
        root.stop()
        shutil.rmtree(folder, ignore_errors=True)
    sys.exit(status)


if __name__ == "__main__":
    main()
