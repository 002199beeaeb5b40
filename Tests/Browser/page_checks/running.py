"""Who runs a room does it in the page: the queue's order and rules, seeking for everybody, invites, roles, how others hear it, what was played; one may listen unseen."""
from sound_checks import tones
from support import Host, Page, check, chromium, eventually
from .belonging import sign_in


def queue(host):
    return host.call("queue.get")


def titles(host):
    return [entry["track"]["title"] for entry in queue(host)["entries"]]


def enter(browser, server, name, room):
    tab = sign_in(browser, server, f"{name}@example.org", "/people")
    tab.goto(f"{server.url}/r/{room}")
    tab.store().until("player.room?.isJoined", f"{name} is in the room")
    return tab


def ordering(tab, host):
    """Moving, putting first, mixing, repeating, going on and back, emptying."""
    tab.click("[data-tab=queue]")
    tab.until("document.querySelector('.queue-controls')", "the queue's buttons")
    tab.get_by_role("button", name="Move Band – Second up", exact=True).click()
    eventually(lambda: titles(host) == ["Second", "First", "Third"], "moved up")
    tab.get_by_role("button", name="Move Band – Second down", exact=True).click()
    eventually(lambda: titles(host) == ["First", "Second", "Third"], "moved down")
    tab.click(".suggest summary")
    tab.fill(".suggest input[name=title]", "Now, please")
    tab.check(".suggest input[name=first]")
    tab.locator(".suggest button[type=submit]").click()
    eventually(lambda: titles(host)[0] == "Now, please", "first of all")
    tab.select_option(".queue-controls select", "all")
    eventually(lambda: queue(host)["repeat"] == "all", "repeating")
    tab.select_option(".queue-controls select", "off")
    before = titles(host)

    def shuffled():
        tab.click(".queue-controls [data-act=shuffle]")
        return titles(host) != before
    eventually(shuffled, "in another order")
    check(sorted(titles(host)) == sorted(before), f"{titles(host)}")
    # Somebody takes one away, and the other goes on and back.
    host.call("queue.next")
    first = queue(host)["now"]["entry"]["track"]["title"]
    tab.until("document.querySelector('room-queue .queue-now:not([hidden])') || document.querySelector('room-queue .notice:not([hidden])')", "what plays from the queue")
    host.call("queue.next")
    tab.get_by_role("button", name="Previous", exact=True).click()
    eventually(lambda: queue(host)["now"]["entry"]["track"]["title"] == first, "the one before again")
    tab.click(".queue-controls [data-act=clear]")
    tab.locator("dialog .dialog-actions button.danger").click()
    eventually(lambda: titles(host) == [], "empty")
    tab.until("document.querySelector('.queue-controls [data-act=clear]').disabled", "nothing to clear any more")


def rules(tab, host):
    tab.click(".queue-controls [data-act=rules]")
    tab.click("dialog .pick:has-text('By votes')")
    tab.locator("dialog fieldset", has_text="Who can suggest").locator(".pick", has_text="Everyone").click()
    tab.click("dialog summary")
    tab.fill("dialog input[name=skip_percent]", "101")
    tab.click("dialog button[type=submit]")
    tab.until("document.querySelector('dialog input[name=skip_percent]').getAttribute('aria-invalid') === 'true' && document.activeElement.name === 'skip_percent'",
              "what is out of range is said at its field")
    check(queue(host)["rules"]["ordering"] == "manual", "something was changed all the same")
    tab.fill("dialog input[name=skip_percent]", "30")
    tab.click("dialog button[type=submit]")
    tab.until("!document.querySelector('dialog')", "saved")
    now = queue(host)["rules"]
    check((now["ordering"], now["suggesters"], now["skip_percent"], now["voters"]) == ("votes", "everybody", 30, "everybody"), f"{now}")
    tab.until("document.querySelector('.queue-controls [data-act=shuffle]').disabled", "votes decide the order")


def seeking(cohost, host):
    cohost.until("document.querySelector('.stage-time input:not([hidden])')", "who controls the room has a handle")
    cohost.evaluate("""() => {
        const handle = document.querySelector('.stage-time input');
        handle.value = 500;
        handle.dispatchEvent(new Event('input'));
        handle.dispatchEvent(new Event('change'));
    }""")

    def position():
        return host.call("playback.get")["playback"]["position_us"]
    eventually(lambda: 55e6 < position() < 70e6, "the room goes on in the middle")


def people(tab, browser, host):
    tab.click("[data-tab=people]")
    tab.get_by_role("button", name="Listening quality", exact=True).click()
    tab.until("document.querySelectorAll('dialog .entry').length >= 2 && document.querySelector('dialog').textContent.includes('device')", "each device is there")
    tab.keyboard.press("Escape")
    # The list of roles does not come at first.
    tab.store()
    tab.evaluate("""() => {
        const {request} = session;
        session.request = (type, data, ...rest) => {
            if (type !== 'room.members' || !data.absent) return request.call(session, type, data, ...rest);
            session.request = request;
            return Promise.reject(Object.assign(new Error('fails'), {code: 'server.internal'}));
        };
    }""")
    tab.get_by_role("button", name="Roles", exact=True).click()
    tab.get_by_role("dialog").get_by_role("button", name="Try again", exact=True).click()
    tab.until("[...document.querySelectorAll('dialog .entry')].some(one => one.textContent.includes('absent') && one.textContent.includes('not here now'))", "who has a role and is away")
    tab.get_by_role("button", name="Manage absent", exact=True).click()
    tab.locator("dialog .pick", has_text="Listener").click()
    eventually(lambda: not any(one["user"]["user"]["username"] == "absent" for one in host.call("room.members", {"absent": True})["members"]), "the role is taken away")
    tab.keyboard.press("Escape")
    tab.until("document.querySelectorAll('dialog').length === 1 && !document.querySelector('dialog').textContent.includes('absent')", "the list follows")
    tab.keyboard.press("Escape")

    tab.get_by_role("button", name="Invites", exact=True).click()
    tab.get_by_role("button", name="Make an invite", exact=True).click()
    tab.until("document.querySelector('dialog [data-invite] input')", "the link of an invite")
    link = tab.evaluate("document.querySelector('dialog [data-invite] input').value")
    host.call("room.update", {"visibility": "private"})
    guest = Page(browser.new_context(), link).store()
    guest.until("player.room?.isJoined", "the link leads in")
    tab.locator("dialog [data-invite]").get_by_role("button", name="Revoke", exact=True).click()
    tab.locator("dialog .dialog-actions button.danger").click()
    guest.until("player.state === 'gone'", "without the invite there is no staying")
    tab.until("!document.querySelector('dialog [data-invite]')", "the invite is gone")
    tab.keyboard.press("Escape")
    guest.context.close()


def unseen(cohost, host):
    cohost.click("[data-tab=people]")
    cohost.click("room-people input[name=unseen]")
    eventually(lambda: host.call("room.members")["ghosts"] == 1, "counted, and not named")
    cohost.reload()
    cohost.store().until("player.room?.isJoined", "in the room again")
    check(host.call("room.members")["ghosts"] == 1, "seen again after loading anew")
    cohost.click("[data-tab=people]")
    cohost.click("room-people input[name=unseen]")
    eventually(lambda: host.call("room.members")["ghosts"] == 0, "seen")


def played(tab):
    tab.click("[data-tab=history]")
    with tab.expect_download() as saved:
        tab.get_by_role("button", name="Save as a file", exact=True).click()
        tab.get_by_role("dialog").get_by_role("button", name="Save the file", exact=True).click()
    check(saved.value.suggested_filename == "Evening.m3u", saved.value.suggested_filename)
    text = open(saved.value.path(), encoding="utf-8").read()
    check(text.startswith("#EXTM3U") and "Ada - Long" in text, text)


def settings(tab, server, host):
    tab.get_by_role("button", name="Room settings", exact=True).click()
    tab.locator("dialog fieldset", has_text="When it becomes private").locator(".pick", has_text="have to leave").click()
    tab.click("dialog summary:has-text('Sound')")
    check(tab.evaluate("document.querySelector('dialog').textContent.includes('while the room is live') && !document.querySelector('dialog [value=interactive]')"), "what cannot be changed can be chosen")
    tab.get_by_role("dialog").get_by_role("button", name="Save", exact=True).click()
    tab.until("!document.querySelector('dialog')", "saved")
    check(host.call("room.get")["room"]["on_private"] == "leave", "it was not changed")
    host.stop()
    eventually(lambda: not server.call("room.get", {"room": host.room}, host.token)["room"]["live"], "the broadcast ends")
    tab.until("player.room.room.live === false", "the page knows")
    tab.get_by_role("button", name="Room settings", exact=True).click()
    tab.click("dialog summary:has-text('Sound')")
    tab.locator("dialog fieldset", has_text="Buffer").locator(".pick", has_text="1,500 ms").click()
    tab.get_by_role("dialog").get_by_role("button", name="Save", exact=True).click()
    tab.until("!document.querySelector('dialog')", "saved")
    check(server.call("room.get", {"room": host.room}, host.token)["room"]["lead_ms"] == 1500, "the buffer is the one of before")


def run(playwright, server, folder):
    owner, cohost, _, absent = (server.person(name) for name in ("ower", "cora", "leo", "absent"))
    file = tones.tone(folder / "long.opus", 440, seconds=120, title="Long", artist="Ada")
    with Host(server, file, "--title", "Evening", token=owner["access_token"]) as host, chromium(playwright) as browser:
        for person, standing in ((cohost, "cohost"), (absent, "member")):
            host.call("room.set_standing", {"user": person["user"]["uid"], "standing": standing})
        for title in ("First", "Second", "Third"):
            host.call("queue.add", {"tracks": [{"track": {"title": title, "artist": "Band"}}]})
        tab, second = enter(browser, server, "ower", host.room), enter(browser, server, "cora", host.room)
        other = enter(browser, server, "leo", host.room)
        for name in ("queue", "people"):
            other.click(f"[data-tab={name}]")
            other.until(f"document.querySelector('room-{name} .entry')", f"a listener sees the {name}")
        check(other.evaluate("!document.querySelector('.queue-controls, room-queue [data-act$=-move], room-people [data-act$=invites], .stage-time input:not([hidden])')"),
              "a listener has something that is for others")
        ordering(tab, host)
        rules(tab, host)
        seeking(second, host)
        unseen(second, host)
        people(tab, browser, host)
        played(tab)
        settings(tab, server, host)
        complaints = [line for one in (tab, second, other) for line in one.complaints]
        check(not complaints, f"{complaints}")
    return ["queue, rules, seeking, invites, roles, quality, recap, settings; unseen, also after loading anew"]
