"""The first run of an operator: the link of the log, the account, and a tour that goes on where it was left."""
import re, signal, subprocess

from support import Page, Server, check, chromium, eventually
from .operating import write_sound


def link(server):
    """The address that the server has written to its log."""
    def line():
        return re.search(r"Set up this server: (http[^\"\s]+)", (server.folder / "err").read_text())
    return eventually(line, "the link is in the log")[1]


def account(tab, server, address):
    tab.goto(address)
    tab.until("document.querySelector('setup-page form')", "the form")
    check(tab.evaluate("location.hash === ''"), "the code stays in the address")
    tab.fill("input[name=username]", "ada")
    tab.fill("input[name=email]", "ada@example.org")
    tab.fill("input[name=password]", "short")
    tab.keyboard.press("Enter")
    tab.until("document.querySelector('input[name=password]').getAttribute('aria-invalid') === 'true'", "the password is too short")
    # A page that is loaded anew has the code still.
    tab.reload()
    tab.until("document.querySelector('setup-page form')", "the form again")
    tab.fill("input[name=username]", "ada")
    tab.fill("input[name=email]", "ada@example.org")
    tab.fill("input[name=password]", "a long password")
    tab.keyboard.press("Enter")
    tab.until("document.querySelector('[data-step=name] .notice.ok')?.textContent.includes('@ada is the administrator')", "the next step says what was done")
    tab.until("document.querySelector('.shell a[href=\"/admin\"]')", "the pages of administrators are there")


def name(tab, server, configuration):
    """The name changes in the page as soon as the server has read its configuration again."""
    check(tab.inner_text(".setup-name") == "Sona", tab.inner_text(".setup-name"))
    configuration.write_text("name = Ada's server\n")
    server.process.send_signal(signal.SIGHUP)
    tab.until("document.querySelector('.setup-name').textContent === \"Ada's server\"", "the new name")
    check("called “Ada's server” now" in tab.inner_text(".setup-done"), tab.inner_text(".setup-done"))


def music(tab):
    tab.get_by_role("link", name="Continue").click()
    tab.until("document.querySelector('[data-step=music] .folder-card')", "the folder")
    tab.until("document.querySelector('.setup-done')?.textContent.includes('3 tracks are in the library')", "what was found")
    check(tab.evaluate("[...document.querySelectorAll('.setup-steps [data-done]')].length") == 2, "two steps are behind")


def left(tab, server):
    """Who leaves comes back to the same step."""
    tab.get_by_role("link", name="Leave for now").click()
    tab.until("location.pathname === '/'", "left")
    tab.goto(server.url + "/setup")
    tab.until("document.querySelector('[data-step=music]')", "the same step")
    tab.get_by_role("link", name="Back").click()
    tab.until("document.querySelector('[data-step=name]')", "one step back")
    tab.go_back()
    tab.until("document.querySelector('[data-step=music]')", "the history has the steps")


def people(tab, server):
    tab.get_by_role("link", name="Continue").click()
    tab.until("document.querySelector('[data-step=people]')", "the last step")
    tab.get_by_role("button", name="Make an invite").click()
    tab.until("document.querySelector('.setup-done')?.textContent.includes('good for a week')", "what was done")
    invite = tab.inner_text("[data-step=people] code").rsplit("=", 1)[1]
    bob = server.call("auth.sign_up", {"email": "bob@example.org", "password": "a long password", "username": "bob", "invite": invite})
    check(bob["user"]["username"] == "bob", "the invite is good")
    tab.get_by_role("link", name="Done").click()
    tab.until("location.pathname === '/'", "the end")


def run(playwright, shared, folder):
    records, configuration = folder / "records", folder / "sona.conf"
    records.mkdir()
    for number in range(3):
        write_sound(records / f"song {number}.wav", number)
    configuration.write_text("")
    # A server with an administrator has no link.
    with Server(shared.programs, "--music", f"Records={records}", "--registration", "invite", "--config", str(configuration)) as server, chromium(playwright) as browser:
        address = link(server)
        other = Page(browser.new_context(), address)
        other.until("document.querySelector('setup-page form')", "somebody else has the link, too")
        tab = Page(browser.new_context(), server.url + "/setup")
        tab.until("document.querySelector('setup-page [role=alert]')?.textContent.includes('log')", "without the link it is said where it is")
        tab.goto(server.url + "/setup#nonsense")
        tab.until("document.querySelector('setup-page .notice.error')?.textContent.includes('not good any more')", "a wrong code")
        account(tab, server, address)
        # Who was slower is told so, by the server's word.
        other.fill("input[name=username]", "eve")
        other.fill("input[name=email]", "eve@example.org")
        other.fill("input[name=password]", "a long password")
        other.keyboard.press("Enter")
        other.until("document.querySelector('setup-page .notice.error')?.textContent.includes('an administrator already')", "somebody was faster")
        name(tab, server, configuration)
        music(tab)
        left(tab, server)
        people(tab, server)
        check(not tab.complaints, f"{tab.complaints}")
        late = subprocess.run([server.programs / "sona", "setup-link", "--data", server.folder / "data"], capture_output=True, text=True)
        check(late.returncode == 1 and "already" in late.stderr, f"{late}")
        lang = Page(browser.new_context(locale="pl", viewport={"width": 360, "height": 740}), address)
        lang.until("document.querySelector('setup-page .notice.error')?.textContent.includes('administratora')", "the link is used up, in Polish")
        check(lang.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth"), "wider than a phone")
    return ["the link, the account, the name, the music, an invite; resumed, and refused to whoever comes second"]
