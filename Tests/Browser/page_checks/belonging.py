"""A profile with a photo, following and being found, and settings that come along to another device."""
import struct, zlib

from support import Page, check, chromium, eventually
from .directory import cut


def png(color, side=96):
    """A picture of one colour."""
    chunk = lambda kind, data: struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
    rows = b"".join(b"\0" + bytes(color) * side for _ in range(side))
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", side, side, 8, 2, 0, 0, 0))
            + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b""))


def sign_in(browser, server, email, path):
    tab = Page(browser.new_context(), server.url + "/sign-in?from=" + path.replace("/", "%2F"))
    tab.fill("input[name=email]", email)
    tab.fill("input[name=password]", "a long password")
    tab.keyboard.press("Enter")
    tab.until(f"location.pathname === '{path}'", "signed in")
    return tab


def profile(tab, server):
    tab.set_input_files("input[type=file]", {"name": "notes.txt", "mimeType": "text/plain", "buffer": b"not a picture"})
    tab.until("document.querySelector('.photo-field .notice.error')?.textContent.includes('PNG')", "what is no picture is refused in words")
    tab.set_input_files("input[type=file]", {"name": "me.png", "mimeType": "image/png", "buffer": png((200, 40, 30))})
    tab.until("document.querySelector('.photo-field .avatar img')?.naturalWidth > 0", "the photo is shown")
    tab.until("document.querySelector('.who .avatar img')", "the navigation shows it, too")
    tab.fill("input[name=display_name]", "Ada L.")
    tab.fill("textarea[name=bio]", "First line\nsecond line")
    tab.click("text=Add a link")
    tab.fill(".link-url", "javascript:alert(1)")
    tab.get_by_role("button", name="Save", exact=True).click()
    tab.until("document.querySelector('profile-page [role=alert]').textContent.includes('http')", "such a link is refused")
    tab.fill(".link-url", "https://example.org/nora")
    tab.check("input[name=public]")
    tab.get_by_role("button", name="Save", exact=True).click()
    tab.until("document.querySelector('.toast')", "saved")


def given_a_part(tab, server, room, owner, person):
    """Who may play is offered it as soon as they may, and no longer: without loading the page anew."""
    tab.goto(f"{server.url}/r/{room['id']}")
    tab.until("document.querySelector('room-page .room-actions')", "in the room")
    offer = tab.locator(".room-actions a[href^='/host']")
    check(not offer.is_visible(), "somebody who only listens is offered to play")
    for standing, state in (("cohost", "visible"), ("member", "hidden")):
        server.call("room.set_standing", {"room": room["id"], "user": person["user"]["uid"], "standing": standing}, owner["access_token"])
        offer.wait_for(state=state)


def lost(tab):
    """What could not be asked for is there when somebody asks again, and when the line is back."""
    tab.store()
    tab.evaluate("async () => { window.router = await import(new URL('router.js', document.querySelector('script[type=module]').src)); }")
    for path, part in (("/u/@nora", "user-page"), ("/people", "people-page")):
        for ask in (lambda: again.click(), lambda: cut(tab)):
            tab.evaluate("() => { session.request = () => Promise.reject(Object.assign(new Error('lost'), {code: 'connection.lost'})); }")
            tab.evaluate(f"router.navigate('{path}')")
            again = tab.locator(f"{part} button", has_text="Try again")
            again.wait_for()
            tab.evaluate("delete session.request")
            ask()
            again.wait_for(state="hidden")
            tab.locator(f"{part}", has_text="Ada L.").wait_for()


def run(playwright, server, folder):
    nora, bruno = server.person("nora"), server.person("bruno")
    with chromium(playwright) as browser:
        tab = sign_in(browser, server, "nora@example.org", "/profile")
        profile(tab, server)
        kept = server.call("user.me", {}, nora["access_token"])["profile"]
        check(kept["display_name"] == "Ada L." and kept["public"] and kept["photo"] and kept["links"] == [{"url": "https://example.org/nora"}], f"{kept}")

        other = sign_in(browser, server, "bruno@example.org", "/people")
        other.fill("people-page input[type=search]", "nora")
        other.until("document.querySelector('.person-link')?.textContent.includes('Ada L.')", "found by her name")
        other.click(".person-link")
        other.until("document.querySelector('user-page h1')?.textContent === 'Ada L.'", "her page")
        check(other.evaluate("getComputedStyle(document.querySelector('.bio')).whiteSpaceCollapse !== 'collapse'"), "lines of a text run together")
        link = other.evaluate("(({href, rel, target}) => ({href, rel, target}))(document.querySelector('.links a'))")
        check(link["href"] == "https://example.org/nora" and "noopener" in link["rel"] and link["target"] == "_blank", f"{link}")
        other.click("user-page button:has-text('Follow')")
        eventually(lambda: server.call("people.following", {}, bruno["access_token"])["users"], "she is followed")
        other.until("document.querySelector('user-page').textContent.includes('1 follower')", "the number follows")

        # Where people are: Ada lets her followers know, and goes into a room.
        tab.goto(server.url + "/settings")
        tab.click("settings-page .pick:has-text('Followers')")
        eventually(lambda: server.call("user.me", {}, nora["access_token"])["settings"]["presence"] == "followers", "kept by the server")
        room = server.call("room.create", {"title": "Late night", "visibility": "public"}, nora["access_token"])["room"]
        other.goto(server.url + "/")
        other.until("document.querySelector('home-page .room-link')", "the first page, while she is nowhere")
        tab.goto(f"{server.url}/r/{room['id']}")
        tab.until("document.querySelector('room-page .big-play')", "in the room")
        # It is asked anew now and then, and when the page is looked at again.
        other.until("document.dispatchEvent(new Event('visibilitychange')) && document.querySelector('.presence')?.textContent.includes('Late night')",
                    "the first page, too, shows where she is")
        other.goto(server.url + "/people")
        other.until("document.querySelector('.presence')?.textContent.includes('Late night')", "it is seen where she is")
        given_a_part(other, server, room, nora, bruno)
        lost(other)

        # Looks and language: at once, and on another device.
        tab.goto(server.url + "/settings")
        tab.click("settings-page .pick:has-text('Dark')")
        tab.click("settings-page .pick:has-text('Polski')")
        tab.until("document.documentElement.lang === 'pl' && document.querySelector('h1').textContent === 'Ustawienia'", "in Polish")
        check(tab.evaluate("getComputedStyle(document.documentElement).colorScheme") == "dark", "not dark")
        tab.click("sound-equalizer [data-preset=rock]")
        check(tab.evaluate("[...document.querySelectorAll('sound-equalizer .eq-bands input')].map(input => Number(input.value))") == [4, 2, -2, -1, 2, 4], "the bands do not follow")
        tab.focus("sound-equalizer .eq-bands input")
        tab.keyboard.press("ArrowUp")
        check(tab.evaluate("JSON.parse(localStorage.getItem('sona.settings')).equalizer[0]") == 5, "the key does not move the band")
        check(not tab.evaluate("[...document.querySelectorAll('[data-preset]')].some(one => one.ariaPressed === 'true')"), "a preset that is none any more")
        eventually(lambda: server.call("user.me", {}, nora["access_token"])["settings"]["locale"] == "pl_PL", "kept by the server")
        third = sign_in(browser, server, "nora@example.org", "/settings")
        third.until("document.documentElement.lang === 'pl' && document.documentElement.dataset.theme === 'dark'", "another device has them")

        # A new password asks for the old one where the last proof is too old; here it is fresh.
        third.goto(server.url + "/account")
        third.fill("input[name=password]", "another long password")
        third.keyboard.press("Enter")
        third.until("document.querySelector('.toast')", "changed")
        tab.until("document.querySelector('a[href^=\"/sign-in\"]')", "the other device is signed out")

        # Leaving for good.
        third.goto(server.url + "/account")
        third.click("button.danger")
        third.fill("dialog input[name=name]", "somebody")
        third.keyboard.press("Enter")
        third.until("document.querySelector('dialog [aria-invalid=true]')", "a wrong name does not do")
        third.fill("dialog input[name=name]", "nora")
        third.keyboard.press("Enter")
        third.until("location.pathname === '/' && document.querySelector('a[href^=\"/sign-in\"]')", "gone, and a guest")
        found = other.goto(server.url + "/u/@nora")
        check(found.status == 200, "the page itself is there")
        other.until("document.querySelector('user-page .empty')", "nobody is there")
        complaints = [line for one in (tab, other, third) for line in one.complaints if "404" not in line]
        check(not complaints, f"{complaints}")
