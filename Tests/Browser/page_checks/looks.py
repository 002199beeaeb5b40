"""Nothing that axe finds, nothing cut off: each page and each dialog in each theme and width, in English and Spanish."""
from axe_playwright_python.sync_playwright import Axe

from support import Page, check, chromium
from .admin import operator

RULES = {"runOnly": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"], "resultTypes": ["violations"]}
PAGES = {
    "/": "home-page .room-link", "/sign-in": "sign-in-page a.button", "/settings": "settings-page form, settings-page section",
    "/people": "people-page [role=tab]", "/profile": "profile-page form", "/account": "account-page form",
    "PERSON": "user-page h1", "/username": "username-page form", "/nothing": "lost-page", "/host": "host-page h1", "ROOM": "room-page .big-play", "/rooms": "rooms-page .own-room",
    "/admin/reports": ".admin-report", "/admin/users": "admin-users .entry", "/admin/rooms": "admin-rooms .entry", "/admin/content": "admin-content form",
    "/admin/registration": "admin-registration section", "/admin/bans": "admin-bans .entry", "/admin/journal": "admin-journal .entry", "/admin/words": "admin-words form", "/admin/folders": ".folder-none", "/admin/jobs": "admin-jobs p[role=status]", "/admin/storage": "admin-storage .card", "/setup?step=name": "[data-step=name]", "/setup?step=music": "[data-step=music]", "/setup?step=people": "[data-step=people]", "/admin/server": "admin-server .chart",
}
#: Dialogs, each with its module and the function that opens it. Those of a room are opened in one that somebody else is in.
OF_ROOMS = {
    "share": ("components/share-dialog/share-dialog.js", "openShare"),
    "settings": ("components/room-page/room-settings.js", "openSettings"),
    "report": ("shell/report.js", "report"),
    "member": ("components/room-people/member-dialog.js", "manage"),
    "quality": ("components/room-people/meter-dialog.js", "openMeter"),
    "bans": ("components/room-people/tools.js", "openBans"),
    "roles": ("components/room-people/tools.js", "openRoles"),
    "invites": ("components/room-people/tools.js", "openInvites"),
    "rules": ("components/room-queue/queue-controls.js", "openRules"),
    "recap": ("components/room-history/recap-dialog.js", "openRecap"),
    "keys": ("shell/keys.js", "help"),
}
OF_ADMINS = {
    "ban": ("components/admin-page/acts.js", "banUser"),
    "ban an address": ("components/admin-page/acts.js", "banRange"),
    "ban their address": ("components/admin-page/acts.js", "banAddressesOf"),
    "take down": ("components/admin-page/acts.js", "takeDown"),
}
#: Dialogs of administrators that a button opens: the page, and the button.
PRESSED = {"/admin/users": "admin-users .entry:last-child button", "/admin/reports": ".admin-report .primary", "/admin/registration": "admin-registration .primary"}
FOR_GUESTS = {"/setup": "setup-page [role=alert]", "/sign-up": "sign-up-page form", "/sign-in": "sign-in-page form", "/": "home-page .room-link", "/account/recover#code": "recover-page form"}
WIDTHS = (320, 360, 768, 1280, 1920)

# What rooms may be tinted with, and what is written on what. Where light falls on a page axe cannot tell what is behind a text.
TINTS = ("#000000", "#ffffff", "#808080", "#ff0000", "#00ff00", "#0000ff", "#ffff00", "#00ffff", "#ff00ff", "#f08030", "#3080f0", "#80c060")
WRITTEN = [(text, ground) for text in ("text", "muted", "accent") for ground in ("bg", "glow", "surface", "surface-2", "accent-soft")] + [
    ("text", "surface-3"), ("on-accent", "accent"), ("on-accent", "accent-hover"), ("text", "card")]
CONTRASTS = """([tint, written]) => {
    const root = document.documentElement, probe = document.createElement('div'), card = document.createElement('div');
    root.toggleAttribute('data-tinted', tint !== null);
    root.style.setProperty('--tint', tint);
    card.className = 'room-card wide';
    card.style.setProperty('--room', tint ?? '#804020');
    document.body.append(probe, card);
    const pen = Object.assign(document.createElement('canvas'), {width: 1, height: 1}).getContext('2d', {willReadFrequently: true});
    const light = name => {
        probe.style.color = `var(--${name})`;
        pen.fillStyle = name === 'card' ? getComputedStyle(card).backgroundColor : getComputedStyle(probe).color;
        pen.fillRect(0, 0, 1, 1);
        const [r, g, b] = [...pen.getImageData(0, 0, 1, 1).data].map(one => one / 255).map(one => one <= .04045 ? one / 12.92 : ((one + .055) / 1.055) ** 2.4);
        return .2126 * r + .7152 * g + .0722 * b + .05;
    };
    const found = written.map(pair => [...pair, ...(([one, other]) => [Math.max(one / other, other / one)])(pair.map(light))]);
    probe.remove();
    card.remove();
    root.removeAttribute('data-tinted');
    return found;
}"""


def colours(tab, faults):
    """Whatever a cover's colour, each text has its contrast: the least of them."""
    least = 21
    for theme in ("light", "dark"):
        tab.emulate_media(color_scheme=theme, reduced_motion="reduce")
        for tint in (None, *TINTS):
            for text, ground, contrast in tab.evaluate(CONTRASTS, [tint, WRITTEN]):
                least = min(least, contrast)
                if contrast < 4.5:
                    faults.append(f"{theme}, tint {tint}: {text} on {ground} has {contrast:.2f}:1")
    return least


def overflow(tab):
    """What stands out of the page to the side."""
    return tab.evaluate("""document.documentElement.scrollWidth > document.documentElement.clientWidth
        ? [...document.querySelectorAll('body *')].filter(one => one.getBoundingClientRect().right > document.documentElement.clientWidth + 1)
            .slice(0, 3).map(one => one.outerHTML.slice(0, 120)) : []""")


def too_wide(tab, language, where, faults):
    for width in WIDTHS if language == "pl" else (320,):
        tab.set_viewport_size({"width": width, "height": 800})
        found = overflow(tab)
        if found:
            faults.append(f"{language} {width} {where}: wider than the window: {found}")
    tab.set_viewport_size({"width": 1280, "height": 800})


def look(tab, axe, where, faults):
    """All rules in the light; in the dark those again that its colours can break."""
    for theme in ("light", "dark"):
        tab.emulate_media(color_scheme=theme, reduced_motion="reduce")
        found = (axe.run(tab.page, options=RULES).response if theme == "light"
                 else tab.evaluate("axe.run({runOnly: ['color-contrast', 'link-in-text-block']})"))
        for violation in found["violations"]:
            nodes = "; ".join(node["html"][:140] + " " + node["failureSummary"].replace("\n", " ")[:200] for node in violation["nodes"][:2])
            faults.append(f"{where} {theme}: {violation['id']}: {nodes}")
    cut = overflow(tab)
    if cut:
        faults.append(f"{where}: wider than the window: {cut}")


def look_at_dialog(tab, where, faults):
    """The open dialog in both themes, with all of it unfolded, and at the width of a phone."""
    tab.until("document.querySelector('dialog[open]') && !document.querySelector('dialog [aria-busy=true]')", f"{where} is open")
    tab.wait_for_timeout(200)  # What it asks for comes.
    tab.evaluate("() => { for (const part of document.querySelectorAll('dialog details')) part.open = true; }")
    for theme in ("light", "dark"):
        tab.emulate_media(color_scheme=theme, reduced_motion="reduce")
        for violation in tab.evaluate("options => axe.run('dialog', options)", RULES)["violations"]:
            nodes = "; ".join(node["html"][:140] + " " + node["failureSummary"].replace("\n", " ")[:200] for node in violation["nodes"][:2])
            faults.append(f"dialog {where} {theme}: {violation['id']}: {nodes}")
    tab.set_viewport_size({"width": 320, "height": 700})
    cut = tab.evaluate("""(dialog => dialog.scrollWidth > dialog.clientWidth + 1
        ? [...dialog.querySelectorAll('*')].filter(one => one.getBoundingClientRect().right > dialog.getBoundingClientRect().right + 1).slice(0, 3).map(one => one.outerHTML.slice(0, 120)) : [])
        (document.querySelector('dialog[open]'))""")
    if cut:
        faults.append(f"dialog {where}: wider than itself at 320 px: {cut}")
    tab.set_viewport_size({"width": 1280, "height": 800})
    tab.keyboard.press("Escape")
    tab.until("!document.querySelector('dialog[open]')", f"{where} is closed")


def dialogs(tab, server, axe, room, language, faults):
    """Each dialog of a room and of administrators. Returns how many were looked at."""
    def load_axe():
        axe.run(tab.page, options={"runOnly": ["html-has-lang"]})

    def each(openers):
        tab.store()
        load_axe()
        for name, (module, opener) in openers.items():
            tab.evaluate("""async ([module, name]) => {
                const root = document.querySelector('script[type=module]').src, {i18n} = await import(new URL('store/i18n.js', root));
                const found = await import(new URL(module, root));
                await i18n.also('order.');
                const given = {
                    openShare: [player.room], openSettings: [player.room], report: [{room: player.room?.id}, 'Report'], openMeter: [player.room], openBans: [player.room],
                    manage: [player.room, player.room?.people.find(one => one.standing === 'listener')], openRoles: [player.room], openInvites: [player.room],
                    openRules: [player.room], openRecap: [player.room], help: [], banUser: [session.user.uid, '@somebody'], banRange: [],
                    banAddressesOf: [session.user.uid, '@somebody'], takeDown: [{room: 'A'.repeat(20), message: 1, user: session.user.uid}],
                };
                void found[name](...given[name]);
            }""", [module, opener])
            look_at_dialog(tab, f"{language} {name}", faults)

    tab.goto(f"{server.url}/r/{room}")
    tab.store().until("player.room?.people.some(one => one.standing === 'listener')", "somebody else is in the room")
    tab.click("[data-tab=queue]")
    tab.until("player.room.queue", "the queue")
    each(OF_ROOMS)
    count = len(OF_ROOMS) + len(OF_ADMINS) + len(PRESSED)
    for path, button in PRESSED.items():
        tab.goto(server.url + path)
        tab.until(f"document.querySelector('{button}')", path)
        load_axe()
        tab.click(button)
        look_at_dialog(tab, f"{language} {path}", faults)
    each(OF_ADMINS)
    return count


def see(playwright, server, languages):
    """Looks at all pages in some languages, as a guest and as somebody."""
    name = "ada_" + "_".join(languages)
    ada = server.person(name)
    room = server.call("room.create", {"title": "Late night", "visibility": "public", "description": "Slow records."}, ada["access_token"])["room"]
    server.call("room.create", {"title": "W" * 80, "visibility": "public"}, ada["access_token"])
    server.call("profile.update", {"display_name": "A" * 90, "bio": "Words. " * 30, "public": True, "links": [{"url": "https://example.org/" + "a" * 200}]}, ada["access_token"])
    operator(server, "user", "set-role", f"@{name}", "admin")
    server.call("report.send", {"kind": "spam", "room": room["id"], "text": "Words. " * 20}, server.person()["access_token"])
    server.call("addresses.ban", {"range": "203.0.113.0/24", "reason": "Words. " * 5}, ada["access_token"])
    axe, faults, count, opened = Axe(), [], 0, 0
    with chromium(playwright) as browser:
        guest = Page(browser.new_context(), f"{server.url}/r/{room['id']}").store()
        guest.until("player.room?.isJoined", "a guest is in the room")
        for language in languages:
            context = browser.new_context(viewport={"width": 1280, "height": 800}, locale=language)
            tab = Page(context, server.url + "/")
            for path, selector in FOR_GUESTS.items():
                tab.goto(server.url + path)
                tab.until(f"document.querySelector('{selector}')", path)
                look(tab, axe, f"{language} guest {path}", faults)
                count += 2
                too_wide(tab, language, f"guest {path}", faults)
            tab.goto(server.url + "/sign-in")
            tab.fill("input[name=email]", f"{name}@example.org")
            tab.fill("input[name=password]", "a long password")
            tab.keyboard.press("Enter")
            tab.until("location.pathname === '/'", "signed in")
            # The account's own language is another device's choice; here each is looked at.
            tab.goto(server.url + "/settings")
            tab.until("document.querySelectorAll('settings-page section').length > 3", "settings of the account")
            tab.click(f"settings-page .pick:has(input[value={language}])")
            tab.until(f"document.documentElement.lang === '{language}'", "the language")
            for path, selector in PAGES.items():
                tab.goto(server.url + {"ROOM": f"/r/{room['id']}", "PERSON": f"/u/@{name}"}.get(path, path))
                tab.until(f"document.querySelector('{selector}')", path)
                look(tab, axe, f"{language} {path}", faults)
                count += 2
                too_wide(tab, language, path, faults)
            opened += dialogs(tab, server, axe, room["id"], language, faults)
            if language == "en":
                least = colours(tab, faults)
            context.close()
    check(not faults, f"{len(faults)} faults:\n" + "\n".join(faults[:20]))
    return [f"{count} pages and {opened} dialogs looked at" + (f"; the least contrast of any tint is {least:.1f}:1" if "en" in languages else "")]


def run(playwright, server, folder):
    return see(playwright, server, ("en", "es"))
