"""What a browser asks of a program with --web, asked from a host of the lab without a browser."""
import json
import sys

import lab

ASK = """
import http.client, json, sys
port, method, path, fields = json.loads(sys.argv[1])
connection = http.client.HTTPConnection("127.0.0.1", port)
connection.putrequest(method, path, skip_host="Host" in fields)
for name, value in fields.items():
    connection.putheader(name, value)
connection.endheaders()
answer = connection.getresponse()
print(json.dumps([answer.status, dict(answer.getheaders()), answer.read().decode()]))
"""
# Prints each server-sent event as a line of JSON, when it comes.
FOLLOW = """
import json, sys, urllib.request
name = ""
for line in urllib.request.urlopen(sys.argv[1]):
    field, _, value = line.decode().rstrip().partition(": ")
    if field == "event":
        name = value
    elif field == "data":
        print(json.dumps([name, json.loads(value)]), flush=True)
"""


class Page:
    """Of a program on `host`, at its port of loopback."""

    def __init__(self, host: lab.Host, port: int):
        self.host = host
        self.port = port

    def ask(self, path: str, method: str = "GET", **fields) -> tuple[int, dict, str]:
        return json.loads(self.host.run(sys.executable, "-c", ASK, json.dumps([self.port, method, path, fields])).stdout)

    def text(self, path: str) -> str:
        status, _, text = self.ask(path)
        assert status == 200, (path, status, text)
        return text

    def json(self, path: str):
        return json.loads(self.text(path))

    def figures(self) -> list[str]:
        return [figure["name"] for figure in self.json("/api/runs")["figures"]]

    def follow(self, run: int) -> "Events":
        return Events(self.host.start(sys.executable, "-c", FOLLOW, f"http://localhost:{self.port}/api/events?run={run}"), self.figures())


class Events:
    """The events that have come so far."""

    def __init__(self, program: lab.Program, figures: list[str]):
        self.program = program
        self.names = figures

    def all(self) -> list:
        return [json.loads(line) for line in self.program.said.splitlines(keepends=True) if line.endswith("\n")]

    def of(self, name: str) -> list[dict]:
        return [data for event, data in self.all() if event == name]

    def wait_for(self, name: str, condition=lambda data: True) -> dict:
        return lab.wait_until(f"an event '{name}'", lambda: next((data for data in self.of(name) if condition(data)), None))

    def await_end(self) -> dict:
        return self.wait_for("run", lambda run: run["end"] is not None)

    def rows(self, flow: int) -> list[dict]:
        """Of a flow, or with 0 of all together."""
        return [dict(zip(self.names, row[1:])) for event in self.of("rows") for row in event["rows"] if row[0] == flow]
