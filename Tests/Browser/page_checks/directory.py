"""The directory shows rooms as they come and go, and finds them while somebody types."""
from support import Page, check, chromium, eventually

# Whether one is in no room.
OUT = "session.request('room.members', {limit: 1}).then(() => false, error => error.code.startsWith('room.'))"


def titles(tab):
    return tab.evaluate("[...document.querySelectorAll('home-page .room-link')].map(link => link.textContent)")


def cut(tab, then=""):
    """Loses the line of somebody in a room, and waits until the session goes on in another."""
    tab.evaluate("""then => {
        const send = WebSocket.prototype.send;
        window.isResumed = false;
        session.addEventListener('resumed', () => { isResumed = true; session.quiet = null; }, {once: true});
        session.addEventListener('status', () => { if (session.status === 'offline' && then) player.leave(); });
        WebSocket.prototype.send = function (data) { WebSocket.prototype.send = send; this.onmessage = null; return send.call(this, data); };
        session.quiet = {ask: 100, dead: 300};
    }""", then)
    tab.until("isResumed", "the session goes on")


def resumed(tab, server, dora):
    """The list goes on with the session; a room that was left meanwhile is left."""
    tab.store()
    tab.fill("home-page input", "")
    tab.click(".room-link")
    tab.until("player.room?.isJoined", "in a room")
    tab.click(".wordmark")
    tab.until("document.querySelector('home-page .room-link')", "the rooms, from within a room")
    cut(tab)
    server.call("room.create", {"title": "Rain", "visibility": "public"}, dora)
    eventually(lambda: "Rain" in titles(tab), "a new room comes after the line was lost")
    cut(tab, "leave")
    tab.until(OUT, "the room is left")


def left_at_once(tab, room):
    """Who leaves before they have heard that they are in is not there afterwards."""
    tab.evaluate("""room => {
        const send = WebSocket.prototype.send;
        WebSocket.prototype.send = function (data) {
            send.call(this, data);
            if (typeof data !== 'string' || !data.includes('room.join')) return;
            WebSocket.prototype.send = send;
            player.leave();
        };
        return player.enter(room);
    }""", room)
    tab.until(OUT, "the room is left again")


def run(playwright, server, folder):
    dora = server.person("dora")["access_token"]
    make = lambda title, **more: server.call("room.create", {"title": title, "visibility": "public"} | more, dora)["room"]["id"]
    make("Late night", tags=["ambient"])
    morning = make("Early morning")
    with chromium(playwright) as browser:
        tab = Page(browser, server.url + "/")
        eventually(lambda: sorted(titles(tab)) == ["Early morning", "Late night"], "both rooms are shown")
        late = make("Tea at noon")
        eventually(lambda: "Tea at noon" in titles(tab), "a new room comes by itself")
        server.call("room.update", {"room": late, "title": "Tea at five"}, dora)
        eventually(lambda: "Tea at five" in titles(tab) and "Tea at noon" not in titles(tab), "a new title comes by itself")
        server.call("room.close", {"room": morning}, dora)
        eventually(lambda: "Early morning" not in titles(tab), "a closed room goes by itself")

        # Counted on the line itself: what was typed in one go asks once.
        tab.evaluate("""() => { window.asked = []; const send = WebSocket.prototype.send;
            WebSocket.prototype.send = function (data) { if (typeof data === 'string' && data.includes('room.watch')) asked.push(JSON.parse(data).data.query); return send.call(this, data); }; }""")
        tab.focus("home-page input[type=search]")
        tab.keyboard.type("ambi", delay=20)
        eventually(lambda: titles(tab) == ["Late night"], "the room with the tag is found")
        asked = tab.evaluate("asked")
        check(asked[-1] == "ambi" and len(asked) < 4, f"asked for {asked}")
        check(tab.evaluate("location.search") == "?q=ambi", "the search is not in the address")
        tab.keyboard.type("xyz")
        tab.until("document.querySelector('home-page .empty:not([hidden])')?.textContent.includes('ambixyz')", "it says that nothing is found")
        tab.fill("home-page input", "")
        eventually(lambda: len(titles(tab)) == 2, "all are shown again")

        tab.fill("home-page input", "tea")
        eventually(lambda: titles(tab) == ["Tea at five"], "found by its title")
        server.call("room.update", {"room": late, "title": "Coffee"}, dora)
        eventually(lambda: titles(tab) == [], "what no longer fits goes by itself")
        resumed(tab, server, dora)
        left_at_once(tab, late)
        check(not tab.complaints, f"{tab.complaints}")
