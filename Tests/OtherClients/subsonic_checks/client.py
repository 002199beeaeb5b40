"""py-opensonic, over all that it knows, with classes that refuse an answer without a field."""
import urllib.parse

from protocol_checks import helpers
from protocol_checks.helpers import check, equal, true
from subsonic_checks import stage


def connections(app):
    from libopensonic import Connection
    at = urllib.parse.urlsplit(helpers.URL)
    base = {"base_url": f"http://{at.hostname}", "port": at.port}
    for use_get in (False, True):
        for legacy in (False, True):
            yield Connection(username=app.user, password=app.secret, legacy_auth=legacy, use_get=use_get, **base)
    yield Connection(api_key=app.secret, **base)


@check("py-opensonic signs in by all its ways")
def _():
    app = stage.App()
    for connection in connections(app):
        true(connection.ping(), "ping")
        equal(connection.token_info().username, app.user)
        connection.cleanup()


@check("py-opensonic's strict classes take every answer")
def _():
    app = stage.App()
    client = next(connections(app))
    names = {one.name for one in client.get_open_subsonic_extensions()}
    true("songLyrics" in names, str(names))
    # get_music_folders of 10.4.1 takes the names of the members for folders, whatever a server answers.
    client.get_license(), client.get_genres()
    client.get_indexes()
    artists = [artist for index in client.get_artists().index for artist in index.artist]
    artist = client.get_artist(artists[0].id)
    album = client.get_album(artist.album[0].id)
    song = client.get_song(album.song[0].id)
    equal(client.get_music_directory(album.id).child[0].title, song.title)
    for kind in ("random", "newest", "highest", "frequent", "recent", "alphabeticalByName", "alphabeticalByArtist", "starred"):
        client.get_album_list(kind), client.get_album_list2(kind)
    client.get_album_list2("byYear", from_year=1990, to_year=2030), client.get_album_list2("byGenre", genre="Rock")
    client.get_album_info(album.id), client.get_album_info2(album.id)
    client.get_artist_info(artist.id), client.get_artist_info2(artist.id)
    client.get_random_songs(3), client.get_songs_by_genre("Rock"), client.get_top_songs("Ada")
    client.get_similar_songs(song.id), client.get_similar_songs2(artist.id)
    client.search2("ada"), client.search3("ada")
    client.get_lyrics("Ada", "Song 1"), client.get_lyrics_by_song_id(song.id)
    client.get_now_playing(), client.get_internet_radio_stations()
    client.get_user(app.user), client.get_users(), client.get_scan_status()
    client.get_podcasts(), client.get_newest_podcasts()
    client.star([song.id], [album.id], [artist.id])
    starred = client.get_starred2()
    equal((starred.song[0].id, starred.album[0].id, starred.artist[0].id), (song.id, album.id, artist.id))
    client.get_starred()
    client.unstar([song.id], [album.id], [artist.id])
    client.set_rating(song.id, 5), client.scrobble(song.id)
    true(client.create_playlist(name="By a client", song_ids=[song.id]), "a playlist")
    (made,) = [one for one in client.get_playlists() if one.name == "By a client"]
    client.update_playlist(made.id, name="By another", song_ids_to_add=[song.id])
    equal(len(client.get_playlist(made.id).entry), 2)
    client.delete_playlist(made.id)
    client.save_play_queue([song.id], song.id, 10)
    equal(client.get_play_queue().position, 10)
    client.save_play_queue_by_index([song.id], 0, 20)
    equal(client.get_play_queue_by_index().current_index, 0)
    client.create_bookmark(song.id, 99)
    equal(client.get_bookmarks()[0].position, 99)
    client.delete_bookmark(song.id)
    client.cleanup()


@check("py-opensonic's errors are the specification's")
def _():
    from libopensonic import errors
    app = stage.App()
    client = next(connections(app))
    for call, wanted in ((lambda: client.get_album("01JDQ6Z3M8R5V2K7X4N9T1B0CF"), errors.DataNotFoundError),
                         (lambda: client.start_scan(), errors.AuthError)):
        try:
            call()
        except wanted:
            continue
        true(False, f"{wanted.__name__} did not come")
    client.cleanup()
