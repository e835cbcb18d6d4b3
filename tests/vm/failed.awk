# SPDX-License-Identifier: BSD-2-Clause
# Of a machine's result lines, after "test NAME" lines: the tests that failed; nothing where it is not known which, or all have
# to be run again, as it is for messages of the kernel.
/^test/ { test = $2 }
/^not ok / {
	unknown += test == "" || test == "dmesg"
	failed[test]
}
END {
	if (!unknown)
		for (test in failed) print test
}
