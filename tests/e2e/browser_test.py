#!/usr/bin/env python3
"""The live page in a real browser, by clicks and keys: what it shows, how it looks on a desktop and a phone, in light and
dark; that it asks no other host and breaks no rule of its content policy. Screenshots stay in build/*/screenshots."""
import base64
import contextlib
import ctypes
import json
import os
import pathlib
import shutil
import signal

import lab
from flows import table

try:
    from selenium import webdriver
    from selenium.webdriver.common.by import By
    from selenium.webdriver.common.keys import Keys
except ImportError:
    webdriver = None

SIZES = {"desktop": (1280, 900), "phone": (390, 844)}
SHOTS = pathlib.Path(os.environ["GROMA_BUILD"]) / "screenshots"
SCRIPT = "<img src=x onerror=alert(1)><script>document.title='owned'</script>"
_libc = ctypes.CDLL(None, use_errno=True)


@contextlib.contextmanager
def on(host: lab.Host):
    """This thread's new sockets and programs are on that host of the lab."""
    with open("/proc/self/ns/net") as before, open(f"/run/netns/{host.namespace}") as there:
        _libc.setns(there.fileno(), 0)
        try:
            yield
        finally:
            _libc.setns(before.fileno(), 0)


class BrowserTest(lab.LabTest):
    def setUp(self):
        if webdriver is None or not shutil.which("chromium") or not shutil.which("chromedriver"):
            lab.skip_test("there is no Chromium with Selenium: scripts/setup field")
        super().setUp()
        self.open = contextlib.ExitStack()
        self.addCleanup(self.open.close)
        self.open.enter_context(on(self.b))
        options = webdriver.ChromeOptions()
        for argument in ("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--hide-scrollbars"):
            options.add_argument(argument)
        options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
        self.driver = webdriver.Chrome(service=webdriver.chrome.service.Service(shutil.which("chromedriver")), options=options)
        self.open.callback(self.driver.quit)
        self.look("desktop", "light")

    def look(self, size: str, scheme: str):
        width, height = SIZES[size]
        self.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride",
                                    {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": size == "phone"})
        self.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [{"name": "prefers-color-scheme", "value": scheme}]})

    def shoot(self, name: str):
        """In all sizes and colours; no part of the page is wider than the window."""
        SHOTS.mkdir(exist_ok=True)
        for size in SIZES:
            for scheme in ("light", "dark"):
                self.look(size, scheme)
                self.wait("the new size", lambda size=size: self.script("return innerWidth") == SIZES[size][0])
                self.assertLessEqual(self.script("return document.documentElement.scrollWidth"), SIZES[size][0], size)
                whole = self.driver.execute_cdp_cmd("Page.captureScreenshot", {"captureBeyondViewport": True, "format": "png"})
                (SHOTS / f"{name}-{size}-{scheme}.png").write_bytes(base64.b64decode(whole["data"]))
        self.look("desktop", "light")

    def script(self, text: str):
        return self.driver.execute_script(text)

    def find(self, selector: str) -> list:
        return self.driver.find_elements(By.CSS_SELECTOR, selector)

    def text(self, selector: str) -> str:
        return self.script(f"return document.querySelector({json.dumps(selector)}).textContent")

    def wait(self, what: str, condition):
        return lab.wait_until(what, condition)

    def check_manners(self, port: int = 9110):
        """Nothing was asked of another host, and the console has no complaint, such as of the content policy."""
        for entry in self.driver.get_log("performance"):
            message = json.loads(entry["message"])["message"]
            if message["method"] == "Network.requestWillBeSent":
                url = message["params"]["request"]["url"]
                self.assertTrue(url.startswith((f"http://localhost:{port}/", "data:", "blob:", "chrome:", "about:")), url)
        complaints = [entry for entry in self.driver.get_log("browser") if entry["level"] in ("SEVERE", "WARNING")
                      and "ERR_CONNECTION_REFUSED" not in entry["message"] and "ERR_INCOMPLETE" not in entry["message"]]
        self.assertEqual(complaints, [])
        self.assertEqual(self.script("return document.cookie"), "")

    def rows(self) -> list[list[str]]:
        return self.script("return [...document.querySelectorAll('#flows tbody tr')].map((row) => [...row.cells].map((cell) => cell.textContent))")

    def send(self, *arguments) -> lab.Program:
        return self.a.start_groma("send", "--to", self.b.address, *arguments)

    def charts(self) -> int:
        return len([one for one in self.find("#charts figure") if one.is_displayed()])

    def test_a_run_from_its_beginning_to_its_end(self):
        self.b.receiver("--web", "9110")
        self.driver.get("http://localhost:9110/")
        self.wait("the page to be live", lambda: self.text("#connection") == "live")
        self.assertTrue(self.find("#no-runs")[0].is_displayed())
        self.shoot("empty")
        sender = self.send("--name", "first", "--idt", "exp:2000pps", "--size", "unif:64:1400", "--duration", "1h")
        self.wait("the run to be shown", lambda: self.find("#run")[0].is_displayed() and self.text("#state") == "running")
        self.wait("charts of ten seconds", lambda: self.charts() >= 3 and self.text("#figures li strong") >= "0:10")
        self.assertTrue(self.script("return [...document.querySelectorAll('#charts figure:not([hidden]) canvas')].every((one) => one.width > 100)"))
        self.shoot("running")
        self.check_manners()
        sender.send_signal(signal.SIGINT)
        sender.wait()
        self.wait("the end", lambda: self.text("#state") == "interrupted")
        self.wait("the report", lambda: "the run ended" in self.text("#report"))
        self.assertIn("all arrived", self.text("#verdicts"))
        for link in self.find("#files a"):
            fetched = self.driver.execute_async_script(
                "const done = arguments[1]; fetch(arguments[0].href).then(async (a) => done([a.status, (await a.text()).length]))", link)
            self.assertEqual(fetched[0], 200)
            self.assertGreater(fetched[1], 20)
        self.shoot("ended")
        self.send("--name", "second", "--packets", "3").wait()
        self.wait("the newest run to be shown", lambda: self.text("#name") == "second")
        buttons = self.find("#runs button")
        self.assertEqual([button.text.splitlines()[0] for button in buttons], ["second", "first"])
        buttons[1].click()
        self.wait("the chosen run", lambda: self.text("#name") == "first")
        self.assertIn("run=1", self.driver.current_url)
        self.driver.refresh()
        self.wait("the same run after it is loaded again", lambda: self.find("#name") and self.text("#name") == "first")
        self.assertEqual(len(self.find("#runs button[aria-current]")), 1)
        self.check_manners()

    def test_200_flows_are_sorted_filtered_and_charted(self):
        self.b.receiver("--web", "9110")
        self.driver.get("http://localhost:9110/")
        sender = self.send("--flows", "200", "--idt", "const:50pps", "--duration", "1h")
        self.wait("all flows", lambda: len(self.rows()) == 200)
        self.wait("figures of all flows", lambda: all("bit/s" in " ".join(row) for row in self.rows()))
        self.assertEqual(self.text("#shown"), "200 flows")
        heading = next(one for one in self.find("#flows thead button") if one.text == "Packets received")
        for order in ("descending", "ascending"):
            heading.click()
            place = self.script("return [...document.querySelectorAll('#flows th')].findIndex((one) => one.getAttribute('aria-sort') === arguments[0])"
                                .replace("arguments[0]", json.dumps(order)))
            self.assertGreater(place, 0)
        self.find("#filter")[0].send_keys("udp")
        self.assertEqual(len(self.rows()), 200)
        name = self.rows()[7][1]
        self.find("#filter")[0].clear()
        self.find("#filter")[0].send_keys(name)
        shown = self.rows()
        self.assertTrue(0 < len(shown) < 200 and all(name in row[1] for row in shown))
        self.shoot("flows-filtered")
        self.find("#filter")[0].clear()
        self.find("#filter")[0].send_keys(Keys.SPACE, Keys.BACKSPACE)
        row = self.find("#flows tbody tr")[3]
        flow = row.find_elements(By.CSS_SELECTOR, "td")[0].text
        row.click()
        self.wait("the flow's charts", lambda: self.text("#charted-flow").startswith(f"Flow {flow},"))
        self.wait("its rows", lambda: self.charts() >= 3)
        self.shoot("flows")
        self.find("#flows tbody tr")[5].send_keys(Keys.ENTER)
        self.wait("another flow's", lambda: not self.text("#charted-flow").startswith(f"Flow {flow},"))
        self.find("#chart-all")[0].click()
        self.wait("those of all", lambda: not self.find("#charted")[0].is_displayed())
        sender.send_signal(signal.SIGINT)
        sender.wait()
        self.wait("the end", lambda: self.text("#state") == "interrupted")
        self.check_manners()

    def test_the_senders_page_has_verdicts_and_the_report(self):
        self.a.receiver()
        sender = self.b.start_groma("send", "--to", self.a.address, "--transport", "tcp", "--idt", "const:1000pps", "--duration", "6s",
                                    "--web", "9110", "--web-hold", "1h")
        sender.wait_for("the page is at")
        self.driver.get("http://localhost:9110/")
        self.wait("the verdicts", lambda: "arrived" in self.text("#verdicts"))
        self.wait("the report", lambda: "Result: " in self.text("#report"))
        self.assertEqual(self.find("#verdicts .bad"), [])
        self.assertGreaterEqual(self.charts(), 3)
        self.shoot("sender")
        self.check_manners()
        sender.send_signal(signal.SIGINT)
        self.assertEqual(sender.wait(), 0)

    def test_a_program_that_ends_and_one_that_begins_again(self):
        receiver = self.b.receiver("--web", "9110")
        self.send("--name", "before", "--packets", "3").wait()
        self.driver.get("http://localhost:9110/")
        self.wait("the run", lambda: self.find("#name") and self.text("#name") == "before")
        receiver.stop()
        self.wait("the page to say so", lambda: "does not answer" in self.text("#connection") or "no answer" in self.text("#connection"))
        self.shoot("gone")
        self.b.receiver("--web", "9110")
        self.wait("the page to be live again", lambda: self.text("#connection") == "live")
        self.wait("the old run to be gone", lambda: self.find("#no-runs")[0].is_displayed())
        self.send("--name", "after", "--packets", "3").wait()
        self.wait("the new run", lambda: self.text("#name") == "after")
        self.check_manners()

    def test_names_are_shown_and_not_obeyed(self):
        self.b.receiver("--web", "9110")
        (self.folder / "flows.toml").write_text(table("[[flow]]", {"name": SCRIPT, "to": self.b.address, "packets": 3}))
        self.a.groma("send", "flows.toml")
        self.driver.get("http://localhost:9110/")
        self.wait("the flow", lambda: len(self.rows()) == 1)
        self.assertEqual(self.rows()[0][1], SCRIPT)
        self.find("#flows tbody tr")[0].click()
        self.wait("its charts", lambda: SCRIPT in self.text("#charted-flow"))
        self.assertEqual(self.find("main script, main img"), [])
        self.assertNotEqual(self.driver.title, "owned")
        self.check_manners()


if __name__ == "__main__":
    lab.main()
