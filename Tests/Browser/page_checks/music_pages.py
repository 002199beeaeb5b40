"""The pages of an album, an artist, a genre and a track play what they show; search finds, remembers and forgets; Explore has shelves."""
from support import check, chromium
from .music import STORES, clean, page, server_with_music, settled

OWN_SERVER = True
QUEUED = "solo.queue.map(({track}) => track.id)"


def albums(tab, server, token):
    """An album of several tracks: played in its order, from its third track, and shuffled; it leads to its artist."""
    album = max(server.call("library.list", {"kind": "albums", "limit": 100}, token)["albums"], key=lambda one: (bool(one["artists"]), one["tracks"]))
    ids = [one["id"] for one in server.call("album.get", {"album": album["id"]}, token)["tracks"]]
    tab.goto(f"{server.url}/album/{album['id']}")
    tab.until(f"document.querySelector('album-page h1')?.textContent === {album['name']!r}", "the album")
    tab.evaluate(STORES)
    check(tab.title().startswith(album["name"]), f"the title is {tab.title()!r}")
    check(tab.evaluate("document.documentElement.hasAttribute('data-tinted')"), "the page is not in the colour of the cover")
    tab.click(".hero-play")
    tab.until(f"solo.track?.id === {ids[0]!r}", "it plays from the first track")
    check(tab.evaluate(QUEUED) == ids, "the queue is not the album")
    check(tab.evaluate("solo.source.href") == f"/album/{album['id']}", "it is not said where it is from")
    tab.dblclick(".track-row >> nth=2")
    tab.until(f"solo.track?.id === {ids[2]!r}", "and from the third")
    check(sorted(tab.evaluate(QUEUED)) == sorted(ids), "the queue is not the album any more")
    tab.click("[data-act=shuffle]")
    tab.until("solo.shuffle", "shuffled")
    check(sorted(tab.evaluate(QUEUED)) == sorted(ids), "shuffled, it is not the album")
    tab.evaluate("solo.setShuffle(false)")
    tab.click(".hero-artists a")
    tab.until("location.pathname.startsWith('/artist/') && document.querySelector('artist-page h1')", "the artist")
    return album


def artists(tab, server, token):
    """An artist with albums and more than ten tracks."""
    artist = max(server.call("library.list", {"kind": "artists", "limit": 100}, token)["artists"], key=lambda one: one["tracks"])
    details = server.call("artist.get", {"artist": artist["id"]}, token)
    tab.goto(f"{server.url}/artist/{artist['id']}")
    tab.until("document.querySelector('artist-page .track-row')", "the artist")
    tab.evaluate(STORES)
    tab.click(".hero-play")
    tab.until(f"solo.track?.id === {details['tracks'][0]['id']!r}", "what is heard most plays first")
    tab.until("document.querySelectorAll('artist-page .music-card').length > 0", "the albums")
    tab.click("[data-act=radio]")
    tab.until("solo.source?.kind === 'radio' && solo.queue.length > 5", "a radio of the artist")
    check(tab.evaluate("solo.source.href") == f"/artist/{artist['id']}", "it is not said where the radio is from")
    if artist["tracks"] > 10:
        tab.get_by_role("button", name=f"Show all {artist['tracks']} tracks").click()
        tab.until(f"[...document.querySelectorAll('[role=grid]')].at(-1).getAttribute('aria-rowcount') === '{artist['tracks'] + 1}'", "all tracks")


def genres(tab, server, token):
    genre = server.call("genre.list", {}, token)["genres"][0]
    tab.goto(f"{server.url}/genre/{genre['id']}")
    tab.until(f"document.querySelector('genre-page h1')?.textContent === {genre['name']!r}", "the genre")
    settled(tab)
    check(tab.get_attribute("genre-page [role=grid]", "aria-rowcount") == str(genre["tracks"] + 1), "not all of its tracks")
    tab.goto(f"{server.url}/genre/{'0' * 26}")
    tab.until("document.querySelector('genre-page [role=alert]') && document.querySelector('genre-page a[href=\"/library\"]')", "a genre that is none leads on")


def tracks(tab, server, token):
    """A track: what is known of it, and its sound as bars that can be pressed."""
    track = max(server.call("library.list", {"limit": 100}, token)["tracks"], key=lambda one: one["duration_ms"])
    tab.goto(f"{server.url}/track/{track['id']}")
    tab.until(f"document.querySelector('track-page h1')?.textContent === {track['title']!r}", "the track")
    tab.evaluate(STORES)
    tab.until("document.querySelector('.wave-picture:not([data-waiting])')", "the bars come", 60)
    drawn = tab.evaluate("""() => {
        const canvas = document.querySelector('.wave-canvas'), {data} = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
        return data.filter((_, at) => at % 4 === 3).filter(Boolean).length / (data.length / 4);
    }""")
    check(0.05 < drawn < 0.95, f"{drawn:.2f} of the picture is drawn on")
    check(track["kind"].upper() in tab.inner_text(".track-details"), "the format is not told")
    tab.click(".hero-play")
    tab.until(f"solo.track?.id === {track['id']!r}", "it plays")
    # More like this: its second track plays, and those around it follow. Not every track has something that is like it.
    for track in server.call("library.list", {"limit": 100}, token)["tracks"]:
        alike = [one["id"] for one in server.call("track.similar", {"track": track["id"], "limit": 12}, token)["tracks"]]
        if len(alike) > 5:
            break
    tab.goto(f"{server.url}/track/{track['id']}")
    tab.until(f"document.querySelector('track-page h1')?.textContent === {track['title']!r}", "another track")
    tab.evaluate(STORES)
    tab.locator("track-page section", has_text="More like this").locator(".track-row").nth(1).dblclick()
    tab.until(f"solo.track?.id === {alike[1]!r}", "one that is like it")
    check(track["id"] not in alike and tab.evaluate(QUEUED) == alike, "the queue is not what is alike")
    check(tab.evaluate("solo.source.href") == f"/track/{track['id']}", "it is not said where they are from")
    # A radio begins with its track.
    tab.click(".hero-actions [aria-haspopup=menu]")
    tab.get_by_role("menuitem", name="Start radio").click()
    tab.until(f"solo.source?.kind === 'radio' && solo.track?.id === {track['id']!r} && solo.queue.length > 5", "a radio of the track")


def search(tab, server, token):
    """Groups and a best result; the address finds again; an answer that comes late is not shown; searches are remembered, forgotten, and put back."""
    tab.goto(f"{server.url}/settings")
    # Keys are listened to before a page is shown.
    tab.until("document.querySelector('settings-page section')", "the page")
    tab.keyboard.press("/")
    tab.until("location.pathname === '/search' && document.activeElement.matches('.search-input')", "the key leads to the search")
    artist = server.call("library.list", {"kind": "artists", "limit": 5}, token)["artists"][1]["name"]
    tab.keyboard.type(artist, delay=10)
    tab.until(f"document.querySelector('.search-card h3')?.textContent === {artist!r}", "the artist is the best result")
    tab.until("document.querySelector('.shelf .of-artists')", "artists are a group")
    check(tab.evaluate("new URLSearchParams(location.search).get('q')") == artist, "the address does not have the text")
    tab.reload()
    tab.until(f"document.querySelector('.search-card h3')?.textContent === {artist!r}", "the address finds it again")
    tab.press(".search-input", "Enter")
    # The first question's answer is held back until the second one is there.
    tab.evaluate(STORES)
    tab.evaluate("""() => {
        const {request} = session;
        session.request = async (type, data, options) => {
            const answer = await request.call(session, type, data, options);
            if (type === 'search' && data.query === 'a') await new Promise(done => setTimeout(done, 1200));
            return answer;
        };
    }""")
    tab.fill(".search-input", "a")
    tab.press(".search-input", "Enter")
    tab.fill(".search-input", "zzzzqqqq")
    tab.press(".search-input", "Enter")
    tab.until("document.querySelector('.search-results .empty')?.textContent.includes('zzzzqqqq')", "nothing is found")
    tab.wait_for_timeout(1500)
    check("zzzzqqqq" in tab.inner_text(".search-results"), "an earlier answer is shown over a later one")
    tab.fill(".search-input", "")
    tab.until("document.querySelector('.recent')", "what was searched for is shown")
    texts = tab.evaluate("[...document.querySelectorAll('.recent a')].map(({textContent}) => textContent)")
    check(artist in texts, f"{artist} is not in {texts}")
    tab.click(f".recent:has-text({artist!r}) button")
    tab.until(f"![...document.querySelectorAll('.recent a')].some(({{textContent}}) => textContent === {artist!r})", "it is forgotten")
    tab.click(".toast button:has-text('Undo')")
    tab.until(f"[...document.querySelectorAll('.recent a')].some(({{textContent}}) => textContent === {artist!r})", "it is put back")


def explore(tab, server, token):
    """Shelves below the rooms: new albums, genres. Modules of the library are not fetched before the page is idle."""
    tab.goto(server.url + "/")
    tab.until("document.querySelectorAll('explore-shelves .shelf').length >= 2", "the shelves")
    newest = server.call("library.list", {"kind": "albums", "sort": "added", "limit": 1}, token)["albums"][0]["name"]
    check(tab.inner_text("explore-shelves .shelf .music-link >> nth=0") == newest, "the newest album is not the first")
    row = "explore-shelves .shelf-row"
    tab.click("explore-shelves .shelf-arrows button >> nth=1")
    tab.until(f"document.querySelector('{row}').scrollLeft > 100", "the button scrolls the shelf")
    tab.focus(f"{row} a >> nth=0")
    tab.keyboard.press("ArrowRight")
    check(tab.evaluate("document.activeElement.closest('[role=listitem]').dataset.index") == "1", "the right arrow goes on")
    needed = tab.evaluate("performance.getEntriesByType('resource').some(({name}) => name.includes('explore-shelves.js'))")
    check(needed and "explore-shelves" not in tab.evaluate("[...document.querySelectorAll('link[rel=modulepreload]')].map(({href}) => href).join()"), "the shelves are loaded ahead")


def run(playwright, server, folder):
    with server_with_music(server.programs) as (own, token), chromium(playwright) as browser:
        tab = page(browser, own, "/", viewport={"width": 1280, "height": 800})
        explore(tab, own, token)
        albums(tab, own, token)
        artists(tab, own, token)
        genres(tab, own, token)
        tracks(tab, own, token)
        search(tab, own, token)
        clean(tab)
