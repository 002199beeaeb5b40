"""A newcomer's evening: an account, a room, music, a listener, words between them, and the end; in each language, on a phone and at a desk."""
import json, os, pathlib

from support import Page, check, chromium
from .desk import wav

#: Where pictures of each station are kept, if anywhere: SONA_PICTURES.
PICTURES = os.environ.get("SONA_PICTURES")
SIZES = {"phone": {"width": 360, "height": 780}, "desk": {"width": 1366, "height": 800}}
LANGUAGES = {"en": "en-GB", "pl": "pl-PL", "es": "es-ES"}
#: Whatever stands beyond the right edge.
WIDER = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
#: Keys of words that nobody has translated stand for themselves, such as "room.chat.send".
UNTRANSLATED = r"""() => {
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT), found = [];
    while (walker.nextNode()) {
        const text = walker.currentNode.data.trim();
        if (/^[a-z][a-z-]*(\.[a-z0-9-]+)+$/.test(text) && walker.currentNode.parentElement.offsetParent) found.push(text);
    }
    return found;
}"""


LOCALES = pathlib.Path(__file__).parents[3] / "Sources/SonaServer/Public/locales"


def words(language):
    """All words of a language, by their keys."""
    return {key: text for part in LOCALES.glob(f"*{language}.json") for key, text in json.loads(part.read_text()).items()}


class Evening:
    def __init__(self, browser, server, folder, language, size):
        self.browser, self.server, self.folder = browser, server, folder
        self.language, self.size, self.words = language, size, words(language)
        self.name = f"{language}_{size}"
        self.count = 0
        self.tabs = []

    def tab(self, path):
        context = self.browser.new_context(
            locale=LANGUAGES[self.language], viewport=SIZES[self.size], has_touch=self.size == "phone",
            color_scheme="dark" if self.size == "phone" else "light")
        self.tabs.append(Page(context, self.server.url + path))
        return self.tabs[-1]

    def station(self, tab, name):
        """What every page holds to, wherever one is; and a picture of it."""
        tab.wait_for_timeout(300)
        self.count += 1
        if PICTURES:
            tab.screenshot(path=pathlib.Path(PICTURES) / f"{self.name}-{self.count:02}-{name}.png")
        where = f"{self.name}, {name}"
        check(tab.evaluate("document.documentElement.lang") == self.language, f"{where}: another language")
        check(tab.evaluate(WIDER) <= 0, f"{where}: wider than the window by {tab.evaluate(WIDER)} px")
        check(not tab.evaluate(UNTRANSLATED), f"{where}: {tab.evaluate(UNTRANSLATED)}")

    def sign_up(self, tab, username):
        tab.until("location.pathname.startsWith('/sign-')", "asked who one is")
        if tab.evaluate("location.pathname") == "/sign-in":
            tab.locator("sign-in-page a[href^='/sign-up']").click()
        tab.wait_for_selector("sign-up-page form")
        self.station(tab, "sign-up")
        tab.fill("input[name=username]", username)
        tab.fill("input[name=email]", f"{username}@example.org")
        tab.fill("input[name=password]", "a long password")
        tab.keyboard.press("Enter")

    def host(self, music):
        """From the front page to a room that sounds. Returns the tab and the room."""
        tab = self.tab("/")
        tab.wait_for_selector("home-page")
        self.station(tab, "home")
        tab.locator("home-page a[href*='host']").first.click()
        self.sign_up(tab, f"{self.name}_host")
        tab.until("location.pathname === '/host'", "on the host's page")
        tab.wait_for_selector("host-setup .host-go")
        self.station(tab, "setup")
        tab.set_input_files("host-list input[type=file]", [str(file) for file in music])
        tab.wait_for_selector("host-list li >> nth=1")
        self.station(tab, "files")
        tab.click(".host-go")
        tab.wait_for_selector("host-stage .big-play")
        self.station(tab, "live")
        # The room of somebody new is private: whoever is to come gets an invite.
        if self.size == "phone":
            tab.click("host-parts [data-part=room]")
            self.station(tab, "desk-room")
        tab.locator("host-room").get_by_role("button", name=self.words["host.share"], exact=True).click()
        tab.locator("dialog").get_by_role("button", name=self.words["share.invite"], exact=True).click()
        link = tab.locator("dialog input[readonly]")
        link.wait_for()
        self.station(tab, "share")
        link = link.input_value()
        tab.keyboard.press("Escape")
        return tab, link

    def show(self, tab, part):
        """Shows a part of the room's page; on a phone it unfolds."""
        tab.locator(f"room-page [data-tab={part}]").click()
        tab.wait_for_timeout(300)

    def listen(self, link):
        tab = self.tab(link.removeprefix(self.server.url)).store()
        tab.wait_for_selector("room-stage .big-play")
        self.station(tab, "room")
        tab.click(".big-play")
        tab.until("player.state === 'live'", "the room is heard")
        self.station(tab, "heard")
        for part in ("queue", "people", "history", "chat"):
            self.show(tab, part)
            self.station(tab, part)
        return tab

    def told(self, tab, text):
        tab.locator("room-chat textarea").fill(text)
        tab.keyboard.press("Enter")
        tab.locator(".chat-text", has_text=text).first.wait_for()

    def run(self, music):
        host, link = self.host(music)
        listener = self.listen(link)
        self.told(listener, "Hola, cześć, hello!")
        if self.size == "phone":
            host.click("host-parts [data-part=chat]")
        host.locator("host-talk .chat-text", has_text="Hola").wait_for()
        self.station(host, "chat-at-the-desk")
        # The host opens the room to everybody, by the switch on the front page; somebody else finds it there.
        host.locator("a[href='/']").first.click()
        host.locator("home-page [name=public]").wait_for(state="attached")
        self.station(host, "home-of-a-host")
        host.evaluate("document.querySelector('home-page [name=public]').click()")
        agree = host.locator("dialog[open]").get_by_role("button", name=self.words["rooms.make-public"], exact=True)
        agree.wait_for()
        self.station(host, "public")
        agree.click()
        other = self.tab("/")
        other.wait_for_selector(".room-card")
        self.station(other, "home-with-a-room")
        other.locator(".room-card a, .room-card button").first.click()
        other.wait_for_selector("room-stage .big-play")
        room = other.evaluate("location.pathname")
        other.goto(f"{self.server.url}/sign-up?from={room.replace('/', '%2F')}")
        self.sign_up(other, f"{self.name}_two")
        other.until(f"location.pathname === '{room}'", "back in the room")
        other.wait_for_selector("room-stage .big-play")
        self.station(other, "member")
        for path, page in (("/settings", "settings-page"), ("/profile", "profile-page"), ("/account", "account-page"),
                           ("/people", "people-page"), ("/rooms", "main > *")):
            other.goto(self.server.url + path)
            other.wait_for_selector(page)
            self.station(other, path[1:])
        host.evaluate("""async () => {
            const {host} = await import(new URL('store/host.js', document.querySelector('script[type=module]').src));
            host.end();
        }""")
        listener.until("player.room && !player.room.room.live", "the broadcast is over")
        self.station(listener, "over")
        for tab in self.tabs:
            check(not tab.complaints, f"{self.name}: a page complains: {tab.complaints[:3]}")
            tab.context.close()


def run(playwright, server, folder):
    music = [wav(folder / "first.wav", 440, 60), wav(folder / "second.wav", 550, 60)]
    with chromium(playwright) as browser:
        for language in LANGUAGES:
            for size in SIZES:
                Evening(browser, server, folder, language, size).run(music)
    return [f"{len(LANGUAGES)} languages, {len(SIZES)} sizes"]
