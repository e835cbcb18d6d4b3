/* SPDX-License-Identifier: BSD-2-Clause */
/* model_doc.h: what reports tell about the trace itself: the host, its settings, probes and sources of data. */
#ifndef NETCOST_REPORT_MODEL_DOC_H
#define NETCOST_REPORT_MODEL_DOC_H

#include "report/base/doc.h"
#include "report/model/model.h"

/* NULL: the trace does not have it. */
const char *model_string_or_null(const struct model *m, model_str s);
void doc_model_string(struct doc *d, const char *key, const struct model *m, model_str s);

/*
 * For programs: which trace of which file, and whether it is whole; doc_filter() also tells people the selection
 * ("  only      CPUs 0-3"). doc_trace(): all three.
 */
void doc_part(struct doc *d, const struct part *part);
void doc_ended(struct doc *d, const struct model *m);
void doc_filter(struct doc *d, const struct model *m);
void doc_trace(struct doc *d, const struct model *m);

/* For people: whether it is damaged, cut off or wrong. */
void doc_problems(struct doc *d, const struct model *m);

/* Host and recording options, as HEADER has them: for programs, and as lines for people. */
void doc_header(struct doc *d, const struct model *m);
void doc_host(struct doc *d, const struct model *m);
/* Records and fields from newer versions, and counters that went backwards. */
void doc_skipped(struct doc *d, const struct model *m);

/* The first n of the marks. For programs. */
void doc_marks(struct doc *d, const struct model *m, size_t n);

/* ---- probes, sources and certificates ---------------------------------------------------- */

/* The columns for which probe_cells() has the cells. */
#define PROBE_COLUMNS                                                                              \
	{ .key = "rung", .kind = DOC_STRING, .about = "off: not measured" },                       \
		{ .key = "hooks", .kind = DOC_LIST },                                              \
	{                                                                                          \
		.key = "why", .kind = DOC_STRING, .about = "why not, or what is weak"              \
	}
void probe_cells(struct doc *d, const struct model *m, const struct model_probe *p);
/* For people: the recorder's reason why it is not measured, or what is weak; nothing if there is none. */
void probe_note(struct doc *d, const struct model *m, enum netcost_of of, uint64_t number,
		const char *name);
/* Events, and parts of the RX softirq. */
void probes_doc(struct doc *d, const struct model *m);
/* For people: why better methods were refused. */
void probes_refused(struct doc *d, const struct model *m);
void sources_doc(struct doc *d, const struct model *m);

/* What the recorder counted of a known load of its own (netcost-record --certify): lines, and a table for programs. */
void certificate_doc(struct doc *d, const struct model *m);
/* "injected 10.00 ms, found …: passed". Returns dst. */
char *certificate_text(const struct model *m, const struct model_certificate *c, char *dst,
		       size_t size);
/* passed, failed or impossible */
bool certificate_is(const struct model *m, const struct model_certificate *c, const char *state);
/* Is the trace only a part of the recording that they are about? */
bool certificate_is_of_more(const struct model *m);
#define CERTIFICATE_OF_MORE "of the whole recording, of which this is a part"

/* ---- settings of the host ---------------------------------------------------------------- */

/* A report of its own: info --context. */
void settings_doc(struct doc *d, const struct model *m);
/* All settings, in the order of the trace, and their number. */
void settings_table(struct doc *d, const struct model *m);
void settings_count(struct doc *d, const struct model *m);

/* A setting as people see it: "on", "on, then off", or why it is unknown. Returns dst. */
char *setting_text(char *dst, size_t size, const struct model *m, const struct model_setting *s);
#define SETTING_TEXT 2304 /* two of the longest that a recorder writes */

#endif
