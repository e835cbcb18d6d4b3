// SPDX-License-Identifier: BSD-2-Clause
/* netcost-record: parses, dispatches. */
#include <errno.h>
#include <limits.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include <netcost/latency.h>
#include <netcost/options.h>
#include <netcost/version.h>

#include "record/base/config.h"
#include "record/base/msg.h"
#include "record/base/series.h"
#include "record/mark/mark.h"
#include "record/session/session.h"

enum { EXIT_OK = 0, EXIT_FAILED = 1, EXIT_USAGE = 2 };

#define FIELD(name) offsetof(struct config, name)

static const char *const exact_modes[] = { "off", "calls", "entry", "full", NULL };
static const char *const events[] = { "cpu-clock", "cycles", NULL };

static const char *const latency_bys[] = {
#define X(id, name, key) [id] = key,
	NETCOST_LATENCY_BYS(X)
#undef X
		NULL
};

static const struct opt_desc options[] = {
	{ "output", 'o', OPT_STR, FIELD(output), "FILE",
	  "write the trace to FILE (netcost.nct); - is stdout. An existing FILE is kept as FILE.old",
	  0, 0, .choices = NULL },
	{ "rotate", 0, OPT_STR, FIELD(rotate), "WHEN",
	  "begin a new file after that time (30s, 5m, 1h, 1d) or size (500K, 64M, 2G): FILE's name with "
	  "the time and a number in it, and .part at its end until it is finished",
	  0, 0, .choices = NULL },
	{ "keep", 0, OPT_UINT, FIELD(keep), "N",
	  "with --rotate: keep the last N finished files, delete older ones of this recording (all)",
	  1, 1000000, .choices = NULL },
	{ "post", 0, OPT_STR, FIELD(post), "COMMAND",
	  "with --rotate: run COMMAND by sh for each finished file, which is $NETCOST_FILE; one at a "
	  "time, and never waited for: of more than 64 that wait it is not run; that, and a failure, is "
	  "reported",
	  0, 0, .choices = NULL },
	{ "duration", 'd', OPT_UINT, FIELD(duration_s), "SECONDS", "stop after SECONDS", 1,
	  31536000, .choices = NULL },
	{ "frequency", 'F', OPT_UINT, FIELD(hz), "HZ",
	  "stack samples per second on each CPU (999); 0: none", 0, 1000000, .choices = NULL },
	{ "interval", 'i', OPT_UINT, FIELD(tick_ms), "MS",
	  "read the counters every MS milliseconds (1000)", 1, 60000, .choices = NULL },
	{ "cpu", 'C', OPT_STR, FIELD(cpus), "CPULIST",
	  "only these CPUs, such as 0-3,8 (all that are online)", 0, 0, .choices = NULL },
	{ "exact", 0, OPT_CHOICE, FIELD(exact), "MODE",
	  "entry: exact time of the stack's entry points, by BPF; calls: of sends and receives only "
	  "the exact number and bytes, which costs less; full: also of the parts of the RX softirq, "
	  "which costs more; off: samples only (entry, or calls where that would slow down every "
	  "system call)",
	  0, 0, .choices = exact_modes },
	{ "budget", 0, OPT_STR, FIELD(budget), "PERCENT",
	  "record only as much as costs no CPU more than PERCENT of its time: exact times only now "
	  "and then, fewer samples; none: no limit (0.3 for exact times, or none with --exact, "
	  "--net-only or -F 0)",
	  0, 0, .choices = NULL },
	{ "event", 0, OPT_CHOICE, FIELD(event), "EVENT",
	  "cpu-clock: samples time; cycles: samples CPU cycles, if the CPU can count them (cpu-clock)",
	  0, 0, .choices = events },
	{ "net-only", 0, OPT_FLAG, FIELD(net_only), NULL,
	  "sample only CPUs that are in network code, by the exact times; uses a BPF program", 0, 0,
	  .choices = NULL },
	{ "processes", 0, OPT_FLAG, FIELD(processes), NULL,
	  "count by process and cgroup, too: on-CPU time, and all that exact times and counts are of; "
	  "without a budget, if none is given",
	  0, 0, .choices = NULL },
	{ "owners", 0, OPT_MAYBE, FIELD(owners), "1/N",
	  "charge received packets to the processes that they are for, and not to those that are "
	  "interrupted: all, or those of one softirq in N; with --processes, which it implies",
	  0, 0, .choices = NULL },
	{ "latency", 0, OPT_FLAG, FIELD(latency), NULL,
	  "for how long packets wait: on their way in and out, as histograms", 0, 0,
	  .choices = NULL },
	{ "latency-by", 0, OPT_CHOICE, FIELD(latency_by), "WHAT",
	  "as --latency, which it implies, and also by interface, cgroup or process", 0, 0,
	  .choices = latency_bys },
	{ "latency-only", 0, OPT_STR, FIELD(latency_only), "WHICH",
	  "as --latency, which it implies, but only packets of interface=NAME, netns=self, NAME, PATH "
	  "or INODE, cgroup=PATH, pid=PID, with queue=PACKETS in their socket's queue; several with "
	  "commas: of all of them",
	  0, 0, .choices = NULL },
	{ "tail", 0, OPT_FLAG, FIELD(tail), NULL,
	  "also what the CPUs did while the slowest packets waited; implies --latency", 0, 0,
	  .choices = NULL },
	{ "stages", 0, OPT_MAYBE, FIELD(stages), "1/N",
	  "the ways of packets through the host, from stage to stage: of one packet in N (64)", 0,
	  0, .choices = NULL },
	{ "check", 0, OPT_FLAG, FIELD(check), NULL,
	  "print what this host supports, what would be attached, and why not better; record nothing",
	  0, 0, .choices = NULL },
	{ "certify", 0, OPT_FLAG, FIELD(certify), NULL,
	  "at the start and at the end: send packets past a program that spins for a known time, in a "
	  "network namespace of their own, and record whether all of that is counted",
	  0, 0, .choices = NULL },
	{ "host-details", 0, OPT_FLAG, FIELD(host_details), NULL,
	  "put the host's name and the command line into the trace, and with --stages packets' addresses",
	  0, 0, .choices = NULL },
	{ "mark", 0, OPT_STR, FIELD(mark), "TEXT",
	  "mark this moment as TEXT in the running recordings; record nothing", 0, 0,
	  .choices = NULL },
	{ "pid", 0, OPT_UINT, FIELD(mark_pid), "PID",
	  "with --mark: only in the recording of that process", 1, INT_MAX, .choices = NULL },
	{ "quiet", 'q', OPT_FLAG, FIELD(quiet), NULL, "print only errors", 0, 0, .choices = NULL },
	{ "version", 0, OPT_FLAG, FIELD(version), NULL, "print the version", 0, 0,
	  .choices = NULL },
};

#define NOPTIONS (sizeof(options) / sizeof(options[0]))

static void usage(FILE *out)
{
	fputs("Usage: netcost-record [OPTIONS] [-- COMMAND [ARGUMENTS]]\n"
	      "\n"
	      "Records what networking costs this host, in CPU time and energy, into one trace file.\n"
	      "Runs until COMMAND ends, SECONDS are over, or Ctrl-C. Read it with netcost-report.\n"
	      "With --mark: marks this moment in the running recordings.\n"
	      "\n",
	      out);
	options_usage(out, options, NOPTIONS);
}

static const struct config defaults = { .output = "netcost.nct",
					.exact = "", /* whichever is best */
					.event = "cpu-clock",
					.hz = 999,
					.tick_ms = 1000 };

/* --mark and --pid go with each other and with -q; all other options are about making a recording. */
static const char *wrong_mark(const struct config *cfg)
{
	struct config plain = defaults;

	plain.quiet = cfg->quiet;
	plain.mark = cfg->mark;
	plain.mark_pid = cfg->mark_pid;
	if (cfg->mark_pid && !cfg->mark)
		return "--pid: can only be used with --mark";
	if (cfg->mark && memcmp(&plain, cfg, sizeof(plain)))
		return "--mark: records nothing; only --pid and -q can be used with it";
	return NULL;
}

static const char *wrong_net_only(const struct config *cfg)
{
	if (cfg->net_only && !strcmp(cfg->exact, "off"))
		return "--net-only: needs exact times; leave out --exact=off";
	if (cfg->net_only && !strcmp(cfg->exact, "calls"))
		return "--net-only: needs exact times of sends and receives; use --exact=entry";
	if (cfg->net_only && !cfg->hz)
		return "--net-only: needs samples; leave out -F 0";
	return NULL;
}

static const char *wrong_processes(const struct config *cfg)
{
	if (cfg->processes && !strcmp(cfg->exact, "off"))
		return "--processes: needs exact times; leave out --exact=off";
	return NULL;
}

#define MOST_EVERY 100000
#define STAGES_EVERY 64 /* packets, if nothing else is said */

/* "1/N"; 0: it is something else. */
static unsigned long one_in(const char *text)
{
	unsigned long n;
	char *end;

	if (strncmp(text, "1/", 2) || text[2] < '0' || text[2] > '9')
		return 0;
	n = strtoul(text + 2, &end, 10);
	return *end || n > MOST_EVERY ? 0 : n;
}

/* Likewise. */
static const char *set_owners(struct config *cfg)
{
	if (!cfg->owners)
		return NULL;
	if (!strcmp(cfg->exact, "off"))
		return "--owners: needs exact times; leave out --exact=off";
	cfg->processes = true;
	cfg->owners_every = *cfg->owners ? one_in(cfg->owners) : 1;
	return cfg->owners_every ? NULL :
				   "--owners: give nothing, or one softirq in 1 to 100000: 1/N";
}

static const char *set_stages(struct config *cfg)
{
	if (!cfg->stages)
		return NULL;
	cfg->stages_every = *cfg->stages ? one_in(cfg->stages) : STAGES_EVERY;
	return cfg->stages_every ? NULL :
				   "--stages: give nothing, or one packet in 1 to 100000: 1/N";
}

static const char *set_rotate(struct config *cfg)
{
	const char *wrong;

	if (!cfg->rotate && cfg->keep)
		return "--keep: can only be used with --rotate";
	if (!cfg->rotate)
		return cfg->post ? "--post: can only be used with --rotate" : NULL;
	wrong = series_parse(&cfg->every, cfg->rotate);
	if (!wrong && cfg->post && !*cfg->post)
		wrong = "--post: give a command";
	return wrong ? wrong : series_wrong(cfg->output);
}

#define BUDGET_PPM 3000 /* of exact times, if nothing else is asked for */

/* Says what is wrong; otherwise NULL. */
static const char *set_budget(struct config *cfg)
{
	bool none = cfg->budget && !strcmp(cfg->budget, "none");
	double percent;
	char *end;

	if (!cfg->budget && !*cfg->exact && cfg->hz && !cfg->net_only && !cfg->processes)
		cfg->budget_ppm = BUDGET_PPM;
	if (!cfg->budget || none)
		return NULL;
	percent = strtod(cfg->budget, &end);
	if (end == cfg->budget || *end || !(percent >= 0.01 && percent <= 100))
		return "--budget: give percent of a CPU's time, from 0.01 to 100, or none";
	if (cfg->net_only)
		return "--net-only: needs exact times all the time; leave out --budget";
	cfg->budget_ppm = (unsigned long)(percent * 10000 + 0.5);
	cfg->budget_all = true;
	return NULL;
}

static int mark(const struct config *cfg)
{
	int err = mark_send(cfg->mark, cfg->mark_pid, cfg->quiet);

	return err == -EINVAL ? EXIT_USAGE : err ? EXIT_FAILED : EXIT_OK;
}

static int run(const struct config *cfg)
{
	struct session *s;
	int err = session_prepare(&s, cfg);

	if (!err)
		err = cfg->check ? session_report_check(s) : session_record(s);
	session_free(s);
	if (err == -EMFILE)
		msg("raise the limit of open files (ulimit -Hn); a recording needs 100, and 4 for each CPU");
	return err == ERR_USAGE ? EXIT_USAGE : err ? EXIT_FAILED : EXIT_OK;
}

/* A sampler has two for each CPU, which on large hosts is more than the usual limit. Returns that. */
static unsigned long allow_many_files(void)
{
	struct rlimit limit;
	rlim_t had;

	if (getrlimit(RLIMIT_NOFILE, &limit))
		return 0;
	had = limit.rlim_cur;
	limit.rlim_cur = limit.rlim_max;
	setrlimit(RLIMIT_NOFILE, &limit);
	return had;
}

int main(int argc, char **argv)
{
	struct config cfg = defaults;
	const char *wrong;
	char why[256];
	bool help = false;
	int first =
		options_parse(options, NOPTIONS, &cfg, argc, argv, false, &help, why, sizeof(why));

	if (first < 0) {
		msg("%s", why);
		return EXIT_USAGE;
	}
	if (help) {
		usage(stdout);
		return EXIT_OK;
	}
	if (cfg.version) {
		puts("netcost-record " NETCOST_VERSION);
		return EXIT_OK;
	}
	if (first < argc)
		cfg.command = argv + first;
	wrong = wrong_mark(&cfg);
	if (!wrong)
		wrong = wrong_net_only(&cfg);
	if (!wrong)
		wrong = wrong_processes(&cfg);
	if (!wrong)
		wrong = set_rotate(&cfg);
	if (!wrong)
		wrong = set_owners(&cfg);
	if (!wrong)
		wrong = set_stages(&cfg);
	if (!wrong)
		wrong = set_budget(&cfg);
	cfg.latency |= cfg.latency_by || cfg.latency_only || cfg.tail;
	if (!*cfg.exact && (cfg.net_only || !cfg.hz))
		cfg.exact = "entry"; /* no samples to take times from */
	if (wrong) {
		msg("%s", wrong);
		return EXIT_USAGE;
	}
	cfg.files = allow_many_files();
	return cfg.mark ? mark(&cfg) : run(&cfg);
}
