#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Checks that pods have the names that the files of containerd, CRI-O and Docker give them, on cgroups of version 2 and
# 1, even if files and cgroups are removed before the next tick. After scrub no name is left.
. tests/lib.sh
need_recorder
need_command zstd

export GROUP="netcost-spin-$$" RECORD tmp ROOT="$tmp/root"
WEB=$(printf '%064x' 161) DB=$(printf '%064x' 162) API=$(printf '%064x' 163) uid=8dbc6a39-01aa-4b4a-b1a6-6a4b6d6b1e2f
export CRI="$ROOT/run/containerd/io.containerd.runtime.v2.task/k8s.io/$WEB" CRIO="$ROOT/run/containers/storage/overlay-containers/$DB"
slice=kubepods.slice/kubepods-pod$(echo $uid | tr - _).slice
export WEB_AT="$slice/cri-containerd-$WEB.scope" DB_AT="kubepods/pod$uid/$DB" API_AT="docker/$API"

# Makes files as the runtimes store them. Their old access time shows that a file was never read.
node() {
	mkdir -p "$CRI" "$CRIO/userdata" "$ROOT/var/lib/docker/containers/$API"
	cat >"$CRI/config.json" <<JSON
{"ociVersion": "1.1.0", "process": {"args": ["nginx"]}, "annotations": {
 "io.kubernetes.cri.container-name": "znginx", "io.kubernetes.cri.container-type": "container",
 "io.kubernetes.cri.image-name": "docker.io/library/zimage:1", "io.kubernetes.cri.sandbox-name": "zweb-7d9c6b8f5-x2x4z",
 "io.kubernetes.cri.sandbox-namespace": "zshop", "io.kubernetes.cri.sandbox-uid": "$uid"}}
JSON
	cat >"$CRIO/userdata/config.json" <<JSON
{"annotations": {"io.kubernetes.container.name": "zpostgres", "io.kubernetes.cri-o.ImageName": "quay.io/zimage:2",
 "io.kubernetes.pod.name": "zdb-0", "io.kubernetes.pod.namespace": "zshop"}}
JSON
	cat >"$ROOT/var/lib/docker/containers/$API/config.v2.json" <<JSON
{"ID": "$API", "Name": "/zshop-api-1", "Image": "sha256:0", "Config": {"Image": "zimage:3", "Labels":
 {"com.docker.compose.project": "zshop", "com.docker.compose.service": "zapi"}}}
JSON
	find "$ROOT" -type f -exec touch -a -d 2000-01-01 {} +
}

# Runs for each runtime. One container in three exists before the recording. The files and cgroups of the others are
# removed as soon as they have been read.
cat >"$tmp/pods.sh" <<'SH'
# A process belongs to its new cgroup from the next time that it gets a CPU.
sends() {
	sh -c 'echo $$ >"$0/cgroup.procs" && sleep 0.05 && exec "$@"' "$dir/$GROUP/$1" "$BUILD/tests/sockcalls" send "$2" inet
}
pod() {
	mkdir -p "$dir/$GROUP/$1" && sends "$1" "$2" || exit
	for i in $(seq 100); do
		[ "$(stat -c %X "$3"/config.json)" -le 946771200 ] || break
		sleep 0.1
	done
	rm -r "$3" && rmdir "$dir/$GROUP/$1"
}
pod "$WEB_AT" 1000 "$CRI"
pod "$DB_AT" 3000 "$CRIO/userdata"
sends "$API_AT" 2000
SH

# names FILE: records the pods of $dir, which is a folder of cgroups
cat >"$tmp/names.sh" <<'SH'
mkdir -p "$dir/$GROUP/$API_AT" || exit 3
trap 'find "$dir/$GROUP" -depth -type d -exec rmdir {} +' EXIT
export dir
"$RECORD" -q -F 0 --budget=none --processes --exact=entry -i 20s --host-root="$ROOT" -o "$1" -- sh "$tmp/pods.sh" >/dev/null
SH

names_v2() {
	dir=$(awk '$3 == "cgroup2" && "," $4 "," ~ ",rw," { print $2; exit }' /proc/self/mounts)
	[ -n "$dir" ] && node || return 3
	dir=$dir sh "$tmp/names.sh" "$tmp/v2.nct"
}

# Unmounts cgroups of version 2, in a private mount namespace.
cat >"$tmp/v1.sh" <<'SH'
mounted() {
	awk -v t="$1" -v o="$2" '$3 == t && "," $4 "," ~ "," o "," { print $2 }' /proc/self/mounts
}
mounted cgroup2 rw | while read -r dir; do umount "$dir" || exit 1; done
dir=$(mounted cgroup net_cls)
dir=${dir:-$(mounted cgroup cpu)}
[ -n "$dir" ] || exit 3
. "$tmp/names.sh"
SH
names_v1() {
	node
	unshare -m sh "$tmp/v1.sh" "$tmp/v1.nct"
}

# sent TRACE BY KEY...: prints these keys and the number of sends of each row that has the last key
sent() {
	trace=$1 by=$2
	shift 2
	"$REPORT" who --by="$by" --format=csv "$trace" | "$PYTHON" -c 'import csv, sys
keys = sys.argv[1:]
print(*sorted(" ".join([*(r[k] for k in keys if r[k]), r["send_calls"]]) for r in csv.DictReader(sys.stdin) if r[keys[-1]]), sep=", ")' "$@"
}

# sends TRACE BY "KEYS" WHAT: checks the sends of each row
sends() {
	# shellcheck disable=SC2086 # a list
	sent "$1" "$2" $3 >"$tmp/sent"
	[ "$(cat "$tmp/sent")" = "$4" ]
}

for v in v2 v1; do
	judge names-recorded-$v "needs cgroups" names_$v
	[ -e "$tmp/$v.nct" ] || continue
	t=$tmp/$v.nct
	expect names-pod-$v sends "$t" pod "namespace pod_name" "zshop zdb-0 3000, zshop zweb-7d9c6b8f5-x2x4z 1000"
	expect names-workload-$v sends "$t" workload "namespace workload" "zshop zapi 2000, zshop zdb 3000, zshop zweb 1000"
	expect names-namespace-$v sends "$t" namespace namespace "zshop 6000"
	expect names-image-$v sends "$t" image image "docker.io/library/zimage:1 1000, quay.io/zimage:2 3000, zimage:3 2000"
	expect names-container-$v sends "$t" container container_name "znginx 1000, zpostgres 3000, zshop-api-1 2000"
	expect names-shown-$v sh -c "'$REPORT' who --by=container '$t' | grep -q 'zshop/zdb-0/zpostgres'"
	expect names-verifies-$v "$REPORT" verify -q "$t"
done

# After scrub, the rows have pseudonyms.
t=$tmp/v1.nct s=$tmp/scrubbed.nct
[ ! -e "$tmp/v2.nct" ] || t=$tmp/v2.nct
[ -e "$t" ] || exit 0
none_left() {
	"$REPORT" scrub -q "$t" -o "$s" || return
	zstd -dqc "$t" | grep -aq zshop || return
	! zstd -dqc "$s" | grep -aE 'z(web|shop|nginx|image|db|postgres|api)' && ! "$REPORT" dump "$s" | grep -E 'z(web|shop|nginx|image|db|postgres|api)'
}
expect names-scrubbed none_left
expect names-scrubbed-rows sends "$s" namespace namespace "label3 6000"
expect names-kept sh -c "'$REPORT' scrub -q --keep=labels '$t' -o '$tmp/kept.nct' && '$REPORT' dump '$tmp/kept.nct' | grep -q zweb"
