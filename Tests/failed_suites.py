"""The suites of Swift tests in which something failed, out of what `swift test --xunit-output` wrote.

    failed_suites.py FILE           prints them as arguments for `swift test`
    failed_suites.py FILE AGAIN     whether all of them were run a second time, and nothing failed then

Ends with 1 where the answer is no, where a file is missing or cut short, as after a crash, and where not all that failed
belongs to a suite: then a second run of suites proves nothing.
"""
import pathlib, re, sys
import xml.etree.ElementTree as xml


def results(path):
    """Names of all suites, of those that failed, and whether every failure has one."""
    file = pathlib.Path(path)
    if not file.exists():
        return set(), set(), False
    try:
        root = xml.parse(file).getroot()
    except xml.ParseError:
        return set(), set(), False
    suites, failed, failures = set(), set(), 0
    for case in root.iter("testcase"):
        suites.add(case.get("classname"))
        if own := case.findall("failure"):
            failed.add(case.get("classname"))
            failures += len(own)
    told = sum(int(suite.get("failures", 0)) + int(suite.get("errors", 0)) for suite in root.iter("testsuite"))
    return suites, failed, failures == told


def pattern(suite):
    """A suite within another has a dot in the file, and a slash in what filters are matched with."""
    module, *names = suite.split(".")
    return "^" + re.escape(module) + r"\." + "[./]".join(map(re.escape, names)) + "/"


_, failed, is_whole = results(sys.argv[1])
if not failed or not is_whole:
    sys.exit(1)
if len(sys.argv) > 2:
    suites, still, is_whole = results(sys.argv[2])
    sys.exit(0 if is_whole and not still and failed <= suites else 1)
for suite in sorted(failed):
    print("--filter", pattern(suite))
