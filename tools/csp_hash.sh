#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Prints 'sha256-…' of a file as a C string, as a Content-Security-Policy names a script or style sheet.
set -eu

sha256sum "$1" | awk '{
	digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
	hex = substr($1, 1, 64) "00"
	for (i = 1; i <= 64; i += 3) { # three hexadecimal digits are two of base 64
		v = 0
		for (j = 0; j < 3; j++)
			v = 16 * v + index("0123456789abcdef", substr(hex, i + j, 1)) - 1
		out = out substr(digits, int(v / 64) + 1, 1) substr(digits, v % 64 + 1, 1)
	}
	printf "\"'"'"'sha256-%s='"'"'\"\n", substr(out, 1, 43)
}'
