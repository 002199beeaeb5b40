"""About what was said: answered, changed and deleted, by the pointer and by the keyboard alone, and seen so by others."""
from axe_playwright_python.sync_playwright import Axe

from support import Host, Page, check, chromium, eventually
from . import tones
from .care import RULES, faults_of
from .two_tabs import PITCH

MARKUP = "<b>bold</b> & sound"


def said(tab):
    """What a tab shows: who answers what, and the text of each message."""
    return tab.evaluate("""[...document.querySelectorAll('.chat-row')].map(row =>
        [row.querySelector('.chat-quote')?.textContent ?? null, row.querySelector('.chat-text').textContent])""")


def shows(tab, wanted, what):
    eventually(lambda: tab.wait_for_timeout(50) or said(tab)[-len(wanted):] == wanted, f"{what}: {wanted}, not {said(tab)}")


def is_done(tab):
    """Waits until the server has answered: the field is for the next then."""
    tab.until("document.querySelector('room-chat textarea').value === '' && !document.querySelector('room-chat textarea').readOnly", "it is sent")


def by_pointer(one, other):
    """One says something, the other answers; it is changed, and the answer's quotation with it; it is deleted for good."""
    one.fill("room-chat textarea", MARKUP)
    one.keyboard.press("Enter")
    is_done(one)
    other.locator(".chat-row[data-own=false]").last.hover()
    check(other.locator(".chat-row").last.locator(".chat-edit, .chat-delete").count() == 0, "somebody else's message can be changed")
    other.locator(".chat-reply").last.click()
    check(MARKUP in other.inner_text(".chat-about"), "it does not say what is answered")
    other.keyboard.type("So it is.")
    other.keyboard.press("Enter")
    is_done(other)
    name = one.locator(".chat-row[data-own=true] .chat-name").last.inner_text()
    for tab in (one, other):
        shows(tab, [[None, MARKUP], [f"{name}: {MARKUP}", "So it is."]], "an answer")
    check(not other.locator(".chat-about").is_visible(), "it still answers")
    # What one was writing is there again when a change is done, or given up.
    one.fill("room-chat textarea", "half a thought")
    for key, text in (("Escape", MARKUP), ("Enter", "Bold & sound")):
        one.locator(".chat-row[data-own=true]").last.hover()
        one.locator(".chat-row[data-own=true] .chat-edit").last.click()
        check(one.input_value("room-chat textarea") == MARKUP, "what is to be changed is not in the field")
        one.fill("room-chat textarea", "Bold & sound")
        one.keyboard.press(key)
        one.locator(".chat-about").wait_for(state="hidden")
        check(one.input_value("room-chat textarea") == "half a thought", f"after {key} the field has {one.input_value('room-chat textarea')!r}")
        for tab in (one, other):
            shows(tab, [[None, text], [f"{name}: {text}", "So it is."]], f"after {key}")
    one.locator(".chat-row[data-own=true] .chat-delete").last.click(force=True)
    one.click("dialog .quiet")
    one.locator(".chat-row[data-own=true] .chat-delete").last.click(force=True)
    one.click("dialog .danger")
    for tab in (one, other):
        eventually(lambda: tab.wait_for_timeout(50) or "deleted" in said(tab)[-2][1], "it is deleted")
        check("sound" not in tab.inner_text(".chat-log"), "what was deleted is still quoted")
    check(one.evaluate("document.activeElement.matches('.chat-log')"), "the focus is lost with what was deleted")
    one.fill("room-chat textarea", "")


def by_keyboard(one, other):
    """The same without a pointer; the Tab key passes by no more than one message."""
    for text in ("first", "second", "third"):
        one.fill("room-chat textarea", text)
        one.keyboard.press("Enter")
        is_done(one)
        one.locator(".chat-text", has_text=text).wait_for()
    check(one.locator(".chat-tool[tabindex='0']").count() == 3, "the buttons of more than one message are reached by the Tab key")
    one.keyboard.press("ArrowUp")
    check(one.input_value("room-chat textarea") == "third", "the arrow does not change what one has said last")
    one.keyboard.type(" time")
    one.keyboard.press("Enter")
    shows(other, [[None, "first"], [None, "second"], [None, "third time"]], "changed by the keyboard")
    is_done(one)
    one.locator(".chat-about").wait_for(state="hidden")
    one.keyboard.press("Shift+Tab")
    check(one.evaluate("document.activeElement.matches('.chat-row:last-child .chat-delete')"), "the last message's buttons do not come before the field")
    one.keyboard.press("ArrowUp")
    one.keyboard.press("ArrowUp")
    check(one.evaluate("document.activeElement.closest('.chat-row').querySelector('.chat-text').textContent") == "first", "the arrows do not lead to the message above")
    check(one.locator(".chat-tools:focus-within").evaluate("tools => getComputedStyle(tools).opacity") == "1", "what has the focus is not seen")
    one.keyboard.press("Shift+Tab")
    one.keyboard.press("Shift+Tab")
    one.keyboard.press("Enter")
    one.keyboard.type("an answer")
    one.keyboard.press("Enter")
    name = one.locator(".chat-row[data-own=true] .chat-name").last.inner_text()
    shows(other, [[f"{name}: first", "an answer"]], "answered by the keyboard")
    is_done(one)
    one.locator(".chat-about").wait_for(state="hidden")
    one.keyboard.press("Shift+Tab")
    one.keyboard.press("End")
    one.keyboard.press("Enter")
    one.locator("dialog .danger").wait_for()
    one.locator("dialog .danger").focus()
    one.keyboard.press("Enter")
    eventually(lambda: other.wait_for_timeout(50) or "deleted" in said(other)[-1][1], "deleted by the keyboard")


def run(playwright, server, folder):
    low = tones.tone(folder / "low.opus", PITCH)
    axe, faults = Axe(), []
    with Host(server, "--loop", "--title", "Late night", low) as host, chromium(playwright) as browser:
        one, other = (Page(browser.new_context(reduced_motion="reduce"), f"{server.url}/r/{host.room}") for _ in range(2))
        for tab in (one, other):
            tab.locator("room-chat form").wait_for()
        by_pointer(one, other)
        # Nobody may write more than five times in ten seconds: this is somebody else.
        one.page.context.close()
        one = Page(browser.new_context(reduced_motion="reduce"), f"{server.url}/r/{host.room}")
        one.locator("room-chat form").wait_for()
        by_keyboard(one, other)
        # An answer under way, in both themes and on a phone.
        one.locator(".chat-reply").last.click(force=True)
        for scheme in ("light", "dark"):
            one.emulate_media(color_scheme=scheme, reduced_motion="reduce")
            faults += faults_of(axe.run(one.page, options=RULES).response, scheme)
        one.set_viewport_size({"width": 360, "height": 740})
        wide = one.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
        check(wide <= 0 and not faults, f"{wide} pixels too wide; {faults}")
        # Where one may not write any more, nothing is written about.
        host.call("room.update", {"chat": "off"})
        one.locator("room-chat", has_text="is off").wait_for()
        check(not one.locator(".chat-about").is_visible() and not one.locator(".chat-reply").first.is_visible(), "one can answer where the chat is off")
        for tab in (one, other):
            check(not tab.complaints, f"a page complains: {tab.complaints[:3]}")
        return []
