"""Titles change within 100 ms of the sound, whether they are announced half a second, five or ten seconds before it."""
from support import chromium
from . import words

LEADS = (500, 5000, 10_000)


def run(playwright, server, folder):
    with chromium(playwright) as browser:
        return [f"a lead of {lead / 1000:g} s: {words.told(words.titles(browser, server, folder, lead, late_max=100))}" for lead in LEADS]
