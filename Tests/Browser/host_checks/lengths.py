"""A song whose samples would fill the memory is not decoded: it is passed over, and that is said. As Opus it goes out as it is, without a voice."""
import subprocess

from support import check, chromium
from .desk import Desk, microphone, wav
from .tags import mp3

#: Longer than `MINUTES_MAX` in audio/hosting/files.js, s.
LONG = 46 * 60


def opus(path):
    """Silence as Opus."""
    subprocess.run(["ffmpeg", "-loglevel", "error", "-f", "lavfi", "-i", "anullsrc=r=48000:cl=mono", "-t", str(LONG), "-codec:a", "libopus",
                    "-b:a", "16k", "-vbr", "off", "-compression_level", "0", "-frame_duration", "60", str(path)], check=True)
    return path


def run(playwright, server, folder):
    with chromium(playwright, *microphone()) as browser:
        desk = Desk(browser, server)
        desk.open(desk.room(server, lead_ms=600))
        desk.add(wav(folder / "1.wav", 440, 5))
        desk.add(mp3(folder / "2.mp3", "-b:a", "8k", seconds=LONG))
        desk.add(wav(folder / "3.wav", 523.25, 60))
        desk.add(opus(folder / "4.opus"))
        desk.go()
        desk.until("host.playlist.songs[1].failure", "it is known before its time that the second cannot be played")
        said = desk.inner_text(".host-song .host-failure")
        check("45 minutes" in said, f"it does not say how long a file may be: {said}")
        desk.until("host.heard === host.playlist.songs[2]", "the third follows the first")
        check(not desk.evaluate("trouble"), f"trouble: {desk.evaluate('trouble')}")
        desk.evaluate("host.play(host.playlist.songs[3])")
        desk.until("host.heard === host.playlist.songs[3] && host.position > 1e6", "as Opus it is played")
        desk.evaluate("host.seek(2700e6)")
        desk.until("host.position > 2700e6 && host.position < 2710e6", "also from its end")
        desk.evaluate("host.openVoice()")
        check(desk.evaluate("trouble.length") == 1 and "not heard over this song" in desk.inner_text(".toasts"), "it does not say that a voice is not heard")
        desk.until("host.position > 2701e6 && host.state === 'live'", "it plays on")
        check(desk.evaluate("host.playlist.songs[3].failure") is None, "it counts as one that cannot be played")
        check(not desk.complaints, f"the page complains: {desk.complaints[:3]}")
    return []
