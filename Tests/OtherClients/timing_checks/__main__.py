"""Protocol/vectors of what is computed: clock, playback_views, timeline, join_planning.

    python3 Tests/OtherClients/timing_checks [--only WORD] [--write]

Computes them from the prose of Protocol/spec, and says where the files differ; with --write, writes them.
"""
import argparse, sys
from pathlib import Path

sys.path[0] = str(Path(__file__).resolve().parents[1])

import verdicts  # noqa: E402
from timing_checks.cases import families  # noqa: E402

VECTORS = Path(__file__).resolve().parents[3] / "Protocol" / "vectors"


def main():
    parser = argparse.ArgumentParser(prog="timing_checks", description="Checks the vectors of what is computed.")
    parser.add_argument("--only", default="", help="only families whose names contain this")
    parser.add_argument("--write", action="store_true", help="writes the files")
    given = parser.parse_args()
    report = verdicts.Report()
    for name, family in verdicts.chosen(parser.prog, [(one.name, False, one) for one in families()], given.only):
        path = VECTORS / f"{name}.json"
        if given.write:
            path.write_text(family.text(), encoding="utf-8")
        is_same = path.exists() and path.read_text(encoding="utf-8") == family.text()
        report(f"{name}: {len(family.tests)} vectors", is_same and family.tests,
               "" if is_same else f"{path.name} is not what the prose gives")
    return report.status()


if __name__ == "__main__":
    sys.exit(main())
