// SPDX-License-Identifier: BSD-2-Clause
#include "session.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <netcost/reasons.h>
#include <netcost/trace.h>

#include "loop.h"
#include "record/base/clock.h"
#include "record/base/memory_limit.h"
#include "record/base/msg.h"
#include "record/base/privileges.h"
#include "record/base/procfs.h"
#include "record/base/timens.h"
#include "record/exact/exact.h"
#include "record/exact/owners.h"
#include "record/exact/pmu.h"
#include "record/exact/processes.h"
#include "record/exact/programs.h"
#include "record/exact/attach_verified.h"
#include "record/intern/batch.h"
#include "record/intern/cgroups.h"
#include "record/intern/stacks.h"
#include "record/intern/symbols.h"
#include "record/intern/tasks.h"
#include "record/intern/user_code.h"
#include "record/kernel/admin.h"
#include "record/kernel/btf_names.h"
#include "record/kernel/ksyms.h"
#include "record/kernel/tracing.h"
#include "record/mark/mark.h"
#include "record/sample/sampler.h"
#include "record/source/context.h"
#include "record/source/online.h"
#include "record/source/source.h"
#include "session_impl.h"

/* ---- prepare ----------------------------------------------------------------------------- */

static int choose_cpus(struct session *s)
{
	char online[CPULIST_TEXT];
	int err = procfs_text(ONLINE_CPUS, online, sizeof(online));

	if (!err)
		err = cpuset_parse(&s->online, online);
	if (err) {
		msg("cannot read which CPUs are online: %s", strerror(-err));
		return err;
	}
	err = cpuset_parse(&s->cpus, s->cfg->cpus.n ? s->cfg->cpus.text : online);
	for (unsigned int i = 0; i < s->cpus.n && !err; i++)
		if (!cpuset_has(&s->online, s->cpus.cpu[i])) {
			msg("-C %s: CPU %u is not online; online CPUs: %s", s->cfg->cpus.text,
			    s->cpus.cpu[i], online);
			err = -ENODEV;
		}
	if (!err)
		err = online_new(&s->online_now, ONLINE_CPUS, &s->cpus);
	return err;
}

static int prepare_columns(struct session *s)
{
	s->reading = calloc(s->cpus.n, sizeof(*s->reading));
	s->looked = calloc(s->cpus.n, sizeof(*s->looked));
	s->followed = calloc(s->cpus.n, sizeof(*s->followed));
	s->column = calloc(3 * (size_t)s->cpus.n, sizeof(*s->column));
	return s->reading && s->looked && s->followed && s->column ? 0 : -ENOMEM;
}

static int check_clocks(void)
{
	char why[TIMENS_WHY];
	int err = timens_check("/proc/self", why, sizeof(why));

	if (err)
		msg("%s", why);
	return err;
}

/*
 * Warns if the memory limit may not suffice. The sizes of the large maps are exact. In addition, a recording needs 5
 * MiB by default, and 11 MiB with all options. Of these 11 MiB, 4 MiB are needed only while the kernel verifies a
 * program (measured).
 */
#define MEMORY_BESIDES (14ull << 20)
static void warn_memory(const struct session *s)
{
	const struct config *cfg = s->cfg;
	unsigned int ncpus = (unsigned int)sysconf(_SC_NPROCESSORS_CONF);
	uint64_t rows = 2ull * ncpus * processes_each(ncpus, s->memory_limit);
	const struct source_host h = { .latency = cfg->latency,
				       .latency_by = cfg->latency_by,
				       .tail = cfg->tail,
				       .stages_every = cfg->stages_every,
				       .memory_limit = s->memory_limit };
	uint64_t needed = MEMORY_BESIDES + path_bytes(&h, ncpus);

	if (cfg->processes)
		needed += rows * sizeof(struct netcost_process);
	if (cfg->owners_every)
		needed += rows * sizeof(struct netcost_owned);
	if (s->memory_limit < needed)
		msg("warning: the memory limit of this cgroup is %lu MiB, and these options may need "
		    "%lu MiB: the kernel may kill the recorder; raise the limit, or leave out "
		    "--processes, --owners, --latency-by, --tail or --stages",
		    (unsigned long)(s->memory_limit >> 20), (unsigned long)(needed >> 20));
}

/*
 * Attaches the exact programs and tests them. Measures the entry cost before that, while the events run no other
 * programs of the recorder.
 */
static int attach_exact(struct session *s)
{
	unsigned int kinds = 1u << ENTRY_TRACEPOINT;
	int err;

	if (s->ladder.sockets == RUNG_TRACEPOINT && !s->ladder.calls)
		kinds |= 1u << ENTRY_SYSCALL;
	entry_cost_measure(&s->entry, kinds, 0);
	err = attach_verified(&s->exact, &s->tracing, &s->ladder, &s->selftest, s->exact_why,
			      sizeof(s->exact_why));
	probe_costs_init(&s->costs, &s->ladder);
	return err;
}

/*
 * Prepares the exact times. If they are not possible, the recording continues with samples only, if there are samples.
 * A message and the trace report this.
 */
static int prepare_exact(struct session *s)
{
	int err = ladder_limit(&s->ladder, s->exact_why, sizeof(s->exact_why));
	bool off = !strcmp(s->cfg->exact, "off");

	if (err) {
		msg_reasons(s->exact_why, "");
		return err == -EINVAL ? ERR_USAGE : err;
	}
	s->entry = entry_cost_none();
	probe_costs_init(&s->costs, &s->ladder);
	s->ladder.full = !strcmp(s->cfg->exact, "full");
	s->ladder.calls = !strcmp(s->cfg->exact, "calls");
	s->ladder.best = !*s->cfg->exact;
	s->ladder.windows = s->cfg->exact_in_windows;
	s->ladder.processes = s->cfg->processes;
	if (s->cfg->processes && pmu_new(&s->pmu, &s->cpus))
		return -ENOMEM;
	s->ladder.pmu = s->pmu;
	s->ladder.owners_every = s->cfg->owners_every;
	s->ladder.memory_limit = s->memory_limit;
	err = ladder_choose(&s->ladder, s->exact_why, sizeof(s->exact_why));
	if (s->ladder.names)
		s->fentry_test = btf_names_func(s->ladder.names, "bpf_fentry_test1");
	if (off)
		s->exact_why[0] = '\0';
	else if (!err)
		err = attach_exact(s);
	if (off || !err || s->cfg->hz || s->cfg->check)
		return 0;
	msg_reasons(*s->exact_why ? s->exact_why : strerror(-err), "");
	return err;
}

/* Prepares the symbols. Without BPF the whole symbol table is read. */
static int prepare_symbols(struct session *s)
{
	struct ksyms *lazy;

	if (ksyms_new(&lazy, "/proc/kallsyms"))
		lazy = NULL;
	return symbols_new(&s->symbols, "/proc/kallsyms", lazy);
}

static struct sampler_options sampler_options(const struct session *s)
{
	return (struct sampler_options){
		.hz = (unsigned int)s->hz,
		.cycles = !strcmp(s->cfg->event, "cycles"),
		.user_stacks = s->cfg->user_stacks,
		.network_only = s->cfg->net_only && s->exact ? exact_map_fd(s->exact) : -1,
	};
}

static int new_sampler(struct session *s, char *why, size_t whysize)
{
	const struct sampler_options o = sampler_options(s);
	char text[1024];

	if (!s->cfg->net_only || s->exact)
		return sampler_new(&s->sampler, &s->cpus, &o, why, whysize);
	snprintf(why, whysize, "--net-only needs exact times: %.250s",
		 reason_text(s->exact_why, text, sizeof(text)));
	return -ENOTSUP;
}

/* Prepares the cgroups of samples and of processes. */
static int prepare_cgroups(struct session *s)
{
	bool of_samples = s->sampler && sampler_cgroups(s->sampler);
	int err;

	if (!of_samples && !(s->exact && s->cfg->processes))
		return 0;
	err = cgroups_new(&s->cgroups, s->ladder.cgroups);
	if (!err)
		err = cgroups_name(s->cgroups, s->cfg->host_root);
	if (err && err != -ENOMEM) {
		msg("--host-root: cannot open %s: %s", s->cfg->host_root, strerror(-err));
		return ERR_USAGE;
	}
	return err || !s->exact || !s->cfg->processes ? err : cgroups_watch(s->cgroups, s->tracing);
}

static int prepare_samples(struct session *s)
{
	struct sampler_options o;
	char why[SESSION_WHY];
	int err;

	if (!s->cfg->hz)
		return prepare_cgroups(s);
	s->hz = s->cfg->hz;
	o = sampler_options(s);
	s->costs.sample = own_sample_cost(&o, s->costs.sample_why, sizeof(s->costs.sample_why));
	s->hz = session_sample_hz(s);
	err = new_sampler(s, why, sizeof(why));
	if (err && s->cfg->check) {
		snprintf(s->samples_why, sizeof(s->samples_why), "%s", why);
		return 0; /* --check still prints its other lines */
	}
	if (err) {
		msg("%s", why);
		return err;
	}
	s->batch = calloc(s->cpus.n, sizeof(*s->batch));
	s->written = calloc(s->cpus.n, sizeof(*s->written));
	s->dropped = calloc(s->cpus.n, sizeof(*s->dropped));
	s->cut = calloc(s->cpus.n, sizeof(*s->cut));
	err = s->batch && s->written && s->dropped && s->cut ? tasks_new(&s->tasks) : -ENOMEM;
	if (!err)
		err = prepare_cgroups(s);
	if (err == ERR_USAGE)
		return err;
	for (unsigned int i = 0; i < s->cpus.n && !err; i++)
		batch_init(&s->batch[i], s->cpus.cpu[i], (unsigned int)s->hz,
			   sampler_cgroups(s->sampler) ? s->cgroups : NULL);
	if (!err)
		err = prepare_symbols(s);
	if (!err)
		err = stacks_new(&s->stacks, s->symbols);
	if (!err && s->cfg->user_stacks)
		err = user_code_new(&s->user_code, s->symbols);
	if (err)
		msg("cannot prepare sampling: %s", strerror(-err));
	else if (s->exact_why[0] && !s->cfg->check)
		msg_reasons(s->exact_why, "; continuing with samples only");
	if (!err && s->hz < s->cfg->hz && !s->cfg->quiet && !s->cfg->check)
		msg("sampling reduced from %lu to %lu Hz to stay within the budget", s->cfg->hz,
		    s->hz);
	if (!err && symbols_hidden(s->symbols) && !s->cfg->check)
		msg("function names are hidden: run as root or give CAP_SYSLOG, with kernel.kptr_restrict "
		    "at most 1; continuing without them");
	return err;
}

/*
 * Parses the options of latency. The options are parsed before anything is attached, because errors in them are errors
 * of the command line.
 */
static int prepare_latency(struct session *s)
{
	char why[1024];
	int err = !s->cfg->latency_only ? 0 :
					  latency_only_parse(&s->latency_only, s->cfg->latency_only,
							     why, sizeof(why));

	if (err)
		msg("%s", err == -ENOMEM ? "out of memory" : why);
	if (err == -EINVAL)
		err = ERR_USAGE;
	return err;
}

/* Opens the sources. After this the kernel's BTF is no longer needed. */
static int prepare_sources(struct session *s)
{
	struct source_host h = { .admin = s->admin,
				 .memory_limit = s->memory_limit,
				 .cpus = &s->cpus,
				 .kernel = s->ladder.names,
				 .why = s->exact_why,
				 .functions_refused = s->ladder.refused,
				 .programs = strcmp(s->cfg->exact, "off") != 0,
				 .irqs = s->exact ? exact_irqs_fd(s->exact) : -1,
				 .latency = s->cfg->latency,
				 .latency_by = s->cfg->latency_by,
				 .latency_only = &s->latency_only,
				 .tail = s->cfg->tail,
				 .stages_every = s->cfg->stages_every,
				 .peers = s->cfg->peers,
				 .addresses = s->cfg->host_details };
	int err = 0;

	/* with exact times, s->tracing exists already */
	if ((h.latency || h.stages_every || h.peers) && h.kernel && !s->tracing)
		err = tracing_new(&s->tracing, h.kernel);
	h.tracing = s->tracing;
	if (err != -ENOMEM)
		err = sources_open(&s->sources, &h);
	ladder_close(&s->ladder);
	return err;
}

static int prepare_programs(struct session *s)
{
	const struct bpf_program *others[2 + SOURCE_PROGRAMS] = { NULL };
	struct programs_host host;
	uint64_t *start = NULL;
	size_t n, nstart = 0;
	int err;

	others[0] = s->sampler ? sampler_program(s->sampler) : NULL;
	others[1] = cgroups_program(s->cgroups);
	n = sources_programs(s->sources, others + 2, SOURCE_PROGRAMS);
	if (!s->exact && !others[0] && !n)
		return 0;
	host = (struct programs_host){ .admin = s->admin,
				       .exact = s->exact,
				       .ladder = &s->ladder,
				       .entry = &s->entry,
				       .bpf_fentry_test1 = s->fentry_test,
				       .costs = &s->costs,
				       .other = others,
				       .nothers = 2 + n };
	err = programs_new(&s->programs, &host);
	if (!err && s->symbols)
		err = programs_functions(s->programs, &start, &nstart);
	if (!err && s->symbols)
		err = symbols_set_own(s->symbols, start, nstart);
	free(start);
	return err;
}

int session_prepare(struct session **sp, const struct config *cfg)
{
	struct session *s = calloc(1, sizeof(*s));
	int err = s ? 0 : -ENOMEM;

	*sp = NULL;
	if (err) {
		msg("out of memory");
		return err;
	}
	s->cfg = cfg;
	s->memory_limit = memory_limit();
	s->out = s->next.out = (struct output)OUTPUT_NONE;
	s->blackbox = (struct blackbox)BLACKBOX_NONE;
	s->series.dir = s->post.fd = -1;
	err = check_clocks();
	if (!err)
		err = choose_cpus(s);
	if (!err)
		err = session_rotate_prepare(s);
	if (!err && (err = admin_start(&s->admin)))
		msg("cannot start a helper process: %s", strerror(-err));
	if (!err)
		warn_memory(s);
	if (!err)
		err = prepare_latency(s);
	if (!err)
		err = prepare_exact(s);
	if (!err)
		err = prepare_samples(s);
	if (!err && !cfg->hz && !cfg->latency && !cfg->stages_every && !cfg->peers &&
	    !strcmp(cfg->exact, "off")) {
		msg("nothing to record: --exact=off and -F 0");
		err = ERR_USAGE;
	}
	if (!err) {
		err = prepare_columns(s);
		if (!err)
			err = prepare_sources(s);
		if (!err)
			err = prepare_programs(s);
		if (!err)
			err = context_new(&s->context, s->admin);
		if (!err)
			err = marks_new(&s->marks);
		if (err)
			msg("cannot prepare the recording: %s", strerror(-err));
	}
	if (err)
		session_free(s);
	else
		*sp = s;
	return err;
}

void session_free(struct session *s)
{
	if (!s)
		return;
	trace_writer_free(s->w);
	output_close(&s->out);
	session_rotate_free(s);
	marks_free(s->marks);
	sources_close(s->sources);
	context_free(s->context);
	ladder_close(&s->ladder);
	online_free(s->online_now);
	for (unsigned int i = 0; s->batch && i < s->cpus.n; i++)
		batch_free(&s->batch[i]);
	free(s->batch);
	free(s->written);
	free(s->cut);
	free(s->dropped);
	free(s->reading);
	free(s->looked);
	free(s->followed);
	free(s->column);
	stacks_free(s->stacks);
	user_code_free(s->user_code);
	symbols_free(s->symbols);
	tasks_free(s->tasks);
	cgroups_free(s->cgroups);
	programs_free(s->programs);
	sampler_free(s->sampler);
	pmu_free(s->pmu);
	certifier_free(s->certifier);
	/* freed last, because the kernel may take 0.25 s to detach a function */
	exact_free(s->exact);
	tracing_free(s->tracing);
	admin_end(s->admin);
	cpuset_free(&s->cpus);
	cpuset_free(&s->online);
	if (s->live.pid)
		/* ignored here: Ctrl-C ends the screen, which gets the signal, too */
		signal(SIGINT, SIG_IGN);
	live_ended(&s->live, false);
	free(s);
}

/* ---- record ------------------------------------------------------------------------------ */

static int begin(struct session *s)
{
	int err;

	if (s->exact)
		exact_begin(s->exact, &s->cpus);
	s->attached = s->exact;
	s->following = sources_follow(s->sources);
	err = s->sampler ? sampler_start(s->sampler) : 0;
	if (err)
		msg("cannot start sampling: %s", strerror(-err));
	return err;
}

/* Starts the recording. If that fails, the host is unchanged. */
static int start(struct session *s, struct loop *loop)
{
	int err;

	session_certify(s, SESSION_START);
	err = session_rotate_open(s);
	if (!err)
		err = begin(s);
	if (!err) {
		err = session_on_tick(s);
		session_windows_begin(s);
		if (err)
			msg("cannot write %s: %s", s->out.path, strerror(-err));
	}
	if (!err)
		err = loop_go(loop);
	session_rotate_begin(s);
	if (err)
		output_abandon(&s->out);
	else
		output_settle(&s->out);
	if (!err)
		privileges_keep(PRIVILEGES_RECORDER | (s->cfg->command ? PRIVILEGES_COMMAND : 0) |
					(s->cfg->user_stacks ? PRIVILEGES_STACKS : 0) |
					(s->cfg->certify ? PRIVILEGES_CERTIFY : 0) |
					(strcmp(s->cfg->host_root, "/") ? PRIVILEGES_HOST_ROOT : 0),
				-1);
	if (!err && s->cfg->begun_fd && write(s->cfg->begun_fd, "", 1) != 1)
		err = -errno;
	return err;
}

static int finish(struct session *s, const char *why)
{
	int err = session_tend(s);

	if (s->sampler)
		sampler_stop(s->sampler);
	if (!err)
		err = session_drain(s);
	programs_uncount(s->programs);
	if (!err)
		/* the last write, which includes all samples that were taken */
		err = session_write_tick(s);
	if (!err)
		err = context_write(s->context, s->w);
	if (!err)
		err = session_write_rest(s);
	if (!err) {
		if (s->cfg->certify)
			session_windows_open(s);
		session_certify(s, SESSION_END);
		err = session_write_certificate(s, SESSION_END);
	}
	return err ? err : session_write_end(s, why);
}

#define MANY_LOST 100 /* warn if more than 1 of 100 samples was lost */

static void say_done(struct session *s)
{
	double seconds = (double)(now_ns() - s->began_ns) / 1e9;
	uint64_t taken = s->samples_before + s->samples, lost = session_all_lost(s);
	bool piped = s->out.fd == STDOUT_FILENO;
	char files[64] = "";

	if (session_has_ring(s) && !s->series.finished) {
		msg("%.1f s, %llu samples (%llu lost): no cause occurred, so no trace was written",
		    seconds, (unsigned long long)taken, (unsigned long long)lost);
		return;
	}
	if (s->name)
		snprintf(files, sizeof(files), ", %llu files, the last one",
			 (unsigned long long)s->series.finished);
	msg("%.1f s, %llu samples (%llu lost), %.1f KiB%s: %s%s", seconds,
	    (unsigned long long)taken, (unsigned long long)lost,
	    (double)(s->bytes_before + trace_writer_bytes(s->w)) / 1024, files,
	    session_has_ring(s) ? s->blackbox.name.name :
	    s->name		? s->name[s->at].name :
	    piped		? "stdout" :
				  s->cfg->output,
	    piped ? "" : "; read it with netcost-report");
	if (lost > (taken + lost) / MANY_LOST)
		msg("%.1f %% of the samples were lost: use a lower -F, or record fewer CPUs with -C",
		    100 * (double)lost / (double)(taken + lost));
	session_windows_say(s, seconds);
}

int session_record(struct session *s, int *status)
{
	struct loop *loop;
	const char *why = NULL;
	bool ended;
	int err = loop_new(&loop, s);

	if (err)
		return err;
	err = start(s, loop);
	if (err) {
		loop_free(loop, false);
		return err;
	}
	err = loop_run(loop, &why);
	ended = why && !strcmp(why, reason_command_ended);
	if (s->stuck) {
		why = reason_no_next;
		err = 0;
	}
	if (!err)
		err = finish(s, why);
	err = session_close_output(s, err);
	if (!err)
		err = session_rotate_finish(s);
	*status = loop_free(loop, ended);
	if (!err && !s->cfg->quiet)
		say_done(s);
	post_end(&s->post); /* from now on a signal terminates this process */
	return err ? err : s->stuck;
}
