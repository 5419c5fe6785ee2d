"""`python -m tests.fuzz --minutes 20 [TARGET ...]`: each target for so long, in a process of its own, one by one.

Prints what each has tried and covered. What is found lies in ``build/fuzz/TARGET/finds``; the exit code tells. What
reaches new code is kept in ``build/fuzz/TARGET/corpus``, where the next run goes on.
"""

import argparse
import re
import subprocess
import sys
import time
from pathlib import Path
from typing import Final

from tests.fuzz.targets import CORPUS, TARGETS

MIN_MB: Final = 2048
"""Resident memory at which an input counts as a find."""
MAX_S: Final = 300
"""Seconds for one input, at most: a machine may be busy."""
STATE: Final = re.compile(r"^#(\d+)\s.*?cov: (\d+) ft: (\d+) corp: (\d+)", re.MULTILINE)


def run(name: str, minutes: float, place: Path) -> bool:
    """Fuzz one target; whether nothing was found."""
    target, finds, corpus = TARGETS[name], place / name / "finds", place / name / "corpus"
    for folder in (finds, corpus):
        folder.mkdir(parents=True, exist_ok=True)
    words = place / name / "words"
    words.write_text("".join(f'"{escaped(word)}"\n' for word in target.dictionary), encoding="ascii")
    options = [f"-max_total_time={minutes * 60:.0f}", f"-max_len={target.longest}", f"-artifact_prefix={finds}/"]
    options += [f"-dict={words}"] if target.dictionary else []
    options += [f"-rss_limit_mb={MIN_MB}", f"-timeout={MAX_S}", "-print_final_stats=1"]
    log = place / name / "log"
    begun = time.monotonic()
    with log.open("wb") as lines:
        done = subprocess.run(
            [sys.executable, "-m", "tests.fuzz.drive", name, *options, str(corpus), str(CORPUS / name)],
            stdout=lines,
            stderr=subprocess.STDOUT,
            check=False,
        )
    states = STATE.findall(log.read_text(encoding="utf-8", errors="replace"))
    tried, edges, features, kept = states[-1] if states else ("0", "0", "0", "0")
    print(
        f"{name:10} {(time.monotonic() - begun) / 60:5.1f} min {tried:>9} inputs, {edges} edges, {features} features, "
        f"{kept} inputs kept; {'nothing found' if done.returncode == 0 else f'FOUND, see {finds} and {log}'}",
        flush=True,
    )
    return done.returncode == 0


def escaped(word: bytes) -> str:
    """A word as libFuzzer reads it."""
    return "".join(chr(one) if 32 <= one < 127 and one not in b'"\\' else f"\\x{one:02x}" for one in word)


def main() -> None:
    """Fuzz all targets, or those that are named."""
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz", description=__doc__)
    parser.add_argument("targets", nargs="*", metavar="TARGET", help=f"of {', '.join(TARGETS)}; all for none")
    parser.add_argument("--minutes", type=float, default=20.0, help="for each target")
    parser.add_argument("--place", type=Path, default=Path("build/fuzz"))
    said = parser.parse_args()
    for name in said.targets:
        if name not in TARGETS:
            parser.error(f"no target {name!r}; there are {', '.join(TARGETS)}")
    good = [run(name, said.minutes, said.place) for name in said.targets or TARGETS]
    sys.exit(0 if all(good) else 1)


if __name__ == "__main__":
    main()
