"""Runs programs on pseudo-terminals and answers their questions.

Each line of stdin is a JSON object {"script", "file"}. The script is run, at the same time as the others, what was seen of it is
written to the file as JSON, and then the name of the file as a line to stdout. A script has

    command  list of strings: the program and its arguments
    env      object: the whole environment of the program (default: this process's own)
    cwd      string: its working folder (default: this process's own)
    columns, rows   the size of the terminal (default 80 by 24)
    pipes    list of "stdin", "stdout", "stderr": what is a pipe and not the terminal (default: none)
    input    string: written to a piped stdin, which is then closed (default: nothing)
    steps    list of {"expect": TEXT, "send": KEYS} in order: when TEXT appears on the terminal after the text of the
             step before it, KEYS are typed ("\\r" is Enter, "\\u0003" Ctrl-C, "\\u0004" Ctrl-D); without "send" it is only
             waited for. TEXT is looked for in what is left when escape sequences are taken out. With "file": PATH in place
             of "expect" the step is due when that file is there. With "resize": [COLUMNS, ROWS] the terminal gets that
             size then; with "kill": NAME the program gets that signal, and with "hangup": true the terminal goes away.
    timeout  seconds until the program is killed (default 20)

What was seen of it:

    terminal  everything that appeared on the terminal, escape sequences included, with the echo of typed keys
    text      the same without escape sequences
    stdout, stderr   what went to a pipe
    exit      the exit code, or null when a signal ended it
    signal    the number of that signal, or null
    timed_out true when it had to be killed
    waiting   the text of the step that never came, or null
    kept      whether the settings of the terminal (termios) are at the end what they were at the beginning; null after a hangup
"""

import fcntl
import json
import os
import re
import select
import signal
import struct
import subprocess
import sys
import termios
import time

ESCAPES = re.compile(r"\x1b\[[0-9;?]*[ -/]*[@-~]|\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)|\x1b[@-_]")


def start(spec, terminal):
    pipes = spec.get("pipes", [])

    def stream(name):
        return subprocess.PIPE if name in pipes else terminal

    def lead():
        # The terminal becomes the program's own, so that Ctrl-C typed at it is a signal.
        os.setsid()
        fcntl.ioctl(terminal, termios.TIOCSCTTY, 0)

    return subprocess.Popen(
        spec["command"],
        stdin=stream("stdin"),
        stdout=stream("stdout"),
        stderr=stream("stderr"),
        env=spec.get("env"),
        cwd=spec.get("cwd"),
        preexec_fn=lead,
        close_fds=True,
    )


def resize(terminal, columns, rows):
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))


class Session:
    def __init__(self, spec):
        self.spec = spec
        self.steps = list(spec.get("steps", []))
        self.master, terminal = os.openpty()
        resize(terminal, spec.get("columns", 80), spec.get("rows", 24))
        self.settings = termios.tcgetattr(terminal)
        self.process = start(spec, terminal)
        os.close(terminal)
        self.hung_up = False
        self.open = {self.master: "terminal"}
        for name in ("stdout", "stderr"):
            pipe = getattr(self.process, name)
            if pipe:
                self.open[pipe.fileno()] = name
        self.seen = {"terminal": b"", "stdout": b"", "stderr": b""}
        self.matched = 0

    def run(self):
        if self.process.stdin:
            self.process.stdin.write(self.spec.get("input", "").encode())
            self.process.stdin.close()
        deadline = time.monotonic() + self.spec.get("timeout", 20)
        timed_out = False
        while self.open or self.process.poll() is None:
            left = deadline - time.monotonic()
            if left <= 0:
                timed_out = True
                os.killpg(self.process.pid, signal.SIGKILL)
                break
            # Before the wait: what the program wrote last can arrive after its end.
            has_ended = self.process.poll() is not None
            wait = 0.05 if self.steps and not has_ended else 0.2
            ready, _, _ = select.select(list(self.open), [], [], min(left, wait))
            for descriptor in ready:
                self.read(descriptor)
            self.answer()
            if has_ended and not ready:
                break
        return self.report(self.process.wait(), timed_out)

    def read(self, descriptor):
        try:
            piece = os.read(descriptor, 65536)
        except OSError:
            # Linux reports the end of a terminal as an error.
            piece = b""
        if piece:
            self.seen[self.open[descriptor]] += piece
        else:
            del self.open[descriptor]

    def answer(self):
        while self.steps:
            step = self.steps[0]
            if not self.is_due(step):
                return
            self.steps.pop(0)
            if "resize" in step:
                resize(self.master, *step["resize"])
            if "kill" in step:
                os.kill(self.process.pid, getattr(signal, step["kill"]))
            if step.get("hangup"):
                return self.hang_up()
            os.write(self.master, step.get("send", "").encode())

    def is_due(self, step):
        if "file" in step:
            return os.path.exists(step["file"])
        at = self.text().find(step["expect"], self.matched)
        if at != -1:
            self.matched = at + len(step["expect"])
        return at != -1

    def hang_up(self):
        self.hung_up = True
        del self.open[self.master]
        os.close(self.master)

    def text(self):
        return ESCAPES.sub("", self.seen["terminal"].decode("utf-8", "replace"))

    def report(self, status, timed_out):
        return {
            "terminal": self.seen["terminal"].decode("utf-8", "replace"),
            "text": self.text(),
            "stdout": self.seen["stdout"].decode("utf-8", "replace"),
            "stderr": self.seen["stderr"].decode("utf-8", "replace"),
            "exit": status if status >= 0 else None,
            "signal": -status if status < 0 else None,
            "timed_out": timed_out,
            "waiting": self.steps[0].get("expect", self.steps[0].get("file")) if self.steps else None,
            "kept": None if self.hung_up else termios.tcgetattr(self.master) == self.settings,
        }


def play(script, file):
    try:
        seen = Session(script).run()
        with open(file, "w", encoding="utf-8") as written:
            json.dump(seen, written)
    finally:
        os.write(1, f"{file}\n".encode())


def main():
    for line in sys.stdin:
        request = json.loads(line)
        # A process for each, which has loaded everything already.
        if os.fork() == 0:
            try:
                play(**request)
            except Exception as error:
                print(repr(error), file=sys.stderr, flush=True)
            finally:
                os._exit(0)
    while True:
        try:
            os.wait()
        except ChildProcessError:
            return


if __name__ == "__main__":
    main()
