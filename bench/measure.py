"""Runs whole processes and reports what the kernel charged each of them.

Reads one JSON object from stdin:
  {"runs": 21, "warmups": 2, "floor": [argv], "subjects": [{"name": "...", "argv": [...], "env": {}}]}
Every round runs the floor and then a subject, for each subject in turn, so that a noisy moment falls on both.
Writes one JSON object: name -> list of {"cpu", "wall", "peak", "status", "bytes", "floor": {...}}; seconds and bytes.
wait4 gives user and system time and the peak of exactly the process that ended: Node has no such call.
"""

import json
import os
import subprocess
import sys
import time

PEAK_UNIT = 1 if sys.platform == "darwin" else 1024


def run(argv, env=None):
    begin = time.perf_counter()
    child = subprocess.Popen(
        argv,
        env={**os.environ, **(env or {})},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
    )
    read = 0
    while chunk := os.read(child.stdout.fileno(), 1 << 16):
        read += len(chunk)
    _, status, usage = os.wait4(child.pid, 0)
    wall = time.perf_counter() - begin
    child.returncode = os.waitstatus_to_exitcode(status)
    child.stdout.close()
    return {
        "cpu": usage.ru_utime + usage.ru_stime,
        "wall": wall,
        "peak": usage.ru_maxrss * PEAK_UNIT,
        "status": child.returncode,
        "bytes": read,
    }


def main():
    plan = json.load(sys.stdin)
    results = {subject["name"]: [] for subject in plan["subjects"]}
    for turn in range(-plan["warmups"], plan["runs"]):
        for subject in plan["subjects"]:
            floor = run(plan["floor"])
            one = run(subject["argv"], subject.get("env"))
            if turn >= 0:
                results[subject["name"]].append({**one, "floor": floor})
    json.dump(results, sys.stdout)


main()
