# SPDX-License-Identifier: BSD-2-Clause
"""Loads a BPF program without a name, of a type that handles packets. Prints a line, and keeps the program until the
process is killed."""
import ctypes
import signal
import struct

SYS_BPF, PROG_LOAD, SOCKET_FILTER = 321, 5, 1
code = ctypes.create_string_buffer(struct.pack("<BBhi", 0xb7, 0, 0, 0) + struct.pack("<BBhi", 0x95, 0, 0, 0), 16)  # return 0
license_ = ctypes.create_string_buffer(b"GPL")
attr = struct.pack("<IIQQIIQII", SOCKET_FILTER, 2, ctypes.addressof(code), ctypes.addressof(license_), 0, 0, 0, 0, 0)
fds = [ctypes.CDLL(None).syscall(SYS_BPF, PROG_LOAD, ctypes.create_string_buffer(attr, len(attr)), len(attr)) for _ in range(2)]
print(fds, flush=True)
signal.pause()
