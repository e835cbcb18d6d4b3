/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * lacks.h: whether a trace has no data of what a command reports, in words for its error message.
 *
 * Each returns NULL if there are such data; otherwise what is missing, why if the recorder says so, and what to do, in buf.
 */
#ifndef NETCOST_REPORT_LACKS_H
#define NETCOST_REPORT_LACKS_H

#include "report/analysis/latency.h"
#include "report/model/model.h"

#define LACKS_SIZE 512

const char *lacks_latency(const struct model *m, char *buf);
const char *lacks_latency_by(const struct model *m, enum netcost_latency_by by, char *buf);
const char *lacks_tail(const struct model *m, char *buf);
const char *lacks_stages(const struct model *m, char *buf);
const char *lacks_processes(const struct model *m, char *buf);
const char *lacks_samples(const struct model *m, char *buf);

#endif
