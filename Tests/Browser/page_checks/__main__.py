"""The web player as it is served and seen: headers, words, belonging, the directory, offline.

    page_checks BIN-FOLDER [--only STORY]… [--long]

Needs Python 3.11 with playwright and axe-playwright-python, Debian's chromium. Ends with 1 if something is wrong.
"""
import pathlib, sys

sys.path[0] = str(pathlib.Path(__file__).resolve().parents[1])

from stories import main  # noqa: E402

STORIES = [
    "words", "serving", "first_screen", "directory", "arriving", "letters", "keyboard", "belonging", "tabs", "staying", "hostile", "offline",
    "house_rules", "order", "admin", "operating", "setup", "rooms", "stage", "touches", "registration", "running", "handing",
    # Music.
    "playing", "devices", "lyrics", "plays", "keyboard_music", "screens", "library", "music_pages", "uploading", "liking", "collecting", "hearing",
    "submitting", "keeping", "befriending", "by_itself", "asking", "tuning_in", "apps", "connecting", "scheduling", "replaying", "client_library",
]
LANES = [["keyboard", "belonging", "tabs"], ["uploading"]]
# Every page in every theme and language is work for a processor: `deploy/test --clients` asks for it by name.
LONG = ["looks", "polish", "music_looks", "long_list"]

if __name__ == "__main__":
    sys.exit(main("page_checks", STORIES, LONG, lanes=LANES))
