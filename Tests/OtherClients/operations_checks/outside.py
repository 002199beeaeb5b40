"""Metrics, alerts, the dashboard and /readyz: what a machine sees of the server."""
import http.client, json, re, subprocess
from urllib.parse import urlsplit

from account_checks.server import Server
from operations_checks import stage
from protocol_checks.helpers import account, check, equal, rpc, true

MONITORING = stage.DEPLOY / "monitoring"
#: Functions and words of PromQL, and what Prometheus itself knows of a target.
OF_PROMETHEUS = {"up", "instance"}


def names_in(expression):
    """The metrics of an expression."""
    text = re.sub(r"\{[^}]*\}|\[[^\]]*\]", " ", expression)
    return {name for name in re.findall(r"\b((?:sona|process)_[a-z0-9_]+)\b", text)}


@check("promtool finds nothing wrong with the metrics")
def _():
    account()
    done = subprocess.run([stage.tool("promtool"), "check", "metrics"], input=stage.SERVER.metrics(), text=True, capture_output=True)
    equal((done.returncode, done.stdout + done.stderr), (0, ""), "promtool check metrics")


@check("promtool takes the alerts; each fires when it should, and not when it should not")
def _():
    rules, tests = MONITORING / "sona-alerts.yml", MONITORING / "sona-alerts-test.yml"
    for words in (("check", "rules", rules), ("test", "rules", tests)):
        done = subprocess.run([stage.tool("promtool"), *words], text=True, capture_output=True)
        equal(done.returncode, 0, f"{done.stdout}{done.stderr}"[-400:])
    alerts = set(re.findall(r"- alert: (\w+)", rules.read_text()))
    tried = re.findall(r"- name: (\w+) (fires|does not fire)", tests.read_text())
    equal(sorted(tried), sorted((alert, how) for alert in alerts for how in ("fires", "does not fire")), "tests of alerts")


@check("every metric of the alerts and of the dashboard is there")
def _():
    certificate, key = stage.certificate()
    server = Server("--tls-cert", certificate, "--tls-key", key, "--exempt", "127.0.0.1")
    try:
        rpc("auth.sign_in", {"email": "nobody@example.org", "password": "wrong horse"})
        # Some series begin with the first event: this one with the first refusal, at the server without TLS.
        given = server.metrics() + stage.SERVER.metrics()
    finally:
        server.stop()
    there = {line.split("{")[0].split(" ")[0] for line in given.splitlines() if line and not line.startswith("#")}
    dashboard = json.loads((MONITORING / "sona-dashboard.json").read_text())
    expressions = [target["expr"] for panel in dashboard["panels"] for target in panel["targets"]]
    expressions += re.findall(r"expr: >-\n\s+(.*)", (MONITORING / "sona-alerts.yml").read_text())
    true(len(expressions) > 30, "too few expressions to be all of them")
    missing = {name for expression in expressions for name in names_in(expression)} - there
    true(not missing, f"no such metrics: {sorted(missing)}")
    equal(len({panel["id"] for panel in dashboard["panels"]}), len(dashboard["panels"]), "identifiers of panels")


@check("/readyz gives its reasons as JSON to whoever asks for it")
def _():
    def ask(accept):
        at = urlsplit(stage.SERVER.url)
        link = http.client.HTTPConnection(at.hostname, at.port, timeout=10)
        link.request("GET", "/readyz", headers={"Accept": accept} if accept else {})
        answer = link.getresponse()
        body = answer.read().decode()
        link.close()
        return answer.status, answer.getheader("content-type"), body
    status, kind, body = ask("application/json")
    equal((status, kind), (200, "application/json"), "JSON")
    found = json.loads(body)
    equal((found["ready"], found["reasons"], found["warnings"]), (True, [], ["no mail is sent"]), "readyz")
    status, kind, body = ask(None)
    true(status == 200 and body.startswith("ready") and "warning: no mail is sent" in body, body)
