"""What an operator says of the server reaches everybody at once: name, banner, terms, who may come, and maintenance."""
import signal

from support import Page, Server, check, chromium

SAID = """
name = Attic radio
contact = attic@sona.example
policy-url = https://sona.example/terms
terms-required = yes
"""


def run(playwright, server, folder):
    file = folder / "sona.conf"
    file.write_text(SAID)
    with Server(server.programs, "--config", file) as own, chromium(playwright) as browser:
        def say(text):
            file.write_text(text)
            own.process.send_signal(signal.SIGHUP)

        tab = Page(browser.new_context(), own.url + "/sign-up")
        tab.until("document.title === 'Sign up · Attic radio' && document.querySelector('.wordmark').textContent === 'Attic radio'", "the name of the server")
        tab.until("document.querySelector('.field.check a[href=\"https://sona.example/terms\"]')", "the terms")
        for name, value in (("username", "ada"), ("email", "ada@example.org"), ("password", "a long password")):
            tab.fill(f"input[name={name}]", value)
        tab.click("main button[type=submit]")
        tab.until("document.querySelector('.field.check .error').textContent", "terms that are not accepted are asked for")
        tab.check("input[name=terms]")
        tab.click("main button[type=submit]")
        tab.until("location.pathname === '/'", "signed up")
        tab.goto(own.url + "/account")
        tab.until("document.querySelector('main')?.textContent.includes('attic@sona.example')", "without mail it says whom to ask")

        say(SAID + "banner = Back at 18:00.\nmaintenance = yes\n")
        tab.until("[...document.querySelectorAll('.server-banner p')].map(p => p.textContent)[1] === 'Back at 18:00.'", "the banner comes at once")
        check(tab.evaluate("!document.querySelector('.server-banner').hidden"), "the banner is hidden")
        tab.store()
        refused = "session.request('room.create', {title: 'Now'}).catch(error => error.code)"
        check(tab.evaluate(refused) == "server.maintenance", "a room is made during maintenance")

        say("name = Attic radio\ncontact = attic@sona.example\nregistration = closed\nguests = no\n")
        tab.until("document.querySelector('.server-banner').hidden", "the banner goes")
        stranger = Page(browser.new_context(), own.url + "/r/@ada")
        stranger.until("location.pathname === '/sign-in' && document.querySelector('sign-in-page form')", "a stranger has to sign in")
        stranger.until("!document.querySelector('a[href^=\"/sign-up\"]')", "nobody is told to sign up")
        stranger.click("sign-in-page form button.quiet:not(.show-password)")
        stranger.until("document.querySelector('main')?.textContent.includes('attic@sona.example')", "who forgot a password is told whom to ask")
        stranger.goto(own.url + "/sign-up")
        stranger.until("document.querySelector('sign-up-page .notice.warn') && !document.querySelector('sign-up-page form')", "there is no form to sign up")
        stranger.goto(own.url + "/sign-in")
        # The page is drawn anew when it hears what the operator says.
        stranger.until("document.querySelector('sign-in-page form') && !document.querySelector('a[href^=\"/sign-up\"]')", "the page knows the rules")
        stranger.fill("input[name=email]", "ada@example.org")
        stranger.fill("input[name=password]", "a long password")
        stranger.keyboard.press("Enter")
        stranger.until("location.pathname === '/' && document.querySelector('home-page')", "an account comes in")
        check(not tab.complaints and not stranger.complaints, f"{tab.complaints} {stranger.complaints}")
        return ["terms, banner, maintenance, closed registration and no guests, each told to who was there"]
