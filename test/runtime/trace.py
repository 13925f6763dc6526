# Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions.
"""Holds a trace against the Trace Event Format, and against what --traffic and the statistics say.
usage: trace.py TRACE TRAFFIC STATISTICS, all of one run on a grid of 2x2;
or trace.py TRACE --arrows RANKS SENDS, of a run in which each rank has sent so often to the next one;
or trace.py TRACE --odd-places RANKS, of odd_places.c."""
import json
import re
import sys



def check_arrows(events, ranks, sends):
    """An arrow for each send, from inside of its call to inside of the call that receives it."""

    def encloses(event):
        return any(call["pid"] == event["pid"] and call["name"] == "recv" and
                   call["ts"] <= event["ts"] <= call["ts"] + call["dur"]
                   for call in events if call["ph"] == "X" and call["cat"] == "call")

    begun = {e["id"]: e for e in events if e["ph"] == "s"}
    ended = {e["id"]: e for e in events if e["ph"] == "f"}
    assert len(begun) == len(ended) == ranks * sends, (len(begun), len(ended))
    for identity, begin in begun.items():
        end = ended[identity]
        assert end["pid"] == (begin["pid"] + 1) % ranks and end["bp"] == "e", (begin, end)
        assert begin["ts"] <= end["ts"] and (begin["name"], begin["cat"]) == (end["name"], end["cat"])
        assert encloses(begin) and encloses(end), (begin, end)


def check_odd_places(path, ranks):
    """Strict UTF-8, whatever the files' names, and the group and the coordinates of a mesh of 16 dimensions."""
    with open(path, encoding="utf-8", errors="strict") as file:
        calls = [e for e in json.load(file)["traceEvents"] if e.get("cat") == "call" and e["args"]["location"]]
    no = "\ufffd"
    expected = [45 * "é" + ":1", 44 * "é" + "c:1", 7 * no + ":1", 10 * no + ":1", 'a"b\\c\n.c:1', "€🌍.c:1"]
    for rank in range(ranks):
        found = [call["args"] for call in calls if call["pid"] == rank]
        assert [arguments["location"] for arguments in found] == expected, found
        assert all(arguments["group"] == "(grid @mesh, axes [15])" for arguments in found), found
        assert all(arguments["coordinates"] == 15 * [0] + [rank] for arguments in found), found


if sys.argv[2] == "--odd-places":
    check_odd_places(sys.argv[1], int(sys.argv[3]))
    sys.exit()
if sys.argv[2] == "--arrows":
    with open(sys.argv[1]) as file:
        check_arrows(json.load(file)["traceEvents"], int(sys.argv[3]), int(sys.argv[4]))
    sys.exit()

RANKS = 4

with open(sys.argv[1]) as file:
    trace = json.load(file)
events = trace["traceEvents"]
assert trace["otherData"] == {"ranks": RANKS, "dropped": 0}, trace["otherData"]

names = {e["pid"]: e["args"]["name"] for e in events if e["ph"] == "M" and e["name"] == "process_name"}
assert names == {rank: f"rank {rank}" for rank in range(RANKS)}, names

received = {}  # (name, place) to bytes of each rank
for rank in range(RANKS):
    end = 0
    spans = [e for e in events if e["ph"] == "X" and e["pid"] == rank]
    assert any(e["cat"] == "compute" for e in spans)
    for event in spans:
        assert event["cat"] in ("call", "compute") and event["tid"] == 0, event
        assert event["ts"] >= end - 0.0015 and event["dur"] >= 0, (event, end)
        end = event["ts"] + event["dur"]
        if event["cat"] == "compute":
            continue
        arguments = event["args"]
        assert set(arguments) == {"bytes", "location", "group", "coordinates"}, event
        if arguments["location"]:
            assert arguments["coordinates"] == [rank // 2, rank % 2], event
            assert re.fullmatch(r"\(grid @grid, axes \[(0|1|0, 1)\]\)", arguments["group"]), event
            place = event["name"], arguments["location"]
            received.setdefault(place, [0] * RANKS)[rank] += arguments["bytes"]

traffic = {}
for line in open(sys.argv[2]):
    found = re.match(r"  (\S+) +(\S+:\d+:\d+) +(\d+) x +(\d+) bytes", line)
    if found:
        traffic[found[1], found[2]] = int(found[3]) * int(found[4])
assert traffic, "no traffic was printed"
assert {place: max(all) for place, all in received.items()} == traffic, (received, traffic)

statistics = {}
for line in open(sys.argv[3]):
    found = re.match(r"  (\S+) +(\S+:\d+:\d+) +(\d+) +(\d+) +[\d.]+ +[\d.]+ +\d+% +[0-3]$", line)
    if found:
        statistics[found[1], found[2]] = int(found[4])
assert statistics == traffic, (statistics, traffic)
