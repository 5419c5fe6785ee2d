#!/bin/sh
# Shows a backup of a journal in PostgreSQL, and its restore to a moment: a database with archived WAL, a server with a
# master and two bots, a base backup while they play; then all tables are dropped by mistake, and the database of the moment
# before is restored, and served. As root, with PostgreSQL of Debian and `ugs` in the PATH; everything is in a temporary
# folder, KEEP=1 leaves it there:
#   sh conf/point-in-time.sh
set -eu
here=$(mktemp -d /tmp/ugs-pitr-XXXXXX); chmod 755 "$here"
bin=$(ls -d /usr/lib/postgresql/*/bin | tail -1)
as_postgres() { setpriv --reuid postgres --regid postgres --clear-groups "$@"; }
database() { as_postgres "$bin/pg_ctl" -w -s -D "$here/$1" -l "$here/db/log" "$2" -m fast ${3+-o "$3"}; }
sql() { as_postgres "$bin/psql" -h "$here/db" -U ugs -d postgres -Atqc "$1"; }
results() { sql "SELECT count(*) FROM result"; }
stop_all() {
    for file in "$here"/*.pid; do [ -e "$file" ] && kill "$(cat "$file")" 2>/dev/null; rm -f "$file"; done
    wait
}
end() {
    trap - EXIT INT TERM
    stop_all || true
    for data in data restored; do database $data stop 2>/dev/null || true; done
    [ "${KEEP:-}" ] && echo "files: $here" || rm -rf "$here"
}
trap end EXIT INT TERM

# The database. What matters is archive_mode and archive_command; in earnest the archive is on another machine, and
# archive_timeout bounds what the loss of the database's own disk may cost.
mkdir "$here/db" "$here/archive"; chown postgres "$here" "$here/db" "$here/archive"
as_postgres "$bin/initdb" -D "$here/data" -U ugs -A trust -E UTF8 --no-locale --no-sync >/dev/null
cat >>"$here/data/postgresql.conf" <<EOF
listen_addresses = ''
unix_socket_directories = '$here/db'
archive_mode = on
archive_command = 'test ! -f $here/archive/%f && cp %p $here/archive/%f'
archive_timeout = 60
EOF
database data start
journal="postgresql://ugs@/postgres?host=$here/db"

serve() {
    ugs serve --journal "$journal" --port 0 --http-port 0 --ready-file "$here/ready" 2>>"$here/server.log" &
    echo $! >"$here/server.pid"
    until [ -e "$here/ready" ]; do sleep 0.1; done
    port=$(sed 's/.*"game": "[^"]*:\([0-9]*\)".*/\1/' "$here/ready")
    ugs master tic-tac-toe --connect "127.0.0.1:$port" 2>>"$here/master.log" & echo $! >"$here/master.pid"
    for nick in ann ben; do
        ugs bot tic-tac-toe --nick $nick --connect "127.0.0.1:$port" 2>>"$here/$nick.log" & echo $! >"$here/$nick.pid"
    done
}
more_than() { until [ "$(results)" -gt "$1" ]; do sleep 0.2; done; }

serve
more_than 2
as_postgres "$bin/pg_basebackup" -h "$here/db" -U ugs -D "$here/restored" --checkpoint=fast --wal-method=stream
echo "base backup taken while games went on: $(results) results"
more_than "$(($(results) + 2))"
stop_all
before=$(results)
moment=$(sql "SELECT now()")
sleep 1
sql "DROP SCHEMA public CASCADE" 2>/dev/null
sql "SELECT pg_switch_wal()" >/dev/null
echo "$before results, then all tables dropped at $moment"
database data stop

cat >>"$here/restored/postgresql.conf" <<EOF
restore_command = 'cp $here/archive/%f %p'
recovery_target_time = '$moment'
recovery_target_action = 'promote'
archive_mode = off
EOF
as_postgres touch "$here/restored/recovery.signal"
database restored start
until [ "$(sql 'SELECT pg_is_in_recovery()')" = f ]; do sleep 0.2; done
echo "restored to that moment: $(results) results"
[ "$(results)" = "$before" ]
ugs standings --journal "$journal"
serve
more_than "$before"
echo "served again: $(results) results"
