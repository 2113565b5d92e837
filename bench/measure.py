"""Runs whole processes and reports what the kernel charged each of them.

Reads one JSON object from stdin:
  {"runs": 21, "warmups": 2, "limit": 600, "floor": [argv],
   "subjects": [{"name": "...", "argv": [...], "env": {}, "empty": ["folder"], "made": [argv]}]}
With a floor every round runs the floor and then a subject, for each subject in turn, so that a noisy moment falls on
both. Without one every round runs each subject once, and begins with another one each time.
Before a run, and not measured: the folders in `empty` are emptied, and what `made` prints takes the place of {made} in argv.
Writes one JSON object: name -> list of {"cpu", "wall", "peak", "status", "bytes", "said", "floor": {...}}; seconds and
bytes; `said` is the end of stdout, and of stderr where it failed. A process that takes more than `limit` seconds is ended.
wait4 gives user and system time and the peak of exactly the process that ended: Node has no such call.
"""

import json
import os
import shutil
import subprocess
import sys
import tempfile
import threading
import time

PEAK_UNIT = 1 if sys.platform == "darwin" else 1024
TAIL = 2000


def run(argv, env=None, limit=600):
    with tempfile.TemporaryFile() as errors:
        begin = time.perf_counter()
        child = subprocess.Popen(
            argv,
            env={**os.environ, **(env or {})},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=errors,
        )
        end = threading.Timer(limit, child.kill)
        end.start()
        read = 0
        tail = b""
        while chunk := os.read(child.stdout.fileno(), 1 << 16):
            read += len(chunk)
            tail = (tail + chunk)[-TAIL:]
        _, status, usage = os.wait4(child.pid, 0)
        wall = time.perf_counter() - begin
        end.cancel()
        child.returncode = os.waitstatus_to_exitcode(status)
        child.stdout.close()
        if child.returncode != 0:
            errors.seek(0)
            tail += errors.read()[-TAIL:]
        return {
            "cpu": usage.ru_utime + usage.ru_stime,
            "wall": wall,
            "peak": usage.ru_maxrss * PEAK_UNIT,
            "status": child.returncode,
            "bytes": read,
            "said": tail.decode(errors="replace"),
        }


def empty(folder):
    for entry in os.scandir(folder):
        if entry.is_dir(follow_symlinks=False):
            shutil.rmtree(entry.path)
        else:
            os.unlink(entry.path)


def run_subject(subject, limit):
    for folder in subject.get("empty", []):
        empty(folder)
    argv = subject["argv"]
    if "made" in subject:
        made = subprocess.run(subject["made"], check=True, capture_output=True, text=True).stdout.strip()
        argv = [made if word == "{made}" else word for word in argv]
    return run(argv, subject.get("env"), limit)


def main():
    plan = json.load(sys.stdin)
    subjects = plan["subjects"]
    limit = plan.get("limit", 600)
    results = {subject["name"]: [] for subject in subjects}
    for turn in range(-plan["warmups"], plan["runs"]):
        first = 0 if "floor" in plan else turn % len(subjects)
        for subject in subjects[first:] + subjects[:first]:
            floor = {"floor": run(plan["floor"])} if "floor" in plan else {}
            one = run_subject(subject, limit)
            if turn >= 0:
                results[subject["name"]].append({**one, **floor})
    json.dump(results, sys.stdout)


main()
