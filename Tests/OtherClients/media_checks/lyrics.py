"""tracks.md, "track.lyrics": the words of a file beside the track, for whoever may hear all of it."""
from protocol_checks.helpers import check, equal, rpc_refused, true

from media_checks.likes import NOBODY, ask, sonactl
from media_checks.stage import guest, somebody, tracks


@check("the words beside a track are told with their times, and to nobody who hears a preview")
def _():
    token, stranger = somebody(), guest()
    songs = tracks(token)
    track = songs["song.mp3"]["id"]
    equal((songs["song.mp3"]["lyrics"], "lyrics" in songs["long.mp3"]), ("synced", False), "what is told of them")
    equal(ask(token, "track.lyrics", track=track), {"lines": [{"at_ms": 1500, "text": "Łódź"}, {"at_ms": 2000, "text": "Again"},
                                                              {"at_ms": 3000, "text": "Again"}]}, "the lines")
    equal(sonactl(token, "library", "lyrics", track), (0, "00:01.50  Łódź\n00:02.00  Again\n00:03.00  Again\n", ""), "sonactl")
    true("lyrics" not in tracks(stranger)["song.mp3"], "a guest is told of words")
    rpc_refused(404, "track.no_lyrics", "track.lyrics", {"track": track}, token=stranger)
    rpc_refused(404, "track.no_lyrics", "track.lyrics", {"track": songs["long.mp3"]["id"]}, token=token)
    rpc_refused(404, "track.not_found", "track.lyrics", {"track": NOBODY}, token=token)
