"""Headless Chromium, driven by chromedriver through the WebDriver protocol."""

import contextlib
import re
import shutil
import subprocess
import tempfile

import requests

FLAGS = [
    *["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-sync"],
    *["--disable-background-networking", "--disable-component-update", "--disable-dev-shm-usage"],
]
ELEMENT = "element-6066-11e4-a52e-4f735466cecf"  # key of an element's reference in WebDriver


def missing():
    """What is not installed, as a message, or None."""
    absent = [name for name in ("chromium", "chromedriver") if not shutil.which(name)]
    return f"needs {' and '.join(absent)} (apt-get install chromium chromium-driver)" if absent else None


DROP = """
const transfer = new DataTransfer();
transfer.items.add(new File([arguments[1]], arguments[0]));
document.dispatchEvent(new DragEvent("drop", { dataTransfer: transfer, bubbles: true, cancelable: true }));
"""


class Browser:
    def __init__(self, session):
        self.session = session

    def ask(self, method, path, **body):
        answer = requests.request(method, f"{self.session}/{path}", json=body if method == "POST" else None, timeout=60)
        value = answer.json()["value"]
        if not answer.ok:
            raise RuntimeError(f"{path}: {value['message']}")
        return value

    def open(self, url):
        self.ask("POST", "url", url=url)

    def script(self, code, *arguments):
        return self.ask("POST", "execute/sync", script=code, args=list(arguments))

    def text(self, css):
        return self.texts(css)[0]

    def texts(self, css):
        return self.script("return [...document.querySelectorAll(arguments[0])].map(part => part.textContent)", css)

    def emulate(self, media="", scheme=""):
        """Show the page as printed or in a colour scheme; without any as usual."""
        features = [{"name": "prefers-color-scheme", "value": scheme}] if scheme else []
        params = {"media": media, "features": features}
        self.ask("POST", "goog/cdp/execute", cmd="Emulation.setEmulatedMedia", params=params)

    def find(self, css):
        return self.ask("POST", "element", using="css selector", value=css)[ELEMENT]

    def click(self, css):
        self.ask("POST", f"element/{self.find(css)}/click")

    def type(self, css, text):
        self.ask("POST", f"element/{self.find(css)}/value", text=text)

    def drop(self, name, text):
        """Drop a file on the page."""
        self.script(DROP, name, text)

    def console(self):
        """Messages on the browser's console since the last call."""
        return [entry["message"] for entry in self.ask("POST", "se/log", type="browser")]

    def seconds(self):
        """What the open page has taken of a processor."""
        metrics = self.ask("POST", "goog/cdp/execute", cmd="Performance.getMetrics", params={})["metrics"]
        return next(metric["value"] for metric in metrics if metric["name"] == "ThreadTime")

    def resize(self, width, height):
        self.ask("POST", "window/rect", width=width, height=height)


@contextlib.contextmanager
def chromium():
    with tempfile.TemporaryDirectory() as profile, _driver() as address:
        options = {"args": [*FLAGS, f"--user-data-dir={profile}"], "binary": shutil.which("chromium")}
        capabilities = {"goog:chromeOptions": options, "goog:loggingPrefs": {"browser": "ALL"}}
        body = {"capabilities": {"alwaysMatch": capabilities}}
        session = requests.post(f"{address}/session", json=body, timeout=120).json()["value"]
        if "sessionId" not in session:
            raise RuntimeError(session["message"])
        browser = Browser(f"{address}/session/{session['sessionId']}")
        browser.ask("POST", "goog/cdp/execute", cmd="Performance.enable", params={})
        try:
            yield browser
        finally:
            requests.delete(browser.session, timeout=60)


@contextlib.contextmanager
def _driver():
    """The address of a chromedriver on a free port."""
    command = [shutil.which("chromedriver"), "--port=0"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) as process:
        try:
            told = (re.search(r"started successfully on port (\d+)", line) for line in process.stdout)
            yield f"http://127.0.0.1:{next(filter(None, told))[1]}"
        finally:
            process.terminate()
