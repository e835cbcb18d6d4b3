/* SPDX-License-Identifier: BSD-2-Clause */
/* kernel_table.h: a small /proc/kallsyms, for the tests of addresses, symbols and stacks. */
#ifndef NETCOST_TESTS_KERNEL_TABLE_H
#define NETCOST_TESTS_KERNEL_TABLE_H

#define STEXT 0xffffffff81000000ull
#define MOD 0xffffffffc0001000ull
#define BPF 0xffffffffc0100000ull

/* KERNEL is the table. NEW_MODULE is the text that another module adds when it is loaded. */
#define KERNEL                                                                                     \
	"ffffffff81000000 T _stext\n"                                                              \
	"ffffffff81000000 T first\n"                                                               \
	"ffffffff81000100 t alpha\n"                                                               \
	"ffffffff81000200 T __pfx_beta\n"                                                          \
	"ffffffff81000210 T beta\n"                                                                \
	"ffffffff81000300 W weak\n"                                                                \
	"ffffffff81000380 D some_data\n"                                                           \
	"ffffffff81000400 T last\n"                                                                \
	"ffffffff81000500 T _etext\n"                                                              \
	"ffffffff82000000 d more_data\n"                                                           \
	"ffffffff83000000 t init_function\n"                                                       \
	"ffffffffc0001000 t mod_first\t[mod]\n"                                                    \
	"ffffffffc0001100 T mod_work\t[mod]\n"                                                     \
	"ffffffffc0100000 t bpf_prog_6deef7357e7b4530_p\t[bpf]\n"

#define NEW_MODULE "ffffffffc0200000 t new_work\t[new]\n"

#endif
