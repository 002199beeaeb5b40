#!/usr/bin/env python3
"""Fetches the test files of two tag libraries, which are odd on purpose: Tests/Library/fetch_odd.py [FOLDER]

From the source packages of mutagen (by pip) and of TagLib (by apt, of the Debian that runs) into FOLDER, .build/odd-files without
one. They are other people's and stay out of the repository. What is there already is not fetched again. A source that cannot
be reached is named; the status is 77 if that is true of both, and 1 of one.
"""
import argparse, pathlib, re, subprocess, sys, tarfile, tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]


def run(*command, folder=None):
    return subprocess.run(command, cwd=folder, check=True, stdin=subprocess.DEVNULL, capture_output=True, text=True).stdout


def mutagen(folder):
    run(sys.executable, "-m", "pip", "download", "--quiet", "--disable-pip-version-check", "--no-binary", ":all:", "--no-deps",
        "--dest", folder, "mutagen")
    return next(folder.glob("mutagen-*.tar.gz")), r"^[^/]+/tests/data/(.+)$"


def taglib(folder):
    # The package lists of this machine name where it gets programs; sources are at the same places.
    places = run("apt-get", "indextargets", "--format", "$(REPO_URI) $(RELEASE) $(COMPONENT)", "Created-By: Packages")
    sources = folder / "sources.list"
    sources.write_text("".join(f"deb-src {place}\n" for place in sorted(set(places.splitlines()))))
    (folder / "lists").mkdir()
    options = ["-o", f"Dir::Etc::SourceList={sources}", "-o", "Dir::Etc::SourceParts=/dev/null",
               "-o", f"Dir::State::Lists={folder}/lists", "-o", "APT::Sandbox::User=root"]
    run("apt-get", *options, "-o", "APT::Update::Error-Mode=any", "update", "-qq", folder=folder)
    run("apt-get", *options, "source", "--download-only", "-qq", "taglib", folder=folder)
    return next(folder.glob("taglib_*.orig.tar.*")), r"^[^/]+/tests/data/(.+)$"


def unpack(archive, pattern, folder):
    """Plain files alone, and none of them outside of `folder`."""
    count = 0
    with tarfile.open(archive) as contents:
        for member in contents:
            found = re.match(pattern, member.name)
            if not found or not member.isfile() or ".." in found[1].split("/"):
                continue
            path = folder / found[1]
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(contents.extractfile(member).read())
            count += 1
    if not count:
        raise ValueError(f"{archive.name} has no such files")
    return count


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", nargs="?", type=pathlib.Path, default=ROOT / ".build/odd-files")
    options = parser.parse_args()
    missing = 0
    for name, fetch in (("mutagen", mutagen), ("taglib", taglib)):
        folder = options.folder / name
        if folder.exists():
            print(f"ok      {name}: {sum(one.is_file() for one in folder.rglob('*'))} files, fetched before")
            continue
        options.folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=options.folder) as temporary:
            temporary = pathlib.Path(temporary)
            try:
                archive, pattern = fetch(temporary)
                (temporary / "files").mkdir()
                count = unpack(archive, pattern, temporary / "files")
            except subprocess.CalledProcessError as error:
                missing += 1
                print(f"SKIPPED  {name}: its source package cannot be had: {(error.stderr.strip().splitlines() or ['?'])[-1]}")
                continue
            except (StopIteration, OSError, ValueError) as error:
                missing += 1
                print(f"SKIPPED  {name}: its source package cannot be had: {error!r}")
                continue
            (temporary / "files").rename(folder)
        print(f"ok      {name}: {count} files of {archive.name}")
    return {0: 0, 1: 1, 2: 77}[missing]


if __name__ == "__main__":
    sys.exit(main())
