"""Every language has every word, every word that is used is there, and every error code is a sentence."""
import json, pathlib, re

from support import check

ROOT = pathlib.Path(__file__).resolve().parents[3]
PUBLIC = ROOT / "Sources" / "SonaServer" / "Public"
PLURALS = {"en": {"one", "other"}, "pl": {"one", "few", "many", "other"}, "es": {"one", "other"}}
#: Keys that are put together while the page runs: what stands before the part that varies.
MADE = re.compile(r"""\btn?\(\s*`([a-z][a-z.-]*)\$\{""")
USED = re.compile(r"""\btn?\(\s*'([a-z][a-z0-9._-]+)'|\btn?\([^()'`]*\? '([a-z][a-z0-9._-]+)' : '([a-z][a-z0-9._-]+)'|"""
                  r"""new Fault\('[a-z_]+', '([a-z][a-z0-9._-]+)'|keys\.add\('.', '([a-z][a-z0-9._-]+)'|"""
                  r"""static title = '([a-z][a-z0-9._-]+)'""")


def catalogue(language):
    """The words of a language, and which of its files brought each."""
    words = {}
    for path in sorted((PUBLIC / "locales").glob(f"*{language}.json")):
        pairs = json.loads(path.read_text(encoding="utf-8"), object_pairs_hook=list)
        for key, text in pairs:
            check(key not in words, f"{language}: {key} is there twice")
            check(text == text.strip(), f"{language}: {key} is padded")
            words[key] = text
    return words


def stem(key):
    """A key without the form of its plural."""
    head, _, form = key.rpartition(".")
    return head if form in PLURALS["pl"] else key


def run(playwright, server, folder):
    words = {language: catalogue(language) for language in PLURALS}
    english = words["en"]
    plurals = {stem(key) for key in english if f"{stem(key)}.one" in english and f"{stem(key)}.other" in english}
    for language, texts in words.items():
        check({stem(key) for key in texts} == {stem(key) for key in english},
              f"{language} and English differ: { {stem(key) for key in texts} ^ {stem(key) for key in english} }")
        for key in plurals:
            forms = {form for form in PLURALS["pl"] if f"{key}.{form}" in texts}
            check(forms >= PLURALS[language], f"{language}: {key} has the forms {sorted(forms)}")
        for key, text in texts.items():
            check(bool(text) == bool(english.get(key) or english.get(f"{stem(key)}.other")), f"{language}: {key} is empty")
            names = set(re.findall(r"\{(\w+)\}", text))
            pattern = english[key] if key in english else english[f"{stem(key)}.other"]
            check(names == set(re.findall(r"\{(\w+)\}", pattern)), f"{language}: {key} names {names}")
    used, made = set(), set()
    for file in PUBLIC.rglob("*.js"):
        text = file.read_text(encoding="utf-8")
        used |= {key for found in USED.findall(text) for key in found if key}
        made |= set(MADE.findall(text))
    check(len(used) > 150, f"only {len(used)} keys are found in the modules")
    missing = sorted(key for key in used if key not in english and f"{key}.other" not in english)
    check(not missing, f"no words for {missing}")
    for start in made:
        check(any(key.startswith(start) for key in english), f"no words begin with {start}")
    codes = re.findall(r"^\| `([a-z_]+\.[a-z_]+)` \|", (ROOT / "Protocol/spec/errors.md").read_text(encoding="utf-8"), re.M)
    check(len(codes) > 80, f"only {len(codes)} codes are found in errors.md")
    silent = [code for code in codes if f"error.{code}" not in english and f"error.{code.split('.')[0]}" not in english]
    check(not silent, f"no sentence for {silent}")
    return [f"{len(english)} English words, {len(used)} used by name, {len(codes)} codes of the server"]
