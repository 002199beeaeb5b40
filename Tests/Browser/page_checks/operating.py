"""An operator looks after music folders, jobs and storage: scans as they go on, who hears what, what is broken; and the figures."""
import os, struct, time, urllib.error, urllib.request, wave

from support import Page, Server, check, chromium, eventually
from .admin import go, operator
from .belonging import sign_in

#: Files of the folder that is scanned for long enough to be watched.
MANY = 1500


def write_sound(path, number, seconds=0.2, kind=1):
    """A WAV file that sounds like no other; of another `kind` than 1, one that nobody can decode."""
    with wave.open(str(path), "wb") as file:
        file.setparams((1, 2, 8000, 0, "NONE", ""))
        file.writeframes(b"".join(struct.pack("<h", (number * 7919 + at * 31) % 30_000 - 15_000) for at in range(int(8000 * seconds))))
    if kind != 1:
        data = bytearray(path.read_bytes())
        data[20:22] = struct.pack("<H", kind)
        path.write_bytes(data)


def fill(folder):
    """Three music folders: one of many files, one with broken files, and one that was never mounted."""
    for name in ("many", "records"):
        (folder / name).mkdir()
    for number in range(MANY):
        write_sound(folder / "many" / f"{number:04}.wav", number, 0.02)
    for number in range(3):
        write_sound(folder / "records" / f"song {number}.wav", MANY + number, 3)
    write_sound(folder / "records" / "riddle.wav", MANY + 9, kind=0x4444)
    (folder / "records" / "notes.flac").write_text("This is no music.")
    (folder / "records" / "nothing.mp3").touch()


def card(tab, name):
    return tab.locator(f".folder-card[data-folder='{name}']")


def touch(folder):
    """Has every file look changed, so that a scan reads it again: not as if it were being written still."""
    for number, path in enumerate(sorted(folder.iterdir())):
        at = time.time() - 3600 - number
        os.utime(path, (at, at))


def scans(tab, server, admin, folder):
    """A scan is begun, is seen going on, and is stopped; the next one goes through."""
    go(tab, "folders")
    many = card(tab, "Many")
    tab.until(f"document.querySelector('[data-folder=Many] .folder-figures dd')?.textContent === '{MANY:,}'", "every file is a track")
    many.get_by_role("button", name="Scan now: Many").wait_for()
    touch(folder / "many")
    many.get_by_role("button", name="Scan now: Many").click()
    many.get_by_role("button", name="Stop the scan: Many").wait_for()
    words = many.locator(".folder-scan p")
    first = eventually(lambda: "looked at" in words.inner_text() and words.inner_text(), "the progress is told")
    eventually(lambda: words.inner_text() != first, "the progress goes on")
    eventually(lambda: words.inner_text() and not words.inner_text().endswith(" 0 sec"), "the time that it took so far is told")
    check(tab.evaluate("document.querySelector('[data-folder=Many] progress').max") >= MANY, "how many files there are is known from before")
    many.get_by_role("button", name="Stop the scan: Many").click()
    many.get_by_role("button", name="Scan now: Many").wait_for()
    check(not next(one for one in server.call("library.folders", {}, admin)["folders"] if one["name"] == "Many")["scanning"], "the scan goes on")
    many.get_by_role("button", name="Scan now: Many").click()
    tab.until("[...document.querySelectorAll('.toast')].some(one => one.textContent.includes('“Many” is scanned'))", "the end is told", 60)
    check("Up to date" in many.inner_text(), many.inner_text())


def failing(tab, folder):
    """A folder whose files are suddenly gone may not be mounted: nothing is marked, and the page says why."""
    aside = folder / "aside"
    (folder / "many").rename(aside)
    (folder / "many").mkdir()
    card(tab, "Many").get_by_role("button", name="Scan now: Many").click()
    tab.until("document.querySelector('[data-folder=Many] .notice.error')?.textContent.length > 80", "why the scan failed")
    check("Scan failed" in card(tab, "Many").inner_text(), card(tab, "Many").inner_text())
    check(tab.evaluate("document.querySelector('[data-folder=Many] .folder-figures dd').textContent") == "1,500", "tracks are gone")
    (folder / "many").rmdir()
    aside.rename(folder / "many")


def problems(tab):
    tab.until("document.querySelectorAll('.folder-problems .entry').length === 2", "the broken files")
    text = tab.inner_text(".folder-problems")
    check("notes.flac" in text and "not a sound file" in text and "nothing.mp3" in text and "The file is empty" in text, text)
    check(tab.evaluate("document.querySelector('[data-folder=Records] [data-wrong] dd').textContent") == "2", "their number")


def audience(tab, server, admin, friend):
    """Chosen people hear a folder; they are found by the beginning of their names, by keyboard alone."""
    def records():
        return next(one for one in server.call("library.folders", {}, admin)["folders"] if one["name"] == "Records")
    card(tab, "Records").get_by_role("button", name="Change: Who hears this music").click()
    tab.click("dialog .pick:has-text('Chosen people')")
    tab.keyboard.press("Enter")
    tab.until("document.querySelector('dialog [role=alert]').textContent.includes('at least one')", "nobody is refused")
    tab.focus("dialog [role=combobox]")
    tab.keyboard.type("@fri")
    tab.until("document.querySelector('dialog [role=option][aria-selected=true]')?.textContent.includes('@friend')", "found")
    tab.keyboard.press("Escape")
    check(tab.evaluate("document.querySelector('dialog[open]') && !document.querySelector('dialog [role=option]')"), "Escape closes more than the list")
    tab.keyboard.type("e")
    tab.until("document.querySelector('dialog [role=option][aria-selected=true]')", "found again")
    tab.keyboard.press("Enter")
    tab.until("document.querySelector('dialog .picked')?.textContent.includes('@friend')", "chosen")
    tab.get_by_role("dialog").get_by_role("button", name="Save", exact=True).click()
    tab.until("document.querySelector('[data-folder=Records] .folder-heard').textContent.includes('1 chosen person')", "the card says it")
    check(records()["audience"] == "chosen" and records()["users"] == [friend["user"]["uid"]], f"{records()}")
    card(tab, "Records").get_by_role("button", name="Change: Who hears this music").click()
    tab.until("document.querySelector('dialog .picked a')?.textContent === '@friend'", "named again")
    tab.get_by_role("dialog").get_by_role("button", name="Remove", exact=True).click()
    tab.click("dialog .pick:has-text('Administrators only')")
    tab.get_by_role("dialog").get_by_role("button", name="Save", exact=True).click()
    eventually(lambda: records()["audience"] == "admins" and records()["users"] == [], "for administrators alone")


def jobs(tab, server, admin):
    """Work that failed says why, and is done again."""
    [riddle] = server.call("search", {"query": "riddle"}, admin)["tracks"]
    stream = server.call("track.open", {"track": riddle["id"]}, admin)["stream"]
    try:
        urllib.request.urlopen(f"{server.url}{stream}&format=opus", timeout=30).read()
        raise AssertionError("a riddle was decoded")
    except urllib.error.HTTPError as error:
        check(error.code == 422, f"{error.code}")
    go(tab, "jobs")
    tab.click("admin-jobs .pick:has-text('Failed')")
    row = tab.locator("admin-jobs .job", has_text="riddle")
    row.wait_for()
    check("can’t be decoded" in row.inner_text() and "@boss" in row.inner_text(), row.inner_text())
    check(row.locator(".job-track a").get_attribute("href") == f"/track/{riddle['id']}", "the link to the track")
    job = int(row.get_attribute("data-job"))
    before = server.call("jobs.get", {"id": job}, admin)["job"]["changed_ms"]
    row.get_by_role("button", name="Do it again").click()
    # Work that nobody waits for may have to wait for its turn.
    eventually(lambda: server.call("jobs.get", {"id": job}, admin)["job"]["changed_ms"] > before, "it is done again")
    tab.select_option("admin-jobs select", "measure")
    tab.until("!document.querySelector('admin-jobs .job') || ![...document.querySelectorAll('admin-jobs .job')].some(one => one.textContent.includes('Making Opus'))", "the kind counts")
    # A job that is asked for elsewhere appears while the page is looked at.
    tab.click("admin-jobs .pick:has-text('All')")
    tab.select_option("admin-jobs select", "rendition")
    tab.until("document.querySelectorAll('admin-jobs .job').length === 1 && document.querySelector('admin-jobs .job').textContent.includes('riddle')", "one rendition")
    [song] = [one for one in server.call("search", {"query": "song"}, admin)["tracks"] if one["title"] == "song 0"]
    stream = server.call("track.open", {"track": song["id"]}, admin)["stream"]
    urllib.request.urlopen(f"{server.url}{stream}&format=opus", timeout=30).read()
    tab.until("document.querySelector('admin-jobs .job')?.textContent.includes('song 0')", "a new one comes by itself")


def storage(tab, server, friend, folder):
    sound = (folder / "records" / "song 1.wav").read_bytes()
    request = urllib.request.Request(f"{server.url}/v1/uploads/hello.wav", sound, {"authorization": f"Bearer {friend['access_token']}"}, method="PUT")
    urllib.request.urlopen(request, timeout=30).read()
    go(tab, "storage")
    tab.until("document.querySelector('admin-storage [data-user]')?.textContent.includes('@friend')", "who takes space")
    text = tab.inner_text("admin-storage").replace("\xa0", " ")
    check("47 KiB" in text and "1 file" in text and "1 track" in text and "of 100 GiB" in text, text)


def figures(tab):
    """The last hour as charts, read with the keyboard, and as a table."""
    go(tab, "server")
    tab.until("document.querySelectorAll('.chart:not([hidden]) .chart-line').length > 10", "the charts", 60)
    tab.until("parseFloat(document.querySelectorAll('.chart')[9].querySelector('.chart-value').textContent) > 10", "memory has a value")
    requests = tab.locator(".chart", has=tab.get_by_role("heading", name="Requests"))
    slider = requests.get_by_role("slider")
    tab.until("Number(document.querySelectorAll('.chart-frame')[5].getAttribute('aria-valuemax')) >= 1", "two samples", 60)
    slider.focus()
    last = slider.get_attribute("aria-valuetext")
    tab.keyboard.press("ArrowLeft")
    check(slider.get_attribute("aria-valuetext") != last, "the arrow reads another sample")
    check("all" in requests.locator(".chart-read").inner_text() and "/s" in requests.locator(".chart-read").inner_text(), requests.inner_text())
    requests.locator("summary").click()
    eventually(lambda: requests.locator("tbody tr").count() >= 2 and requests.locator("thead th").count() == 3, "the same as a table")
    requests.locator(".chart-frame").hover()
    check(requests.locator(".chart-cursor").is_visible(), "a pointer reads it, too")


def menu(tab):
    """On a phone the parts stand behind a button."""
    tab.set_viewport_size({"width": 360, "height": 740})
    button = tab.get_by_role("button", name="Server All sections")
    check(button.get_attribute("aria-expanded") == "false" and not tab.locator(".admin-link").first.is_visible(), "the parts are shown")
    button.click()
    tab.until("document.activeElement.getAttribute('aria-current') === 'page'", "the focus is at the present part")
    tab.keyboard.press("Escape")
    tab.until("document.activeElement.matches('.admin-menu')", "closed by Escape")
    button.click()
    tab.click(".admin-link[href='/admin/jobs']")
    tab.until("document.querySelector('admin-jobs')", "another part")
    tab.set_viewport_size({"width": 1280, "height": 720})


def run(playwright, shared, folder):
    music = folder / "music"
    music.mkdir()
    fill(music)
    # Folders are named at the start of a server.
    with Server(shared.programs, "--music", f"Many={music / 'many'}", "--music", f"Records={music / 'records'}") as server, chromium(playwright) as browser:
        boss, friend = server.person("boss"), server.person("friend")
        admin = boss["access_token"]
        operator(server, "user", "set-role", "@boss", "admin")
        tab = sign_in(browser, server, "boss@example.org", "/admin")
        scans(tab, server, admin, music)
        problems(tab)
        audience(tab, server, admin, friend)
        failing(tab, music)
        jobs(tab, server, admin)
        storage(tab, server, friend, music)
        figures(tab)
        menu(tab)
        check(not [one for one in tab.complaints if "422" not in one], f"{tab.complaints}")
    with chromium(playwright) as browser:
        server = shared
        server.person("looker")
        operator(server, "user", "set-role", "@looker", "admin")
        tab = sign_in(browser, server, "looker@example.org", "/admin/folders")
        tab.until("document.querySelector('.folder-none')?.textContent.includes('--music')", "without a folder it is said how to have one")
    return ["folders, their scans, problems and audience; jobs; storage; figures; and the parts on a phone"]
