"""Protocol/vectors of what is computed: clock, playback_views, timeline, join_planning.

    python3 Tests/OtherClients/timing_checks [--write]

Computes them from the prose of Protocol/spec, and says where the files differ; with --write, writes them.
"""
import sys
from pathlib import Path

sys.path[0] = str(Path(__file__).resolve().parents[1])

from timing_checks.cases import families  # noqa: E402

VECTORS = Path(__file__).resolve().parents[3] / "Protocol" / "vectors"


def main():
    differ = []
    for family in families():
        path = VECTORS / f"{family.name}.json"
        if "--write" in sys.argv[1:]:
            path.write_text(family.text(), encoding="utf-8")
        elif not path.exists() or path.read_text(encoding="utf-8") != family.text():
            differ.append(path.name)
        print(f"{family.name}: {len(family.tests)} vectors")
    for name in differ:
        print(f"{name} is not what the prose gives", file=sys.stderr)
    return 1 if differ else 0


if __name__ == "__main__":
    sys.exit(main())
