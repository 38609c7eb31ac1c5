#!/usr/bin/env bash
# A Ceph object store for tests, of Debian's packages: one monitor, one OSD that
# keeps everything in memory, one gateway, all on 127.0.0.1 and under one folder.
#
#   tests/ceph/ceph.sh start FOLDER   prints the endpoint, and returns once it answers
#   tests/ceph/ceph.sh stop FOLDER
#
# Exit status 3 where Ceph is not installed: apt-get install ceph-mon ceph-osd
# ceph-common radosgw.
set -euo pipefail

command=${1:?start or stop} folder=${2:?a folder}
conf=$folder/ceph.conf
bucket=photos
access=strongroom secret=strongroom-secret

stop() {
  local pid
  for name in rgw osd mon; do
    [ -f "$folder/$name.pid" ] || continue
    pid=$(cat "$folder/$name.pid")
    kill "$pid" 2>/dev/null || continue
    for _ in $(seq 100); do kill -0 "$pid" 2>/dev/null || break; sleep 0.1; done
    kill -9 "$pid" 2>/dev/null || true
  done
}

free_port() {
  python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])'
}

start() {
  for tool in ceph-mon ceph-osd ceph radosgw radosgw-admin monmaptool; do
    command -v $tool >/dev/null || { echo "$tool is not installed" >&2; exit 3; }
  done
  mkdir -p "$folder"/{mon,osd,rgw,run}
  local mon gateway fsid
  mon=$(free_port) gateway=$(free_port)
  fsid=$(cat /proc/sys/kernel/random/uuid)
  cat >"$conf" <<CONF
[global]
fsid = $fsid
mon_host = v1:127.0.0.1:$mon
run_dir = $folder/run
admin_socket = $folder/run/\$name.asok
log_file = $folder/\$name.log
pid_file =
setuser_match_path =
auth_cluster_required = none
auth_service_required = none
auth_client_required = none
# Where the processor lacks what the encrypted mode takes, this one works.
ms_mon_client_mode = crc
ms_cluster_mode = crc
ms_service_mode = crc
ms_client_mode = crc
ms_bind_msgr2 = false
public_addr = 127.0.0.1
cluster_addr = 127.0.0.1
mon_data = $folder/mon
mon_data_avail_crit = 1
mon_allow_pool_size_one = true
mon_max_pg_per_osd = 1000
osd_data = $folder/osd
osd_objectstore = memstore
memstore_device_bytes = 4294967296
osd_pool_default_size = 1
osd_pool_default_min_size = 1
osd_pool_default_pg_num = 4
osd_pool_default_pgp_num = 4
osd_pool_default_pg_autoscale_mode = off
osd_crush_chooseleaf_type = 0
rgw_data = $folder/rgw
rgw_enable_usage_log = false
debug_none = 0
CONF
  monmaptool --create --clobber --addv a "[v1:127.0.0.1:$mon]" --fsid "$fsid" "$folder/monmap" >/dev/null
  ceph-mon -c "$conf" -i a --mkfs --monmap "$folder/monmap"
  ceph-mon -c "$conf" -i a -f >"$folder/mon.out" 2>&1 &
  echo $! >"$folder/mon.pid"
  local uuid
  uuid=$(cat /proc/sys/kernel/random/uuid)
  timeout 60 ceph -c "$conf" osd new "$uuid" >/dev/null
  ceph-osd -c "$conf" -i 0 --mkfs --osd-uuid "$uuid" >"$folder/osd.out" 2>&1
  # On a machine that is busy it is sometimes refused at first.
  for _ in 1 2 3; do
    ceph-osd -c "$conf" -i 0 -f >>"$folder/osd.out" 2>&1 &
    echo $! >"$folder/osd.pid"
    for _ in $(seq 100); do
      timeout 20 ceph -c "$conf" osd stat 2>/dev/null | grep -q "1 up" && break 2
      kill -0 "$(cat "$folder/osd.pid")" 2>/dev/null || break
      sleep 0.2
    done
  done
  timeout 120 radosgw-admin -c "$conf" user create --uid test --display-name test \
    --access-key "$access" --secret "$secret" >"$folder/user.out" 2>&1
  radosgw -c "$conf" -n client.rgw.a -f \
    --rgw_frontends "beast endpoint=127.0.0.1:$gateway" >"$folder/rgw.out" 2>&1 &
  echo $! >"$folder/rgw.pid"
  for _ in $(seq 300); do
    curl -fs "http://127.0.0.1:$gateway/" >/dev/null && break
    sleep 0.2
  done
  curl -fsS -X PUT --aws-sigv4 aws:amz:us-east-1:s3 -u "$access:$secret" \
    -H "x-amz-content-sha256: e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855" \
    "http://127.0.0.1:$gateway/$bucket"
  echo "http://127.0.0.1:$gateway"
}

case $command in
  start) start || { status=$?; [ $status = 3 ] || stop; exit $status; } ;;
  stop) stop ;;
  *) echo "start or stop" >&2; exit 2 ;;
esac
