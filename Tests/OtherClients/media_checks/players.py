"""Another's player: mpv plays a stream by the address of `track.open`, from any place on."""
import array, pathlib, shutil, subprocess

from protocol_checks import helpers
from protocol_checks.helpers import Skipped, check, equal, rpc, true

from media_checks import stage
from media_checks.stage import hear, somebody, tracks

SECONDS = 2


def played(address, start):
    """The samples that mpv plays from a place on, mono at 48 kHz."""
    file = pathlib.Path(stage.FOLDER.name) / "played.pcm"
    file.unlink(missing_ok=True)
    done = subprocess.run(
        ["mpv", "--no-config", "--no-video", "--really-quiet", "--ao=pcm", "--ao-pcm-waveheader=no", f"--ao-pcm-file={file}", "--audio-format=s16",
         "--audio-channels=mono", "--audio-samplerate=48000", f"--start={start}", f"--length={SECONDS}", address],
        capture_output=True, text=True, timeout=120)
    equal(done.returncode, 0, f"mpv: {done.stdout[-300:]} {done.stderr[-300:]}")
    return array.array("h", file.read_bytes())


def pitch(samples):
    """The mean frequency, by how often the sound crosses zero."""
    crossings = sum((one < 0) != (two < 0) for one, two in zip(samples, samples[1:]))
    return crossings / 2 / (len(samples) / 48_000)


@check("mpv plays and seeks the original and Opus by the address of track.open")
def _():
    if not shutil.which("mpv"):
        raise Skipped("mpv is not installed")
    token = somebody()
    hear("rising.flac", token, "?format=opus")  # only a file that is whole can be sought in
    status, body, _ = rpc("track.open", {"track": tracks(token)["rising.flac"]["id"]}, token)
    equal(status, 200, "track.open")
    for form in ("original", "opus"):
        address = f"{helpers.URL}{body['data']['stream']}&format={form}"
        for start in (0, 13, 41.5):
            samples = played(address, start)
            true(abs(len(samples) / 48_000 - SECONDS) < 0.1, f"{form} from {start} s: {len(samples)} samples")
            wanted = stage.rising_pitch(start + SECONDS / 2)
            found = pitch(samples)
            # 10 Hz are a second.
            true(abs(found - wanted) < 2, f"{form} from {start} s sounds at {found:.1f} Hz, not {wanted:.1f} Hz")
