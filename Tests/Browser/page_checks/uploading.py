"""Music is uploaded by drop, picker and folder; goes on after a pause, a killed server and a closed tab; its tags are corrected."""
import base64, hashlib, signal, subprocess, time, urllib.request

from axe_playwright_python.sync_playwright import Axe

from support import Page, Server, check, chromium, eventually
from .looks import RULES

OWN_SERVER = "it is killed, and its accounts have files"
#: Bytes a second of a line on which an upload can be watched.
SLOW = 400_000
FILES = "uploads-part input[type=file]:not([webkitdirectory])"


def sound(path, pitch, seconds, **tags):
    """A file of a tone, written by ffmpeg in the format of its name."""
    path.parent.mkdir(parents=True, exist_ok=True)
    told = [word for name, value in tags.items() for word in ("-metadata", f"{name}={value}")]
    subprocess.run(["ffmpeg", "-loglevel", "error", "-y", "-f", "lavfi", "-i", f"sine={pitch}:duration={seconds}", *told, path],
                   check=True, stdin=subprocess.DEVNULL)
    return path


class Tab(Page):
    """A tab of an account that uploads."""

    def __init__(self, context, server, path="/library/uploads"):
        super().__init__(context, server.url + path)
        self.server = server
        self.line = context.new_cdp_session(self.page)
        self.line.send("Network.enable")

    def sign_in(self, username):
        self.person = self.server.person(username)
        for name, value in (("email", f"{username}@example.org"), ("password", "a long password")):
            self.fill(f"input[name={name}]", value)
        self.click("main button[type=submit]")
        self.until("location.pathname === '/library/uploads'", "signed in")
        return self.ready()

    def ready(self):
        self.locator("uploads-part .uploads-bring").wait_for()
        self.until("document.querySelector('.uploads-space progress')", "the space is known")
        return self

    @property
    def token(self):
        return self.person["access_token"]

    def slow(self, speed=SLOW):
        """Bytes a second of the line; -1 for no limit."""
        self.line.send("Network.emulateNetworkConditions", {"offline": False, "latency": 0, "downloadThroughput": -1, "uploadThroughput": speed})

    def choose(self, *paths):
        self.set_input_files(FILES, [str(path) for path in paths])

    def state(self, name):
        """The state of a file in the list, or null."""
        return self.evaluate("name => [...document.querySelectorAll('.upload-row')].find(row => row.querySelector('.upload-name').textContent === name)?.dataset.state ?? null", name)

    def note(self, name):
        return self.locator(".upload-row", has=self.get_by_text(name, exact=True)).first.locator(".upload-note").inner_text()

    def says(self, name, words):
        """Waits until that is said of a file: its title comes a moment after it."""
        eventually(lambda: self.wait_for_timeout(50) or self.note(name) == words, f"{name} says {words!r}")

    def becomes(self, name, state, seconds=60):
        eventually(lambda: self.wait_for_timeout(50) or self.state(name) == state, f"{name} is {state}, not {self.state(name)}", seconds)

    def sent(self):
        """Bytes that the server has of uploads under way, as it says itself. It may not be asked too often."""
        time.sleep(0.25)
        return {upload["name"]: upload["offset"] for upload in self.server.call("storage.usage", {}, self.token)["uploads"]}

    def tracks(self):
        found = self.server.call("library.list", {"kind": "tracks", "scope": "own", "sort": "added"}, self.token)["tracks"]
        return {track["title"]: track for track in found}

    def is_same(self, title, path):
        """Whether the server gives back what was uploaded, byte by byte."""
        request = urllib.request.Request(f"{self.server.url}/v1/tracks/{self.tracks()[title]['id']}/stream", headers={"authorization": f"Bearer {self.token}"})
        with urllib.request.urlopen(request, timeout=60) as answer:
            return hashlib.sha256(answer.read()).digest() == hashlib.sha256(path.read_bytes()).digest()

    def drop(self, *paths, during=None):
        """Lets files fall on the page, as the system does; `during` is called while they hover."""
        data = {"items": [], "files": [str(path) for path in paths], "dragOperationsMask": 1}
        for kind in ("dragEnter", "dragOver", "drop"):
            self.line.send("Input.dispatchDragEvent", {"type": kind, "data": data, "x": 400, "y": 300})
            if kind == "dragOver" and during:
                during()


def kinds_and_refusals(tab, folder):
    """Formats, a folder, what is no music, what was there before, and guests."""
    flac = sound(folder / "01 - plain.flac", 311, 8)
    mp3 = sound(folder / "b.mp3", 415, 8, title="B side", artist="Ada", album="Blue", date="2001", genre="Jazz")
    opus = sound(folder / "c.opus", 523, 8, title="Evening", artist="Ada")
    false, empty = folder / "false.mp3", folder / "empty.mp3"
    false.write_text("nothing to hear\n" * 100)
    empty.write_bytes(b"")
    tab.choose(flac, mp3, opus, false, empty)
    for path, title in ((flac, "01 - plain"), (mp3, "B side"), (opus, "Evening")):
        tab.becomes(path.name, "done")
        check(tab.is_same(title, path), f"{path.name} is not what was sent")
        tab.says(path.name, f"In your library: {title}")
    for path, words in ((false, "This file is no music of a kind that the server knows."), (empty, "The file is empty.")):
        tab.becomes(path.name, "failed")
        tab.says(path.name, words)
    check(tab.locator(".upload-row [data-does=retry]:visible").count() == 0, "what can't be cured can be tried again")
    tab.get_by_role("button", name="Clear what is done").click()
    tab.until("!document.querySelector('.upload-row')", "the list is empty")
    # The same content under another name is a track that is there already.
    again = folder / "copy.mp3"
    again.write_bytes(mp3.read_bytes())
    tab.choose(again)
    tab.becomes(again.name, "done")
    tab.says(again.name, "You had this already: B side")
    check(len(tab.tracks()) == 3, "a copy is a track of its own")
    tab.get_by_role("button", name="Clear what is done").click()

    # Pasted, and dropped while a dialog is open: the first is taken, the second is not.
    tab.evaluate("""async ([name, text]) => {
        const transfer = new DataTransfer(), bytes = Uint8Array.from(atob(text), letter => letter.charCodeAt(0));
        transfer.items.add(new File([bytes], name, {type: 'audio/mpeg'}));
        document.body.dispatchEvent(new ClipboardEvent('paste', {clipboardData: transfer, bubbles: true, cancelable: true}));
    }""", ["pasted.mp3", base64.b64encode(sound(folder / "pasted.mp3", 440, 3, title="Pasted").read_bytes()).decode()])
    tab.becomes("pasted.mp3", "done")
    tab.get_by_role("button", name="Clear what is done").click()
    tab.keyboard.press("?")
    tab.get_by_role("dialog").wait_for()
    tab.drop(sound(folder / "unwanted.mp3", 450, 3), during=lambda: tab.wait_for_timeout(500))
    check(tab.locator(".drop-veil").count() == 0 and not tab.state("unwanted.mp3"), "a drop on a dialog is taken for an upload")
    tab.keyboard.press("Escape")

    album = folder / "album"
    for disc in (1, 2):
        for place in (1, 2):
            sound(album / f"disc {disc}" / f"{place}.mp3", 600 + 100 * disc + place, 3, title=f"Part {disc}.{place}", artist="Bo", album="Far", date="1999")
    for name in ("cover.txt", ".hidden.mp3"):
        (album / name).write_text("nothing")
    tab.drop(album, during=lambda: tab.locator(".drop-veil", has_text="Drop to upload").wait_for())
    check(tab.locator(".drop-veil").count() == 0, "it still shows that something is dragged")
    for disc in (1, 2):
        eventually(lambda: tab.wait_for_timeout(50) or f"Part {disc}.2" in tab.tracks(), "the folder is uploaded")
    tab.locator(".toast", has_text="4 files are being uploaded. cover.txt is no music and was left out.").wait_for()
    eventually(lambda: tab.wait_for_timeout(50) or len(tab.tracks()) == 8, "all of the folder, and nothing hidden")
    tab.until("!document.querySelector('.own-row') || document.querySelectorAll('.own-row').length === 8", "they stand in the list")


def pauses(tab, folder):
    """Pause, going on where it was, two at a time, and the warning of a page that is left."""
    big, more, rest = (sound(folder / f"{name}.wav", pitch, 30) for name, pitch in (("big", 200), ("more", 210), ("rest", 220)))
    tab.slow()
    tab.choose(big, more, rest)
    tab.becomes("big.wav", "sending")
    tab.becomes("more.wav", "sending")
    check(tab.state("rest.wav") == "queued", "more than two go up at a time")
    check(tab.evaluate("!dispatchEvent(new Event('beforeunload', {cancelable: true}))"), "the page is left without a warning")
    eventually(lambda: tab.sent().get("big.wav"), "bytes have come")
    tab.get_by_role("button", name="Pause all").click()
    for path in (big, more, rest):
        tab.becomes(path.name, "paused")
    check(not tab.evaluate("!dispatchEvent(new Event('beforeunload', {cancelable: true}))"), "it warns although nothing is on its way")
    tab.wait_for_timeout(500)
    before = tab.sent()
    tab.wait_for_timeout(1000)
    check(tab.sent() == before, "bytes come although it is paused")
    tab.slow(-1)
    tab.get_by_role("button", name="Go on with big.wav").click()
    tab.becomes("big.wav", "done")
    check(tab.is_same("big", big) and tab.state("more.wav") == "paused", "going on with one file is not that")
    tab.get_by_role("button", name="Cancel rest.wav").click()
    tab.get_by_role("button", name="Cancel more.wav").click()
    eventually(lambda: not tab.sent(), "what was cancelled is forgotten")


def killed(tab, folder):
    """The server is killed in the middle and started again."""
    path = sound(folder / "killed.wav", 230, 30)
    tab.slow()
    tab.choose(path)
    eventually(lambda: tab.sent().get("killed.wav", 0) > 0, "bytes have come")
    port = tab.server.port
    tab.server.process.send_signal(signal.SIGKILL)
    tab.server.process.wait()
    tab.becomes("killed.wav", "waiting")
    check("lost" in tab.note("killed.wav"), f"{tab.note('killed.wav')!r}")
    tab.server.start(port)
    kept = tab.sent()["killed.wav"]
    tab.slow(-1)
    tab.becomes("killed.wav", "done")
    check(tab.is_same("killed", path), "it is not what was sent")
    return kept, path.stat().st_size


def closed(tab, context, folder):
    """The tab is closed in the middle; another one goes on when the same file is chosen, from the byte where it was."""
    path = sound(folder / "closed.wav", 240, 30)
    other = folder / "other" / "closed.wav"
    other.parent.mkdir()
    other.write_bytes(sound(folder / "else.wav", 241, 30).read_bytes())
    tab.slow()
    tab.choose(path)
    eventually(lambda: tab.sent().get("closed.wav", 0) > 0, "bytes have come")
    tab.wait_for_timeout(700)
    tab.page.close()
    # It comes back on whatever page is opened, and only in one tab.
    after = Tab(context, tab.server, "/people")
    after.person = tab.person
    tray = after.locator("upload-tray")
    tray.wait_for()
    check("1 upload interrupted" in tray.inner_text(), f"{tray.inner_text()!r}")
    after.goto(tab.server.url + "/library/uploads")
    after.ready()
    after.becomes("closed.wav", "missing")
    check("Choose the same file" in after.note("closed.wav"), f"{after.note('closed.wav')!r}")
    # A file of the same name and size that is another one begins for itself.
    asked = []
    after.page.on("request", lambda request: asked.append((request.method, request.headers.get("upload-offset"))) if "/v1/uploads" in request.url else None)
    after.choose(other)
    eventually(lambda: after.wait_for_timeout(50) or "closed" in after.tracks(), "the other file is uploaded")
    after.until("[...document.querySelectorAll('.upload-row')].map(row => row.dataset.state).join() === 'missing,done'", "another file of the same name is taken for it")
    asked.clear()
    # A piece that was sent whole may have come after the tab was closed.
    kept = after.sent()["closed.wav"]
    after.choose(path)
    after.until("[...document.querySelectorAll('.upload-row')].filter(row => row.dataset.state === 'done').length === 2", "it goes on", 60)
    patches = [int(offset) for method, offset in asked if method == "PATCH"]
    check(patches[0] == kept and not any(method == "POST" for method, _ in asked), f"it went on at {patches[0]} instead of {kept}: {asked[:3]}")
    same = [track for track in after.server.call("library.list", {"kind": "tracks", "scope": "own", "sort": "added", "limit": 2}, after.token)["tracks"]]
    request = urllib.request.Request(f"{after.server.url}/v1/tracks/{same[0]['id']}/stream", headers={"authorization": f"Bearer {after.token}"})
    with urllib.request.urlopen(request, timeout=60) as answer:
        check(answer.read() == path.read_bytes(), "it is not what was sent")
    after.get_by_role("button", name="Clear what is done").click()
    return after, kept


def elsewhere(tab, browser, folder):
    """What another device has begun is shown here, forgotten here, or gone on with when the same file is chosen."""
    path = sound(folder / "far.wav", 250, 60)
    gone = sound(folder / "gone.wav", 251, 60)
    other = Tab(browser.new_context(), tab.server, "/sign-in?from=%2Flibrary%2Fuploads")
    for name, value in (("email", "uma@example.org"), ("password", "a long password")):
        other.fill(f"input[name={name}]", value)
    other.click("main button[type=submit]")
    other.ready()
    other.slow()
    other.choose(path, gone)
    eventually(lambda: other.wait_for_timeout(50) or len([1 for offset in tab.sent().values() if offset]) == 2, "bytes of both have come")
    other.page.context.close()
    tab.reload()
    tab.ready()
    row = tab.locator("[data-upload]", has_text="gone.wav")
    row.get_by_role("button", name="Forget gone.wav").click()
    tab.get_by_role("dialog").get_by_role("button", name="Forget", exact=True).click()
    eventually(lambda: list(tab.sent()) == ["far.wav"], "it is forgotten")
    row.wait_for(state="detached")
    kept = tab.sent()["far.wav"]
    asked = []
    tab.page.on("request", lambda request: asked.append((request.method, request.headers.get("upload-offset"))) if "/v1/uploads" in request.url else None)
    tab.choose(path)
    tab.becomes("far.wav", "done")
    check(next(int(offset) for method, offset in asked if method == "PATCH") == kept, f"it did not go on at {kept}: {asked[:4]}")
    check(tab.is_same("far", path), "it is not what was sent")
    tab.get_by_role("button", name="Clear what is done").click()


def corrected(tab):
    """Tags are corrected, one in full and several at once, with the keyboard alone; search finds them; one's file says what it said."""
    review = tab.locator(".review")
    row = review.locator(".review-row", has_text="01 - plain")
    check(row.locator(".odd, .odd-badge").count() == 4, f"marked: {row.inner_text()!r}")
    row.get_by_role("button", name="Edit the tags of 01 - plain").focus()
    tab.keyboard.press("Enter")
    tab.locator("dialog.tags-dialog").wait_for()
    tab.until("document.activeElement.name === 'title'", "what looks wrong has the focus")
    tab.keyboard.press("Control+A")
    tab.keyboard.type("Zażółć")
    for text in ("Gęślą; Jaźń", "Nowy", ""):
        tab.keyboard.press("Tab")
        tab.keyboard.type(text)
    tab.keyboard.press("Tab")
    tab.keyboard.type("20x1")
    tab.keyboard.press("Enter")
    tab.locator("dialog .error", has_text="Write a number").wait_for()
    tab.keyboard.press("Control+A")
    tab.keyboard.type("2011")
    tab.keyboard.press("Enter")
    tab.until("!document.querySelector('dialog')", "saved")
    eventually(lambda: tab.wait_for_timeout(50) or not row.count(), "what has nothing odd any more needs no second look")
    track = tab.tracks()["Zażółć"]
    check([artist["name"] for artist in track["artists"]] == ["Gęślą", "Jaźń"] and track["album"]["name"] == "Nowy" and track["year"] == 2011, f"{track}")
    found = tab.server.call("search", {"query": "zazolc jazn"}, tab.token)["tracks"]
    check([one["id"] for one in found] == [track["id"]], "search does not find it by what was corrected")

    # Several at once: what differs stays, what is typed is for all.
    own = tab.locator(".own-row")
    for title in ("Part 1.1", "Part 2.2"):
        own.filter(has_text=title).get_by_role("checkbox").check()
    tab.locator(".own-tools").get_by_role("button", name="Edit 2").click()
    check(tab.locator("dialog input[name=artists]").input_value() == "Bo", "what they have in common is not shown")
    tab.fill("dialog input[name=album]", "Near")
    tab.fill("dialog input[name=genres]", "Folk; Dub")
    tab.get_by_role("button", name="Save tags").click()
    tab.until("!document.querySelector('dialog')", "saved")
    tracks = tab.tracks()
    for title in ("Part 1.1", "Part 2.2"):
        check(tracks[title]["album"]["name"] == "Near" and [genre["name"] for genre in tracks[title]["genres"]] == ["Folk", "Dub"], f"{tracks[title]}")
    check(tracks["Part 1.2"]["album"]["name"] == "Far", "one that was not chosen was changed")
    tab.until("[...document.querySelectorAll('.own-row')].filter(row => row.querySelector('.own-album').textContent === 'Near').length === 2", "the list says so")
    tab.locator(".own-tools").get_by_role("button", name="Edit 2").click()
    tab.get_by_role("button", name="Reset to the file's tags").click()
    tab.get_by_role("button", name="Reset", exact=True).click()
    tab.until("!document.querySelector('dialog')", "reset")
    check(all(not tab.tracks()[title]["edited"] and tab.tracks()[title]["album"]["name"] == "Far" for title in ("Part 1.1", "Part 2.2")), "not reset")

    # Removing asks first.
    tab.locator(".own-tools").get_by_role("button", name="Remove 2").click()
    tab.get_by_role("dialog").get_by_role("button", name="Cancel").click()
    check("Part 1.1" in tab.tracks(), "no was taken for yes")
    tab.locator(".own-tools").get_by_role("button", name="Remove 2").click()
    tab.get_by_role("dialog").get_by_role("button", name="Remove", exact=True).click()
    eventually(lambda: tab.wait_for_timeout(50) or "Part 1.1" not in tab.tracks(), "they are gone")
    tab.until("![...document.querySelectorAll('.own-row')].some(row => row.textContent.includes('Part 2.2'))", "they left the list")


def looked_at(tab, folder):
    """axe, in both themes and three widths, with the tray open, too."""
    sounds = [sound(folder / f"look{pitch}.wav", pitch, 30) for pitch in (260, 261, 262)]
    tab.slow(SLOW // 10)
    tab.choose(*sounds)
    tab.becomes(sounds[0].name, "sending")
    axe, faults = Axe(), []

    def look(what):
        found = axe.run(tab.page, options=RULES).response["violations"]
        faults.extend(f"{what}: {one['id']} at {one['nodes'][0]['target']}: {one['nodes'][0].get('failureSummary', '')[:200]}" for one in found)
        if tab.evaluate("document.documentElement.scrollWidth > innerWidth"):
            faults.append(f"{what}: wider than the window")
    for theme in ("light", "dark"):
        tab.emulate_media(color_scheme=theme, reduced_motion="reduce")
        for width in (360, 768, 1280):
            # So high that the navigation at the foot covers no row.
            tab.set_viewport_size({"width": width, "height": 3000})
            look(f"uploads, {theme}, {width}")
    tab.evaluate("history.pushState({}, '', '/settings'); dispatchEvent(new PopStateEvent('popstate', {state: {}}))")
    tab.locator("upload-tray").wait_for()
    tab.locator(".tray-line").focus()
    tab.keyboard.press("Enter")
    tab.locator(".tray-list .upload-row").first.wait_for()
    for theme in ("light", "dark"):
        tab.emulate_media(color_scheme=theme, reduced_motion="reduce")
        for width in (360, 1280):
            tab.set_viewport_size({"width": width, "height": 800})
            look(f"tray, {theme}, {width}")
    tab.keyboard.press("Escape")
    tab.until("document.activeElement.matches('.tray-line') && document.querySelector('.tray-list').hidden", "Escape closes the list")
    # By keyboard: pause, go on, and, when all is done, close.
    tab.keyboard.press("Tab")
    tab.keyboard.press("Enter")
    tab.until("document.querySelector('upload-tray').textContent.includes('Uploads are paused')", "paused")
    tab.slow(-1)
    tab.keyboard.press("Enter")
    tab.until("document.querySelector('.tray-about').textContent.includes('files uploaded')", "done", 60)
    tab.until("document.activeElement.dataset.does === 'close'", "the focus is at what closes it")
    tab.keyboard.press("Enter")
    tab.until("document.querySelector('upload-tray').hidden", "closed")
    check(not faults, "\n".join(faults[:12]))


def limits(playwright_browser, programs, folder):
    """A quota that is full is told in words, and so is a file that is larger than the server takes."""
    with Server(programs, "--upload-quota", "3", "--upload-max", "2") as server:
        tab = Tab(playwright_browser.new_context(), server, "/sign-in?from=%2Flibrary%2Fuploads").sign_in("moa")
        first, second, large = (sound(folder / name, pitch, seconds) for name, pitch, seconds in (("q1.wav", 300, 20), ("q2.wav", 301, 20), ("q3.wav", 302, 30)))
        tab.choose(first)
        tab.becomes("q1.wav", "done")
        tab.choose(second, large)
        for path, words in ((second, "You have no space left for this upload. Remove something first."), (large, "The file is larger than this server allows.")):
            tab.becomes(path.name, "failed")
            tab.says(path.name, words)
        # Space is made, and it is tried again.
        tab.get_by_role("button", name="Remove q1", exact=True).click()
        tab.get_by_role("dialog").get_by_role("button", name="Remove", exact=True).click()
        eventually(lambda: not tab.tracks(), "removed")
        tab.get_by_role("button", name="Try q2.wav again").click()
        tab.becomes("q2.wav", "done")
        # Guests, and servers that take nothing, say so.
        guest = Page(playwright_browser.new_context(), server.url + "/library/uploads")
        guest.get_by_text("Sign in, and what you keep here is yours on every device.").wait_for()
        server.stop()


def run(playwright, server, folder):
    with chromium(playwright) as browser:
        context = browser.new_context()
        tab = Tab(context, server, "/sign-in?from=%2Flibrary%2Fuploads").sign_in("uma")
        kinds_and_refusals(tab, folder)
        pauses(tab, folder)
        kept, whole = killed(tab, folder)
        tab, at = closed(tab, context, folder)
        elsewhere(tab, browser, folder)
        corrected(tab)
        looked_at(tab, folder)
        limits(browser, server.programs, folder)
        unexpected = [words for words in tab.complaints if "Failed to load resource" not in words]
        check(not unexpected, f"{unexpected[:3]}")
    return [f"after SIGKILL it went on at {kept} of {whole} bytes, in another tab at {at}; all byte by byte what was sent"]
