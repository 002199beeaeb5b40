"""Players of other people hear rooms: the title changes with the sound."""
import json, subprocess, time

from protocol_checks.helpers import check, equal, true

from autoplay_checks.stage import FOLDER, TRACKS, until
from radio_checks.answers import playing
from radio_checks.tools import address, decoded, hear, links, near, need, pitches, without_icy

NEAR = 0.1  # seconds between the sound's change and the title's


def pitch(title):
    return TRACKS[title][0]


@check("Ogg Opus: each track is a stream of its own with its tags, in which nothing else sounds", slow=True)
def _():
    room = playing("Low", "High", "Long").room
    _, sound = hear(f"/listen/{room}.opus", 9)
    found = [link for link in links(sound) if link.tags["TITLE"] in TRACKS]
    equal([(link.tags["TITLE"], link.tags["ARTIST"]) for link in found], [("Low", "Ada"), ("High", "Ada"), ("Long", "Cyd")])
    for link in found[:2]:
        title = link.tags["TITLE"]
        heard = pitches(decoded(link.pages, "ogg"))
        seconds = len(heard) / 50
        true(abs(seconds - TRACKS[title][1]) <= NEAR, f"{title}: {seconds} s")
        wrong = sum(not near(one, pitch(title)) for one in heard)
        true(wrong / 50 <= NEAR, f"{title}: {wrong} of {len(heard)} parts are something else: {heard[:3]} {heard[-3:]}")


@check("MP3: the title stands where the sound changes", slow=True)
def _():
    room = playing("Low", "High", "Long").room
    headers, data = hear(f"/listen/{room}.mp3?kbps=128", 9, {"Icy-MetaData": "1"})
    sound, titles = without_icy(data, int(headers["icy-metaint"]))
    heard = pitches(decoded(sound, "mp3"))
    changes = {title: place / (128_000 / 8) for place, title in titles}
    for name, before, after in (("Ada - High", "Low", "High"), ("Cyd - Long", "High", "Long")):
        at = next(i for i in range(1, len(heard) - 3) if near(heard[i], pitch(after)) and near(heard[i + 1], pitch(after))
                  and any(near(one, pitch(before)) for one in heard[max(0, i - 6):i])) / 50
        true(abs(changes[name] - at) <= NEAR, f"{name} at {changes[name]:.3f} s, its sound at {at:.3f} s")


@check("ffprobe and ffmpeg: the tags, the sound, and ICY's title")
def _():
    owner = playing("Long")
    room = owner.room
    until(lambda: owner.playing() == "Long", "it plays")
    for ending, tags in (("opus", {"TITLE": "Long", "ARTIST": "Cyd"}), ("mp3", {"StreamTitle": "Cyd - Long"})):
        made = subprocess.run(["ffprobe", "-v", "error", "-show_streams", "-show_format", "-of", "json", address(f"/listen/{room}.{ending}")],
                              stdout=subprocess.PIPE, timeout=20, check=True).stdout
        told = json.loads(made)
        equal(told["streams"][0]["codec_name"], ending)
        known = told["streams"][0].get("tags", {}) | told["format"].get("tags", {})
        equal({name: known.get(name) for name in tags}, tags, ending)
        file = FOLDER / f"heard-{ending}.wav"
        subprocess.run(["ffmpeg", "-v", "error", "-y", "-i", address(f"/listen/{room}.{ending}"), "-t", "3", file], timeout=20, check=True)
        heard = pitches(decoded(file.read_bytes(), "wav"))
        true(sum(near(one, pitch("Long")) for one in heard) > 120, f"{heard[:20]}")


@check("mpv plays at once and tells the titles as they change", slow=True)
def _():
    need("mpv")
    room = playing("Low", "High", "Long").room
    for ending, words in (("opus", ("High",)), ("mp3", ("Ada - High", "Cyd - Long"))):
        room = playing("Low", "High", "Long").room
        mpv = subprocess.Popen(["mpv", "--no-config", "--ao=null", "--no-video", "--msg-level=all=info", "--term-status-msg=TITLE ${media-title}\n",
                                address(f"/listen/{room}.{ending}")], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        time.sleep(10)
        mpv.terminate()
        said = mpv.communicate(timeout=10)[0]
        true("AO: [null]" in said, said[-500:])
        for word in words:
            true(word in said, f"{ending}: no {word}: {said[-600:]}")


@check("curl gets what is sent, at the speed of the sound")
def _():
    room = playing("Long").room
    made = subprocess.run(["curl", "-s", "-m", "5", address(f"/listen/{room}.mp3?kbps=128")], stdout=subprocess.PIPE, check=False).stdout
    seconds = len(made) / 16_000
    true(4.5 <= seconds <= 9.5, f"{seconds:.1f} s of sound in 5 s")
