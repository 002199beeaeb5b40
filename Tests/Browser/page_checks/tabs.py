"""Tabs of one browser are one person: who signs up or has a new password in one goes on as that in all."""
import subprocess

from support import Page, check, chromium, eventually

# A tab that does not see what others keep until it has kept something itself.
LATE = """() => {
    const {getItem, setItem} = Storage.prototype, place = 'sona.credentials';
    let isLate = true;
    Storage.prototype.getItem = function (key) { return isLate && key === place ? null : getItem.call(this, key); };
    Storage.prototype.setItem = function (key, value) {
        if (key === place) isLate = false;
        setItem.call(this, key, value);
    };
}"""

KEPT = "JSON.parse(localStorage.getItem('sona.credentials'))"


def run(playwright, server, folder):
    with chromium(playwright) as browser:
        context = browser.new_context()
        one = Page(context, server.url + "/sign-up").store()
        one.until("session.user?.guest", "a guest")
        other = Page(context, server.url + "/").store()
        other.until("session.user?.guest", "the same guest")
        check(one.evaluate("session.user.uid") == other.evaluate("session.user.uid"), "two tabs are two guests")
        other.evaluate("""() => { window.begun = 0; window.signedOut = 0;
            session.addEventListener('fresh', () => { begun += 1; });
            session.addEventListener('signedout', () => { signedOut += 1; }); }""")
        for name, text in (("username", "cleo"), ("email", "cleo@example.org"), ("password", "a long password")):
            one.fill(f"input[name={name}]", text)
        one.keyboard.press("Enter")
        one.until("session.user?.username === 'cleo' && location.pathname === '/'", "signed up")
        other.until("session.user?.username === 'cleo' && begun > 0", "the other tab follows")
        check(one.evaluate(f"{KEPT}.user.username") == "cleo", "a guest has taken the place of the account")

        begun = other.evaluate("begun")
        one.goto(server.url + "/account")
        one.fill("input[name=password]", "another long password")
        one.keyboard.press("Enter")
        one.until("document.querySelector('.toast')", "changed")
        other.until(f"begun > {begun} && session.status === 'online'", "the other tab connects anew")
        other.until("session.user.username === 'cleo'", "the other tab is still signed in")
        check(one.evaluate(f"{KEPT}?.user.username") == "cleo", "the new tokens are forgotten")
        check(other.evaluate("signedOut") == 0, "it says that one was signed out")
        one.reload()
        one.store()
        one.until("session.user?.username === 'cleo'", "still known when loaded anew")

        # A guest of a tab that had not seen the account does not take its place: that tab follows, the others stay.
        begun = other.evaluate("begun")
        late = context.new_page()
        late.add_init_script(f"({LATE})()")
        guests = []
        late.on("websocket", lambda line: line.on("framereceived", lambda text: guests.append(text) if '"guest":true' in str(text) else None))
        late.goto(server.url + "/")
        eventually(lambda: late.wait_for_timeout(50) or guests, "another guest")
        eventually(lambda: late.wait_for_timeout(50) or late.locator("header, nav").get_by_text("cleo").count(), "who came as a guest is who the others are")
        for tab in (one, other):
            tab.until("session.user.username === 'cleo' && session.status === 'online'", "the account stays")
        check(one.evaluate(f"{KEPT}.user.username") == "cleo", "the guest has taken the place of the account")
        check(other.evaluate("begun") == begun, "a tab whose line was fine connected anew")
        late.close()

        # A ban: it is said, and one may come back as a guest.
        one.close()
        subprocess.run([server.programs / "sona", "user", "ban", "@cleo", "--data", server.folder / "data"],
                       capture_output=True, timeout=30, check=True)
        other.until("session.status === 'ended'", "the banned are closed out")
        other.click(".line-state button")
        other.until("session.endedBy === 'auth.banned' && document.querySelector('.line-state').textContent.includes('may not sign in')", "it is said why")
        other.click(".line-state button")
        other.until("session.status === 'online' && session.user.guest", "and one is a guest")
        check(not other.complaints, f"{other.complaints}")
