// SPDX-License-Identifier: BSD-2-Clause
#include "tables.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include <netcost/text_append.h>

#include "report/analysis/cost.h"
#include "report/base/stats.h"
#include "report/base/text.h"

/* ---- zones ------------------------------------------------------------------------------- */

/* Writes the state of a zone in words, or "" if the zone is measured. */
static const char *state_text(char *dst, size_t size, const struct model *m,
			      const struct model_zone *z, const struct energy_zone *e)
{
	const char *why = model_string(m, z->why);

	*dst = '\0';
	switch (e->state) {
	case ENERGY_CONSTANT:
		return "not counting";
	case ENERGY_REFUSED:
		snprintf(dst, size, "refused: %s",
			 *why ? SAFE(why) : strerror(z->error < 200 ? (int)z->error : EACCES));
		return dst;
	case ENERGY_VANISHED:
		if (!(e->told_s > 0))
			return "vanished";
		snprintf(dst, size, "vanished after %s", MEASURED(1e9 * e->told_s, TEXT_NS));
		return dst;
	case ENERGY_UNREADABLE:
		return z->error ? "cannot be read" : "the value is not a counter";
	case ENERGY_WRAPS:
		snprintf(dst, size, "%s not counted: the counter may have wrapped twice",
			 MEASURED(1e9 * e->untold_s, TEXT_NS));
		return dst;
	case ENERGY_SHORT:
		return "read once";
	case ENERGY_UNREAD:
		return "not read";
	case ENERGY_MIRROR:
		snprintf(dst, size, "same counter as %s: not in the totals",
			 SAFE(model_string(m, m->zone[model_zone_mirrors(z) - 1].name)));
		return dst;
	default:
		return dst;
	}
}

/* Writes a text such as "in package-0; not counting". */
static void place_text(char *dst, size_t size, const struct model *m, const struct model_zone *z,
		       const struct energy_zone *e)
{
	char state[160];
	const char *text = state_text(state, sizeof(state), m, z, e);

	*dst = '\0';
	if (z->parent)
		text_append(dst, size, "", "in %s",
			    SAFE(model_string(m, m->zone[z->parent - 1].name)));
	if (*text)
		text_append(dst, size, "; ", "%s", text);
}

struct zone_line {
	struct energy_zone z;
	const char *name;
	uint64_t parent;
	double idle_ci95;
	bool counting;
	char place[256];
};

#define AT(member) DOC_AT(struct zone_line, member)

static const struct doc_column zone_columns[] = {
	{ AT(name), .key = "name", .title = "zone", .kind = DOC_STRING, .width = 22, .cut = 32,
	  .known = true },
	{ AT(parent), .key = "parent", .known = true,
	  .about = "number of the zone that contains this zone, counted from 1; 0: none" },
	{ AT(z.state), .key = "state", .kind = DOC_STRING, .known = true,
	  .choices = energy_states },
	{ AT(counting), .key = "counting", .kind = DOC_BOOL,
	  .about = "true: the counter increased during the recording" },
	{ AT(z.joules), .key = "energy_j", .title = "J", .decimals = 3, .precision = 6,
	  .width = 12 },
	{ AT(z.watts), .key = "power_w", .title = "mean W", .decimals = 3, .precision = 6,
	  .width = 12 },
	{ DOC_AT_INTERVAL(struct zone_line, z.idle_w, idle_ci95), .key = "idle_w",
	  .ci_key = "idle_ci95_w", .title = "idle W", .kind = DOC_INTERVAL, .decimals = 2,
	  .precision = 6, .width = 19 },
	{ AT(z.told_s), .key = "told_s", .precision = 6,
	  .about =
		  "seconds for which the energy is known: the counter wrapped at most once between readings" },
	{ AT(z.untold_s), .key = "untold_s", .precision = 6,
	  .about =
		  "seconds for which the energy is unknown: the counter may have wrapped twice between readings" },
	{ AT(place), .title = "", .kind = DOC_STRING, .empty = "" },
};
#undef AT

static void zone_row(struct doc *d, const struct summary *s, size_t i)
{
	const struct model_zone *z = &s->m->zone[i];
	struct zone_line l = { .name = model_string(s->m, z->name), .parent = z->parent };

	energy_zone(&l.z, s->m, &s->split, i);
	l.idle_ci95 = stats_t95(l.z.idle_df) * l.z.idle_se;
	l.counting = !isnan(l.z.joules);
	place_text(l.place, sizeof(l.place), s->m, z, &l.z);
	doc_put_row(d, 0, DOC_ALL, &l);
}

static void zones(struct doc *d, const struct summary *s)
{
	const struct doc_table table = { .key = "zones",
					 .title = "Energy",
					 DOC_COLUMNS_OF(zone_columns),
					 .only = s->m->nzones ? DOC_ALL : DOC_PROGRAMS };

	doc_table(d, &table);
	for (size_t i = 0; i < s->m->nzones; i++)
		zone_row(d, s, i);
	doc_table_end(d);
}

/* ---- the network's power ----------------------------------------------------------------- */

/* Writes a text such as "0.66 to 1.32", or "- to 1.32", with a unit if the factor converts to uJ. */
static const char *range_text(char *dst, size_t size, const struct energy_range *r, double factor,
			      enum text_unit unit)
{
	snprintf(dst, size, "%s to %s", MEASURED(r->low * factor, unit),
		 MEASURED(r->high * factor, unit));
	return dst;
}

static void idle_note(struct doc *d, const struct energy *e)
{
	if (e->idle_why)
		doc_note(d, "  idle power is unknown, so the range has no lower bound: %s",
			 e->idle_why);
	else if (e->idle_given)
		doc_note(d, "  idle power %s W, as given", MEASURED(e->idle_w, TEXT_PLAIN));
	else
		doc_note(
			d,
			"  idle power %s W, by linear regression of power over busy time, at zero load",
			WITHIN(e->idle_w, e->idle_ci95_w, TEXT_PLAIN));
}

static void range_notes(struct doc *d, const struct energy *e)
{
	char power[80], packet[80], gb[80];

	if (isnan(e->network_w.high))
		return;
	doc_note(d, "  network: %s W of the %s W of packages and memory",
		 range_text(power, sizeof(power), &e->network_w, 1, TEXT_PLAIN),
		 MEASURED(e->total_w, TEXT_PLAIN));
	idle_note(d, e);
	if (!isnan(e->share_w))
		doc_note(
			d,
			"  low end: the network's share of the busy time%s, times the power above idle (%s W), minus the error of this product",
			e->by_core ? " of each core, by the energy of cores" : "",
			WITHIN(e->share_w, e->share_ci95_w, TEXT_PLAIN));
	doc_note(
		d,
		"  high end: the network's share of CPU time, times all power (Netto's model: %s W)%s",
		MEASURED(e->netto_w, TEXT_PLAIN),
		e->network_w.high > e->netto_w ?
			"; the product of the low end, plus the error, is larger and is used instead" :
			"");
	doc_note(
		d,
		"  CPU time ignores frequency, SMT and vector instructions: the same time may take two or three times the energy");
	if (!isnan(e->packet_uj.high))
		doc_note(d, "  on interfaces, rx + tx: %s per packet, %s per GB",
			 range_text(packet, sizeof(packet), &e->packet_uj, 1, TEXT_UJ),
			 range_text(gb, sizeof(gb), &e->gb_j, 1e6, TEXT_UJ));
}

static void notes(struct doc *d, const struct energy *e)
{
	range_notes(d, e);
	if (e->missing)
		doc_note(
			d,
			"  %zu of %zu packages and memories are excluded from the sums: their power is unknown",
			e->missing, e->zones);
	if (e->hypervisor)
		doc_note(d, "  the counters are modelled by the hypervisor (%s)",
			 strcmp(e->hypervisor, "yes") ? SAFE(e->hypervisor) : "which is not known");
	doc_note(d, "  RAPL does not include network cards, fans and power supplies");
	if (!isnan(e->ns_per_read))
		doc_note(d, "  a read of a counter took %s", MEASURED(e->ns_per_read, TEXT_NS));
}

static void fields(struct doc *d, const struct energy *e)
{
	static const char *const from[] = { "regression", "given", NULL };

	doc_field(d, "package_and_dram_w", e->total_w, 6);
	doc_about(
		d,
		"number of packages and memories with unknown power, which are excluded from the sums");
	doc_field_uint(d, "zones_missing", e->missing);
	doc_field(d, "idle_w", e->idle_w, 6);
	doc_field(d, "idle_ci95_w", e->idle_ci95_w, 6);
	if (doc_or_null(d, "idle_from", doc_is_schema(d) || !isnan(e->idle_w)))
		doc_field_choice(d, "idle_from", from[e->idle_given], from);
	doc_about(d, "reason why idle_w is null");
	doc_field_string(d, "idle_why", e->idle_why);
	doc_about(
		d,
		"true: the network's share is computed for each core and weighted by the core's energy");
	doc_field_bool(d, "network_share_by_core", e->by_core);
	doc_about(d, "power above idle, multiplied by the network's share of the busy time");
	doc_field(d, "network_share_w", e->share_w, 6);
	doc_field(d, "network_share_ci95_w", e->share_ci95_w, 6);
	doc_about(
		d,
		"network power by Netto's model: all power multiplied by the network's share of CPU time");
	doc_field(d, "network_w", e->netto_w, 6);
	doc_about(
		d,
		"lower bound of the network's power, assuming that all busy time takes the same power");
	doc_field(d, "network_low_w", e->network_w.low, 6);
	doc_field(d, "network_high_w", e->network_w.high, 6);
	doc_field(d, "interface_packet_low_uj", e->packet_uj.low, 6);
	doc_field(d, "interface_packet_high_uj", e->packet_uj.high, 6);
	doc_field(d, "interface_gb_low_j", e->gb_j.low, 6);
	doc_field(d, "interface_gb_high_j", e->gb_j.high, 6);
	doc_about(d, "mean duration of reading a counter, in ns");
	doc_field(d, "ns_per_read", e->ns_per_read, 0);
	doc_about(d, "hypervisor that emulates the counters; null: none, or unknown");
	doc_field_string(d, "hypervisor", e->hypervisor);
}

void energy_doc(struct doc *d, const struct summary *s)
{
	doc_object(d, "energy");
	zones(d, s);
	if (s->m->nzones)
		notes(d, &s->energy);
	fields(d, &s->energy);
	doc_object_end(d);
}

/* ---- other BPF programs ------------------------------------------------------------------ */

#define AT(member) DOC_AT(struct bill_row, member)
#define AT_INTERVAL(member, ci) DOC_AT_INTERVAL(struct bill_row, member, ci)

static const struct doc_column program_columns[] = {
	{ AT(name), .title = "program", .kind = DOC_STRING, .width = 17, .empty = "(nameless)" },
	{ AT(name), .key = "name", .kind = DOC_STRING, .known = true,
	  .about = "name of the program, as the kernel lists it; empty: the program has no name" },
	{ AT(kind), .key = "kind", .title = "type", .kind = DOC_STRING, .width = 16,
	  .known = true },
	{ AT(on_the_way), .key = "on_the_packets_way", .kind = DOC_BOOL,
	  .about = "true: programs of this type run on the path of packets or sockets" },
	{ AT(runs), .key = "runs_counted" },
	{ AT(run_ns), .key = "run_ns_counted" },
	{ AT(runs_per_s), .key = "runs_per_s", .title = "runs/s", .decimals = 2, .precision = 1,
	  .width = 11, .spare = 1 },
	{ AT_INTERVAL(ns_per_run, ns_ci95), .key = "ns_per_run", .ci_key = "ns_per_run_ci95",
	  .title = "ns per run", .kind = DOC_INTERVAL, .decimals = 1, .precision = 1, .width = 18,
	  .ci_width = 6,
	  .about =
		  "mean run time estimated for the whole recording, and the half-width of its 95 % confidence interval; 0: BPF statistics were enabled all the time" },
	{ AT_INTERVAL(share, share_ci95), .times = 100, .key = "percent", .ci_key = "percent_ci95",
	  .title = "% of CPU", .kind = DOC_INTERVAL, .decimals = 3, .precision = 6, .width = 16,
	  .about = "share of CPU time, and the half-width of its 95 % confidence interval" },
	{ AT(network_share), .times = 100, DOC_PERCENT("percent_of_network", "% of network", 12),
	  .spare = 2,
	  .about =
		  "share of network time; null: the program is not on the packet path, or the share is unknown because the load changed" },
	{ AT(unseen_s), .key = "unseen_s", .precision = 6,
	  .about =
		  "seconds of the counted time for which the program's runs are unknown, because it was unloaded" },
	{ AT(attached), .key = "attached", .title = "attached to", .kind = DOC_STRING,
	  .about = "attach point when the recorder found the program; null: unknown" },
};

static void programs(struct doc *d, const struct bill *b)
{
	const struct doc_table t = { .key = "programs",
				     .title = "BPF programs on the packet path",
				     .above = true,
				     DOC_COLUMNS_OF(program_columns),
				     .only = b->ran_on_the_way ? DOC_ALL : DOC_PROGRAMS };

	doc_table(d, &t);
	for (size_t i = 0; i < b->n; i++)
		doc_put_row(d, 0,
			    b->row[i].on_the_way && b->row[i].runs > 0 ? DOC_ALL : DOC_PROGRAMS,
			    &b->row[i]);
	doc_table_end(d);
}

/* Returns the most expensive program that is not on the packet path, or NULL if no such program ran. */
static const struct bill_row *most_elsewhere(const struct bill *b)
{
	for (size_t i = 0; i < b->n; i++)
		if (!b->row[i].on_the_way && b->row[i].runs > 0)
			return &b->row[i];
	return NULL;
}

static void program_notes(struct doc *d, const struct bill *b, const struct model *m)
{
	const struct bill_row *most = most_elsewhere(b);
	char network[64] = "";

	if (!isnan(b->network_share))
		snprintf(network, sizeof(network), ", %s %% of the network's",
			 PERCENT(b->network_share, 0));
	if (b->ran_on_the_way)
		doc_note(d, "  all: %s %% of the time of all CPUs%s, counted in %s of %s",
			 PERCENT(b->on_the_way, 0), network, MEASURED(1e9 * b->counted_s, TEXT_NS),
			 MEASURED(1e9 * b->of_s, TEXT_NS));
	if (most)
		doc_note(
			d,
			"  other BPF programs: %zu ran, %s %% of CPU time, most of it %.32s (%.32s), %s %%",
			b->ran_elsewhere, PERCENT(b->elsewhere, 0),
			*most->name ? SAFE(most->name) : "(nameless)", SAFE(most->kind),
			PERCENT(most->share, 0));
	if (b->ended)
		doc_note(
			d,
			"  BPF programs unloaded while they were counted: %zu; their last runs are not included",
			b->ended);
	if (m->others_left_out)
		doc_note(d, "  BPF programs left out because there are too many: %" PRIu64,
			 m->others_left_out);
}

int bill_doc(struct doc *d, const struct summary *s)
{
	struct bill b;

	if (bill_make(&b, s))
		return -ENOMEM;
	doc_object(d, "other_programs");
	doc_about(d, "BPF programs other than the recorder's own; null: not measured");
	doc_field(d, "on_the_packets_way_percent", 100 * b.on_the_way, 6);
	doc_field(d, "percent_of_network", 100 * b.network_share, 4);
	doc_field(d, "elsewhere_percent", 100 * b.elsewhere, 6);
	doc_field(d, "counted_s", b.counted_s, 6);
	doc_field(d, "of_s", b.of_s, 6);
	doc_field_known(d, "left_out", s->m->others_left_out, s->m->records[TRACE_OTHER_STATS]);
	programs(d, &b);
	program_notes(d, &b, s->m);
	doc_object_end(d);
	bill_free(&b);
	return 0;
}
