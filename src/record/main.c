// SPDX-License-Identifier: BSD-2-Clause
/* netcost-record: parses the command line and starts the requested action. */
#include <errno.h>
#include <limits.h>
#include <pwd.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include <netcost/latency.h>
#include <netcost/options.h>
#include <netcost/units.h>
#include <netcost/version.h>

#include "record/ab/ab.h"
#include "record/base/config.h"
#include "record/base/live.h"
#include "record/base/msg.h"
#include "record/base/output.h"
#include "record/base/privileges.h"
#include "record/base/series.h"
#include "record/mark/mark.h"
#include "record/session/session.h"

enum { EXIT_OK = 0, EXIT_FAILED = 1, EXIT_USAGE = 2 };

#define MOST_EVERY 100000
#define ALL_IN_BUDGET UINT64_MAX /* --owners without 1/1: as many softirqs as the budget allows */
#define BUDGET_NOT_GIVEN UINT64_MAX
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
	  .help = "write the trace to FILE (netcost.nct); - is stdout. An existing FILE is kept as FILE.old" },
	{ "rotate", 0, OPT_PARSED, FIELD(every), "WHEN",
	  .help = "begin a new file after this time, such as 30s, 5m, 1h or 1d, or this size, such as 500K, 64M or 2G. The time and a number are added to FILE's name; until a file is finished, its name ends with .part",
	  .parse = series_parse, .must_be = SERIES_EVERY },
	{ "keep", 0, OPT_UINT, FIELD(keep), "N",
	  .help = "with --rotate or --ring: keep the last N finished files, and delete older files of this recording (all are kept)",
	  .min = 1, .max = 1000000 },
	{ "post", 0, OPT_STR, FIELD(post), "COMMAND",
	  .help = "with --rotate or --ring: run the shell command COMMAND for each finished file, whose path is in $NETCOST_FILE. The commands run one at a time, in the background. If more than 64 files wait, some are skipped. Skipped files and failures are reported" },
	{ "ring", 0, OPT_PARSED, FIELD(ring), "HOW-MUCH",
	  .help = "keep only the latest part of the recording, in memory: a duration such as 30s or 5m, or a size such as 64M. Each cause (SIGUSR2, --mark or --trigger) writes this part as a trace; the time and a number are added to FILE's name",
	  .parse = series_parse, .must_be = SERIES_EVERY },
	{ "trigger", 0, OPT_STR, FIELD(trigger), "CONDITION,...",
	  .help = "with --ring: also write a trace after a tick in which one of these conditions is true: NAME>LIMIT or NAME<LIMIT, such as network>60%, cost>1% (cost of the recorder), drops>100/s or, with --latency, p99(tcp-socket-read)>5ms; NAME is a part of the CPU time, drops, packets, bytes, or a quantile of a checkpoint" },
	{ "before", 0, OPT_TIME, FIELD(before_ns), "TIME",
	  .help = "with --ring: begin each trace at most this long before its cause (with all data in memory)",
	  .min = UNITS_MS, .max = 365 * 86400 * UNITS_SECOND, .plain = UNITS_SECOND },
	{ "after", 0, OPT_TIME, FIELD(after_ns), "TIME",
	  .help = "with --ring: end each trace this long after its cause (0)",
	  .max = 365 * 86400 * UNITS_SECOND, .plain = UNITS_SECOND },
	{ "cooldown", 0, OPT_TIME, FIELD(cooldown_ns), "TIME",
	  .help = "with --ring: after a cause has written a trace, ignore further causes for this long (1m)",
	  .max = 365 * 86400 * UNITS_SECOND, .plain = UNITS_SECOND },
	{ "max-memory", 0, OPT_SIZE, FIELD(max_memory), "SIZE",
	  .help = "with --ring: limit the memory to this size, even if it then holds less time than requested (256M)",
	  .min = 4ull * SERIES_LEAST_BYTES, .max = 1ull << 40 },
	{ "max-size", 0, OPT_SIZE, FIELD(max_size), "SIZE",
	  .help = "with --ring: delete the oldest traces of this recording when their total size exceeds this (all are kept)",
	  .min = SERIES_LEAST_BYTES, .max = 1ull << 40 },
	{ "duration", 'd', OPT_TIME, FIELD(duration_ns), "TIME",
	  .help = "stop after TIME, such as 90s, 5m or 1h30m, or a number of seconds",
	  .min = UNITS_MS, .max = 365 * 86400 * UNITS_SECOND, .plain = UNITS_SECOND },
	{ "frequency", 'F', OPT_UINT, FIELD(hz), "HZ",
	  .help = "stack samples per second on each CPU (999); 0: none", .max = 1000000 },
	{ "interval", 'i', OPT_TIME, FIELD(tick_ns), "TIME",
	  .help = "read the counters every TIME, such as 500ms or 2s, or a number of milliseconds (1s)",
	  .min = UNITS_MS, .max = 60 * UNITS_SECOND, .plain = UNITS_MS },
	{ "cpu", 'C', OPT_CPULIST, FIELD(cpus), "CPULIST",
	  .help = "record only these CPUs, such as 0-3,8 (all online CPUs)" },
	{ "exact", 0, OPT_CHOICE, FIELD(exact), "MODE",
	  .help = "entry: exact times at the entry points of the network stack, by BPF; calls: the same, except that sends and receives are counted with their bytes, but not timed, which costs less; full: like entry, and also the parts of the RX softirq, which costs more; off: samples only (entry, or calls if entry would slow down every system call)",
	  .choices = exact_modes },
	{ "budget", 0, OPT_PERCENT, FIELD(budget_ppm), "PERCENT",
	  .help = "limit the overhead on each CPU to PERCENT of its time: expensive programs are attached only at intervals, and the sampling rate is reduced; none: no limit (1, but samples, and what --exact, --net-only, --owners=1/1 or --stages=1/1 request, are not limited)",
	  .min = UNITS_PERCENT / 100, .max = 100 * UNITS_PERCENT, .plain = UNITS_PERCENT,
	  .none = "none" },
	{ "event", 0, OPT_CHOICE, FIELD(event), "EVENT",
	  .help = "cpu-clock: take samples at equal intervals of time; cycles: at equal numbers of CPU cycles, if the CPU can count them (cpu-clock)",
	  .choices = events },
	{ "net-only", 0, OPT_FLAG, FIELD(net_only),
	  .help = "sample a CPU only while it runs network code, which the probes of the exact times detect; uses a BPF program" },
	{ "user-stacks", 0, OPT_FLAG, FIELD(user_stacks),
	  .help = "also sample user-space stacks, by frame pointers. In code without frame pointers, only the innermost function is recorded. Cannot be used with --net-only" },
	{ "processes", 0, OPT_FLAG, FIELD(processes),
	  .help = "also count by process and cgroup: on-CPU time, and everything that --exact measures" },
	{ "owners", 0, OPT_RATIO, FIELD(owners_every), "1/N",
	  .help = "charge received packets to the receiving processes, not to the interrupted processes: all packets, or the packets of one softirq in N; implies --processes",
	  .min = 1, .max = MOST_EVERY, .plain = ALL_IN_BUDGET },
	{ "latency", 0, OPT_FLAG, FIELD(latency),
	  .help = "record the latency of received and sent packets as histograms" },
	{ "latency-by", 0, OPT_CHOICE, FIELD(latency_by), "WHAT",
	  .help = "also record the latency separately by interface, cgroup or process; implies --latency",
	  .choices = latency_bys },
	{ "latency-only", 0, OPT_STR, FIELD(latency_only), "WHICH",
	  .help = "record the latency only of packets that match interface=NAME, netns=self|NAME|PATH|INODE, cgroup=PATH, pid=PID or queue=PACKETS (at least this number in the socket's queue). Several conditions, separated by commas, must all match; implies --latency" },
	{ "tail", 0, OPT_FLAG, FIELD(tail),
	  .help = "also record what the CPUs did while the slowest packets waited; implies --latency" },
	{ "stages", 0, OPT_RATIO, FIELD(stages_every), "1/N",
	  .help = "record the path of one packet in N through the host, from stage to stage (64)",
	  .min = 1, .max = MOST_EVERY, .plain = 64 },
	{ "peers", 0, OPT_UINT, FIELD(peers), "N",
	  .help = "count messages and bytes by peer: class of the peer's address (with --host-details, also the address), protocol and port. The first N peers (256) are counted separately, all other peers together; needs Linux 6.3",
	  .min = 1, .max = 4096, .plain = 256 },
	{ "live", 0, OPT_FLAG, FIELD(live),
	  .help = "show the last seconds of the recording while it runs, as netcost-report live does. The key q ends the recording, too; with -d, both end after that time. Output of COMMAND to the terminal is discarded" },
	{ "listen", 0, OPT_STR, FIELD(listen), "[ADDR:]PORT|unix:PATH",
	  .help = "serve the counters of the recording to Prometheus while it runs, as netcost-report export openmetrics --listen does: on 127.0.0.1 unless ADDR is given, such as 0.0.0.0 or [::]" },
	{ "check", 0, OPT_FLAG, FIELD(check),
	  .help = "print what this host supports, which probes would be attached, and why better methods are not available; record nothing" },
	{ "certify", 0, OPT_FLAG, FIELD(certify),
	  .help = "test the exact counting at the start and at the end: in a separate network namespace, send packets through a program that spins for a known time, and record whether all packets and all of this time are counted" },
	{ "ab", 0, OPT_TIME, FIELD(ab_ns), "TIME",
	  .help = "measure what a recording with the other options costs COMMAND, or the process of --pid, including descendants: in each of at least 10 rounds (with --pid: 10, or as many as -d allows), record for TIME and do not record for TIME, then print what changed. No trace is kept, but with -o that of the last phase",
	  .min = 100 * UNITS_MS, .max = 3600 * UNITS_SECOND, .plain = UNITS_SECOND },
	{ "host-details", 0, OPT_FLAG, FIELD(host_details),
	  .help = "store the host's name and the command line in the trace; with --stages or --peers, also store addresses" },
	{ "host-root", 0, OPT_STR, FIELD(host_root), "DIR",
	  .help = "find the names of containers and pods in files below DIR, for a recorder in a container that has "
		  "the host's root there (/)" },
	{ "mark", 0, OPT_STR, FIELD(mark), "TEXT",
	  .help = "mark this moment with TEXT in the running recordings; record nothing" },
	{ "pid", 0, OPT_UINT, FIELD(pid), "PID",
	  .help = "with --mark: mark only the recording of process PID; with --ab: measure process PID",
	  .min = 1, .max = INT_MAX },
	{ "user", 0, OPT_STR, FIELD(user), "NAME", .help = "run COMMAND as the user NAME" },
	{ "print-privileges", 0, OPT_FLAG, FIELD(privileges),
	  .help = "print the privileges of the recorder, their purposes, and when they are dropped" },
	{ "quiet", 'q', OPT_FLAG, FIELD(quiet), .help = "print only errors" },
	{ "version", 0, OPT_FLAG, FIELD(version), .help = "print the version" },
	{ "print-completion", 0, OPT_STR, FIELD(completion), "SHELL", .hidden = true },
	{ "print-man-options", 0, OPT_FLAG, FIELD(man_options), .hidden = true },
};

#define NOPTIONS (sizeof(options) / sizeof(options[0]))

static void usage(FILE *out)
{
	fputs("Usage: netcost-record [OPTIONS] [-- COMMAND [ARGUMENTS]]\n"
	      "\n"
	      "Records what networking costs this host, in CPU time and energy, into one trace file.\n"
	      "Runs until COMMAND ends, TIME is over, or Ctrl-C. Read it with netcost-report.\n"
	      "With --mark: marks this moment in the running recordings.\n"
	      "With --ab: measures what recording costs COMMAND or a process.\n"
	      "The exit status is that of COMMAND; 1 if the recording failed, 2 for wrong usage.\n"
	      "\n"
	      "Options, with defaults in parentheses and possible values in brackets:\n",
	      out);
	options_usage(out, options, NOPTIONS);
}

static const struct config defaults = { .output = "netcost.nct",
					/* empty: entry or calls, whichever is better on this host */
					.exact = "",
					.event = "cpu-clock",
					.host_root = "/",
					.hz = 999,
					.tick_ns = UNITS_SECOND,
					.cooldown_ns = 60 * UNITS_SECOND,
					.max_memory = 256 * UNITS_MIB,
					.budget_ppm = BUDGET_NOT_GIVEN };

/*
 * Checks that --mark and --pid are combined only with each other and with -q, because all other options are for a
 * recording.
 */
static const char *wrong_mark(const struct config *cfg)
{
	struct config plain = defaults;

	plain.quiet = cfg->quiet;
	plain.mark = cfg->mark;
	plain.pid = cfg->pid;
	if (cfg->pid && !cfg->mark && !cfg->ab_ns)
		return "--pid: can only be used with --mark or --ab";
	if (cfg->mark && memcmp(&plain, cfg, sizeof(plain)))
		return "--mark: records nothing; only --pid and -q can be used with it";
	return NULL;
}

/* Checks the option --ab, whose recordings are thrown away. */
static const char *wrong_ab(struct config *cfg)
{
	if (!cfg->ab_ns || cfg->mark)
		return NULL;
	if (!cfg->command == !cfg->pid)
		return "--ab: give a COMMAND, or the --pid of a process";
	if (cfg->check || cfg->live || cfg->every.ns || cfg->every.bytes ||
	    output_is_given(cfg->output))
		return "--ab: cannot be used with --check, --live, --rotate or -o -";
	if (cfg->output == defaults.output)
		cfg->output = "/dev/null";
	return NULL;
}

static const char *wrong_net_only(const struct config *cfg)
{
	if (cfg->user_stacks && cfg->net_only)
		return "--user-stacks: cannot be used with --net-only";
	if (cfg->user_stacks && !cfg->hz)
		return "--user-stacks: needs samples; leave out -F 0";
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

static const char *set_owners(struct config *cfg)
{
	if (cfg->owners_every && !strcmp(cfg->exact, "off"))
		return "--owners: needs exact times; leave out --exact=off";
	cfg->processes |= cfg->owners_every > 0;
	return NULL;
}

static const char *wrong_rotate(const struct config *cfg)
{
	bool rotate = cfg->every.ns || cfg->every.bytes || cfg->ring.ns || cfg->ring.bytes;

	if (!rotate && cfg->keep)
		return "--keep: can only be used with --rotate or --ring";
	if (!rotate)
		return cfg->post ? "--post: can only be used with --rotate or --ring" : NULL;
	if (cfg->post && !*cfg->post)
		return "--post: give a command";
	return series_wrong(cfg->output);
}

/*
 * Checks the option --ring. The ring consists of at least four pieces, so that it keeps at most a quarter more than
 * requested. A piece takes at most an eighth of the memory, because blackbox_write() leaves room for two pieces.
 */
static const char *set_ring(struct config *cfg)
{
	if (!cfg->ring.ns && !cfg->ring.bytes)
		return cfg->trigger || cfg->before_ns || cfg->after_ns || cfg->max_size ||
				       cfg->cooldown_ns != defaults.cooldown_ns ||
				       cfg->max_memory != defaults.max_memory ?
			       "--trigger, --before, --after, --cooldown, --max-memory and --max-size: can only be used with --ring" :
			       NULL;
	if (cfg->every.ns || cfg->every.bytes || cfg->live || cfg->listen || cfg->ab_ns)
		return "--ring: cannot be used with --rotate, --live, --listen or --ab";
	if (cfg->ring.bytes && cfg->ring.bytes < 4 * SERIES_LEAST_BYTES)
		return "--ring: a size is 256K or more";
	if (cfg->ring.bytes)
		cfg->max_memory = cfg->ring.bytes;
	if (cfg->ring.ns && cfg->before_ns > cfg->ring.ns)
		return "--before: is more than --ring keeps";
	if (!cfg->before_ns)
		cfg->before_ns = cfg->ring.ns ? cfg->ring.ns : UINT64_MAX / 2;
	cfg->every.ns = cfg->ring.ns ? cfg->ring.ns / 4 : 3600 * UNITS_SECOND;
	cfg->every.bytes = cfg->max_memory / 8;
	return NULL;
}

/* Checks the options --live, --listen and --ring. Also finds the program that they run. */
static const char *wrong_follow(struct config *cfg)
{
	static char path[PATH_MAX];

	if ((!cfg->live && !cfg->listen && !cfg->ring.ns && !cfg->ring.bytes) || cfg->mark ||
	    cfg->check)
		return NULL;
	if (output_is_given(cfg->output))
		return "--live and --listen follow a file; give -o FILE, and not - or a descriptor";
	if (cfg->live && !isatty(STDOUT_FILENO))
		return "--live: stdout is not a terminal; run netcost-report live FILE on a terminal instead";
	cfg->live_program = live_find(path);
	return cfg->live_program ?
		       NULL :
		       "--live, --listen and --ring: netcost-report is neither in the folder of this program nor in PATH";
}

static const char *wrong_user(const struct config *cfg)
{
	if (cfg->user && !cfg->command)
		return "--user: give a COMMAND";
	if (cfg->user && !getpwnam(cfg->user))
		return "--user: there is no such user";
	return NULL;
}

static const char *wrong_interval(const struct config *cfg)
{
	return cfg->tick_ns % UNITS_MS ? "--interval: give whole milliseconds" : NULL;
}

#define BUDGET_PPM 10000 /* default budget for everything that was not requested explicitly, ppm */

/*
 * Sets the budget. Everything that is requested explicitly is recorded all the time, unless there is a budget for the
 * whole recording.
 */
static const char *set_budget(struct config *cfg)
{
	bool given = cfg->budget_ppm != BUDGET_NOT_GIVEN, whole;

	whole = !given && (*cfg->exact || !cfg->hz || cfg->net_only || cfg->owners_every == 1);
	if (cfg->owners_every == ALL_IN_BUDGET)
		cfg->owners_every = 1;
	if (!given)
		cfg->budget_ppm = BUDGET_PPM;
	cfg->budget_all = given && cfg->budget_ppm > 0;
	if (cfg->budget_all && cfg->net_only)
		return "--net-only: needs exact times all the time; leave out --budget";
	cfg->exact_in_windows = cfg->budget_ppm && !whole;
	cfg->path_in_windows = cfg->budget_ppm &&
			       (cfg->latency || cfg->stages_every || cfg->peers) &&
			       (given || cfg->stages_every != 1);
	if (!cfg->exact_in_windows && !cfg->path_in_windows)
		cfg->budget_ppm = 0;
	return NULL;
}

static int mark(const struct config *cfg)
{
	int err = mark_send(cfg->mark, cfg->pid, cfg->quiet);

	return err == -EINVAL ? EXIT_USAGE : err ? EXIT_FAILED : EXIT_OK;
}

static int run(const struct config *cfg)
{
	struct session *s;
	int err = session_prepare(&s, cfg), status = EXIT_OK;

	if (!err)
		err = cfg->check ? session_report_check(s) : session_record(s, &status);
	session_free(s);
	if (err == -EMFILE)
		msg("raise the limit of open files (ulimit -Hn); a recording needs 100, plus 4 for each CPU");
	return err == ERR_USAGE ? EXIT_USAGE : err ? EXIT_FAILED : status;
}

/* Prints the table of options, for shells and man pages. */
static int print_options(const struct config *cfg)
{
	const struct options_command program = { .opts = options, .n = NOPTIONS };

	if (cfg->man_options)
		options_man(stdout, options, NOPTIONS);
	else if (!options_complete(stdout, cfg->completion, "netcost-record", &program, 1))
		msg("--print-completion: '%s' is not one of bash, zsh or fish", cfg->completion);
	else
		return EXIT_OK;
	return cfg->man_options ? EXIT_OK : EXIT_USAGE;
}

/*
 * Raises the limit on open files, and returns the old limit. A sampler opens two files per CPU, which exceeds the usual
 * limit on large hosts.
 */
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
	static struct config cfg; /* static, so that its pointers stay valid until the end */
	const char *wrong;
	char why[256];
	bool help = false;
	int first;

	cfg = defaults;
	first = options_parse(options, NOPTIONS, &cfg, argc, argv, false, &help, why, sizeof(why));

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
	if (cfg.privileges) {
		privileges_print();
		return EXIT_OK;
	}
	if (cfg.completion || cfg.man_options)
		return print_options(&cfg);
	if (first < argc)
		cfg.command = argv + first;
	cfg.latency |= cfg.latency_by || cfg.latency_only || cfg.tail;
	wrong = wrong_mark(&cfg);
	if (!wrong)
		wrong = wrong_ab(&cfg);
	if (!wrong)
		wrong = wrong_net_only(&cfg);
	if (!wrong)
		wrong = wrong_processes(&cfg);
	if (!wrong)
		wrong = wrong_rotate(&cfg);
	if (!wrong)
		wrong = set_ring(&cfg);
	if (!wrong)
		wrong = wrong_interval(&cfg);
	if (!wrong)
		wrong = wrong_user(&cfg);
	if (!wrong)
		wrong = wrong_follow(&cfg);
	if (!wrong)
		wrong = set_owners(&cfg);
	if (!wrong)
		wrong = set_budget(&cfg);
	if (!*cfg.exact && (cfg.net_only || !cfg.hz))
		/* times cannot be taken from samples, because there are no samples */
		cfg.exact = "entry";
	if (wrong) {
		msg("%s", wrong);
		return EXIT_USAGE;
	}
	cfg.files = allow_many_files();
	if (cfg.mark)
		return mark(&cfg);
	return cfg.ab_ns ? ab_run(&cfg, run) : run(&cfg);
}
