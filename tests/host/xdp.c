// SPDX-License-Identifier: BSD-2-Clause
/*
 * xdp INTERFACE MODE PORT ACTION: an XDP program that applies ACTION to UDP packets to PORT over IPv4, and passes all
 * others. Prints a line when it is attached, and stays until a signal.
 *
 *	MODE	drv: in the driver; skb: generic, in the receive core
 *	ACTION	drop; tx; redirect:INTERFACE; devmap:INTERFACE; cpumap:CPU; xskmap (without a socket: dropped)
 */
#include <arpa/inet.h>
#include <errno.h>
#include <linux/bpf.h>
#include <linux/if_link.h>
#include <net/if.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#define INSNS 32
#define QUEUE 2048 /* queue length of a cpumap */

_Noreturn static void die(const char *what)
{
	fprintf(stderr, "xdp: %s: %s\n", what, strerror(errno));
	exit(1);
}

static int bpf(int cmd, union bpf_attr *attr, const char *what)
{
	int fd = (int)syscall(SYS_bpf, cmd, attr, sizeof(*attr));

	if (fd < 0)
		die(what);
	return fd;
}

static int new_map(enum bpf_map_type type, uint32_t entries)
{
	union bpf_attr attr = {
		.map_type = type, .key_size = 4, .value_size = 4, .max_entries = entries
	};

	return bpf(BPF_MAP_CREATE, &attr, "map");
}

static void put(int map, uint32_t key, uint32_t value)
{
	union bpf_attr attr = { .map_fd = (uint32_t)map,
				.key = (uintptr_t)&key,
				.value = (uintptr_t)&value };

	bpf(BPF_MAP_UPDATE_ELEM, &attr, "map entry");
}

struct program {
	struct bpf_insn insn[INSNS];
	unsigned int n;
};

static void add(struct program *p, uint8_t code, uint8_t dst, uint8_t src, int off, int imm)
{
	p->insn[p->n++] = (struct bpf_insn){ code, dst, src, (int16_t)off, imm };
}

static void set(struct program *p, uint8_t reg, int value)
{
	add(p, BPF_ALU64 | BPF_MOV | BPF_K, reg, 0, 0, value);
}

static void call(struct program *p, int helper)
{
	add(p, BPF_JMP | BPF_CALL, 0, 0, 0, helper);
}

static void redirect_map(struct program *p, int map, int key)
{
	add(p, BPF_LD | BPF_DW | BPF_IMM, 1, BPF_PSEUDO_MAP_FD, 0, map);
	add(p, 0, 0, 0, 0, 0);
	set(p, 2, key);
	set(p, 3, XDP_DROP);
	call(p, BPF_FUNC_redirect_map);
}

static int ifindex(const char *name)
{
	int index = (int)if_nametoindex(name);

	if (!index)
		die(name);
	return index;
}

/* Ends the program with a return value that depends on the action. The value is in register 0. */
static void act(struct program *p, const char *action)
{
	const char *arg = strchr(action, ':') ? strchr(action, ':') + 1 : "";
	int map;

	if (!strcmp(action, "drop")) {
		set(p, 0, XDP_DROP);
	} else if (!strcmp(action, "tx")) {
		set(p, 0, XDP_TX);
	} else if (!strncmp(action, "redirect:", 9)) {
		set(p, 1, ifindex(arg));
		set(p, 2, 0);
		call(p, BPF_FUNC_redirect);
	} else if (!strncmp(action, "devmap:", 7)) {
		map = new_map(BPF_MAP_TYPE_DEVMAP, 1);
		put(map, 0, (uint32_t)ifindex(arg));
		redirect_map(p, map, 0);
	} else if (!strncmp(action, "cpumap:", 7)) {
		map = new_map(BPF_MAP_TYPE_CPUMAP, 64);
		put(map, (uint32_t)atoi(arg), QUEUE);
		redirect_map(p, map, atoi(arg));
	} else if (!strcmp(action, "xskmap")) {
		redirect_map(p, new_map(BPF_MAP_TYPE_XSKMAP, 1), 0);
	} else {
		errno = EINVAL;
		die(action);
	}
	add(p, BPF_JMP | BPF_EXIT, 0, 0, 0, 0);
}

/* Jumps to the end, which passes the packet, unless the bytes at this offset match. */
static void require(struct program *p, uint8_t size, int at, int value)
{
	add(p, BPF_LDX | BPF_MEM | size, 4, 2, at, 0);
	add(p, BPF_JMP | BPF_JNE | BPF_K, 4, 0, 0, value);
}

static int load(uint16_t port, const char *action)
{
	struct program p = { .n = 0 };
	union bpf_attr attr = { .prog_type = BPF_PROG_TYPE_XDP,
				.insns = (uintptr_t)p.insn,
				.license = (uintptr_t) "GPL",
				.prog_name = "nct_xdp" };
	unsigned int end;

	add(&p, BPF_LDX | BPF_MEM | BPF_W, 2, 1, offsetof(struct xdp_md, data), 0);
	add(&p, BPF_LDX | BPF_MEM | BPF_W, 3, 1, offsetof(struct xdp_md, data_end), 0);
	add(&p, BPF_ALU64 | BPF_MOV | BPF_X, 4, 2, 0, 0);
	add(&p, BPF_ALU64 | BPF_ADD | BPF_K, 4, 0, 0, 42);
	add(&p, BPF_JMP | BPF_JGT | BPF_X, 4, 3, 0, 0);
	require(&p, BPF_H, 12, htons(0x0800)); /* IPv4 */
	require(&p, BPF_B, 23, 17);	       /* UDP */
	require(&p, BPF_H, 36, htons(port));
	act(&p, action);
	end = p.n;
	set(&p, 0, XDP_PASS);
	add(&p, BPF_JMP | BPF_EXIT, 0, 0, 0, 0);
	for (unsigned int i = 0; i < end; i++)
		if (p.insn[i].code == (BPF_JMP | BPF_JGT | BPF_X) ||
		    p.insn[i].code == (BPF_JMP | BPF_JNE | BPF_K))
			p.insn[i].off = (int16_t)(end - i - 1);
	attr.insn_cnt = p.n;
	return bpf(BPF_PROG_LOAD, &attr, "program");
}

int main(int argc, char **argv)
{
	union bpf_attr attr = { 0 };

	if (argc != 5)
		die("xdp INTERFACE drv|skb PORT ACTION");
	attr.link_create.prog_fd = (uint32_t)load((uint16_t)atoi(argv[3]), argv[4]);
	attr.link_create.target_ifindex = (uint32_t)ifindex(argv[1]);
	attr.link_create.attach_type = BPF_XDP;
	attr.link_create.flags = strcmp(argv[2], "skb") ? XDP_FLAGS_DRV_MODE : XDP_FLAGS_SKB_MODE;
	bpf(BPF_LINK_CREATE, &attr, argv[1]);
	puts("attached");
	fflush(stdout);
	pause();
	return 0;
}
