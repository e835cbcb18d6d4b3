// SPDX-License-Identifier: BSD-2-Clause
/*
 * beside empty|idle|calls|netto|probe-TYPE[,...] COMMAND [ARGS]: runs COMMAND while BPF programs
 * are attached. netto: the programs of netto.bpf.c. The others are programs of empty.bpf.c: idle
 * has those in place of --owners, calls has those in place of --latency, and empty has all others.
 * probe-TYPE: that program of probes.bpf.c. Netto's fentry programs are omitted if the kernel
 * refuses fentry; stderr has "beside: no fentry" then.
 */
#include <linux/perf_event.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <bpf/libbpf.h>

#include "tests/bench/empty.skel.h"
#include "tests/bench/netto.skel.h"
#include "tests/bench/probes.skel.h"

#define NETTO_HZ 1000 /* the rate that the paper uses */

/* The parts of empty.bpf.c, by the prefixes of their programs' names. */
static struct part {
	const char *name, *prefix, *other_prefix;
	struct empty_bpf *skel;
} parts[] = {
	{ .name = "empty", .prefix = "empty_", .other_prefix = "clock_" },
	{ .name = "idle", .prefix = "idle_" },
	{ .name = "calls", .prefix = "calls_" },
};
#define PARTS (sizeof(parts) / sizeof(parts[0]))

static struct netto_bpf *netto;
static struct probes_bpf *probes;

static int quiet(enum libbpf_print_level level, const char *format, va_list args)
{
	(void)level, (void)format, (void)args;
	return 0;
}

static bool begins(const char *name, const char *prefix)
{
	return prefix && !strncmp(name, prefix, strlen(prefix));
}

static int add_part(struct part *p)
{
	struct bpf_program *prog;

	p->skel = empty_bpf__open();
	if (!p->skel)
		return 1;
	bpf_object__for_each_program (prog, p->skel->obj) {
		const char *name = bpf_program__name(prog);

		bpf_program__set_autoload(prog,
					  begins(name, p->prefix) || begins(name, p->other_prefix));
	}
	return empty_bpf__load(p->skel) || empty_bpf__attach(p->skel);
}

/* ---- Netto ---------------------------------------------------------------------------------- */

static int load_netto(bool fentry)
{
	netto = netto_bpf__open();
	if (!netto)
		return 1;
	bpf_program__set_autoload(netto->progs.netto_send_begin, fentry);
	bpf_program__set_autoload(netto->progs.netto_send_end, fentry);
	bpf_program__set_autoload(netto->progs.netto_recv_begin, fentry);
	bpf_program__set_autoload(netto->progs.netto_recv_end, fentry);
	if (!netto_bpf__load(netto) && !netto_bpf__attach(netto))
		return 0;
	netto_bpf__destroy(netto);
	netto = NULL;
	return 1;
}

static int sample_on(int cpu)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_SOFTWARE,
		.size = sizeof(attr),
		.config = PERF_COUNT_SW_CPU_CLOCK,
		.freq = 1,
		.sample_freq = NETTO_HZ,
	};
	long fd = syscall(SYS_perf_event_open, &attr, -1, cpu, -1, PERF_FLAG_FD_CLOEXEC);

	return fd < 0 || !bpf_program__attach_perf_event(netto->progs.netto_sample, (int)fd);
}

static int add_netto(void)
{
	int err = load_netto(true);

	if (err) {
		fprintf(stderr, "beside: no fentry\n");
		err = load_netto(false);
	}
	for (int cpu = 0; !err && cpu < libbpf_num_possible_cpus(); cpu++)
		err = sample_on(cpu);
	return err;
}

/* ---- types of probes ------------------------------------------------------------------------ */

#define PROBE "probe-"

static int add_probe(const char *type)
{
	struct bpf_program *prog;
	bool found = false;

	probes = probes_bpf__open();
	if (!probes)
		return 1;
	bpf_object__for_each_program (prog, probes->obj) {
		bool wanted = !strcmp(bpf_program__name(prog), type);

		bpf_program__set_autoload(prog, wanted);
		found |= wanted;
	}
	return !found || probes_bpf__load(probes) || probes_bpf__attach(probes);
}

/* ---- the command ---------------------------------------------------------------------------- */

static int add(const char *name)
{
	for (size_t i = 0; i < PARTS; i++) {
		if (!strcmp(name, parts[i].name))
			return add_part(&parts[i]);
	}
	if (!strcmp(name, "netto"))
		return add_netto();
	return begins(name, PROBE) ? add_probe(name + strlen(PROBE)) : 1;
}

static int attach(char *names)
{
	int err = 0;

	for (char *name = strtok(names, ","); name && !err; name = strtok(NULL, ","))
		err = add(name);
	return err;
}

static int run(char **argv)
{
	pid_t pid = fork();
	int status = 1;

	if (!pid) {
		execvp(argv[0], argv);
		_exit(127);
	}
	return pid < 0 || waitpid(pid, &status, 0) < 0 || status;
}

int main(int argc, char **argv)
{
	int err;

	libbpf_set_print(quiet);
	err = argc < 3 || attach(argv[1]);
	if (err)
		fprintf(stderr, "beside: cannot attach the programs\n");
	else
		err = run(argv + 2);
	netto_bpf__destroy(netto);
	for (size_t i = 0; i < PARTS; i++)
		empty_bpf__destroy(parts[i].skel);
	probes_bpf__destroy(probes);
	return err;
}
