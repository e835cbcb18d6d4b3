// SPDX-License-Identifier: BSD-2-Clause
/* Writes the records before the first tick of a file. */
#include "session_impl.h"

#include <stdio.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <netcost/reasons.h>
#include <netcost/trace.h>
#include <netcost/units.h>
#include <netcost/version.h>

#include "record/base/clock.h"
#include "record/base/procfs.h"
#include "record/exact/exact.h"
#include "record/exact/programs.h"
#include "record/sample/sampler.h"
#include "record/source/context.h"
#include "record/source/source.h"

/* Writes the name of the first CPU. On arm64, only the numbers of the implementer and the part are known. */
static void cpu_model(char *dst, size_t size)
{
	static const char *const key[] = { "model name", "CPU implementer", "CPU part" };
	FILE *f = fopen("/proc/cpuinfo", "re");
	char line[256], found[3][100] = { "" };

	while (f && !*found[0] && !*found[2] && fgets(line, sizeof(line), f)) {
		char *value = strchr(line, ':');

		if (!value)
			continue;
		value += 1 + strspn(value + 1, " ");
		value[strcspn(value, "\n")] = '\0';
		for (size_t i = 0; i < 3; i++)
			if (!strncmp(line, key[i], strlen(key[i])))
				snprintf(found[i], sizeof(found[i]), "%s", value);
	}
	if (*found[0] || !*found[2])
		snprintf(dst, size, "%s", *found[0] ? found[0] : "unknown");
	else
		snprintf(dst, size, "implementer %.20s, part %.20s", found[1], found[2]);
	if (f)
		fclose(f);
}

static unsigned int cpus_possible(void)
{
	struct cpuset set;
	unsigned int n = 0;

	if (!procfs_cpus("/sys/devices/system/cpu/possible", &set)) {
		n = set.cpu[set.n - 1] + 1;
		cpuset_free(&set);
	}
	return n;
}

static int write_header(struct session *s)
{
	const struct config *cfg = s->cfg;
	bool command = cfg->host_details && cfg->command;
	uint64_t period = s->sampler ? sampler_period(s->sampler) : 0;
	char model[128];
	struct utsname u;
	size_t argc = 0;

	uname(&u);
	cpu_model(model, sizeof(model));
	while (command && cfg->command[argc])
		argc++;
	trace_writer_begin(s->w, TRACE_HEADER);
	trace_writer_uint(s->w, TRACE_HEADER_MAJOR, TRACE_MAJOR);
	trace_writer_uint(s->w, TRACE_HEADER_MINOR, TRACE_MINOR);
	trace_writer_strs(s->w, TRACE_HEADER_REQUIRES, NULL, 0);
	trace_writer_str(s->w, TRACE_HEADER_TOOL, "netcost-record " NETCOST_VERSION);
	trace_writer_str(s->w, TRACE_HEADER_KERNEL, u.release);
	trace_writer_str(s->w, TRACE_HEADER_MACHINE, u.machine);
	trace_writer_uint(s->w, TRACE_HEADER_CPUS_POSSIBLE, cpus_possible());
	trace_writer_u32s(s->w, TRACE_HEADER_CPUS, s->cpus.cpu, s->cpus.n);
	trace_writer_str(s->w, TRACE_HEADER_CPU_MODEL, model);
	trace_writer_uint(s->w, TRACE_HEADER_SAMPLE_HZ, s->sampler ? s->hz : 0);
	trace_writer_str(s->w, TRACE_HEADER_SAMPLER, sampler_name(s->sampler));
	trace_writer_str(s->w, TRACE_HEADER_SAMPLE_EVENT, cfg->event);
	trace_writer_uint(s->w, TRACE_HEADER_TICK_MS, cfg->tick_ns / UNITS_MS);
	trace_writer_str(s->w, TRACE_HEADER_EXACT, s->exact ? ladder_mode(&s->ladder) : "off");
	trace_writer_uint(s->w, TRACE_HEADER_USER_HZ, (uint64_t)sysconf(_SC_CLK_TCK));
	if (cfg->host_details)
		trace_writer_str(s->w, TRACE_HEADER_HOST, u.nodename);
	if (command)
		trace_writer_strs(s->w, TRACE_HEADER_COMMAND, (const char *const *)cfg->command,
				  argc);
	trace_writer_uint(s->w, TRACE_HEADER_START_NS, s->start_ns);
	if (period)
		trace_writer_uint(s->w, TRACE_HEADER_SAMPLE_PERIOD, period);
	if (cfg->net_only)
		trace_writer_str(s->w, TRACE_HEADER_SAMPLED, "network");
	trace_writer_uint(s->w, TRACE_HEADER_CPUS_ONLINE, s->online.n);
	if (cfg->budget_ppm)
		trace_writer_uint(s->w, TRACE_HEADER_BUDGET_PPM, cfg->budget_ppm);
	return trace_writer_end(s->w);
}

int session_write_clock(struct session *s)
{
	uint64_t before = now_ns(), real = clock_ns(CLOCK_REALTIME),
		 boot = clock_ns(CLOCK_BOOTTIME);
	uint64_t after = now_ns();

	trace_writer_time(s->w, before);
	trace_writer_time(s->w, after);
	trace_writer_begin(s->w, TRACE_CLOCK);
	trace_writer_uint(s->w, TRACE_CLOCK_MONO_NS, before + (after - before) / 2);
	trace_writer_uint(s->w, TRACE_CLOCK_REAL_NS, real);
	trace_writer_uint(s->w, TRACE_CLOCK_BOOT_NS, boot);
	trace_writer_uint(s->w, TRACE_CLOCK_ERROR_NS, (after - before + 1) / 2);
	return trace_writer_end(s->w);
}

/* Returns the method of counting, or "off" if nothing is counted. */
static const char *rung_text(const struct session *s, enum rung rung)
{
	return s->exact ? rung_name(rung) : "off";
}

static int write_event(struct session *s, enum netcost_event event)
{
	const struct ladder_choice *c = &s->ladder.event[event];
	const struct selftest_event *t = &s->selftest.event[event];
	const char *refused[RUNG_COUNT], *hooks[LADDER_HOOKS];
	char text[RUNG_COUNT][LADDER_WHY + 16];
	struct source_probe p = { .of = NETCOST_OF_EVENT,
				  .number = event,
				  .method = rung_text(s, ladder_rung(&s->ladder, event)),
				  .hook = hooks,
				  .refused = refused,
				  .tested = t->tested,
				  .seen = t->seen,
				  .unseen = t->unseen };

	p.nhooks = s->exact ? ladder_hooks(&s->ladder, event, hooks) : 0;
	for (enum rung r = 0; r < RUNG_COUNT; r++) {
		if (!c->refused[r][0])
			continue;
		snprintf(text[p.nrefused], sizeof(text[0]), reason_method, rung_name(r),
			 c->refused[r]);
		refused[p.nrefused] = text[p.nrefused];
		p.nrefused++;
	}
	return source_put_probe(s->w, &p);
}

static int write_part(struct session *s, enum netcost_part part)
{
	const char *hooks[LADDER_HOOKS];
	size_t n = ladder_stage_hooks(&s->ladder, part, hooks);
	struct source_probe p = { .of = NETCOST_OF_PART,
				  .number = part,
				  .method = rung_text(s, ladder_stage_rung(&s->ladder, part)),
				  .hook = hooks,
				  .nhooks = s->exact ? n : 0,
				  .reason = s->ladder.stages_why };

	return source_put_probe(s->w, &p);
}

static int write_point(void *w, const struct source_point *p)
{
	struct source_probe probe = { .of = p->of,
				      .number = p->number,
				      .method = p->method,
				      .hook = p->hook,
				      .nhooks = p->n,
				      .reason = p->why };

	return source_put_probe(w, &probe);
}

static int write_probes(struct session *s)
{
	int err = 0;

	for (enum netcost_event e = 0; e < NETCOST_EV_COUNT && !err; e++)
		err = write_event(s, e);
	for (enum netcost_part p = 0; s->ladder.full && p < NETCOST_PART_COUNT && !err; p++)
		err = write_part(s, p);
	return err ? err : sources_points(s->sources, write_point, s->w);
}

/*
 * Writes the settings. In a file that follows another one, the settings have just been read, and their ids are known.
 */
static int write_known(struct session *s)
{
	int err;

	if (!s->goes_on)
		return context_write(s->context, s->w);
	err = context_again(s->context, s->w);
	return err ? err : sources_again(s->sources, s->w);
}

int session_write_start(struct session *s)
{
	int err;

	s->start_ns = now_ns();
	err = write_header(s);
	if (!err)
		err = session_write_clock(s);
	if (!err)
		err = session_write_sources(s);
	if (!err)
		err = write_known(s);
	if (!err)
		err = write_probes(s);
	if (!err)
		err = probe_costs_write(&s->costs, s->exact ? &s->ladder : NULL, s->sampler, true,
					s->w);
	if (!err && s->programs)
		err = programs_define(s->programs, s->w);
	if (!err)
		err = session_write_certificate(s, SESSION_START);
	return err ? err : trace_writer_flush(s->w);
}
