/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* sample.h: limits that sample.bpf.c shares with the recorder. */
#ifndef NETCOST_SAMPLE_H
#define NETCOST_SAMPLE_H

#define NETCOST_SAMPLER_STACK 127 /* maximum number of frames, as TRACE_MAX_STACK */
#define NETCOST_SAMPLER_CPUS 8192 /* the same as TRACE_MAX_CPU */

#endif
