"""media.md: renditions, previews and peaks."""
import json, threading

from protocol_checks.helpers import check, equal, true

from media_checks import stage
from media_checks.stage import guest, hear, refused, somebody, sound


@check("a track is heard as Ogg Opus while it is made, and then by ranges, with equal bytes")
def _():
    token = somebody()
    status, first, headers = hear("song.mp3", token, "?format=opus")
    equal((status, headers["content-type"], headers.get("transfer-encoding"), headers["accept-ranges"]),
          (200, "audio/ogg", "chunked", "none"), "the answer")
    codec, channels, rate, seconds = sound(first)
    equal((codec, channels, rate), ("opus", 1, 48000), "the sound")
    true(abs(seconds - 120) < 0.1, f"{seconds} s")
    status, second, headers = hear("song.mp3", token, "?format=opus")
    equal((status, headers["content-length"], second == first), (200, str(len(first)), True), "the whole file")
    status, part, headers = hear("song.mp3", token, "?format=opus", Range="bytes=1000-1999")
    equal((status, part == first[1000:2000]), (206, True), "a part")
    status, _, _ = hear("song.mp3", token, "?format=opus", If_None_Match=headers["etag"])
    equal(status, 304, "what the client has")


@check("a part of what is not made yet waits for the whole")
def _():
    token = somebody()
    status, part, headers = hear("short.flac", token, "?format=opus", Range="bytes=100-199")
    equal((status, len(part)), (206, 100), "a part")
    equal(part, hear("short.flac", token, "?format=opus")[1][100:200], "its bytes")


@check("twenty listeners at once get the same bytes of one making")
def _():
    token, heard = somebody(), []
    ours = [threading.Thread(target=lambda: heard.append(hear("odd.wav", token, "?format=opus")[1])) for _ in range(20)]
    for thread in ours:
        thread.start()
    for thread in ours:
        thread.join()
    equal((len(heard), len(set(heard))), (20, 1), "bodies")
    track = stage.tracks(token)["odd.wav"]["id"]
    equal(sum(path.name.startswith(track) for path in stage.made()), 1, "files")


@check("Ogg Opus is heard as it is, and the original by default")
def _():
    token, plain = somebody(), (stage.MUSIC / "plain.opus").read_bytes()
    equal(hear("plain.opus", token, "?format=opus")[1], plain, "as opus")
    for query in ("", "?format=original"):
        equal(hear("song.mp3", token, query)[1], (stage.MUSIC / "song.mp3").read_bytes(), query or "no format")
    refused(400, "request.invalid", "song.mp3", token, "?format=mp3")


@check("a guest hears thirty seconds from a third on, and no byte more")
def _():
    token = guest()
    status, clip, _ = hear("song.mp3", token)
    codec, _, _, seconds = sound(clip)
    equal((status, codec), (200, "opus"), "the clip")
    true(abs(seconds - 30) < 0.1, f"{seconds} s")
    for query in ("?format=opus", "?format=original"):
        equal(hear("song.mp3", token, query)[1], clip, query)
    equal(hear("song.mp3", token, Range=f"bytes={len(clip)}-")[0], 416, "a range beyond it")
    short = sound(hear("short.flac", token)[1])[3]
    true(abs(short - 10) < 0.1, f"half of 20 s: {short} s")
    refused(403, "auth.account_required", "song.mp3", token, path="download")


@check("peaks are a thousand numbers, and loudness comes by itself")
def _():
    token = somebody()
    status, body, headers = hear("short.flac", token, path="peaks")
    told = json.loads(body)
    equal((status, headers["content-type"], told["version"], len(told["peaks"])), (200, "application/json", 1, 1000),
          "the answer")
    # ffmpeg's sine has an eighth of full scale.
    true(all(28 <= peak <= 36 for peak in told["peaks"][:-5]), f"{told['peaks'][:5]}")
    equal(hear("short.flac", guest(), path="peaks")[1], body, "for a guest")
    true(-2400 < stage.tracks(token)["short.flac"]["loudness"] < -1900, "its loudness")
