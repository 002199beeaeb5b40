"""What one hears of a host who plays from the browser: files, a voice, a microphone, through cuts and changes.

    host_checks BIN-FOLDER [--only STORY]… [--long]

Needs Python 3.11 with playwright, axe-playwright-python and numpy, Debian's chromium, opus-tools and ffmpeg. Ends with 1 if something is wrong.
"""
import pathlib, sys

sys.path[0] = str(pathlib.Path(__file__).resolve().parents[1])

from stories import main  # noqa: E402

STORIES = ["tags", "files", "follows", "left_out", "reloads", "others", "talking", "covers", "one_player", "lengths", "dropped", "voice", "microphone", "shared", "cuts", "restarts", "seat", "faults", "care", "from_alone", "stranger"]
# Each language on a phone and at a desk takes half a minute.
LONG = ["evening"]
# They wait for what is played: half of them beside the others.
LANES = [["tags", "shared", "follows", "left_out", "reloads", "others", "one_player", "cuts", "restarts", "seat", "faults", "care", "from_alone", "stranger"]]

if __name__ == "__main__":
    sys.exit(main("host_checks", STORIES, LONG, lanes=LANES))
