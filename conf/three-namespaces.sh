#!/bin/sh
# Shows a takeover on one Linux machine with three network namespaces: a (active), b (standby), d (database). As root, with
# PostgreSQL of Debian and `ugs` in the PATH:
#   sh conf/three-namespaces.sh          kills the active server
#   sh conf/three-namespaces.sh cut      cuts its network instead, as a dead machine or switch would
# Several runs at once do not disturb each other. Bots and their game master play from the machine itself. Printed are the seconds from the loss to the next moves.
set -eu
how=${1:-kill}
here=$(mktemp -d /tmp/ugs-ns-XXXXXX); chmod 755 "$here"
bin=$(ls -d /usr/lib/postgresql/*/bin | tail -1)
number=
as_postgres() { setpriv --reuid postgres --regid postgres --clear-groups "$@"; }

end() {
    trap - EXIT INT TERM
    for pid in $(cat "$here"/*.pid 2>/dev/null); do kill "$pid" 2>/dev/null || true; done
    as_postgres "$bin/pg_ctl" -D "$here/db/data" -m immediate stop >/dev/null 2>&1 || true
    if [ "$number" ]; then
        for name in a b d; do
            # Itself, too: a socket with unsent bytes keeps a namespace that has no name any more, with its end of the line.
            ip link del "ugs-v$name$number" 2>/dev/null || true
            ip netns del "ugs-$name$number" 2>/dev/null || true
        done
        ip link del "ugs-br$number" 2>/dev/null || true # last: while it is there, the number is this run's
    fi
    [ "${KEEP:-}" ] && echo "logs: $here" || rm -rf "$here"
}
trap end EXIT INT TERM

# Three namespaces at one bridge. Who makes the bridge of a number has it alone, with its addresses.
for free in $(seq 47 97); do
    if ip link add "ugs-br$free" type bridge 2>/dev/null; then number=$free; break; fi
done
[ "$number" ] || { echo "cannot make a bridge: is this root, with iproute2?" >&2; exit 1; }
net=10.97.$number
ip addr add $net.1/24 dev "ugs-br$number"
ip link set "ugs-br$number" up
n=2
for name in a b d; do
    space=ugs-$name$number
    ip netns add "$space"
    ip link add "ugs-v$name$number" type veth peer name eth0 netns "$space"
    ip link set "ugs-v$name$number" master "ugs-br$number" up
    ip -n "$space" addr add $net.$n/24 dev eth0
    ip -n "$space" link set eth0 up
    ip -n "$space" link set lo up
    n=$((n + 1))
done

# The database.
mkdir "$here/db"; chown postgres "$here/db"
as_postgres "$bin/initdb" -D "$here/db/data" -U ugs -A trust -E UTF8 --no-locale --no-sync >/dev/null
echo "host all ugs $net.0/24 trust" >>"$here/db/data/pg_hba.conf"
ip netns exec "ugs-d$number" setpriv --reuid postgres --regid postgres --clear-groups "$bin/pg_ctl" -w -s -D "$here/db/data" \
    -l "$here/db/log" -o "-c listen_addresses=$net.4 -k $here/db" start

serve() {
    ip netns exec "ugs-$1$number" ugs serve --journal "postgresql://ugs@$net.4/postgres" --config "$here/cup.toml" --standby \
        --host 0.0.0.0 --port 4747 --ready-file "$here/$1.ready" 2>"$here/$1.log" &
    echo $! >"$here/$1.pid"
}
printf 'keep = "moves"\nmaster_grace_s = 60\nsession_grace_s = 120\nmove_timeout_s = 120\n' >"$here/cup.toml"
serve a
until [ -e "$here/a.ready" ]; do sleep 0.1; done
serve b
until grep -q "standing by" "$here/b.log"; do sleep 0.1; done

where=$net.2:4747,$net.3:4747
ugs master tic-tac-toe --connect $where 2>"$here/master.log" & echo $! >"$here/master.pid"
for nick in ann ben; do
    ugs bot tic-tac-toe --nick $nick --think-ms 200 --connect $where 2>"$here/$nick.log" & echo $! >"$here/$nick.pid"
done
moves() { as_postgres "$bin/psql" -h "$here/db" -U ugs -d postgres -Atc "SELECT count(*) FROM part"; }
until [ "$(moves)" -gt 8 ]; do sleep 0.2; done

since=$(date +%s.%N)
passed() { echo "$(date +%s.%N) $since" | awk '{printf "%5.1f s", $1 - $2}'; }
if [ "$how" = cut ]; then
    ip link set "ugs-va$number" down
else
    kill -9 "$(cat "$here/a.pid")"
fi
echo "    0.0 s  active server lost ($how)"
until [ -e "$here/b.ready" ]; do sleep 0.05; done
echo "  $(passed)  standby has opened its doors"
before=$(moves)
until [ "$(moves)" -gt "$((before + 6))" ]; do sleep 0.05; done
echo "  $(passed)  moves are relayed again"
echo "games void: $(as_postgres "$bin/psql" -h "$here/db" -U ugs -d postgres -Atc \
    "SELECT count(DISTINCT game) FROM seat WHERE outcome = 'void'")"
