"""The folder of a contest as ``ugs init`` writes it: settings, plan, systemd units, and a page with the next steps."""

import json
import os
import pwd
import re
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from shlex import quote
from typing import Final, Literal

SETTINGS: Final = "ugs.toml"
PLAN: Final = "championship.toml"
HOMES: Final = ("/home", "/root", "/run/user")
"""What ``ProtectHome=yes`` hides."""
SERVICE_USER: Final = "ugs"
"""Who runs a server that root has made the folder for."""
SWISS_FROM: Final = 12
"""From this many players on, a round robin has more games than an evening."""

RETURN_S: Final = 60
"""For how long a championship waits for a bot that its owner starts again."""
PORT: Final = 4747
"""Where players and masters connect, if nothing else is said."""
HTTP_PORT: Final = 8080
"""Where the page is then."""
Auth = Literal["none", "register", "tokens"]


@dataclass(frozen=True, slots=True)
class Contest:
    """What an organiser has decided."""

    title: str
    game: str
    """The name of an installed game."""
    game_type: str
    public: bool
    """Whether other machines may come in."""
    auth: Auth
    players: int
    """A championship begins with this many; 0: there is none, players are seated as they come."""
    seats: int = 2
    """How many play a game of it."""
    format: str = ""
    """Empty: a round robin, or Swiss rounds for many players."""
    port: int = PORT
    """TCP port of players and masters."""
    http_port: int = HTTP_PORT
    """TCP port of the page."""
    chance: bool = False
    """Whether dice or cards decide, too."""

    @property
    def plan_format(self) -> str:
        """Who plays whom."""
        return self.format or ("round-robin" if self.players < SWISS_FROM else "swiss")


@dataclass(frozen=True, slots=True)
class Machine:
    """What the units are written for."""

    python: str
    user: str
    units: Mapping[str, str]
    """The units that come with ugs, ``ugs.service`` and ``ugs-master@.service``."""


def write_files(folder: Path, texts: Mapping[str, str]) -> None:
    """Write these files, by their names, into an empty folder, which is made if there is none. Raises OSError; then
    none of them is left."""
    new = not folder.exists()
    folder.mkdir(parents=True, exist_ok=True)
    try:
        for name, text in texts.items():
            (folder / name).write_text(text, encoding="utf-8")
    except BaseException:
        for name in texts:
            (folder / name).unlink(missing_ok=True)
        if new:
            folder.rmdir()
        raise


def this_machine(units: Mapping[str, str]) -> Machine:
    """The interpreter and the user that run this; not root, since a server needs none of its rights."""
    user = pwd.getpwuid(os.getuid()).pw_name if os.getuid() else SERVICE_USER
    return Machine(sys.executable, user, units)


def files_of(contest: Contest, folder: Path, machine: Machine) -> dict[str, str]:
    """The files of the folder, by their names."""
    files = {SETTINGS: settings(contest)}
    if contest.players:
        files[PLAN] = plan(contest)
    serve = f"{machine.python} -m ugs serve --config {folder}/{SETTINGS}"
    serve += f" --championship {folder}/{PLAN}" if contest.players else ""
    lead = f"{machine.python} -m ugs master {contest.game} --connect 127.0.0.1:{contest.port}"
    files["ugs.service"] = unit(machine.units["ugs.service"], serve, folder, machine)
    # The unit here is no template: systemd would not fill in %i.
    files["ugs-master.service"] = unit(machine.units["ugs-master@.service"], lead, folder, machine).replace(
        "%i", contest.game
    )
    files["README.md"] = page(contest, machine.user)
    return files


def settings(contest: Contest) -> str:
    """The configuration of the server: what differs from the defaults."""
    lines = [
        f"# The server of {json.dumps(contest.title, ensure_ascii=False)}. Every other setting has its default: "
        "`ugs config` prints them all.",
        "",
        "[server]",
        f"host = {json.dumps('0.0.0.0' if contest.public else '127.0.0.1')}",
        "# TCP port of players and masters",
        f"{'# ' if contest.port == PORT else ''}port = {contest.port}",
        "",
        "[http]",
        "# TCP port of the page",
        f"http_port = {contest.http_port}",
        "",
        "[journal]",
        "# everything that is kept, beside this file: start the server in this folder",
        'data_dir = "data"',
        "",
        "[access]",
        "# none: any free name; register: the first login of a name sets its secret; tokens: only names with a token",
        f"auth = {json.dumps(contest.auth)}",
        "# programs on this machine, the game master among them, need no token: try tokens from elsewhere",
        'auth_addresses = ["127.0.0.1 *"]',
        "",
        "[site]",
        "# what the page is called, at its top and in the titles of all pages",
        f"title = {json.dumps(contest.title, ensure_ascii=False)}",
        "# the text of the first page below that: an empty line begins a paragraph, addresses (https://…) become links",
        '# text = ""',
        "",
        f"[game_types.{json.dumps(contest.game_type)}]",
        "# seconds for a move",
        "move_timeout_s = 30",
        "# seconds in which a game whose master was lost may go on with another one, or the same one started again",
        "master_grace_s = 30",
        "",
    ]
    return "\n".join(lines)


ROUNDS: Final = {
    "swiss": ("# how many rounds; 0: enough for one winner", "# rounds = 0"),
    "round-robin": ("# how often each meets each: twice, if once leaves several with the same points", "# repeats = 2"),
    "knock-out": ("# how many games a match has, at most", "# best_of = 3"),
}
"""Lines of the plan about its length, by format."""
AGAINST_LUCK: Final = (
    "# how often each meets each: with dice or cards a single game shows little",
    "repeats = 10",
)
"""The same for a game with chance, in formats that have repeats."""
REPEATED: Final = ("round-robin", "gauntlet")
MAX_REPEATED: Final = 100
"""With more players the games would be too many for one championship."""


def plan(contest: Contest) -> str:
    """The plan of the championship."""
    repeated = contest.chance and contest.plan_format in REPEATED and contest.players <= MAX_REPEATED
    return "\n".join(
        [
            "# The plan of the championship; `ugs example championship.toml` shows every key.",
            f"name = {json.dumps(contest.title, ensure_ascii=False)}",
            f"game_type = {json.dumps(contest.game_type)}",
            f"format = {json.dumps(contest.plan_format)}",
            "# how many play a game; 0: as many as the game takes",
            f"seats = {contest.seats}",
            "# it begins as soon as this many are there, the first to log in",
            f"first = {contest.players}",
            "# to begin at an hour instead, with those who are there: this in place of first",
            '# begins_at = "2030-05-01T20:00"',
            "# nothing is played before; true: those who are there meet in open play, whose games count in the",
            "# standings of the game type, not in those of the championship",
            "open_play = false",
            *(AGAINST_LUCK if repeated else ROUNDS.get(contest.plan_format, ())),
            "# a bot that is stopped or cut off has this many seconds to come back",
            f"return_s = {RETURN_S}",
            "# when it is over nothing more is played: `ugs admin resume` lets players meet in open play",
            "pause_after = true",
            "",
        ]
    )


def unit(text: str, command: str, folder: Path, machine: Machine) -> str:
    """A systemd unit that comes with ugs, for this folder, interpreter and user."""
    home = "ProtectHome=yes"
    if any(place.startswith(f"{top}/") for place in (str(folder), machine.python) for top in HOMES):
        # With "yes" the service could not see its own folder or interpreter.
        home = "ProtectHome=read-only"
    changes: dict[str, str] = {
        r"^# systemd unit[^\[]*": "",
        r"^ExecStart=.*": f"ExecStart={command}\nWorkingDirectory={folder}",
        r"^User=.*\nGroup=.*|^DynamicUser=.*": f"User={machine.user}",
        r"^StateDirectory=.*\nStateDirectoryMode=.*": f"ReadWritePaths={folder}",
        r"^ProtectHome=.*": home,
    }
    for pattern, instead in changes.items():
        # A backslash in a path is no reference to a group.
        text = re.sub(pattern, instead.replace("\\", r"\\"), text, flags=re.MULTILINE)
    return text


def page(contest: Contest, user: str) -> str:
    """What to do with the folder; the units run as this user."""
    where = "THIS-MACHINE" if contest.public else "127.0.0.1"
    championship = f" --championship {PLAN}" if contest.players else ""
    master = f"ugs master {contest.game} --connect 127.0.0.1:{contest.port}"
    player = f"ugs bot {contest.game} --connect {where}:{contest.port} --nick NAME"
    parts = [
        f"# {contest.title}\n",
        "In this folder, check the machine, then start the server and, in another terminal, the game master:\n",
        f"```sh\nugs doctor --config {SETTINGS}\nugs serve --config {SETTINGS}{championship}\n```\n",
        f"```sh\n{master}\n```\n",
        f"Players connect to `{where}:{contest.port}`, spectators look at <http://{where}:{contest.http_port}/>. "
        f"{'A bot of ugs that plays' if contest.players else 'To try it'}:\n",
        f"```sh\n{player}\n```\n",
    ]
    if contest.auth == "tokens":
        parts.append("A token for each player:\n")
        parts.append("```sh\nugs token add NAME --data-dir data\n```\n")
        parts.append(
            "It is shown by bots of ugs from a file, by others as `NAME#TOKEN`; programs on this machine need none:\n"
        )
        parts.append(f"```sh\n{player} --token-file NAME.token\n```\n")
    if contest.auth == "register":
        parts.append(
            "Each player chooses a secret of 8 characters or more: the first login of a name sets it, and the name "
            "needs it from then on. Bots of ugs read it from a file, others send it behind the name (`NAME#SECRET`); "
            "programs on this machine need none:\n"
        )
        parts.append(f"```sh\n{player} --token-file secret.txt\n```\n")
    if contest.players:
        parts += _about_championship(contest)
    parts.append(f"To start both with the machine, with systemd, as the user `{user}`, who must own this folder:\n")
    parts.append(
        "```sh\nsudo cp ugs.service ugs-master.service /etc/systemd/system/\nsudo systemctl daemon-reload\n"
        "sudo systemctl enable --now ugs ugs-master\n```\n"
    )
    parts.append("Standings, games and reasons:\n")
    parts.append(
        "```sh\nugs standings --data-dir data\nugs record list --data-dir data\nugs why NAME --data-dir data\n```\n"
    )
    parts.append("To back up results and tokens at any time, into a new folder that only you can read:\n")
    parts.append("```sh\nugs journal backup backup/$(date +%F-%H%M) --data-dir data\n```\n")
    parts.append("To end, let the games end, and the server with them:\n")
    parts.append('```sh\nugs admin drain --within 10m --why "the evening is over" --data-dir data\n```\n')
    parts.append("Then stop the master and the bots with Ctrl-C. To write the pages as files for any web server:\n")
    parts.append(f"```sh\nugs site export public --config {SETTINGS}\n```\n")
    parts.append("Everything else is in the manual for organisers: `ugs example organiser.md`.")
    return "\n".join(parts) + "\n"


def _about_championship(contest: Contest) -> list[str]:
    """What to do before, during and after the championship."""
    name = quote(contest.title)
    return [
        f"The championship ({contest.plan_format}, games of {contest.seats}) begins with the first "
        f"{contest.players} players, whoever they are. So try master and bots before with a server that plays no "
        "championship and keeps its results elsewhere:\n",
        f"```sh\nugs serve --config {SETTINGS} --data-dir trial\n```\n",
        "Games of programs take seconds, so a small championship may be over before it is seen. To show it live, let "
        f"the bots connect first: in {PLAN} set `begins_at` in place of `first`, or a larger `first`, and let the last "
        "one log in when spectators are there.\n",
        "Stop the server at any time: started again, it goes on. Places and results of the championship:\n",
        f"```sh\nugs championship show {name} --data-dir data\n```\n",
        f"When it is over nothing more is played (`pause_after` in {PLAN}), until you announce another one "
        "(`ugs championship plan FILE --data-dir data`), or let players meet in open play:\n",
        f'```sh\nugs admin resume {contest.game_type} --why "to play on" --data-dir data\n```\n',
        "A result that turns out wrong is put right, also after the end:\n",
        f"```sh\nugs championship correct {name} GAME --result NAME=won --why REASON --data-dir data\n```\n",
    ]
