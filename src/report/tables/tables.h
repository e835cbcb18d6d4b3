/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * tables.h: reports, and the tables of reports that the page also contains. Each report covers one
 * or two models.
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

/* Returns the string, or NULL if the trace does not have it. */
const char *model_string_or_null(const struct model *m, model_str s);
void doc_model_string(struct doc *d, const char *key, const struct model *m, model_str s);

/*
 * Adds, for programs, the file and part, and whether the trace is complete. doc_filter() also prints the selection in
 * text ("  only      CPUs 0-3"). doc_trace() does all of this, and calls doc_derived().
 */
void doc_part(struct doc *d, const struct part *part);
void doc_ended(struct doc *d, const struct model *m);
void doc_filter(struct doc *d, const struct model *m);
/*
 * Prints in text the first `most` changes that were made to the trace since it was recorded, such as
 * "  derived   cut 1.0 s to 2.0 s".
 */
void doc_derived(struct doc *d, const struct model *m, uint32_t most);
void doc_trace(struct doc *d, const struct model *m);

/* Prints in text whether the trace is damaged, cut off or invalid. */
void doc_problems(struct doc *d, const struct model *m);

/* Adds the host and the recording options of HEADER: fields for programs, lines of text for people. */
void doc_header(struct doc *d, const struct model *m);
void doc_host(struct doc *d, const struct model *m);
/* Reports records and fields from newer versions, and counters that decreased. */
void doc_skipped(struct doc *d, const struct model *m);

/* Adds the first n marks, for programs. */
void doc_marks(struct doc *d, const struct model *m, size_t n);

/* ---- probes, sources and certificates ---------------------------------------------------- */

/* Members of the columns of probe_cells(). */
#define PROBE_COLUMNS                                                                              \
	{ .key = "rung", .kind = DOC_STRING, .about = "method of the probe; off: not measured" },  \
		{ .key = "hooks", .kind = DOC_LIST },                                              \
	{                                                                                          \
		.key = "why", .kind = DOC_STRING,                                                  \
		.about = "why nothing was measured, or a limitation of the method; null: neither"  \
	}
void probe_cells(struct doc *d, const struct model *m, const struct model_probe *p);
/*
 * Prints in text the recorder's reason why something was not measured, or the weakness of the method, if there is one.
 */
void probe_note(struct doc *d, const struct model *m, enum netcost_of of, uint64_t number,
		const char *name);
/* Adds the probes of events, and of parts of the RX softirq. */
void probes_doc(struct doc *d, const struct model *m);
/* Prints in text why better methods were refused. */
void probes_refused(struct doc *d, const struct model *m);
void sources_doc(struct doc *d, const struct model *m);

/*
 * Shows how much of a generated, known load the recorder counted (netcost-record --certify): lines for people, and a
 * table for programs.
 */
void certificate_doc(struct doc *d, const struct model *m);
/* Writes a text such as "injected 10.00 ms, found …: passed". Returns dst. */
char *certificate_text(const struct model *m, const struct model_certificate *c, char *dst,
		       size_t size);
/* Returns true if the certificate has a state: passed, failed or impossible. */
bool certificate_is(const struct model *m, const struct model_certificate *c, const char *state);
/* Returns true if the trace is only a part of the recording that the certificates cover. */
bool certificate_is_of_more(const struct model *m);
#define CERTIFICATE_OF_MORE "for the whole recording; this trace is a part of it"

/* ---- settings of the host ---------------------------------------------------------------- */

/* Builds the separate report of `info --context`. */
void settings_doc(struct doc *d, const struct model *m);
/* Adds all settings, in the order of the trace, and their number. */
void settings_table(struct doc *d, const struct model *m);
void settings_count(struct doc *d, const struct model *m);

/* Writes a setting for text: "on", "on, then off", or why it is unknown. Returns dst. */
char *setting_text(char *dst, size_t size, const struct model *m, const struct model_setting *s);
#define SETTING_TEXT 2304 /* room for two values of the largest size that a recorder writes */

/* ---- colours --------------------------------------------------------------------------- */

/*
 * The colours of leaves and of parts of the RX softirq, the same in all pictures. They follow
 * Okabe and Ito, "Color Universal Design" (2008), and P. Tol's "light" scheme: colour-blind people
 * can distinguish them. Dark text is readable on all of them.
 */

/* The colours of leaves, as "#rrggbb". */
extern const char *const leaf_color[LEAF_COUNT];

/* Colours of sets of leaves: the whole network, or several kinds of leaves. */
#define COLOR_NETWORK "#f2c879"
#define COLOR_MIXED "#e3e3e3"
#define COLOR_KERNEL "#d9a58c" /* the kernel, where it is next to user mode and idle time */
#define COLOR_SELF "#d4d4d4"   /* time outside of the neighbouring parts */

/* Returns the colour of a set of leaves. */
const char *color_of(unsigned int leaves);
/* For a legend: calls put() for each colour that color_of() returns for subsets of the leaves. */
void colors_of(unsigned int leaves, void (*put)(void *ctx, const char *color, const char *title),
	       void *ctx);

/*
 * Returns the colour of a category inside a leaf. Each part of the RX softirq has its own colour,
 * by exact times and by samples. i: the number of the category among its siblings, for categories
 * that only some rules have.
 */
const char *category_color(const char *key, size_t i);

/* ---- the summary ----------------------------------------------------------------------- */

/* The summary and its parts. Reports and the HTML page use some of the parts. */

struct summary_shown {
	bool all_cpus; /* text lists all CPUs */
	bool all;      /* shows categories with little or no time */
	bool other;    /* shows the functions without a category */
};

/* Builds the full summary. Returns 0 or -ENOMEM. */
int summary_doc(struct doc *d, const struct summary *s, const struct summary_shown *o);

/*
 * Builds the summary as one screen of text. Needs MODEL_TASKS, MODEL_CPU_TASKS, MODEL_PROCESSES and
 * MODEL_CGROUPS. Returns 0 or -ENOMEM.
 */
int screen_doc(struct doc *d, const struct summary *s);
/*
 * Builds the start of a page: screen_doc() without the heading, and with all caveats at the end. Needs the same data as
 * screen_doc(). Returns 0 or -ENOMEM.
 */
int screen_page(struct doc *d, const struct summary *s);
/*
 * Builds the screen of `live`: the tables of screen_doc() without its heading, with a sparkline for each share, and p50
 * and p99 of the latency until packets are read. iv: at most SCREEN_LIVE_MOST intervals. brief: for a terminal with few
 * lines. Needs the same data as screen_doc(), and MODEL_LATENCY. Returns 0 or -ENOMEM.
 */
#define SCREEN_LIVE_MOST 40
int screen_live_doc(struct doc *d, const struct summary *s, const struct intervals *iv, bool brief);
/* Prints the heading of screen_doc(): what was recorded, in two lines. */
void screen_heading(struct doc *d, const struct summary *s);

/* ---- columns with a split of CPU time: split_doc.c ---------------------------------- */

/*
 * Columns of a split. Programs see the time of each leaf, people see shares of the row's time. Both
 * see the network's time, exact and by samples. SPLIT_SHOWN: number of columns for people, each of
 * one leaf or of several.
 */
#define SPLIT_SHOWN 11
#define SPLIT_LEAF_COLUMNS (2 * LEAF_COUNT)
#define SPLIT_COLUMNS (SPLIT_SHOWN + 5 + SPLIT_LEAF_COLUMNS)

/* Makes the columns. absent: the leaves that are not shown (split_absent()). */
void split_columns(struct doc_column to[SPLIT_COLUMNS], unsigned int absent);
/*
 * Adds the cells. shares: people see shares of the row's time; false for a task without samples, which has no shares.
 */
void split_cells(struct doc *d, const struct split_cpu *c, double network_ci95_ns, bool shares);
/* Returns the width of a column of titles of leaves and their parents. */
unsigned int split_title_width(unsigned int absent);

/* NULL-terminated. */
extern const char *const leaf_keys[LEAF_COUNT + 1];

/* ---- the split of CPU time: split_doc.c --------------------------------------------- */

/* Prints the tree of leaves, and notes on it. */
void split_tree(struct doc *d, const struct summary *s);
/* Adds the CPUs. all: text lists all CPUs, even if there are many. Returns 0 or -ENOMEM. */
int split_cpus(struct doc *d, const struct summary *s, bool all);
/* Adds rows for CSV: a row for each leaf, over all CPUs and for each CPU. */
void split_leaves(struct doc *d, const struct summary *s);

/*
 * Shows the cost of each unit that the user counted: --per=requests=12345. The schema
 * contains these costs even if no count is given.
 */
bool per_is_wanted(const struct summary *s);
void per_doc(struct doc *d, const struct summary *s);

/* ---- the categories of a leaf: inside_doc.c ---------------------------------------------- */

/* Shows the categories, by samples. all: text includes categories with little or no time. */
void inside_categories(struct doc *d, const struct summary *s, bool all);
/* Shows the functions without a category. Returns 0 or -ENOMEM. */
int inside_other(struct doc *d, const struct summary *s);
/* Shows the parts of the RX softirq, which are exact. */
void inside_rx(struct doc *d, const struct summary *s);
/* Adds rows for CSV: a row for each category, over all CPUs and for each CPU. */
void inside_leaves(struct doc *d, const struct summary *s);

/* ---- network activity: traffic_doc.c ------------------------------------------------ */

/* Writes a quantile with as many digits as its confidence interval allows. Returns dst. */
char *latency_text(char *dst, size_t size, const struct dist_summary *r, enum dist_quantile q);

void traffic_costs(struct doc *d, const struct summary *s);
/*
 * Writes a cost for text, with the unit of its time or energy, such as "13.3 +- 0.1 us". Returns
 * dst.
 */
char *traffic_cost_text(char *dst, size_t size, const struct summary *s, enum unit_cost_id i);
/*
 * Returns true if the cost is meaningful. Costs per kB are only meaningful if calls transfer more
 * than 1 kB.
 */
bool traffic_cost_says(const struct summary *s, enum unit_cost_id i);
void traffic_calls(struct doc *d, const struct summary *s);
void traffic_interfaces(struct doc *d, const struct summary *s);
/*
 * Shows drops, and protocol counters that report losses. Text has only the values that are not 0. Returns 0 or -ENOMEM.
 */
int drops_doc(struct doc *d, const struct summary *s);
void softirqs_doc(struct doc *d, const struct summary *s);
/* Shows the hard interrupts of interfaces. */
void interrupts_doc(struct doc *d, const struct summary *s);

/* ---- the recording: summary_doc.c -------------------------------------------------------- */

/* Starts a report of a whole recording. Programs see the object "trace". */
void recording_heading(struct doc *d, const struct summary *s);
/* Shows losses, coverage, overhead and marks: lines of text, or "quality" for programs. */
void recording_quality(struct doc *d, const struct summary *s);
/* Prints in text whether exact counters are complete, and what bypassed the probes. */
void recording_checks(struct doc *d, const struct summary *s);
void recording_procstat(struct doc *d, const struct summary *s);
/* Prints the overhead as lines of "The recording itself" in text. */
void cost_line(struct doc *d, const struct summary *s);
/* Writes "2.13 +- 0.38 % of CPU time", "at least ..." or "not known". Returns dst. */
char *cost_text(char *dst, size_t size, const struct cost *c);
/* Writes the parts of the cost that the leaves contain. */
char *cost_leaf_text(char *dst, size_t size, const struct cost *c);
/* Adds the cost of BPF programs and probes: in JSON as the object "cost", in text as tables. */
void cost_doc(struct doc *d, const struct summary *s);

/* ---- by CPU, task, process, cgroup, interval ------------------------------------------- */

/* The split by CPU, task, process, cgroup or interval; and the functions that take the time. */

/* Prints the rows, and notes on them. */
void breakdown_table(struct doc *d, const struct breakdown *b);
/* Builds the whole report. */
void breakdown_doc(struct doc *d, const struct breakdown *b);

/* Adds the rows of functions. */
void top_table(struct doc *d, const struct top *t);
/*
 * Builds the whole report. all: the report is about all samples, and not only the network's. only: text that describes
 * the selected samples; NULL: the network's samples, or all samples.
 */
void top_doc(struct doc *d, const struct top *t, bool all, const char *only);

/* ---- processes and receivers ----------------------------------------------------------- */

/* Tables of processes and of groups of processes: their activity, and the costs charged to them. */

extern const char *const processes_by_names[]; /* in the order of enum processes_by */
/* words of --by of `who`; with PROCESSES_BY_PEER and the words after it, rows are not processes */
extern const char *const who_by_names[];
extern const char *const processes_sort_names[]; /* in the order of enum processes_sort */

/* returns 0 or -ENOMEM */
int processes_doc(struct doc *d, const struct processes *p, enum processes_sort sort);
/*
 * Prints only the table. If `explained` is set, the reference sums, the list of what was not
 * measured, and energy follow.
 */
void processes_table(struct doc *d, const struct processes *p, bool explained);
/*
 * If receivers were recorded, shows who pays for received packets: the n rows with the largest cost. fates: also shows
 * the disposition of all packets. Returns 0 or -ENOMEM.
 */
int processes_owners(struct doc *d, const struct model *m, enum processes_by by, size_t n,
		     bool fates);

/* ---- names for text, with all unsafe bytes replaced. All functions return dst ------- */

#define PROCESS_UNKNOWN "[unknown]"
/*
 * Writes a process in the form that all tables use: "iperf3 (4711)", "[ksoftirqd/0] (14)",
 * "[unknown] (4711)". A truncated name keeps its pid, because the pid identifies the process. id:
 * TRACE_NIL for none. Returns dst.
 */
char *process_named(char *dst, size_t size, const char *name, uint64_t id, bool kernel);
/* Writes ", counted for 1.594 of 6.257 s", or "" if processes were counted all the time. */
const char *processes_counted(char *dst, size_t size, const struct model *m);
/* A size that is sufficient for the name in a row of a table. */
#define PROCESSES_NAME (2 * SAFE_SIZE + 64)
/* Writes a short name: "nginx 200", "[ksoftirqd/0] 7", the end of a cgroup's path, or the container of the cgroup. */
char *process_title(char *dst, size_t size, const struct processes *p,
		    const struct processes_row *r);
/*
 * Writes "user 1000", or "" for an unknown id. kernel: the row is all kernel threads, so their common name is written.
 */
void process_user_title(char *dst, size_t size, const char *id, bool kernel);
/* Writes the end of a path, which is more specific than its start. */
char *process_path(char *dst, size_t size, const char *path);

/* ---- disposition of received packets: of one recording, and of two ------------------ */

#define FATE_TITLE "RX softirq and threaded NAPI: receivers"

/* keys for programs, in the order of enum netcost_fate, NULL-terminated */
extern const char *const fate_keys[];
/*
 * Writes a disposition for text. what: the drop reason, or the interface to which packets were
 * forwarded; "" if it is unknown, or for other dispositions. Returns dst.
 */
const char *fate_text(char *dst, size_t size, enum netcost_fate fate, const char *what);
#define FATE_TEXT (SAFE_SIZE + 64)

/* Members of two columns for programs. */
#define FATE_COLUMN .key = "fate", .kind = DOC_STRING, .known = true, .choices = fate_keys
#define FATE_WHAT_COLUMN                                                                           \
	.key = "what", .kind = DOC_STRING,                                                         \
	.about =                                                                                   \
		"drop reason of dropped packets, or the interface to which packets were forwarded; null: neither, or unknown"

/* ---- for processes_doc.c: tables of rows -------------------------------------------- */

void processes_rows(struct doc *d, const struct processes *p, const struct processes_energy *e);
/* Shows who pays for received packets. */
void processes_payers(struct doc *d, const struct processes *p, const struct owners *o);

/* ---- latency, tail, stages ------------------------------------------------------------- */

/*
 * Tables of packets: latency, what delayed the slowest packets (record --tail), and packet paths
 * (record --stages).
 */

/* ---- latency ------------------------------------------------------------------------------ */

struct latency_view {
	enum netcost_latency_by by; /* key of the rows, or LATENCY_ALL */
	enum netcost_latency
		/* checkpoint whose histogram is also shown; only for all packets and the whole time */
		histogram;
	const struct intervals *iv; /* NULL for the whole time; otherwise `times` must be set */
	const struct latency_times *times;
};

/*
 * Builds the whole report. Needs MODEL_LATENCY, and with `by` MODEL_LATENCY_BY. Returns 0 or
 * -ENOMEM.
 */
int latency_doc(struct doc *d, const struct model *m, const struct latency_view *v);
/*
 * Prints only the rows. If the rows cover all packets, also prints what is missing, or that nothing was measured.
 * Returns 0 or -ENOMEM.
 */
int latency_table(struct doc *d, const struct model *m, enum netcost_latency_by by);
/* Returns the number of rows by interface or another key. */
size_t latency_by_rows(const struct model *m, enum netcost_latency_by by);

/*
 * Adds a note if packets were followed only in windows. peers: the note is about messages by peer instead of packets.
 */
void followed_note(struct doc *d, const struct model *m, bool peers);

/* ---- what delayed the slowest packets ------------------------------------------------------ */

/* Builds the report. Needs MODEL_LATENCY. seen: NULL if functions are unknown. Returns 0 or -ENOMEM. */
int latency_tail_doc(struct doc *d, const struct model *m, const struct tail_seen *seen);
/* Prints only the culprits, and what is missing. Returns 0 or -ENOMEM. */
int latency_tail_table(struct doc *d, const struct model *m, const struct tail_seen *seen);

/* ---- paths -------------------------------------------------------------------------------- */

/*
 * Builds the report. by: STAGES_BY_COUNT for all packets. Needs MODEL_STAGES, and MODEL_STAGES_BY
 * << by. Returns 0 or -ENOMEM.
 */
int stages_doc(struct doc *d, const struct model *m, enum stages_by by);
/* Prints the paths of all packets, without a heading. */
int stages_table(struct doc *d, const struct model *m);

/* ---- shared by these tables --------------------------------------------------------- */

/*
 * Shows the methods of checkpoints or stages, as a table for programs and as notes in text. The argument text has the
 * cells of the table's first columns: for each column a NULL-terminated array with an element for each checkpoint or
 * stage. PROBE_COLUMNS follow them.
 */
void packets_probes(struct doc *d, const struct model *m, enum netcost_of of,
		    const struct doc_table *table, const char *const *const text[], size_t ntexts);
void packets_probe_notes(struct doc *d, const struct model *m, enum netcost_of of,
			 const char *const name[]);
/* Prints `could_not` and the recorder's reason why data is missing. Without a reason, prints `did_not`. */
void packets_not_measured(struct doc *d, const struct model *m, const char *source,
			  const char *could_not, const char *did_not);

/* ---- columns of quantiles ------------------------------------------------------------------ */

#define LATENCY_TIME .unit = TEXT_NS, .precision = 1, .width = 9

/* Ranks of quantiles in narrow text: higher numbers are left out first. */
enum {
	LATENCY_SPARE_P50 = 0,
	LATENCY_SPARE_P90 = 3,
	LATENCY_SPARE_P99 = 0,
	LATENCY_SPARE_P99_9 = 1,
	LATENCY_SPARE_P99_99 = 4,
};
#define LATENCY_QUANTILE(NAME, key_, title_)                                                       \
	{                                                                                          \
		.key = key_ "_ns", .title = title_, LATENCY_TIME, .spare = LATENCY_SPARE_##NAME    \
	}
#define LATENCY_BOUNDS(key_)                                                                       \
	{ .key = key_ "_low_ns",                                                                   \
	  .precision = 1,                                                                          \
	  .about = "low end of the 95 % confidence interval; null: too few packets" },             \
	{                                                                                          \
		.key = key_ "_high_ns", .precision = 1,                                            \
		.about = "high end of the 95 % confidence interval; null: too few packets"         \
	}
#define LATENCY_MEAN                                                                               \
	{                                                                                          \
		.key = "mean_ns", .title = "mean", LATENCY_TIME, .spare = 2                        \
	}

/* Columns of quantiles with bounds. */
#define PACKETS_QUANTILE(name, key, title, share)                                                  \
	LATENCY_QUANTILE(name, key, title), LATENCY_BOUNDS(key),
#define PACKETS_QUANTILES DIST_QUANTILES(PACKETS_QUANTILE) LATENCY_MEAN

/* Adds the cells of the columns of quantiles, with or without bounds. */
void packets_quantiles(struct doc *d, const struct dist_summary *r, bool bounds);

/* ---- timelines ------------------------------------------------------------------------- */

/* CPU time, traffic and power over time, and CPU time and energy over time by process or cgroup. */

/* Prints the rows, and notes on them. Returns 0 or -ENOMEM. */
int timeline_table(struct doc *d, const struct intervals *iv, const struct model *m);
/* Builds the whole report. latency: has one merged row per interval, or NULL. Returns 0 or -ENOMEM. */
int timeline_doc(struct doc *d, const struct intervals *iv, const struct model *m,
		 const struct latency_times *latency);

#define TIMELINE_BY_MOST 20 /* largest number of columns of processes */

/* Builds the whole report. */
void timeline_by_doc(struct doc *d, struct timeline_by *t);

/* ---- energy ---------------------------------------------------------------------------- */

/* Parts of a summary: power, and the cost of other BPF programs. */

/* Shows the power of packages and memory, and the network's part of it. */
void energy_doc(struct doc *d, const struct summary *s);
/*
 * Shows other BPF programs. Text has a row for each program that ran on the packet path, and the sum of the others.
 * Returns 0 or -ENOMEM.
 */
int bill_doc(struct doc *d, const struct summary *s);

/* ---- two recordings -------------------------------------------------------------------- */

/* Builds the report for the schema, without a trace (doc_begin_schema()). Returns 0 or -ENOMEM. */
int diff_describe(struct doc *d, const struct model *empty);
void diff_doc(struct doc *d, const struct diff *diff);

/* ---- a subject as a table: diff_tables.c ------------------------------------------------- */

extern const char *const diff_quantile_titles[];

void diff_doc_table(struct doc *d, const struct diff *diff, enum diff_subject subject);
/* Shows the processes that received packets, in text. Programs find them in the table of processes. */
void diff_doc_receivers(struct doc *d, const struct diff *diff);
/* Returns N if one softirq in N was examined; if N differs between the sides, the larger N. */
double diff_doc_every(const struct diff *diff);
bool diff_doc_has_energy(const struct diff *diff);

/* ---- about the trace ------------------------------------------------------------------- */

/*
 * Reports about a trace itself: its contents, the functions of the rules that occur in it, and exact times compared
 * with samples.
 */

/* Builds the report. Text includes the self-checks of exact counters. Returns 0 or -ENOMEM. */
int info_doc(struct doc *d, const struct summary *s);

/*
 * Lists the functions of the rules that a trace has. The text is itself a rules file. Returns 0 or
 * -ENOMEM.
 */
int rules_doc(struct doc *d, const struct model *m);

/*
 * Builds the report (accuracy_doc.c). all: text shows slower samplers for all items, and not only
 * for the main events.
 */
void accuracy_doc(struct doc *d, const struct accuracy *a, bool all);
/* Builds the report for the schema, without a trace (doc_begin_schema()). Returns 0 or -ENOMEM. */
int accuracy_describe(struct doc *d, const struct model *empty);
/* Prints everything except the start of the report, in text. */
void accuracy_tables(struct doc *d, const struct accuracy *a, bool all);

/* ---- missing data ------------------------------------------------------------------- */

/*
 * These functions make error messages of commands. Each returns NULL if the trace has the data.
 * Otherwise it writes to buf what is missing, the recorder's reason if there is one, and what the
 * user can do.
 */
#define LACKS_SIZE 512

const char *lacks_latency(const struct model *m, char *buf);
const char *lacks_latency_by(const struct model *m, enum netcost_latency_by by, char *buf);
const char *lacks_tail(const struct model *m, char *buf);
const char *lacks_stages(const struct model *m, char *buf);
const char *lacks_processes(const struct model *m, char *buf);
const char *lacks_peers(const struct model *m, char *buf);
const char *lacks_samples(const struct model *m, char *buf);

/* ---- views ----------------------------------------------------------------------------- */

/* Views (analysis/view.h) as tables. */

/* A view and its rows. times: the values by interval; NULL for the whole time. */
struct view_shown {
	const struct view *view;
	const struct view_order *order;
	const struct view_rows *rows;
	const struct view_times *times;
	const struct intervals *intervals;
	const struct model *m;
};

/* Prints the table alone. */
void view_table(struct doc *d, const struct view_shown *s);
/* Adds the table as a separate object. */
void view_doc(struct doc *d, const struct view_shown *s);

#endif
