"""What a second maker's tables say of zones in 2027. Reads zone names as arguments, writes one JSON object to stdout.

For each zone:

    shown     list of {"instant", "local"}: moments half an hour before and after each change of the clocks (of all the
              zones), and how they are written there
    read      list of {"wall", "instant"}: local times that happen once, three hours on either side of the zone's own changes
    skipped, repeated   local times that do not happen, or happen twice
"""

import json
import sys
from datetime import datetime, timedelta, timezone
from zoneinfo import ZoneInfo


def changes(zone):
    moment = datetime(2027, 1, 1, tzinfo=timezone.utc)
    step = timedelta(minutes=30)
    found = []
    while moment.year == 2027:
        if moment.astimezone(zone).utcoffset() != (moment - step).astimezone(zone).utcoffset():
            found.append(moment)
        moment += step
    return found


def utc(moment):
    return moment.strftime("%Y-%m-%dT%H:%M:%SZ")


def shown(moment, zone):
    text = moment.astimezone(zone).strftime("%Y-%m-%d %H:%M:%S %z")
    return {"instant": utc(moment), "local": f"{text[:-2]}:{text[-2:]}"}


def read(moment, zone):
    return {"wall": moment.astimezone(zone).strftime("%Y-%m-%dT%H:%M"), "instant": utc(moment)}


def strange(moment, zone):
    before = (moment - timedelta(seconds=1)).astimezone(zone).utcoffset()
    after = moment.astimezone(zone).utcoffset()
    # Ten minutes into what is skipped, or into what is repeated.
    wall = moment.replace(tzinfo=None) + min(before, after) + timedelta(minutes=10)
    return ("skipped" if after > before else "repeated", wall.strftime("%Y-%m-%dT%H:%M"))


zones = {name: ZoneInfo(name) for name in sys.argv[1:]}
every = sorted({moment for zone in zones.values() for moment in changes(zone)})
half = timedelta(minutes=30)
told = {}
for name, zone in zones.items():
    own = changes(zone) or every[:1]
    odd = [strange(moment, zone) for moment in changes(zone)]
    told[name] = {
        "shown": [shown(moment + side, zone) for moment in every for side in (-half, half)],
        "read": [read(moment + side, zone) for moment in own for side in (-6 * half, 6 * half)],
        "skipped": [wall for kind, wall in odd if kind == "skipped"],
        "repeated": [wall for kind, wall in odd if kind == "repeated"],
    }
json.dump(told, sys.stdout)
