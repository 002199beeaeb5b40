"""A server with music: 240 files of ten formats and many scripts, as Tests/Library makes them."""
import contextlib, os, pathlib, subprocess, sys, time

from support import Fault, Page, Server, check, eventually, kept

MAKE = pathlib.Path(__file__).resolve().parents[2] / "Library" / "make_folder.py"
#: The page's own player and library.
STORES = """async () => {
    const root = document.querySelector('script[type=module]').src, get = async path => import(new URL(path, root));
    window.solo = (await get('store/solo.js')).solo;
    window.session = (await get('store/session.js')).session;
    window.views = (await get('components/library-page/views.js')).views;
}"""


def folder_of(count, minutes):
    """A folder of so many files; made once a run. `SONA_MUSIC_<count>` names one that is there already."""
    if given := os.environ.get(f"SONA_MUSIC_{count}"):
        return pathlib.Path(given)
    folder = kept() / f"music-{count}"
    if not folder.exists():
        subprocess.run([sys.executable, MAKE, folder, "--count", str(count), "--minutes", str(minutes)], check=True, stdout=subprocess.DEVNULL)
    return folder


def patiently(server, method, data, token):
    """As `server.call`, and again after a second while the server is busy: its limit is one of time, and others use the machine."""
    for _ in range(20):
        with contextlib.suppress(Fault):
            return server.call(method, data, token)
        time.sleep(1)
    return server.call(method, data, token)


def total(server, token):
    """How many tracks the library has; asked once a second, which the account's budget allows."""
    time.sleep(1)
    return patiently(server, "library.outline", {}, token)["total"]


@contextlib.contextmanager
def server_with_music(programs, count=240, minutes=0.02, patience=120):
    """A server whose guests hear everything, when it has taken in all files."""
    with Server(programs, "--guests-hear", "full", "--music", f"Shelf={folder_of(count, minutes)}") as server:
        token = server.person("curator")["access_token"]
        eventually(lambda: total(server, token) == count, f"{count} tracks are in the library", patience)
        yield server, token


def page(browser, server, path, **options):
    tab = Page(browser, server.url + path, **options)
    tab.evaluate(STORES)
    return tab


def rows(tab):
    """Titles of the rows in the document, in their order."""
    return tab.evaluate("[...document.querySelectorAll('.track-row:not([data-waiting]) .track-title')].map(({textContent}) => textContent)")


def settled(tab, what="the rows are there"):
    tab.until("document.querySelector('.track-row') && !document.querySelector('.track-row[data-waiting]')", what)


def clean(tab):
    check(not tab.complaints, f"{tab.complaints}")
