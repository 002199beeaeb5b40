"""Another account on the same browser gets nothing of the list of the one before: in this tab, from another tab, and on air."""
from support import check, chromium, eventually
from .desk import Desk, wav
from .reloads import again

#: Another tab signs somebody else in.
BECOME = """grant => localStorage.setItem('sona.credentials', JSON.stringify({
    user: grant.user, access_token: grant.access_token, expires_ms: Date.now() + 1000 * grant.expires_in_s}))"""
#: How many lists and files the browser keeps of somebody.
KEPT = """async uid => {
    const opened = indexedDB.open('sona-list');
    await new Promise(resolve => { opened.onsuccess = resolve; });
    const all = name => new Promise(resolve => {
        const asked = opened.result.transaction(name).objectStore(name).getAll();
        asked.onsuccess = () => resolve(asked.result);
    });
    return [(await all('lists')).filter(list => list.owner === uid && list.songs.length > 0).length, (await all('files')).length];
}"""


def run(playwright, server, folder):
    one, other = wav(folder / "one.wav", 440, 60), server.person()
    with chromium(playwright) as browser:
        desk = Desk(browser, server)
        desk.page.on("dialog", lambda dialog: dialog.accept())
        room, uid = desk.room(server), desk.person["user"]["uid"]
        second = desk.page.context.new_page()
        second.goto(server.url)

        def become(person):
            second.evaluate(BECOME, person)
            desk.until(f"session.user?.uid === '{person['user']['uid']}'", "the tab follows the account")
        desk.open(room)
        desk.add(one)
        eventually(lambda: desk.evaluate(KEPT, uid) == [1, 1], "the list is kept")
        again(desk)
        check(desk.evaluate("host.playlist.songs.length") == 1, "the owner's own list is lost")
        # The tab is on a page that knows nothing of hosting while the account changes.
        desk.goto(f"{server.url}/settings")
        desk.store()
        become(other)
        again(desk, "/host")
        check(desk.evaluate("host.playlist.songs.length") == 0, "the next account has the files of the one before")
        check(desk.evaluate(KEPT, uid) == [0, 0], "the files of the one before are still kept")
        # With the list in sight.
        become(desk.person)
        desk.open(room)
        desk.add(one)
        eventually(lambda: desk.evaluate(KEPT, uid) == [1, 1], "the list is kept again")
        become(other)
        desk.until("host.playlist.songs.length === 0", "the list is cleared")
        eventually(lambda: desk.evaluate(KEPT, uid) == [0, 0], "what was kept is cleared")
        # On air: the broadcast ends, and the list goes with it.
        become(desk.person)
        desk.open(room)
        desk.add(one)
        desk.go()
        become(other)
        desk.until("host.state === 'ended' && host.reason === 'signed-out'", "the broadcast is over")
        desk.until("host.playlist.songs.length === 0", "the list is cleared after it")
        again(desk)
        check(desk.evaluate("[host.state, host.playlist.songs.length]") == ["idle", 0], "the next account goes on with it")
        check(not desk.complaints, f"the page complains: {desk.complaints[:3]}")
