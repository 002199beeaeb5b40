#!/usr/bin/env python3
"""Writes down what Sources/SonaServer/Public has in it. To be run when a file is added or removed.

    list.py [--check]

files.c embeds every file. With --check nothing is written, and the exit code says whether files.c is as it would be
written.
"""
import pathlib, sys

HERE = pathlib.Path(__file__).resolve().parent
PUBLIC = HERE.parent / "SonaServer" / "Public"


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


if __name__ == "__main__":
    wanted = {HERE / "files.c": embedded()}
    stale = [file for file, text in wanted.items() if not file.exists() or file.read_text(encoding="utf-8") != text]
    if "--check" not in sys.argv[1:]:
        for file in stale:
            file.write_text(wanted[file], encoding="utf-8")
    elif stale:
        sys.exit(f"{', '.join(file.name for file in stale)}: not as list.py would write it; run Sources/CWebPlayer/list.py")
