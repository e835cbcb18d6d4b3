// SPDX-License-Identifier: BSD-2-Clause
#include "owners.h"

#include <math.h>
#include <string.h>

#include "known.h"

#define SQUARE 1024 /* ns2, the unit of squares */
#define Z95 1.96

/*
 * Of softirqs that were each taken with a chance of 1/N, a sum over all has that variance (Horvitz and Thompson): no
 * model of the load is needed. Scaled to the time that is known, the sum varies less than that.
 */
static double ci95(const struct owners *o, double ns, double squares)
{
	if (o->every <= 1)
		return 0;
	return ns > 0 && !(squares > 0) ? NAN :
					  Z95 * sqrt(o->every * (o->every - 1) * squares * SQUARE);
}

double owners_ci95(double ns, double ci95_ns, double dealt_ns)
{
	return ns > 0 ? ci95_ns * (ns + dealt_ns) / ns : ci95_ns;
}

static void add_row(struct owners *o, const struct model_fate *f)
{
	struct owners_row *row = &o->row[o->nrows++];

	*row = (struct owners_row){ .fate = (enum netcost_fate)f->fate,
				    .what = f->what,
				    .ns = (double)f->ns * o->scale,
				    .ci95_ns = ci95(o, (double)f->ns, known_uint(f->squares)),
				    .packets = known_uint(f->packets) * o->scale };
}

static bool has_packets(enum netcost_fate fate)
{
	return fate != NETCOST_FATE_POOL && fate != NETCOST_FATE_SKIPPED &&
	       fate != NETCOST_FATE_OPEN;
}

/* Does it get a share of the pool? Packets that XDP took have theirs already, poll by poll. */
static bool is_dealt(enum netcost_fate fate)
{
	return has_packets(fate) && fate != NETCOST_FATE_XDP;
}

static int by_order(const struct owners_row *a, const struct owners_row *b)
{
	if (a->fate != b->fate)
		return a->fate < b->fate ? -1 : 1;
	if (a->ns != b->ns)
		return a->ns > b->ns ? -1 : 1;
	return strcmp(a->what, b->what);
}

/* Few. */
static void sort(struct owners *o)
{
	for (size_t i = 1; i < o->nrows; i++)
		for (size_t k = i; k && by_order(&o->row[k - 1], &o->row[k]) > 0; k--) {
			struct owners_row swap = o->row[k];

			o->row[k] = o->row[k - 1];
			o->row[k - 1] = swap;
		}
}

/* The pool, to each packet the same; if there are no packets it stays. */
static void deal(struct owners *o, double pool_ns, double packets)
{
	if (!packets)
		return;
	o->dealt_ns = pool_ns / packets;
	for (size_t i = 0; i < o->nrows; i++) {
		struct owners_row *row = &o->row[i];

		if (row->fate == NETCOST_FATE_POOL)
			row->ns = row->ci95_ns = 0;
		else if (is_dealt(row->fate))
			row->dealt_ns = row->packets * o->dealt_ns;
	}
}

void owners_make(struct owners *o, const struct model *m)
{
	const struct model_cpu *cpu;
	double skipped = 0, pool = 0, packets = 0;

	*o = (struct owners){ .m = m, .any = model_fates(m), .every = (double)m->owners_every };
	o->leaf_ns = NAN;
	model_for_each_cpu(m, cpu)
	{
		known_add(&o->leaf_ns, counter_moved(&cpu->ns[NETCOST_EV_RX_SOFTIRQ]));
		known_add(&o->leaf_ns, counter_moved(&cpu->ns[NETCOST_EV_RX_THREAD]));
	}
	for (size_t i = 0; i < model_fates(m); i++) {
		struct model_fate f = model_fate(m, i);

		o->all_ns += (double)f.ns;
		if (f.fate == NETCOST_FATE_SKIPPED)
			skipped += (double)f.ns;
	}
	o->looked_ns = o->all_ns - skipped;
	o->scale = o->looked_ns > 0 && skipped > 0 ? o->all_ns / o->looked_ns : 1;
	for (size_t i = 0; i < model_fates(m); i++) {
		struct model_fate f = model_fate(m, i);

		if (f.fate == NETCOST_FATE_SKIPPED && o->scale != 1)
			continue; /* the others stand for it */
		add_row(o, &f);
		if (f.fate == NETCOST_FATE_POOL)
			pool += (double)f.ns * o->scale;
		if (has_packets((enum netcost_fate)f.fate))
			o->packets += known_uint(f.packets) * o->scale;
		if (is_dealt((enum netcost_fate)f.fate))
			packets += known_uint(f.packets) * o->scale;
	}
	sort(o);
	deal(o, pool, packets);
}

struct owners_paid owners_paid(const struct owners *o, const struct processes_values *v)
{
	double packets = v->received_packets * o->scale;
	struct owners_paid paid = { .own_ns = NAN,
				    .received_ns = v->received_ns * o->scale,
				    .ci95_ns = ci95(o, v->received_ns, v->received_squares),
				    .dealt_ns = packets * o->dealt_ns,
				    .packets = packets };

	known_add(&paid.own_ns, v->value[MODEL_PROCESS_VALUE(SOCK_SEND_NS)]);
	known_add(&paid.own_ns, v->value[MODEL_PROCESS_VALUE(SOCK_RECV_NS)]);
	known_add(&paid.own_ns, v->value[MODEL_PROCESS_VALUE(RX_BUSY_POLL_NS)]);
	paid.all_ns = paid.own_ns + paid.received_ns + paid.dealt_ns;
	return paid;
}
