#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# image.sh DIR: makes the root of a container's image: both programs, their libraries and the descriptions of terminals.
set -eu
mkdir -p "$1/bin" "$1/data" "$1/tmp"
cp build/netcost-record build/netcost-report "$1/bin"
strip "$1"/bin/*
# Debian 12 has them in /lib, Debian 13 in /usr/share.
terminfo=/lib/terminfo
[ -d $terminfo ] || terminfo=/usr/share/terminfo
mkdir -p "$1${terminfo%/*}"
cp -RL $terminfo "$1${terminfo%/*}"
ldd "$1"/bin/* | awk '$3 ~ "^/" { print $3 } $1 ~ "^/.*ld" && !/:$/ { print $1 }' | sort -u | while read -r library; do
	mkdir -p "$1${library%/*}"
	cp -L "$library" "$1$library"
done
