#!/bin/sh
# Shows a failover by repmgr on one Linux machine: three members as in repmgr.conf beside this file, two servers of ugs, a
# game master and bots. As root, with `ugs` in the PATH and these packages of Debian: postgresql postgresql-15-repmgr
#   sh conf/failover/repmgr.sh
# kills the primary with its repmgrd, as the loss of their machine would, starts it again as it was, and then makes a replica
# of it. Everything is in a temporary folder; KEEP=1 leaves it there.
set -eu
. "$(dirname "$0")/play.sh"
need ugs psql python3 "$bin/repmgrd"

repmgr() { member=$1; shift; $as_postgres "$bin/repmgr" -f "$here/$member.conf" --log-level WARNING "$@" >>"$here/$member.log" 2>&1; }
start() { $as_postgres "$bin/pg_ctl" -w -s -D "$here/db/$1" -l "$here/db/$1.log" start 2>/dev/null; }
watch() { run $1 $as_postgres "$bin/repmgrd" -f "$here/$1.conf" --daemonize=false --no-pid-file; }

set -- $(free_ports 3)
databases=127.0.0.1:$1,127.0.0.1:$2,127.0.0.1:$3
port=$1
# In earnest names and addresses in the file are yours, and members let each other in with passwords.
for number in 1 2 3; do
    sed -e "s/^node_id=.*/node_id=$number/" -e "s/'db1'/'db$number'/" -e "s/host=db1.example port=5432/host=127.0.0.1 port=$1/" \
        -e "s|^data_directory=.*|data_directory='$here/db/db$number'|" -e "s|/usr/lib/postgresql/15/bin|$bin|" \
        -e "s|/etc/repmgr.conf|$here/db$number.conf|" "$conf/repmgr.conf" >"$here/db$number.conf"
    # With the port of this member: pg_rewind copies postgresql.conf, too, and here all members share a machine.
    printf "service_start_command='%s/pg_ctl -w -s -D %s/db/db%s -o \"-p %s\" -l %s/db/db%s.log start'\n" "$bin" "$here" $number $1 \
        "$here" $number >>"$here/db$number.conf"
    eval "port_$number=$1"
    shift
done
$as_postgres "$bin/initdb" -D "$here/db/db1" -U postgres -A trust -E UTF8 --no-locale --no-sync >/dev/null
echo "host replication repmgr 127.0.0.1/32 trust" >>"$here/db/db1/pg_hba.conf"
# synchronous_standby_names is set when there are replicas.
grep -v synchronous "$conf/repmgr.postgresql.conf" >>"$here/db/db1/postgresql.conf"
printf "unix_socket_directories = '%s/db'\nport = %s\n" "$here" $port_1 >>"$here/db/db1/postgresql.conf"
start db1
for statement in "CREATE USER repmgr SUPERUSER" "CREATE DATABASE repmgr OWNER repmgr" "CREATE USER ugs PASSWORD 'secret'" \
    "CREATE DATABASE ugs OWNER ugs"; do
    $as_postgres psql -h "$here/db" -p $port_1 -d postgres -qc "$statement"
done
repmgr db1 primary register
for number in 2 3; do
    repmgr db$number -h 127.0.0.1 -p $port_1 -U repmgr -d repmgr standby clone --fast-checkpoint
    eval "echo \"port = \$port_$number\"" >>"$here/db/db$number/postgresql.conf"
    start db$number
    repmgr db$number standby register
done
for member in $members; do
    grep synchronous_standby_names "$conf/repmgr.postgresql.conf" >>"$here/db/$member/postgresql.conf"
    $as_postgres "$bin/pg_ctl" -D "$here/db/$member" -s reload
    watch $member
done

play
echo "db1 is the primary, and a replica has each commit, too"
since=$(date +%s.%N)
kill_run db1; kill_database db1
lost db1 machine
# repmgr has not told it: it starts as a primary, and confirms nothing.
start db1
if PGPASSWORD=secret timeout 5 psql -h 127.0.0.1 -p $port_1 -U ugs -d ugs -qc "CREATE TABLE other (id int)" 2>/dev/null; then
    echo "the old primary has confirmed something"
    exit 1
fi
echo "  $(passed)  db1 is back as it was: a primary that confirms nothing"
$as_postgres "$bin/pg_ctl" -D "$here/db/db1" -s -m fast stop
number=$(sql "SELECT inet_server_port()")
ask() { psql -h 127.0.0.1 -p $number -U repmgr -d repmgr -Atqc "$1"; }
ask CHECKPOINT # pg_rewind reads the time line of a primary from its last one
repmgr db1 -h 127.0.0.1 -p $number -U repmgr -d repmgr node rejoin --force-rewind || true # it may give up waiting too soon
patience=60
until [ "$(ask "SELECT count(*) FROM pg_stat_replication WHERE state = 'streaming'")" = 2 ]; do
    sleep 1
    patience=$((patience - 1))
    [ $patience -gt 0 ] || { tail -n 20 "$here/db1.log" "$here/db/db1.log" >&2; exit 1; }
done
watch db1
echo "  $(passed)  db1 is back as a replica"
compare
