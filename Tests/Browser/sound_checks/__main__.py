"""What one hears in the web player: sound in step, through cuts, in every mode.

    sound_checks BIN-FOLDER [--only STORY]… [--long]

Needs Python 3.11 with playwright, axe-playwright-python and numpy, Debian's chromium and opus-tools. Ends with 1 if something is wrong.
"""
import pathlib, sys

sys.path[0] = str(pathlib.Path(__file__).resolve().parents[1])

from stories import main  # noqa: E402

STORIES = ["two_tabs", "controls", "modes", "cuts", "other_client", "modules", "demo", "words", "chat", "gliding", "care", "alone", "one_press", "time_shift", "data_saver", "recording"]
ALONE = ["two_tabs", "controls", "modes"]
LANES = [["words"], ["modules", "chat", "gliding", "care"], ["alone", "one_press", "time_shift", "data_saver", "recording"]]
LONG = ["join_time", "long_listening", "flips"]

if __name__ == "__main__":
    sys.exit(main("sound_checks", STORIES, LONG, lanes=LANES, alone=[*ALONE, *LONG]))
