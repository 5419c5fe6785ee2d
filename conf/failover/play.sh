# What patroni.sh and repmgr.sh beside this file share: programs in a temporary folder, ports, a server of ugs and one that
# stands by, a game master, two bots, and what bots received held against the journal. It is read by them and not run alone.
conf=$(cd "$(dirname "$0")" && pwd)
here=$(mktemp -d "${TMPDIR:-/tmp}/ugs-failover-XXXXXX"); chmod 755 "$here"
bin=$(ls -d /usr/lib/postgresql/*/bin | tail -1)
as_postgres="setpriv --reuid postgres --regid postgres --clear-groups"
members="db1 db2 db3"
mkdir "$here/db"; chown postgres "$here/db"

need() { for program in "$@"; do command -v "$program" >/dev/null || { echo "$program is not in the PATH" >&2; exit 1; }; done; }
run() { # NAME COMMAND…: in the background, with a log
    name=$1; shift
    "$@" >>"$here/$name.log" 2>&1 &
    echo $! >"$here/$name.pid"
}
kill_run() { kill -9 "$(cat "$here/$1.pid")" 2>/dev/null || true; rm -f "$here/$1.pid"; }
kill_database() { # the postmaster of a member with its children, at once
    pid=$(head -1 "$here/db/$1/postmaster.pid" 2>/dev/null) || return 0
    kill -STOP "$pid" 2>/dev/null || return 0
    kill -KILL "$pid" $(ps -o pid= --ppid "$pid") 2>/dev/null || true
}
end() {
    trap - EXIT INT TERM
    for file in "$here"/*.pid; do [ -e "$file" ] && kill_run "$(basename "$file" .pid)"; done
    for member in $members; do kill_database $member; done
    [ "${KEEP:-}" ] && echo "files: $here" || rm -rf "$here"
}
trap end EXIT
trap 'exit 1' INT TERM

# HOW MANY that are free now, of those that the system gives to no connection: what is killed comes back to its port.
free_ports() {
    python3 -c 'import random, socket, sys
sockets = []
for port in random.sample(range(20_000, 32_000), 12_000):
    try:
        sockets.append(socket.create_server(("127.0.0.1", port)))
    except OSError:
        continue
    if len(sockets) == int(sys.argv[1]):
        break
print(*(one.getsockname()[1] for one in sockets))' "$1"
}

# $databases: HOST:PORT of all members, with commas. libpq takes the one that may be written.
journal() { echo "postgresql://ugs@$databases/ugs?target_session_attrs=read-write"; }
sql() { PGPASSWORD=secret psql "$(journal)" -Atqc "$1" 2>/dev/null || echo 0; }
moves() { sql "SELECT max(id) FROM part"; }
results() { sql "SELECT count(*) FROM result"; }
passed() { echo "$(date +%s.%N) $since" | awk '{printf "%5.1f s", $1 - $2}'; }

play() { # until the first results are there
    set -- $(free_ports 2)
    servers=127.0.0.1:$1,127.0.0.1:$2
    printf 'keep = "moves"\nmaster_grace_s = 60\nsession_grace_s = 120\nmove_timeout_s = 120\n' >"$here/cup.toml"
    for name in a b; do
        run $name env PGPASSWORD=secret ugs serve --journal "$(journal)" --config "$here/cup.toml" --standby --port $1 --http-port 0 \
            --ready-file "$here/$name.ready"
        shift
        [ $name = b ] || until [ -e "$here/a.ready" ]; do sleep 0.1; done
    done
    run master ugs master tic-tac-toe --connect $servers
    for nick in ann ben; do run $nick ugs bot tic-tac-toe --nick $nick --think-ms 50 --connect $servers --no-state; done
    until [ "$(results)" -gt 4 ]; do sleep 0.5; done
}

lost() { # MEMBER HOW: waits until another member is the primary and games go on
    echo "    0.0 s  $1 is lost ($2)"
    until [ "$(sql "SELECT inet_server_port() <> $port")" = t ]; do sleep 0.1; done
    echo "  $(passed)  another one is the primary"
    before=$(moves)
    until [ "$(moves)" -gt "$((before + 6))" ]; do sleep 0.1; done
    echo "  $(passed)  moves are relayed again"
}

compare() { # what bots received, by game and nick, is in the journal, once
    more=$(($(results) + 4))
    until [ "$(results)" -gt $more ]; do sleep 0.5; done
    for nick in ann ben; do kill "$(cat "$here/$nick.pid")"; done
    sleep 1
    for nick in ann ben; do
        sed -n '/"game over"/s/.*"game": "\([^"]*\)", "result": "\([^"]*\)".*/\1 '$nick' \2/p' "$here/$nick.log"
    done | sort >"$here/received"
    sql "SELECT g.game_id || ' ' || p.name || ' ' || s.outcome FROM result r JOIN game g ON g.id = r.game
        JOIN seat s ON s.game = g.id JOIN player p ON p.id = s.player" | sort >"$here/kept"
    wrong=$( (uniq -d "$here/received"; uniq -d "$here/kept"; comm -23 "$here/received" "$here/kept") | wc -l)
    echo "results lost or doubled: $wrong of $(wc -l <"$here/received") received by two bots;" \
        "games void: $(sql "SELECT count(DISTINCT game) FROM seat WHERE outcome = 'void'")"
}
