"""Music with the keyboard alone: sorted, chosen, queued, played, heard in another way, uploaded, corrected, played to a room."""
from sound_checks import tones
from support import Fault, Page, Server, check, chromium, eventually
from .keyboard import tab_to
from .playing import STORES, UPCOMING, heard, music

OWN_SERVER = True
ROWS = "[...document.querySelectorAll('.track-row:not([data-waiting]) .track-title')].map(({textContent}) => textContent).join()"
UPLOADED = "async () => (await session.request('library.list', {scope: 'own'})).tracks.map(({title}) => title).join()"


def fresh(tab):
    """As if nothing on the page had been touched."""
    tab.evaluate("document.activeElement.blur()")


def signed_up(tab):
    for name, text in (("username", "mina"), ("email", "mina@example.org"), ("password", "long enough")):
        tab_to(tab, f"input[name={name}]")
        tab.keyboard.type(text)
    tab.keyboard.press("Enter")
    tab.until("session.user?.username === 'mina' && location.pathname === '/library'", "signed up")


def sorted_by_heads(tab):
    """The heads of the columns are one stop; arrow keys go along them, Enter sorts, Enter again turns the order round."""
    tab.until(f"{ROWS} === 'Amber,Basalt,Cedar,Dune,Ember'", "the tracks from A to Z")
    tab_to(tab, ".track-sort[data-sort=title]")
    tab.keyboard.press("Enter")
    tab.until(f"{ROWS} === 'Ember,Dune,Cedar,Basalt,Amber'", "from Z to A")
    check(tab.get_attribute(".track-main[role=columnheader]", "aria-sort") == "descending", "the order is not told")
    check(tab.evaluate("document.activeElement.matches('.track-sort[data-sort=title]')"), "the focus is lost when the order changes")
    tab.keyboard.press("ArrowRight")
    tab.keyboard.press("Enter")
    # Those without an artist come last.
    tab.until(f"/^(Amber|Basalt|Cedar)/.test({ROWS}) && {ROWS}.split(',').slice(3).sort().join() === 'Dune,Ember'", "by artist")
    check(tab.evaluate("document.activeElement.dataset.sort") == "artist", "the focus is lost")
    tab.keyboard.press("ArrowLeft")
    tab.keyboard.press("Enter")
    tab.until(f"{ROWS} === 'Amber,Basalt,Cedar,Dune,Ember'", "from A to Z again")
    tab.keyboard.press("Tab")
    check(tab.evaluate("document.activeElement.matches('.track-row[aria-rowindex=\"2\"]')"), "the list is not the next stop")


def chosen(tab):
    """Two rows are chosen and played by their menu, a third is put next; the menu gives the focus back."""
    tab.keyboard.press("Control+ ")
    tab.keyboard.press("Shift+ArrowDown")
    tab.until("document.querySelector('.track-bar:not([hidden])')?.textContent.includes('2 selected')", "two are chosen")
    tab.keyboard.press("Shift+F10")
    tab.until("document.activeElement.matches('[role=menuitem]')", "the menu has the focus")
    tab.keyboard.press("p")
    tab.keyboard.press("Home")
    tab.keyboard.press("Enter")
    heard(tab, "Amber", "the two play")
    check(tab.evaluate("solo.queue.length") == 2, "not the two")
    tab.until("document.activeElement.matches('.track-row[aria-rowindex=\"3\"]')", "the row has the focus again")
    tab.keyboard.press("Escape")
    tab.keyboard.press("End")
    tab.keyboard.press("ContextMenu")
    tab.until("document.activeElement.matches('[role=menuitem]')", "the menu by its key")
    tab.keyboard.press("ArrowDown")
    tab.keyboard.press("Enter")
    tab.until("solo.queue.map(({track}) => track.title).join() === 'Amber,Ember,Basalt'", "it comes next")
    # The bar of what is chosen is a stop after the list.
    tab.keyboard.press("ArrowUp")
    tab.keyboard.press("Shift+ArrowUp")
    tab_to(tab, ".track-bar button:nth-of-type(3)")
    tab.keyboard.press("Enter")
    tab.until("solo.queue.length === 5 && document.querySelector('.track-bar').hidden", "both are added by the bar")


def bar(tab):
    """Each control of the bar, in the order in which they stand."""
    fresh(tab)
    tab_to(tab, "player-bar .transport [aria-label='Next track'], player-bar .transport [aria-label='Next']")
    tab.keyboard.press("Enter")
    heard(tab, "Ember", "the next")
    tab_to(tab, "player-bar .transport [aria-pressed][aria-label^='Repeat']")
    tab.keyboard.press("Enter")
    tab.until("solo.repeat === 'all'", "all is repeated")
    tab_to(tab, "player-bar .scrub-bar input")
    tab.keyboard.press("End")
    tab.keyboard.press("Home")
    tab.keyboard.press("ArrowRight")
    tab.until("solo.position > 4000 && solo.position < 20000", "five seconds on")
    tab_to(tab, "player-bar .volume input")
    before = tab.evaluate("player.volume")
    tab.keyboard.press("ArrowLeft")
    check(tab.evaluate("player.volume") < before, "it is not quieter")


def devices(tab):
    """The dialog of devices opens, is left by Escape, and gives the focus back."""
    fresh(tab)
    tab_to(tab, "player-bar .volume button:first-child")
    tab.keyboard.press("Enter")
    tab.until("document.querySelector('dialog:modal')?.textContent.length > 20", "the devices")
    tab.until("document.querySelector('dialog:modal').contains(document.activeElement)", "the focus is in the dialog")
    for _ in range(12):
        tab.keyboard.press("Tab")
        check(tab.evaluate("document.activeElement === document.body || document.querySelector('dialog:modal').contains(document.activeElement)"), "the focus leaves the dialog")
    tab.keyboard.press("Escape")
    tab.until("!document.querySelector('dialog') && document.activeElement.matches('player-bar .volume button')", "closed, and the focus back")


def full_player(tab):
    """The full player: its queue is put in another order, one is taken out and comes back by Ctrl+Z; the sleep timer."""
    fresh(tab)
    tab_to(tab, "player-bar .bar-cover")
    tab.keyboard.press("Enter")
    tab.until("document.querySelector('playing-page h1')?.textContent === 'Ember'", "the full player")
    check(tab.evaluate("document.activeElement.tagName") == "H1", "the heading does not have the focus")
    before = tab.evaluate(UPCOMING).split(",")
    tab_to(tab, ".queue-row:nth-child(2) .queue-tools button:first-child")
    tab.keyboard.press("Enter")
    tab.until(f"{UPCOMING} === {','.join([before[1], before[0], *before[2:]])!r}", "moved up")
    tab_to(tab, ".queue-row:nth-child(1) .queue-tools button:last-child")
    tab.keyboard.press("Enter")
    tab.until(f"{UPCOMING} === {','.join([before[0], *before[2:]])!r}", "taken out")
    tab.keyboard.press("Control+z")
    tab.until(f"{UPCOMING} === {','.join([before[1], before[0], *before[2:]])!r}", "and back by Ctrl+Z")
    fresh(tab)
    tab_to(tab, ".playing-tools button:first-child")
    tab.keyboard.press("Enter")
    tab.until("document.querySelector('dialog:modal')", "how it sounds")
    # A group of radio buttons is one stop, and arrow keys choose.
    tab_to(tab, "dialog input[name^=sleep]")
    tab.keyboard.press("ArrowRight")
    tab.until("solo.sleepAt > Date.now() + 14 * 60_000", "in a quarter of an hour")
    tab.keyboard.press("ArrowLeft")
    tab.until("solo.sleepAt === null", "and not")
    tab_to(tab, "dialog a[href='/car']")
    tab.keyboard.press("Enter")
    tab.until("document.querySelector('car-page h1')?.textContent === 'Ember'", "while driving")
    tab_to(tab, ".car-button.primary")
    tab.keyboard.press("Enter")
    tab.until("solo.state === 'paused'", "it pauses")
    tab_to(tab, ".car-leave")
    tab.keyboard.press("Enter")
    tab.until("document.querySelector('playing-page')", "and back")
    fresh(tab)
    tab.keyboard.press(" ")
    heard(tab, "Ember", "the space bar plays")


def equaliser(tab, server):
    """Bands by arrow keys; a preset of one's own is named, refused when its name is taken, chosen, removed and brought back."""
    tab_to(tab, ".nav a[href='/settings']")
    tab.keyboard.press("Enter")
    tab.until("document.querySelector('sound-equalizer input')", "the equaliser")
    tab_to(tab, "sound-equalizer [data-preset=rock]")
    tab.keyboard.press("Enter")
    tab_to(tab, "sound-equalizer .eq-band input")
    tab.keyboard.press("ArrowUp")
    tab.until("document.querySelector('sound-equalizer .eq-band input').value === '5'", "a band is raised")
    tab.keyboard.press("Shift+Tab")
    tab.until("document.activeElement.textContent === 'Save as a preset'", "what names it")
    tab.keyboard.press("Enter")
    tab.until("document.activeElement.name === 'preset'", "a name is asked for")
    for name, words in (("", "Give it a name."), ("  rOCK ", "There is a preset of this name.")):
        tab.keyboard.press("Control+a")
        tab.keyboard.type(name)
        tab.keyboard.press("Enter")
        tab.until(f"document.querySelector('.preset-form .error').textContent === {words!r}", words)
    tab.keyboard.press("Control+a")
    tab.keyboard.type("Kitchen")
    tab.keyboard.press("Enter")
    tab.until("document.activeElement.dataset.own === 'Kitchen' && document.activeElement.getAttribute('aria-pressed') === 'true'", "it is kept, and has the focus")
    tab.reload()
    tab.until("document.querySelector('[data-own=Kitchen][aria-pressed=true]')", "it is there after loading anew")
    tab.evaluate(STORES)
    tab_to(tab, "sound-equalizer [data-preset=flat]")
    tab.keyboard.press("Enter")
    tab_to(tab, "[data-own=Kitchen]")
    tab.keyboard.press("Enter")
    tab.until("[...document.querySelectorAll('.eq-band input')].map(({value}) => value).join() === '5,2,-2,-1,2,4'", "its bands")
    tab.keyboard.press("Tab")
    tab.keyboard.press("Enter")
    tab.until("!document.querySelector('[data-own]') && document.activeElement.matches('[data-preset]')", "removed, and its neighbour has the focus")
    tab.keyboard.press("Control+z")
    tab.until("document.querySelector('[data-own=Kitchen]')", "brought back")


def uploaded(tab, folder):
    """A file is brought, watched in the tray on another page, and its tags are corrected."""
    file = tones.tone(folder / "brought.opus", 440.0, seconds=4, title="Brougt", artist="Mina")
    fresh(tab)
    tab_to(tab, ".nav a[href='/library']")
    tab.keyboard.press("Enter")
    tab_to(tab, ".library-tab[href='/library/uploads']")
    tab.keyboard.press("Enter")
    tab.until("document.querySelector('uploads-part .uploads-bring button')", "the uploads")
    tab_to(tab, "uploads-part .uploads-bring button")
    # The newer picker cannot be answered from outside; browsers without it open the input's own.
    tab.evaluate("delete window.showOpenFilePicker")
    with tab.page.expect_file_chooser() as chooser:
        # What is evaluated comes after the page knows that its picker is answered from outside; a key may come before.
        tab.evaluate("null")
        tab.keyboard.press("Enter")
    chooser.value.set_files(file)
    try:
        eventually(lambda: tab.evaluate(UPLOADED) == "Brougt", "it is uploaded")
    except Fault as fault:
        raise Fault(f"{fault}: {tab.evaluate(UPLOADED)!r}, and the page says {tab.locator('uploads-part').inner_text()!r}") from fault
    fresh(tab)
    tab_to(tab, ".nav a[href='/people']")
    tab.keyboard.press("Enter")
    tab.until("document.querySelector('upload-tray:not([hidden])')", "the tray on another page")
    tab_to(tab, "upload-tray .tray-line")
    tab.keyboard.press("Enter")
    tab.until("document.querySelector('upload-tray .upload-row') && document.querySelector('.tray-line').ariaExpanded === 'true'", "its files")
    tab.keyboard.press("Escape")
    tab.until("document.querySelector('.tray-line').ariaExpanded === 'false' && document.activeElement.matches('.tray-line')", "Escape folds it")
    tab_to(tab, "upload-tray [data-does=close]")
    tab.keyboard.press("Enter")
    tab.until("document.querySelector('upload-tray').hidden && document.activeElement.id === 'main'", "it goes, and the page has the focus")
    tab.go_back()
    tab.until("document.querySelector('.own-row')", "the uploads")
    tab_to(tab, ".own-row button, .own-row a, .own-row input")
    tab_to(tab, ".own-row [aria-label^='Edit the tags']")
    tab.keyboard.press("Enter")
    tab.until("document.querySelector('dialog.tags-dialog') && document.activeElement.name", "its tags")
    tab.focus("dialog input[name=title]") if tab.evaluate("document.activeElement.name !== 'title'") else None
    tab.keyboard.press("Control+a")
    tab.keyboard.type("Brought")
    tab.keyboard.press("Enter")
    tab.until("!document.querySelector('dialog')", "saved")
    check(tab.evaluate(UPLOADED) == "Brought", "the title is not corrected")
    check(tab.evaluate("document.activeElement !== document.body"), "the focus is lost after saving")


def to_a_room(tab):
    """What plays alone is played to a room, and ended."""
    fresh(tab)
    tab_to(tab, "player-bar .bar-cover")
    tab.keyboard.press("Enter")
    tab_to(tab, "playing-page a[href='/host?from=solo']")
    tab.keyboard.press("Enter")
    tab.until("document.querySelector('host-setup input[name=title]')?.offsetParent && document.querySelector('.host-song')", "the queue is the list")
    tab_to(tab, "host-setup input[name=title]")
    tab.keyboard.type("Minerals")
    tab_to(tab, ".host-go")
    tab.keyboard.press("Enter")
    tab.until("document.querySelector('host-stage .big-play')", "on air")
    check(tab.evaluate("document.activeElement !== document.body"), "the focus is lost when it begins")
    tab_to(tab, "host-room .danger")
    tab.keyboard.press("Enter")
    tab.until("document.querySelector('dialog:modal')", "it asks first")
    tab_to(tab, "dialog .danger, dialog .primary")
    tab.keyboard.press("Enter")
    tab.until("!document.querySelector('host-stage .big-play')", "it is over")


def run(playwright, server, folder):
    music(folder / "music")
    with Server(server.programs, "--music", f"Test={folder / 'music'}", "--guests-hear", "full") as own, chromium(playwright) as browser:
        tab = Page(browser, own.url + "/sign-up?from=%2Flibrary", locale="en-US", viewport={"width": 1366, "height": 850})
        tab.evaluate(STORES)
        tab.store()
        tab.until("document.querySelector('sign-up-page form')", "the page for signing up")
        signed_up(tab)
        eventually(lambda: tab.evaluate("async () => (await session.request('library.list')).tracks.length === 5"), "five tracks", 60)
        tab.reload()
        tab.evaluate(STORES)
        tab.store()
        for part in (sorted_by_heads, chosen, bar, devices, full_player):
            part(tab)
        equaliser(tab, own)
        uploaded(tab, folder)
        to_a_room(tab)
        check(not tab.complaints, f"the page complains: {tab.complaints[:3]}")
