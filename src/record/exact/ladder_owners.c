// SPDX-License-Identifier: BSD-2-Clause
#include "ladder_owners.h"

#include <stdio.h>
#include <string.h>

#include <netcost/reasons.h>

#include "ladder.h"
#include "ladder_host.h"

/* Those of sockets: Linux 6.3. */
static const struct owners_program programs[] = {
	{ "owners_receive", "netif_receive_skb", NULL, OWNERS_NEED, 0 },
	{ "owners_poll", "napi_poll", NULL, OWNERS_NEED, 0 },
	{ "owners_gro", "napi_gro_receive_exit", NULL, OWNERS_MORE, 0 },
	{ "owners_gro_frags", "napi_gro_frags_exit", NULL, OWNERS_MORE, 0 },
	{ "owners_drop", "kfree_skb", NULL, OWNERS_NEED, 0 },
	{ "owners_forward", "net_dev_queue", NULL, OWNERS_NEED, 0 },
	{ "owners_tcp", "tcp_probe", NULL, OWNERS_MORE, 0 },
	{ "owners_state", "inet_sock_set_state", NULL, OWNERS_NEED, 0 },
	{ "owners_data_ready", "sk_data_ready", NULL, OWNERS_MARK, 0 },
	{ "owners_readable", NULL, "sock_def_readable", OWNERS_MARK, 1 },
	{ "owners_waking", "sched_waking", NULL, OWNERS_MARK, 2 },
	{ "owners_received", "sock_recv_length", NULL, OWNERS_OWNER, 0 },
	{ "owners_sent", "sock_send_length", NULL, OWNERS_OWNER, 0 },
	{ "owners_recvmsg", NULL, "inet_recvmsg", OWNERS_OWNER, 1 },
	{ "owners_recvmsg6", NULL, "inet6_recvmsg", OWNERS_OWNER, 1 },
};

#define PROGRAMS (sizeof(programs) / sizeof(programs[0]))
_Static_assert(PROGRAMS <= OWNERS_PROGRAMS, "room for each");

static bool is_here(const struct host *h, const struct owners_program *p)
{
	if (p->tracepoint)
		return host_has_tracepoint(h, p->tracepoint);
	return !h->usable[RUNG_FENTRY] && host_has_kfunc(h, p->function);
}

/* Has something better for the same been chosen? */
static bool is_better(const struct ladder *l, const struct owners_program *p)
{
	for (unsigned int i = 0; i < PROGRAMS; i++)
		if (l->owners >> i & 1 && programs[i].use == p->use && programs[i].rank < p->rank)
			return true;
	return false;
}

/* Programs at the same tracepoints, which count messages, do it instead of those that would do nothing else. */
static void leave_to_messages(struct ladder *l)
{
	for (unsigned int i = 0; (l->witness || l->calls) && i < PROGRAMS; i++)
		if (programs[i].use == OWNERS_OWNER && !programs[i].rank)
			l->owners &= ~(1u << i);
}

void ladder_choose_owners(struct ladder *l, const struct host *h)
{
	l->owners = 0;
	l->owners_why[0] = '\0';
	for (unsigned int i = 0; l->owners_every && i < PROGRAMS; i++) {
		const struct owners_program *p = &programs[i];

		if (is_here(h, p) && !is_better(l, p)) {
			l->owners |= 1u << i;
		} else if (p->use == OWNERS_NEED) {
			snprintf(l->owners_why, sizeof(l->owners_why), reason_no_tracepoint,
				 p->tracepoint);
			l->owners = 0;
			l->owners_every = 0;
		}
	}
	leave_to_messages(l);
}

const struct owners_program *ladder_owners(const struct ladder *l, unsigned int *i)
{
	for (; *i < PROGRAMS; ++*i)
		if (l->owners >> *i & 1)
			return &programs[*i];
	return NULL;
}

bool ladder_wants_owners(const struct ladder *l, const char *program)
{
	const struct owners_program *p;

	for (unsigned int i = 0; (p = ladder_owners(l, &i)); i++)
		if (!strcmp(p->name, program))
			return true;
	return false;
}

/* The rank of what says which socket a packet came to; OWNERS_RANKS: nothing does. */
#define OWNERS_RANKS 3
static unsigned int rank_of_marks(const struct ladder *l)
{
	const struct owners_program *p;

	for (unsigned int i = 0; (p = ladder_owners(l, &i)); i++)
		if (p->use == OWNERS_MARK)
			return p->rank;
	return OWNERS_RANKS;
}

const char *ladder_owners_via(const struct ladder *l)
{
	static const char *const via[OWNERS_RANKS + 1] = { reason_owners_sockets,
							   reason_owners_functions,
							   reason_owners_woken, "" };

	return via[rank_of_marks(l)];
}

const char *ladder_owners_why(const struct ladder *l)
{
	return l->owners_why[0] ? l->owners_why : rank_of_marks(l) == 2 ? reason_owners_weak : "";
}
