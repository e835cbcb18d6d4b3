#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# "KIND SOCKETS" lines from standard input; with ticks of the recorder between any two.
while read -r kind sockets; do
	sockcalls "$kind" 1000 "$sockets" </dev/null || echo "$kind $sockets" >&2
	usleep 100000
done
