/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * tables.h: reports, and the tables of them that the page contains. Each report covers one model,
 * or two.
 */
#ifndef NETCOST_REPORT_TABLES_TABLES_H
#define NETCOST_REPORT_TABLES_TABLES_H

#include <stddef.h>

#include <netcost/fates.h>

#include "report/base/doc.h"
#include "report/model/model.h"
#include "report/rules/rules.h"
#include "report/analysis/cost.h"
#include "report/analysis/summary.h"
#include "report/analysis/breakdown.h"
#include "report/analysis/functions.h"
#include "report/analysis/processes_shares.h"
#include "report/base/text.h"
#include "report/analysis/latency.h"
#include "report/model/model_stages.h"
#include "report/analysis/diff/diff.h"
#include "report/analysis/accuracy.h"
#include "report/analysis/view.h"

/* ---- heads of reports --------------------------------------------------------------- */

/* Information about the trace: the host, its settings, probes and sources of data. */

/* Returns NULL if the trace does not have the string. */
const char *model_string_or_null(const struct model *m, model_str s);
void doc_model_string(struct doc *d, const char *key, const struct model *m, model_str s);

/*
 * For programs: the file and part, and whether the trace is complete. doc_filter() also prints the
 * selection in text ("  only      CPUs 0-3"). doc_trace() does all three.
 */
void doc_part(struct doc *d, const struct part *part);
void doc_ended(struct doc *d, const struct model *m);
void doc_filter(struct doc *d, const struct model *m);
void doc_trace(struct doc *d, const struct model *m);

/* In text: whether the trace is damaged, cut off or invalid. */
void doc_problems(struct doc *d, const struct model *m);

/* Host and recording options from HEADER: for programs, and as lines of text. */
void doc_header(struct doc *d, const struct model *m);
void doc_host(struct doc *d, const struct model *m);
/* Records and fields from newer versions, and counters that decreased. */
void doc_skipped(struct doc *d, const struct model *m);

/* The first n marks. For programs. */
void doc_marks(struct doc *d, const struct model *m, size_t n);

/* ---- probes, sources and certificates ---------------------------------------------------- */

/* Columns of the cells of probe_cells(). */
#define PROBE_COLUMNS                                                                              \
	{ .key = "rung", .kind = DOC_STRING, .about = "off: not measured" },                       \
		{ .key = "hooks", .kind = DOC_LIST },                                              \
	{                                                                                          \
		.key = "why", .kind = DOC_STRING, .about = "why not measured, or a weakness"       \
	}
void probe_cells(struct doc *d, const struct model *m, const struct model_probe *p);
/* In text: the recorder's reason why it is not measured, or its weakness; nothing otherwise. */
void probe_note(struct doc *d, const struct model *m, enum netcost_of of, uint64_t number,
		const char *name);
/* Probes of events, and of parts of the RX softirq. */
void probes_doc(struct doc *d, const struct model *m);
/* In text: why better methods were refused. */
void probes_refused(struct doc *d, const struct model *m);
void sources_doc(struct doc *d, const struct model *m);

/*
 * What the recorder counted of a known load that it generated (netcost-record --certify): lines,
 * and a table for programs.
 */
void certificate_doc(struct doc *d, const struct model *m);
/* "injected 10.00 ms, found …: passed". Returns dst. */
char *certificate_text(const struct model *m, const struct model_certificate *c, char *dst,
		       size_t size);
/* passed, failed or impossible */
bool certificate_is(const struct model *m, const struct model_certificate *c, const char *state);
/* True if the trace is only a part of the recording that the certificates cover. */
bool certificate_is_of_more(const struct model *m);
#define CERTIFICATE_OF_MORE "of the whole recording; this is a part of it"

/* ---- settings of the host ---------------------------------------------------------------- */

/* A separate report: info --context. */
void settings_doc(struct doc *d, const struct model *m);
/* All settings, in the order of the trace, and their number. */
void settings_table(struct doc *d, const struct model *m);
void settings_count(struct doc *d, const struct model *m);

/* Writes a setting for text: "on", "on, then off", or why it is unknown. Returns dst. */
char *setting_text(char *dst, size_t size, const struct model *m, const struct model_setting *s);
#define SETTING_TEXT 2304 /* room for two of the longest values that a recorder writes */

/* ---- colours --------------------------------------------------------------------------- */

/*
 * The colours of leaves and of parts of the RX softirq, the same in all pictures. They follow
 * Okabe and Ito, "Color Universal Design" (2008), and P. Tol's "light" scheme: colour-blind people
 * can distinguish them. Dark text is readable on all of them.
 */

/* "#rrggbb" */
extern const char *const leaf_color[LEAF_COUNT];

/* Colours of sets of leaves: all of the network, or mixed. */
#define COLOR_NETWORK "#f2c879"
#define COLOR_MIXED "#e3e3e3"
#define COLOR_KERNEL "#d9a58c" /* next to user mode and idle time */
#define COLOR_SELF "#d4d4d4"   /* time outside of the neighbouring parts */

/* Returns the colour of a set of leaves. */
const char *color_of(unsigned int leaves);
/* Calls put for each colour that color_of() returns for subsets of them: a legend. */
void colors_of(unsigned int leaves, void (*put)(void *ctx, const char *color, const char *title),
	       void *ctx);

/*
 * Returns the colour of a category inside a leaf. Each part of the RX softirq has its own, both
 * exact and by samples. i: its number among its siblings, for categories that only some rules
 * have.
 */
const char *category_color(const char *key, size_t i);

/* ---- the summary ----------------------------------------------------------------------- */

/* The summary and its parts. Reports and the HTML page use some of the parts. */

struct summary_shown {
	bool all_cpus; /* text lists all CPUs */
	bool all;      /* also categories with little or no time */
	bool other;    /* also the functions without a category */
};

/* -ENOMEM. */
int summary_doc(struct doc *d, const struct summary *s, const struct summary_shown *o);

/*
 * The summary as one screen of text. Needs MODEL_TASKS, MODEL_CPU_TASKS, MODEL_PROCESSES and
 * MODEL_CGROUPS. -ENOMEM.
 */
int screen_doc(struct doc *d, const struct summary *s);
/*
 * The start of a page: the same as screen_doc() without the heading, and with all caveats at the
 * end. Needs the same. -ENOMEM.
 */
int screen_page(struct doc *d, const struct summary *s);
/*
 * The screen of `live`: the tables of screen_doc() without its heading, with a sparkline for each
 * share, and p50 and p99 of the latency until packets are read. iv: at most SCREEN_LIVE_MOST.
 * brief: for a short terminal. Needs the same, and MODEL_LATENCY. -ENOMEM.
 */
#define SCREEN_LIVE_MOST 40
int screen_live_doc(struct doc *d, const struct summary *s, const struct intervals *iv, bool brief);
/* The heading of screen_doc(): what was recorded, in two lines. */
void screen_heading(struct doc *d, const struct summary *s);

/* ---- columns with a split of CPU time: split_doc.c ---------------------------------- */

/*
 * For programs the time of each leaf, for people shares of the row's time, and for both the
 * network's time, exact and by samples. SPLIT_SHOWN: columns for people, each of one leaf or
 * several.
 */
#define SPLIT_SHOWN 11
#define SPLIT_LEAF_COLUMNS (2 * LEAF_COUNT)
#define SPLIT_COLUMNS (SPLIT_SHOWN + 4 + SPLIT_LEAF_COLUMNS)

/* absent: leaves that are not shown, see split_absent(). */
void split_columns(struct doc_column to[SPLIT_COLUMNS], unsigned int absent);
void split_cells(struct doc *d, const struct split_cpu *c);
/* Returns the width of a column of titles of leaves and their parents. */
unsigned int split_title_width(unsigned int absent);

/* NULL-terminated. */
extern const char *const leaf_keys[LEAF_COUNT + 1];

/* The subset of these columns for programs: the time of each leaf, and its share by samples. */
void split_leaf_columns(struct doc_column to[SPLIT_LEAF_COLUMNS]);
void split_leaf_cells(struct doc *d, const struct split_cpu *c);

/* ---- the split of CPU time: split_doc.c --------------------------------------------- */

/* The tree of leaves, and notes on it. */
void split_tree(struct doc *d, const struct summary *s);
/* all: text lists all CPUs, however many there are. -ENOMEM. */
int split_cpus(struct doc *d, const struct summary *s, bool all);
/* CSV: a row for each leaf, of all CPUs and of each. */
void split_leaves(struct doc *d, const struct summary *s);

/*
 * Costs of each thing that the user counted: --per=requests=12345. The schema has them without a
 * count.
 */
bool per_is_wanted(const struct summary *s);
void per_doc(struct doc *d, const struct summary *s);

/* ---- the categories of a leaf: inside_doc.c ---------------------------------------------- */

/* Categories, by samples. all: text includes those with little or no time. */
void inside_categories(struct doc *d, const struct summary *s, bool all);
/* The functions without a category. -ENOMEM. */
int inside_other(struct doc *d, const struct summary *s);
/* Parts of the RX softirq, exact. */
void inside_rx(struct doc *d, const struct summary *s);
/* CSV: a row for each category, of all CPUs and of each. */
void inside_leaves(struct doc *d, const struct summary *s);

/* ---- network activity: traffic_doc.c ------------------------------------------------ */

void traffic_costs(struct doc *d, const struct summary *s);
/* Writes a cost for text, with the unit of its time or energy: "13.3 +- 0.1 us". Returns dst. */
char *traffic_cost_text(char *dst, size_t size, const struct summary *s, enum unit_cost_id i);
/* True if the cost is meaningful: costs per kB only if calls transfer more than 1 kB. */
bool traffic_cost_says(const struct summary *s, enum unit_cost_id i);
void traffic_calls(struct doc *d, const struct summary *s);
void traffic_interfaces(struct doc *d, const struct summary *s);
/* Drops, and protocol counters that report losses; text has only those that are not 0. -ENOMEM. */
int drops_doc(struct doc *d, const struct summary *s);
void softirqs_doc(struct doc *d, const struct summary *s);
/* Hard interrupts of interfaces. */
void interrupts_doc(struct doc *d, const struct summary *s);

/* ---- the recording: summary_doc.c -------------------------------------------------------- */

/* The start of a report of a whole recording; for programs, the object "trace". */
void recording_heading(struct doc *d, const struct summary *s);
/* Losses, coverage, overhead, marks: lines of text, "quality" for programs. */
void recording_quality(struct doc *d, const struct summary *s);
/* In text: whether exact counters are complete, and what bypassed the probes. */
void recording_checks(struct doc *d, const struct summary *s);
void recording_procstat(struct doc *d, const struct summary *s);
/* The overhead: lines of "The recording itself" in text. */
void cost_line(struct doc *d, const struct summary *s);
/* Writes "2.13 +- 0.38 % of CPU time", "at least ..." or "not known". Returns dst. */
char *cost_text(char *dst, size_t size, const struct cost *c);
/* Its parts, as the leaves have them. */
char *cost_leaf_text(char *dst, size_t size, const struct cost *c);
void cost_doc(struct doc *d, const struct summary *s);
/* The object "cost" for programs; the tables of BPF programs and probes in text. */

/* ---- by CPU, task, process, cgroup, interval ------------------------------------------- */

/* The split by CPU, task, process, cgroup or interval; and the functions that take the time. */

/* The rows, and notes on them. */
void breakdown_table(struct doc *d, const struct breakdown *b);
/* The whole report. */
void breakdown_doc(struct doc *d, const struct breakdown *b);

/* Functions: the rows. */
void top_table(struct doc *d, const struct top *t);
/* The whole report. all: about all samples, not only the network's. */
/* only: what was counted, in words; NULL: the network, or all */
void top_doc(struct doc *d, const struct top *t, bool all, const char *only);

/* ---- processes and receivers ----------------------------------------------------------- */

/* Tables of processes and of groups of processes: their activity, and what they pay for. */

extern const char *const processes_by_names[];	 /* in the order of enum processes_by */
extern const char *const processes_sort_names[]; /* in the order of enum processes_sort */

/* -ENOMEM. */
int processes_doc(struct doc *d, const struct processes *p, enum processes_sort sort);
/* Only the table. explained: with the reference sums, what was not measured, and energy. */
void processes_table(struct doc *d, const struct processes *p, bool explained);
/*
 * Who pays for received packets, if that was recorded: the n rows with the largest cost. fates:
 * also the disposition of all packets. -ENOMEM.
 */
int processes_owners(struct doc *d, const struct model *m, enum processes_by by, size_t n,
		     bool fates);

/* ---- names for text, with all unsafe bytes replaced. All functions return dst ------- */

#define PROCESS_UNKNOWN "[unknown]"
/*
 * Writes a process as all tables do: "iperf3 (4711)", "[ksoftirqd/0] (14)", "[unknown] (4711)". A
 * truncated name keeps its pid, which identifies the process; TRACE_NIL: none. Returns dst.
 */
char *process_named(char *dst, size_t size, const char *name, uint64_t id, bool kernel);
/* Writes ", while they were counted: 1.594 of 6.257 s"; empty: all of the time was. */
const char *processes_counted(char *dst, size_t size, const struct model *m);
/* Large enough for processes_name() of any row. */
#define PROCESSES_NAME (2 * SAFE_SIZE + 64)
/* The name in a row of a table. */
const char *processes_name(char *dst, size_t size, const struct processes *p,
			   const struct processes_row *r);
/* A short name: "nginx 200", "[ksoftirqd/0] 7", the end of a cgroup's path, the container in it. */
char *process_title(char *dst, size_t size, const struct processes *p,
		    const struct processes_row *r);
/* Writes "user 1000", or "" for an unknown id; kernel: the name for all kernel threads instead. */
void process_user_title(char *dst, size_t size, const char *id, bool kernel);
/* Writes the end of a path, which is more specific than its start. */
char *process_path(char *dst, size_t size, const char *path);

/* ---- disposition of received packets: of one recording, and of two ------------------ */

#define FATE_TITLE "RX softirq and threaded NAPI: receivers"

/* For programs, in the order of enum netcost_fate; NULL-terminated. */
extern const char *const fate_keys[];
/*
 * For text. what: the drop reason, or the interface forwarded to; "": unknown, or another
 * disposition. Returns dst.
 */
const char *fate_text(char *dst, size_t size, enum netcost_fate fate, const char *what);
#define FATE_TEXT (SAFE_SIZE + 64)

/* Members of two columns for programs. */
#define FATE_COLUMN .key = "fate", .kind = DOC_STRING, .known = true, .choices = fate_keys
#define FATE_WHAT_COLUMN                                                                           \
	.key = "what", .kind = DOC_STRING,                                                         \
	.about = "drop reason, or the interface that they were forwarded to; null: neither"

/* ---- for processes_doc.c: tables of rows -------------------------------------------- */

void processes_rows(struct doc *d, const struct processes *p, const struct processes_energy *e);
/* Who pays for received packets. */
void processes_payers(struct doc *d, const struct processes *p, const struct owners *o);

/* ---- latency, tail, stages ------------------------------------------------------------- */

/*
 * Tables of packets: latency, what delayed the slowest packets (record --tail), and packet paths
 * (record --stages).
 */

/* ---- latency ------------------------------------------------------------------------------ */

struct latency_view {
	enum netcost_latency_by by; /* or LATENCY_ALL */
	enum netcost_latency
		/*
		 * also show the histogram of this checkpoint, if the report covers all packets and
		 * the whole time
		 */
		histogram;
	const struct intervals *iv; /* NULL: the whole time; otherwise requires */
	const struct latency_times *times;
};

/* The whole report. Needs MODEL_LATENCY, and with `by` MODEL_LATENCY_BY. -ENOMEM. */
int latency_doc(struct doc *d, const struct model *m, const struct latency_view *v);
/* Only its rows; for all packets also what is missing, or that nothing was measured. -ENOMEM. */
int latency_table(struct doc *d, const struct model *m, enum netcost_latency_by by);
/* Returns the number of its rows by interface or another key. */
size_t latency_by_rows(const struct model *m, enum netcost_latency_by by);

/* For programs: the filter on packets whose latency was measured. */
void latency_only_field(struct doc *d, const struct model *m);
/* In text: the same filter, what is missing, and why; or that nothing was measured. */
void latency_notes(struct doc *d, const struct model *m);
/* Notes that packets were followed in windows, if so. */
void followed_note(struct doc *d, const struct model *m);

/* ---- what delayed the slowest packets ------------------------------------------------------ */

/* Needs MODEL_LATENCY. seen: NULL: functions are unknown. -ENOMEM. */
int latency_tail_doc(struct doc *d, const struct model *m, const struct tail_seen *seen);
/* Only the culprits, and what is missing. -ENOMEM. */
int latency_tail_table(struct doc *d, const struct model *m);

/* ---- paths -------------------------------------------------------------------------------- */

/* by: STAGES_BY_COUNT: all packets. Needs MODEL_STAGES, and MODEL_STAGES_BY << by. -ENOMEM. */
int stages_doc(struct doc *d, const struct model *m, enum stages_by by);
/* Paths of all packets, without a heading. */
int stages_table(struct doc *d, const struct model *m);

/* ---- shared by these tables --------------------------------------------------------- */

/*
 * The methods of checkpoints or stages: a table for programs, notes in text. text: its first
 * columns, each an array by number, terminated by NULL; PROBE_COLUMNS follow.
 */
void packets_probes(struct doc *d, const struct model *m, enum netcost_of of,
		    const struct doc_table *table, const char *const *const text[], size_t ntexts);
void packets_probe_notes(struct doc *d, const struct model *m, enum netcost_of of,
			 const char *const name[]);
/* Explains missing data: the recorder's reason, after `could_not`; without a reason, `did_not`. */
void packets_not_measured(struct doc *d, const struct model *m, const char *source,
			  const char *could_not, const char *did_not);

/* ---- columns of quantiles ------------------------------------------------------------------ */

#define LATENCY_US .scale = 1e-3, .decimals = 2, .precision = 1, .width = 10

/* Omission order of quantiles in narrow text: higher numbers first. */
enum {
	LATENCY_SPARE_P50 = 0,
	LATENCY_SPARE_P90 = 3,
	LATENCY_SPARE_P99 = 0,
	LATENCY_SPARE_P99_9 = 1,
	LATENCY_SPARE_P99_99 = 4,
};
#define LATENCY_QUANTILE(NAME, key_, title_)                                                       \
	{                                                                                          \
		.key = key_ "_ns", .title = title_, LATENCY_US, .spare = LATENCY_SPARE_##NAME      \
	}
#define LATENCY_BOUNDS(key_)                                                                       \
	{ .key = key_ "_low_ns",                                                                   \
	  .precision = 1,                                                                          \
	  .about = "low end of the 95 % interval; null: too few packets" },                        \
	{                                                                                          \
		.key = key_ "_high_ns", .precision = 1, .about = "high end of that interval"       \
	}
#define LATENCY_MEAN                                                                               \
	{                                                                                          \
		.key = "mean_ns", .title = "mean", LATENCY_US, .spare = 2                          \
	}

/* With bounds. */
#define PACKETS_QUANTILE(name, key, title, share)                                                  \
	LATENCY_QUANTILE(name, key, title), LATENCY_BOUNDS(key),
#define PACKETS_QUANTILES DIST_QUANTILES(PACKETS_QUANTILE) LATENCY_MEAN

/* The cells of these columns, with bounds or without. */
void packets_quantiles(struct doc *d, const struct dist_summary *r, bool bounds);

/* ---- timelines ------------------------------------------------------------------------- */

/* CPU time, traffic and power over time; or CPU time and energy by process or cgroup. */

/* The rows, and notes on them. -ENOMEM. */
int timeline_table(struct doc *d, const struct intervals *iv, const struct model *m);
/* The whole report. latency: merged; NULL: no latency. -ENOMEM. */
int timeline_doc(struct doc *d, const struct intervals *iv, const struct model *m,
		 const struct latency_times *latency);

#define TIMELINE_BY_MOST 20 /* columns of processes */

/* The whole report. */
void timeline_by_doc(struct doc *d, struct timeline_by *t);

/* ---- energy ---------------------------------------------------------------------------- */

/* Parts of a summary: power, and the cost of other BPF programs. */

/* The power of packages and memory, and the network's part of it. */
void energy_doc(struct doc *d, const struct summary *s);
/*
 * Other BPF programs: text has those on the packet path that ran, and the sum of the others.
 * -ENOMEM.
 */
int bill_doc(struct doc *d, const struct summary *s);

/* ---- two recordings -------------------------------------------------------------------- */

/* The report without a trace: see doc_begin_schema(). -ENOMEM. */
int diff_describe(struct doc *d, const struct model *empty);
void diff_doc(struct doc *d, const struct diff *diff);

/* ---- a subject as a table: diff_tables.c ------------------------------------------------- */

extern const char *const diff_quantile_titles[];

void diff_doc_table(struct doc *d, const struct diff *diff, enum diff_subject subject);
/* Processes that received packets, in text: programs have them in the table of processes. */
void diff_doc_receivers(struct doc *d, const struct diff *diff);
/* Returns N if one softirq in N was examined; the larger one of the two sides. */
double diff_doc_every(const struct diff *diff);
bool diff_doc_has_energy(const struct diff *diff);

/* ---- about the trace ------------------------------------------------------------------- */

/*
 * The contents of a trace; the functions of the rules that it has; exact times compared with
 * samples.
 */

/* In text with the self-checks of exact counters. */
void info_doc(struct doc *d, const struct summary *s);

/* The functions of the rules that a trace has. The text is itself a rules file. -ENOMEM. */
int rules_doc(struct doc *d, const struct model *m);

/* accuracy_doc.c. all: text has slower samplers for all items, not only for the main events. */
void accuracy_doc(struct doc *d, const struct accuracy *a, bool all);
/* The report without a trace: see doc_begin_schema(). -ENOMEM. */
int accuracy_describe(struct doc *d, const struct model *empty);
/* In text: everything except the start of the report. */
void accuracy_tables(struct doc *d, const struct accuracy *a, bool all);

/* ---- missing data ------------------------------------------------------------------- */

/*
 * For error messages of commands. Each returns NULL if the trace has such data; otherwise what is
 * missing, the recorder's reason if there is one, and what to do, in buf.
 */
#define LACKS_SIZE 512

const char *lacks_latency(const struct model *m, char *buf);
const char *lacks_latency_by(const struct model *m, enum netcost_latency_by by, char *buf);
const char *lacks_tail(const struct model *m, char *buf);
const char *lacks_stages(const struct model *m, char *buf);
const char *lacks_processes(const struct model *m, char *buf);
const char *lacks_samples(const struct model *m, char *buf);

/* ---- views ----------------------------------------------------------------------------- */

/* Views (analysis/view.h) as tables. */

/* A view and its rows; times: by interval; NULL: for the whole time. */
struct view_shown {
	const struct view *view;
	const struct view_order *order;
	const struct view_rows *rows;
	const struct view_times *times;
	const struct intervals *intervals;
	const struct model *m;
};

/* The table alone. */
void view_table(struct doc *d, const struct view_shown *s);
/* The table as a separate object. */
void view_doc(struct doc *d, const struct view_shown *s);

#endif
