#!/bin/sh
# Shows a failover by Patroni on one Linux machine: three members as in patroni.yml beside this file, etcd, two servers of
# ugs, a game master and bots. As root, with `ugs` in the PATH and these packages of Debian: postgresql patroni etcd-server
#   sh conf/failover/patroni.sh             kills the primary with its Patroni, as the loss of their machine would
#   sh conf/failover/patroni.sh database    kills the processes of the primary alone
#   sh conf/failover/patroni.sh switchover  asks Patroni for another primary
# Everything is in a temporary folder; KEEP=1 leaves it there.
set -eu
. "$(dirname "$0")/play.sh"
how=${1:-machine}
need ugs patroni patronictl etcd psql python3

set -- $(free_ports 8)
etcd=127.0.0.1:$1; etcd_peers=http://127.0.0.1:$2; shift 2
run etcd etcd --name one --data-dir "$here/etcd" --listen-client-urls "http://$etcd" --advertise-client-urls "http://$etcd" \
    --listen-peer-urls "$etcd_peers" --initial-advertise-peer-urls "$etcd_peers" --initial-cluster "one=$etcd_peers"

# In earnest names and addresses in the file are yours; here the members share a machine, and have no certificate.
member() { run $1 env PATRONI_POSTGRESQL_PGPASS="$here/db/$1.pgpass" $as_postgres patroni "$here/$1.yml"; }
databases=
for member in $members; do
    sed -e "s/^name: .*/name: $member/" -e "s/^  hosts: etcd1.*/  hosts: $etcd/" -e "/8008/s/: .*/: 127.0.0.1:$1/" \
        -e "/5432/s/: .*/: 127.0.0.1:$2/" -e "s|data_dir: .*|data_dir: $here/db/$member|" -e "s|bin_dir: .*|bin_dir: $bin|" \
        -e 's/hostssl/host/' -e '/^ *ssl/d' -e 's|10.0.0.0/24|127.0.0.1/32|' -e "s|: /var/run/postgresql|: $here/db|" \
        -e 's/mode: automatic/mode: "off"/' "$conf/patroni.yml" >"$here/$member.yml"
    databases=${databases:+$databases,}127.0.0.1:$2
    member $member
    shift 2
done
list() { patronictl -c "$here/db1.yml" list --format tsv; }
the() { list | awk -F'\t' -v role="$1" '$4 == role {print $2}'; }
is_whole() { # three that run, on one time line, one of them synchronous
    list | awk -F'\t' 'NR > 1 && ($5 == "running" || $5 == "streaming") {seen++; lines += !($6 in line); line[$6]}
        $4 == "Sync Standby" {synchronous++} END {exit !(seen == 3 && lines == 1 && synchronous)}'
}
echo "waiting for Patroni to make a primary and two replicas"
until is_whole; do sleep 1; done
primary=$(the Leader)
port=$(sed -n 4p "$here/db/$primary/postmaster.pid")
$as_postgres psql -h "$here/db" -p "$port" -d postgres -qc "CREATE USER ugs PASSWORD 'secret'" -c "CREATE DATABASE ugs OWNER ugs"

play
echo "$primary is the primary, $(the "Sync Standby") has each commit, too"
since=$(date +%s.%N)
case $how in
    machine) kill_run $primary; kill_database $primary ;;
    database) kill_database $primary ;;
    switchover) patronictl -c "$here/db1.yml" switchover --master $primary --force >"$here/switchover.log" ;;
esac
lost $primary $how
[ $how != machine ] || member $primary
until is_whole; do sleep 1; done
echo "  $(passed)  $primary is back as a replica"
compare
