#!/bin/sh
# From three bare Debian 12 hosts to a measurement: packages, keys, services, a run, its results in Python and Prometheus.
# Run it as root on the host that sends, in a folder with the packages (scripts/package makes them). `ssh HOST` must lead to
# root on the two others, which receive. usage: sh three-hosts.sh HOST HOST
set -eu
install='apt-get -q update && apt-get -qy install --no-install-recommends'

# The packages. No service starts by itself.
sh -c "$install ./groma_*.deb ./python3-groma_*.deb"
for host in "$1" "$2"; do
    tar -c groma_*.deb | ssh "$host" "cd /tmp && tar -x && $install ./groma_*.deb curl libjs-dygraphs prometheus"
done

# A key, which stays here, and for each host the part of it that opens this host. Then the services.
umask 077
groma-key new lab > lab.key
for host in "$1" "$2"; do
    groma-key host lab.key "$host" | ssh "$host" 'umask 077 && cat > /etc/groma/keys/lab.key'
    ssh "$host" 'echo OPTIONS=--metrics 9100 --web 9110 > /etc/default/groma-recv && systemctl enable --now groma-recv &&
        cp /usr/share/doc/groma/examples/monitoring/*.yml /etc/prometheus && systemctl restart prometheus'
done

# A run, and what the receivers count while it goes on. A browser sees it at localhost:9110 after ssh -L 9110:localhost:9110 HOST.
printf '[[flow]]\nto = "%s"\nidt = "exp:1000pps"\nsize = "unif:64:1400"\nduration = "20s"\n' "$1" "$2" > experiment.toml
groma-send experiment.toml --key lab.key --logs run &
while sleep 5 && kill -0 $! 2>&-; do
    for host in "$1" "$2"; do ssh "$host" 'hostname && curl -s localhost:9100/metrics | grep ^groma_receiver_packets &&
        curl -s localhost:9110/api/runs/1/rows.csv | tail -n 1'; done
done
wait $!

# Its packets in Python, and what Prometheus has, which asks every 15 seconds.
python3 -c 'import groma
packets = groma.read_log("run")
delay = packets["delay_ns"]
print(len(packets), "packets, mean delay", delay[delay != groma.UNKNOWN_NS].mean() / 1e6, "ms")'
sleep 15
for host in "$1" "$2"; do ssh "$host" 'curl -s localhost:9090/api/v1/query?query=groma_receiver_packets_total && echo'; done
