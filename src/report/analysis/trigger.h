/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * trigger.h: the conditions on which a flight recorder keeps a trace (record --trigger), such as "network>60%" or
 * "p99(tcp-socket-read)>5ms". They are evaluated for each interval while the trace is read.
 */
#ifndef NETCOST_REPORT_TRIGGER_H
#define NETCOST_REPORT_TRIGGER_H

#include "intervals.h"

struct trigger {
	struct intervals_watch watch; /* the second watch of the intervals */
	struct trigger_condition *condition;
	size_t n;
	const struct intervals *iv;
	bool latency;		     /* some condition needs MODEL_LATENCY */
	double self_us, at_ns, self; /* the recorder's CPU time: total, time of reading, share */
	char holds[256]; /* the last condition that held, with its value; the reader clears it */
};

/*
 * Parses conditions that are separated by commas. Returns 0, -ENOMEM, or -EINVAL and sets why. The caller frees the
 * trigger in any case.
 */
int trigger_init(struct trigger *t, const char *text, char *why, size_t size);
void trigger_free(struct trigger *t);
/* Begins a file, whose counters begin at 0. */
void trigger_begin(struct trigger *t, const struct intervals *iv);

#endif
