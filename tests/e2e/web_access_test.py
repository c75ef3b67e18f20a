#!/usr/bin/env python3
"""Pages for other hosts: over TLS, by a token, and by the host's own name; what strangers send there hurts nothing."""
import json
import os
import shutil
import signal
import subprocess
import sys

import lab
from openmetrics import Metrics

# Asks over TLS; the server's certificate is the only one that is trusted. Requests of one connection.
ASK = """
import http.client, json, ssl, sys
address, port, trusted, asked = json.loads(sys.argv[1])
context = ssl.create_default_context(cafile=trusted)
connection = http.client.HTTPSConnection(address, port, context=context)
answers = []
for method, path, fields, body in asked:
    connection.putrequest(method, path, skip_host="Host" in fields)
    for name, value in fields.items():
        connection.putheader(name, value)
    if body is not None:
        connection.putheader("Content-Length", str(len(body)))
    connection.endheaders(body.encode() if body is not None else None)
    answer = connection.getresponse()
    answers.append([answer.status, dict(answer.getheaders()), answer.read().decode()])
print(json.dumps(answers))
"""
# A thousand connections that do not come as far as a token: silent, within their handshake, after it, and with a wrong one.
CROWD = """
import contextlib, resource, socket, ssl, sys
resource.setrlimit(resource.RLIMIT_NOFILE, (4000, 4000))
context = ssl.create_default_context()
context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
into, out = ssl.MemoryBIO(), ssl.MemoryBIO()
hello = context.wrap_bio(into, out)
with contextlib.suppress(ssl.SSLWantReadError):
    hello.do_handshake()
hello = out.read()
begins = [b"", hello[:20], hello, b"\\x16\\x03\\x01\\x40\\x00" + bytes(16384), b"GET /metrics HTTP/1.1\\r\\n"]
held = []
for number in range(1000):
    one = socket.create_connection((sys.argv[1], int(sys.argv[2])))
    held.append(one)
    with contextlib.suppress(OSError):
        if number % 50 == 0:
            one = context.wrap_socket(one, server_hostname=None)
            one.sendall(b"GET /metrics HTTP/1.1\\r\\nHost: " + sys.argv[1].encode() + b"\\r\\nAuthorization: Bearer " + b"0" * 64 + b"\\r\\n\\r\\n"
                        if number % 100 else b"GET")
            held.append(one)
        else:
            one.sendall(begins[number % 5])
print("held", flush=True)
sys.stdin.read()
"""
OPENMETRICS = "application/openmetrics-text;version=1.0.0"


class WebAccess(lab.LabTest):
    hosts = 3
    keeps_hosts = True

    def setUp(self):
        super().setUp()
        self.c, = self.more
        self.keys = self.folder / "keys"
        shutil.rmtree(self.keys, ignore_errors=True)  # of the test before, on the same hosts
        self.keys.mkdir(mode=0o700)
        self.certify("beta")

    def certify(self, name: str, *more):
        """NAME.pem and NAME-key.pem, for beta.example and this host's address, signed by itself."""
        lab.run("openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-subj", f"/CN={name}",
                "-addext", f"subjectAltName=DNS:beta.example,IP:{self.b.address}", "-keyout", self.folder / f"{name}-key.pem",
                "-out", self.folder / f"{name}.pem", *more)

    def token(self, name: str, *options) -> str:
        return lab.run(lab.BIN / "groma-key", "token", name, "--keys", self.keys, *options).stdout.strip()

    def web(self, *, port=9100, name="beta") -> list:
        return ["--metrics", f"0.0.0.0:{port}", "--web-cert", f"{name}.pem", "--web-key", f"{name}-key.pem"]

    def receiver(self, *more):
        return self.b.receiver("--keys", self.keys, *self.web(), *more)

    def ask(self, *asked, port=9100, trusted="beta.pem", host=None) -> list:
        """Requests [method, path, fields, body] of one connection. Returns: [status, fields, text] of each."""
        wanted = json.dumps([self.b.address, port, str(self.folder / trusted), asked])
        return json.loads((host or self.a).run(sys.executable, "-c", ASK, wanted).stdout)

    def status(self, token: str | None, path="/metrics", port=9100, **fields) -> int:
        bearer = {"Authorization": f"Bearer {token}"} if token else {}
        return self.ask(["GET", path, bearer | fields, None], port=port)[0][0]

    def test_another_host_has_the_metrics_by_its_token_and_nobody_on_the_way(self):
        token = self.token("monitor")
        receiver = self.receiver()
        self.assertIn("metrics are at https://0.0.0.0:9100/metrics", receiver.said)
        witness = self.a.witness("tcp port 9100", bytes_kept=65535, direction="inout")
        answers = self.ask(*[["GET", "/metrics", {"Authorization": f"Bearer {token}", "Accept": OPENMETRICS}, None]] * 3)
        streams = witness.captured()
        for status, fields, text in answers:
            self.assertEqual(status, 200)
            self.assertEqual(Metrics(text)["groma_receiver_packets_total"], 0)
        self.assertGreater(len(streams), 1000)
        for word in (token.encode(), b"Bearer", b"groma_receiver", b"/metrics"):
            self.assertNotIn(word, streams)
        self.assertNotIn(token, receiver.said + "".join(file.read_text() for file in self.keys.iterdir()))

    def test_every_program_asks_for_a_token(self):
        token = self.token("monitor")
        self.receiver()
        self.b.log_server("--dir", "kept", "--keys", self.keys, *self.web(port=9101))
        self.b.start_groma("send", "--daemon", "--open", "--keys", self.keys, *self.web(port=9103)).wait_for("takes runs on")
        self.b.start_groma("send", "--to", self.b.address, "--duration", "1h", "--web-tokens", self.keys, "--passive", "9002",
                           "--open-to-anyone", "--passive-wait", "1h", *self.web(port=9104)).wait_for("metrics are at")
        for port in (9100, 9101, 9103, 9104):
            self.assertEqual([self.status(None, port=port), self.status(token, port=port)], [401, 200], port)

    def test_who_has_no_good_token_is_refused(self):
        tokens = {"good": self.token("good", "--for", "metrics"), "page": self.token("page", "--for", "page"), "removed": self.token("removed"),
                  "expired": self.token("expired", "--expires", "0d")}
        receiver = self.receiver("--audit", "audit.jsonl")
        self.assertEqual([self.status(tokens[name]) for name in ("good", "page", "removed", "expired")], [200, 403, 200, 200])
        # Until yesterday, as if a day had passed.
        file = self.keys / "expired.token"
        file.write_text(json.dumps(json.loads(file.read_text()) | {"last_day": "2020-01-01"}))
        (self.keys / "removed.token").unlink()
        receiver.send_signal(signal.SIGHUP)
        receiver.wait_for("has read the certificate and the tokens again: 3 tokens")
        wrong = "0" * 64
        self.assertEqual([self.status(token) for token in (tokens["good"], tokens["removed"], tokens["expired"], wrong, "x", None)],
                         [200, 401, 401, 401, 401, 401])
        self.assertEqual(self.status(None, Authorization=f"Basic {tokens['good']}"), 401)
        self.assertEqual(self.status(None, path=f"/metrics?token={tokens['good']}"), 401)
        self.assertIn(f"{self.a.address}: turned away: ", receiver.said)
        audit = [json.loads(line) for line in (self.folder / "audit.jsonl").read_text().splitlines()]
        self.assertIn(("allowed", "good"), {(event["verdict"], event.get("key")) for event in audit})
        # One refusal a second of each host has a line.
        self.assertIn("the token 'page' is good for page, and this takes metrics", {event.get("why") for event in audit})
        for token in (*tokens.values(), wrong):
            self.assertNotIn(token, receiver.said + (self.folder / "audit.jsonl").read_text())

    def test_this_host_is_asked_for_by_its_own_names_and_from_its_own_pages(self):
        token = self.token("monitor")
        self.receiver()
        for host, wanted in ((self.b.address, 200), (f"{self.b.address}:9100", 200), ("beta.example", 200), ("BETA.example:9100", 200),
                             ("rebound.example", 421), ("localhost", 421), ("127.0.0.1", 421), (self.a.address, 421)):
            self.assertEqual(self.status(token, Host=host), wanted, host)
        for origin, wanted in ((f"https://{self.b.address}:9100", 200), ("https://evil.example", 403), ("null", 403), (f"http://{self.b.address}:9100", 403)):
            self.assertEqual(self.status(token, Origin=origin), wanted, origin)

    def test_a_browser_gives_its_token_once_in_a_form(self):
        token = self.token("me")
        receiver = self.receiver()
        own = {"Origin": f"https://{self.b.address}:9100"}
        first, wrong = self.ask(["GET", "/", {"Accept": "text/html"}, None], ["POST", "/login", own, "token=" + "0" * 64])
        self.assertEqual((first[0], wrong[0]), (401, 401))
        self.assertIn('<form method="post" action="/login">', first[2])
        self.assertIn("default-src 'none'", first[1]["Content-Security-Policy"])
        self.assertEqual(self.ask(["POST", "/login", {"Origin": "https://evil.example"}, f"token={token}"])[0][0], 403)
        self.assertEqual(self.ask(["POST", "/login", own, "token=" + "0" * 2000])[0][0], 413)
        entered, = self.ask(["POST", "/login", own, f"token={token}"])
        self.assertEqual((entered[0], entered[1]["Location"]), (303, "/"))
        cookie, *attributes = entered[1]["Set-Cookie"].split("; ")
        self.assertLessEqual({"Secure", "HttpOnly", "SameSite=Strict", "Path=/"}, set(attributes))
        self.assertNotIn(token, json.dumps(entered))
        answers = self.ask(["GET", "/metrics", {"Cookie": cookie}, None], ["POST", "/logout", own | {"Cookie": cookie}, ""])
        self.assertEqual([status for status, *_ in answers], [200, 303])
        self.assertEqual(self.status(None, Cookie=cookie), 401)
        self.assertNotIn(cookie.partition("=")[2], receiver.said)

    def test_over_loopback_it_is_as_it_was(self):
        self.token("monitor")
        receiver = self.b.receiver("--keys", self.keys, "--metrics", "9100")
        text = self.b.run(sys.executable, "-c", "import urllib.request; print(urllib.request.urlopen('http://localhost:9100/metrics').status)").stdout
        self.assertEqual(text.strip(), "200")
        self.assertEqual(receiver.stop(), 0)

    def test_a_new_certificate_counts_from_a_hangup_on(self):
        token = self.token("monitor")
        receiver = self.receiver()
        self.certify("renewed")
        for kind in ("", "-key"):
            (self.folder / f"beta{kind}.pem").write_bytes((self.folder / f"renewed{kind}.pem").read_bytes())
        receiver.send_signal(signal.SIGHUP)
        receiver.wait_for("has read the certificate and the tokens again")
        asked = ["GET", "/metrics", {"Authorization": f"Bearer {token}"}, None]
        self.assertEqual(self.ask(asked, trusted="renewed.pem")[0][0], 200)
        (self.folder / "beta.pem").write_text("nothing")
        receiver.send_signal(signal.SIGHUP)
        receiver.wait_for("stay as they were")
        self.assertEqual(self.ask(asked, trusted="renewed.pem")[0][0], 200)

    def test_a_crowd_of_strangers_hurts_neither_sessions_nor_scrapers(self):
        token = self.token("monitor")
        lab.run("sh", "-c", f"umask 077; {lab.BIN}/groma-key new lab > {self.folder}/lab.key")
        lab.run("sh", "-c", f"umask 077; {lab.BIN}/groma-key host {self.folder}/lab.key {self.b.address} > {self.keys}/lab.key")
        receiver = self.receiver()
        crowd = self.c.start(sys.executable, "-c", CROWD, self.b.address, "9100", name="crowd", stdin=subprocess.PIPE)
        crowd.wait_for("held")
        self.assertEqual(self.status(token), 200)
        self.a.groma("send", "--to", self.b.address, "--key", "lab.key", "--packets", "100", "--idt", "const:1000pps", "--json=report.json")
        total = json.loads((self.folder / "report.json").read_text())["total"]
        self.assertEqual((total["received_packets"], total["lost"]), (100, 0))
        answer, = self.ask(["GET", "/metrics", {"Authorization": f"Bearer {token}", "Accept": OPENMETRICS}, None])
        self.assertEqual(Metrics(answer[2])["groma_receiver_packets_total"], 100)
        self.assertLess(len(os.listdir(f"/proc/{receiver.process.pid}/fd")), 300)
        crowd.process.stdin.close()
        self.assertEqual(receiver.stop(), 0)

    def test_what_is_missing_or_wrong_is_said_at_the_start(self):
        for program, *more in (("recv",), ("log",), ("send", "--daemon"), ("send", "--to", self.b.address)):
            for address in (f"{self.a.address}:9100", "0.0.0.0:9100", "[::]:9100"):
                self.assertSaid(self.a.groma(program, *more, "--metrics", address, check=False), 2, address, "other hosts", "--web-cert", "ssh -L")
            self.assertSaid(self.a.groma(program, *more, *self.web(), check=False), 2, "they must prove a token", "--web-tokens")
            self.assertSaid(self.a.groma(program, *more, "--metrics", "9100", "--web-cert", "beta.pem", check=False), 2, "--web-cert")
        self.certify("other")
        (self.folder / "open-key.pem").write_bytes((self.folder / "beta-key.pem").read_bytes())
        (self.folder / "open-key.pem").chmod(0o644)
        for certificate, key, wanted in (("beta.pem", "other-key.pem", "is not that of the certificate"), ("beta.pem", "open-key.pem", "chmod 600"),
                                         ("absent.pem", "beta-key.pem", "cannot read the certificate absent.pem"),
                                         ("beta.pem", "absent.pem", "cannot read the key absent.pem"), ("beta-key.pem", "beta-key.pem", "has no certificate")):
            refused = self.b.groma("recv", "--metrics", "0.0.0.0:9100", "--web-cert", certificate, "--web-key", key, "--web-tokens", self.keys, check=False)
            self.assertNotEqual(refused.returncode, 0)
            self.assertIn(wanted, refused.stderr)
        lab.run("openssl", "x509", "-in", self.folder / "other.pem", "-signkey", self.folder / "other-key.pem", "-days", "-1", "-out", self.folder / "old.pem", check=False)
        (self.folder / "old-key.pem").write_bytes((self.folder / "other-key.pem").read_bytes())
        (self.folder / "old-key.pem").chmod(0o600)
        receiver = self.b.receiver("--web-tokens", self.keys, *self.web(name="old"))
        self.assertIn("clients will refuse the certificate old.pem: it has expired", receiver.said)
        self.assertIn("no file *.token is in", receiver.said)


if __name__ == "__main__":
    lab.main()
