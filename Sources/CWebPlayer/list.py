#!/usr/bin/env python3
"""Writes down what Sources/SonaServer/Public has in it. To be run when a file is added or removed, or imports another.

    list.py [--check]

files.c embeds every file. In index.html, each module that main.js needs before anything is seen gets a line, so that a
browser asks for all of them at once instead of for one after the other. With --check nothing is written, and the exit
code says whether both are as they would be written.
"""
import pathlib, posixpath, re, sys

HERE = pathlib.Path(__file__).resolve().parent
PUBLIC = HERE.parent / "SonaServer" / "Public"
# `import x from './y.js'`, `import './y.js'` and `export … from`, but not `import('./y.js')`, which is for later.
IMPORT = re.compile(r"""^(?:import|export)\b[^'"();]*['"](\.{1,2}/[^'"]+)['"]""", re.M)
LINE = '<link rel="modulepreload" href="{{assets}}/%s">\n'
LINES = re.compile('(' + re.escape(LINE).replace("%s", "[^\"]+") + ')+')


def embedded():
    paths = sorted(path.relative_to(PUBLIC).as_posix() for path in PUBLIC.rglob("*")
                   if path.is_file() and not any(part.startswith(".") for part in path.relative_to(PUBLIC).parts))
    lines = ["// Written by list.py. #embed (C23) puts the bytes of a file into an array.", '#include "web_player.h"', "",
             "#ifndef __has_embed", "#error The web player is embedded with #embed: this takes Swift 6.2 or newer (clang 19).",
             "#endif", ""]
    for number, path in enumerate(paths):
        lines += [f"static const unsigned char file{number}[] = {{", f'#embed "../SonaServer/Public/{path}"', "};"]
    lines += ["", "static const struct sona_site_file files[] = {"]
    lines += [f'    {{"{path}", file{number}, sizeof file{number}}},' for number, path in enumerate(paths)]
    lines += ["};", "", "const struct sona_site_file *sona_site_file_at(size_t index) {",
              "    return index < sizeof files / sizeof files[0] ? &files[index] : NULL;", "}", ""]
    return "\n".join(lines)


def needed(path, found):
    """The modules that a module imports, those that they import, and so on; nearest first."""
    for name in IMPORT.findall((PUBLIC / path).read_text(encoding="utf-8")):
        module = posixpath.normpath(posixpath.join(posixpath.dirname(path), name))
        if module not in found:
            found.append(module)
            needed(module, found)
    return found


def page():
    text = (PUBLIC / "index.html").read_text(encoding="utf-8")
    lines = "".join(LINE % module for module in sorted(needed("main.js", [])))
    script = '<script type="module"'
    bare = LINES.sub("", text)
    assert bare.count(script) == 1, "index.html has one module"
    return bare.replace(script, lines + script)


if __name__ == "__main__":
    wanted = {HERE / "files.c": embedded(), PUBLIC / "index.html": page()}
    stale = [file for file, text in wanted.items() if not file.exists() or file.read_text(encoding="utf-8") != text]
    if "--check" not in sys.argv[1:]:
        for file in stale:
            file.write_text(wanted[file], encoding="utf-8")
    elif stale:
        sys.exit(f"{', '.join(file.name for file in stale)}: not as list.py would write it; run Sources/CWebPlayer/list.py")
