# Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions.
# Processes that are timed in turn: each tells its results, then runs as many rounds as a line of
# its input asks for, and sleeps until the next one. It must not know what they run.

import subprocess


class Failed(Exception):
    """A side ended, or said something else than it should."""


class Side:
    """One process; `results` are the norms of its results, `bytes` what it says of traffic,
    `compile` the seconds that it took to compile, if it did."""

    def __init__(self, command, env=None):
        self.command, self.results, self.bytes, self.compile = command, [], [], 0.0
        self.peak = 0.0
        self.process = subprocess.Popen(command, env=env, text=True, stdin=subprocess.PIPE,
                                        stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        while (words := self.words())[0] != "same":
            if words[0] == "result":
                self.results.append(dict(zip(words[2::2], map(float, words[3::2]))))
            elif words[0] == "bytes":
                self.bytes = [float(word) for word in words[1:]]
            elif words[0] == "compile":
                self.compile = float(words[1])
            elif words[0] == "different":
                raise Failed(f"results differ: {self.results}")

    def words(self):
        """The next line that is ours; libraries may print others."""
        for line in self.process.stdout:
            words = line.split()
            if words and words[0] in ("compile", "result", "bytes", "same", "different",
                                      "round"):
                return words
        self.process.wait()
        raise Failed(f"{' '.join(self.command[:8])} ended: {self.process.stderr.read()[-2000:]}")

    def run(self, rounds=1):
        """Times of the rounds in milliseconds, a list for each round."""
        self.process.stdin.write(f"{rounds}\n")
        self.process.stdin.flush()
        return [[float(word) for word in self.words()[1:]] for _ in range(rounds)]

    def close(self):
        """Ends the process, by asking it first, and notes the most MiB that it had in its rounds."""
        try:
            last = self.process.communicate(timeout=20)[0].split()
            self.peak = float(last[1]) if last[:1] == ["peak"] else 0.0
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.communicate()


def same_norms(one, other, tolerance=2e-3):
    """Whether two sides have results of equal norms."""
    a, b = ([result["norm"] for result in side.results] for side in (one, other))
    return len(a) == len(b) and all(abs(x - y) <= tolerance * max(abs(x), abs(y))
                                    for x, y in zip(a, b))
