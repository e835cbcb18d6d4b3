// SPDX-License-Identifier: BSD-2-Clause
#include "hooks.h"

#include <stdio.h>

#include <netcost/events.h>

#define IN(row) (1u << (row))
#define ANYWHERE 0xffffu

/* What the kernel itself calls, on sockets of its own as well: in the middle of anything. */
#define IN_KERNEL ANYWHERE

#define SEND NETCOST_EV_SOCK_SEND
#define RECV NETCOST_EV_SOCK_RECV

/*
 * socket_file_ops' functions (sock_write_iter, sock_read_iter, splice_to_socket, sock_splice_read) are
 * called by pointer and never inlined. The global ones (__sys_sendto …) may be inlined into the system
 * call in front of them while their symbol stays: attaching then succeeds and sees nothing. That system
 * call's own function is always called by pointer, but 32-bit programs do not come that way: it is the
 * second choice. ____sys_sendmsg is also io_uring's sendmsg, sock_sendmsg its send; so for receives.
 *
 * Linux 6.5 (commit 2dc334f1a63a) made splice_to_socket of generic_splice_sendpage, and took
 * kernel_sendpage away.
 */
const struct hook_desc hook_descs[HOOK_COUNT] = {
	[HOOK_WRITE] = { SEND, false, 0, { { "sock_write_iter", NETCOST_AT_KIOCB } } },
	[HOOK_SENDTO] = { SEND,
			  false,
			  0,
			  { { "__sys_sendto", NETCOST_AT_FD },
			    { "__x64_sys_sendto", NETCOST_AT_REGS } } },
	[HOOK_SENDMSG] = { SEND,
			   true,
			   IN(HOOK_SENDMMSG),
			   { { "____sys_sendmsg", NETCOST_AT_SOCKET },
			     { "__sys_sendmsg", NETCOST_AT_FD },
			     { "__x64_sys_sendmsg", NETCOST_AT_REGS } } },
	[HOOK_SENDMMSG] = { SEND | NETCOST_MARK_MSGS,
			    false,
			    0,
			    { { "__sys_sendmmsg", NETCOST_AT_FD },
			      { "__x64_sys_sendmmsg", NETCOST_AT_REGS } } },
	[HOOK_SPLICE_TO] = { SEND,
			     false,
			     0,
			     { { "splice_to_socket", NETCOST_AT_FILE1 },
			       { "generic_splice_sendpage", NETCOST_AT_FILE1 } } },
	[HOOK_KERNEL_SEND] = { SEND, false, IN_KERNEL, { { "sock_sendmsg", NETCOST_AT_SOCKET } } },
	[HOOK_KERNEL_SENDPAGE] = { SEND,
				   false,
				   IN_KERNEL,
				   { { "kernel_sendpage", NETCOST_AT_SOCKET } } },
	[HOOK_READ] = { RECV,
			false,
			IN(HOOK_SPLICE_FROM),
			{ { "sock_read_iter", NETCOST_AT_KIOCB } } },
	[HOOK_RECVFROM] = { RECV,
			    false,
			    0,
			    { { "__sys_recvfrom", NETCOST_AT_FD },
			      { "__x64_sys_recvfrom", NETCOST_AT_REGS } } },
	[HOOK_RECVMSG] = { RECV,
			   true,
			   IN(HOOK_RECVMMSG),
			   { { "____sys_recvmsg", NETCOST_AT_SOCKET },
			     { "__sys_recvmsg", NETCOST_AT_FD },
			     { "__x64_sys_recvmsg", NETCOST_AT_REGS } } },
	[HOOK_RECVMMSG] = { RECV | NETCOST_MARK_MSGS,
			    false,
			    0,
			    { { "do_recvmmsg", NETCOST_AT_FD },
			      { "__sys_recvmmsg", NETCOST_AT_FD },
			      { "__x64_sys_recvmmsg", NETCOST_AT_REGS } } },
	[HOOK_SPLICE_FROM] = { RECV, false, 0, { { "sock_splice_read", NETCOST_AT_FILE0 } } },
	[HOOK_KERNEL_RECV] = { RECV, false, IN_KERNEL, { { "sock_recvmsg", NETCOST_AT_SOCKET } } },
	/* 6.9 made it a static function behind two global ones */
	[HOOK_BUSY_POLL] = { NETCOST_EV_RX_BUSY_POLL,
			     false,
			     0,
			     { { "__napi_busy_loop", NETCOST_AT_NO_ONE },
			       { "napi_busy_loop", NETCOST_AT_NO_ONE } } },
};

_Static_assert(HOOK_COUNT == NETCOST_HOOKS,
	       "bpf/netcost.bpf.c has a pair of programs for each row");

void hook_choose(struct hook_choice *c, enum hook row, hook_lookup *lookup, void *ctx)
{
	const struct hook_desc *d = &hook_descs[row];

	*c = (struct hook_choice){ 0 };
	for (int i = 0; i < HOOK_FUNCTIONS && d->function[i].name; i++) {
		if (!lookup(ctx, d->function[i].name, c->function[c->n].name))
			continue;
		c->function[c->n].where = d->function[i].where;
		c->n++;
	}
}

enum netcost_event hook_event(enum hook row)
{
	return (enum netcost_event)NETCOST_MARK_EVENT(hook_descs[row].what);
}

bool hook_is_operation(enum hook row)
{
	return hook_event(row) != NETCOST_EV_RX_BUSY_POLL;
}

const char *hook_function(const struct hook_choice *c)
{
	return c->used < c->n ? c->function[c->used].name : NULL;
}

struct netcost_hook hook_config(const struct hook_choice *c, enum hook row)
{
	const struct hook_desc *d = &hook_descs[row];

	return (struct netcost_hook){
		.where = hook_function(c) ? c->function[c->used].where : NETCOST_AT_NOTHING,
		.what = d->what,
		.messages = d->messages,
		.inside = (uint16_t)d->inside,
	};
}
