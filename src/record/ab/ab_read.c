// SPDX-License-Identifier: BSD-2-Clause
/*
 * Reads what the kernel counts of a process without any probe. Sums are over the process and its living descendants.
 * CPU time, calls and bytes of a process that has ended are in those of the parent that waited for it, so the sums stay
 * complete; context switches are not, so they are summed by thread.
 */
#include "ab_impl.h"

#include <dirent.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <netcost/array.h>

#include "record/base/clock.h"

static FILE *ab_open_file(const char *format, int pid, int tid)
{
	char path[64];

	snprintf(path, sizeof(path), format, pid, tid);
	return fopen(path, "re");
}

static int ab_push(struct ab_reading *r, pid_t pid)
{
	if (array_reserve(&r->todo, &r->todo_cap, r->ntodo + 1, sizeof(*r->todo)))
		return -ENOMEM;
	r->todo[r->ntodo++] = pid;
	return 0;
}

/* Returns the CPU time of the children for which the process waited, in ns. The kernel counts it in clock ticks. */
static double ab_waited_ns(pid_t pid)
{
	FILE *f = ab_open_file("/proc/%d/stat", pid, 0);
	unsigned long user = 0, system = 0;
	char text[1024], *end;
	size_t n = f ? fread(text, 1, sizeof(text) - 1, f) : 0;

	if (f)
		fclose(f);
	text[n] = '\0';
	end = strrchr(text, ')'); /* the name in front of it may contain anything */
	if (end)
		sscanf(end + 1, " %*c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %*u %*u %lu %lu",
		       &user, &system);
	return (double)(user + system) * 1e9 / (double)sysconf(_SC_CLK_TCK);
}

/* Adds the CPU time of all threads of a process, including those that have ended. */
static void ab_read_cpu(struct ab_reading *r, pid_t pid)
{
	struct timespec ts;
	clockid_t clock;

	if (clock_getcpuclockid(pid, &clock) || clock_gettime(clock, &ts))
		return; /* the process has just ended */
	r->v[AB_CPU_NS] += (double)ts.tv_sec * 1e9 + (double)ts.tv_nsec + ab_waited_ns(pid);
}

static void ab_read_io(struct ab_reading *r, pid_t pid)
{
	FILE *f = ab_open_file("/proc/%d/io", pid, 0);
	double bytes[2], calls[2];

	if (f && fscanf(f, "rchar: %lf wchar: %lf syscr: %lf syscw: %lf", &bytes[0], &bytes[1],
			&calls[0], &calls[1]) == 4) {
		r->v[AB_CALLS] += calls[0] + calls[1];
		r->v[AB_CALL_BYTES] += bytes[0] + bytes[1];
	} else if (!f && errno != ENOENT && errno != ESRCH) {
		r->v[AB_CALLS] = r->v[AB_CALL_BYTES] = NAN;
	}
	if (f)
		fclose(f);
}

/* Returns the value of a column of a file that has a line of names before each line of values. */
static double ab_column(const char *names, const char *values, const char *name)
{
	char word[64], value[64];
	int n, m;

	for (; sscanf(names, " %63s%n", word, &n) == 1 && sscanf(values, " %63s%n", value, &m) == 1;
	     names += n, values += m)
		if (!strcmp(word, name))
			return strtod(value, NULL);
	return NAN;
}

/* Reads the sum of two columns of IP version 4. */
static double ab_read_ip(pid_t pid, const char *format, const char *row, const char *in,
			 const char *out)
{
	FILE *f = ab_open_file(format, pid, 0);
	char names[4096], values[4096];
	double sum = NAN;

	while (f && fgets(names, sizeof(names), f) && fgets(values, sizeof(values), f))
		if (!strncmp(names, row, strlen(row)))
			sum = ab_column(names, values, in) + ab_column(names, values, out);
	if (f)
		fclose(f);
	return sum;
}

static void ab_read_network(struct ab_reading *r, pid_t pid)
{
	FILE *f = ab_open_file("/proc/%d/net/snmp6", pid, 0);
	char name[64];
	double v;

	r->v[AB_PACKETS] = ab_read_ip(pid, "/proc/%d/net/snmp", "Ip:", "InReceives", "OutRequests");
	r->v[AB_PACKET_BYTES] =
		ab_read_ip(pid, "/proc/%d/net/netstat", "IpExt:", "InOctets", "OutOctets");
	while (f && fscanf(f, "%63s %lf", name, &v) == 2)
		if (!strcmp(name, "Ip6InReceives") || !strcmp(name, "Ip6OutRequests"))
			r->v[AB_PACKETS] += v;
		else if (!strcmp(name, "Ip6InOctets") || !strcmp(name, "Ip6OutOctets"))
			r->v[AB_PACKET_BYTES] += v;
	if (f)
		fclose(f);
}

static int ab_read_thread(struct ab_reading *r, pid_t pid, pid_t tid)
{
	FILE *f = ab_open_file("/proc/%d/task/%d/status", pid, tid);
	struct ab_thread t = { .tid = tid };
	unsigned long long n;
	char line[512];
	int child, err = 0;

	while (f && fgets(line, sizeof(line), f)) {
		if (sscanf(line, "voluntary_ctxt_switches: %llu", &n) == 1)
			t.switches[0] = n;
		if (sscanf(line, "nonvoluntary_ctxt_switches: %llu", &n) == 1)
			t.switches[1] = n;
	}
	if (!f)
		return 0; /* the thread has just ended */
	fclose(f);
	if (array_reserve(&r->thread, &r->cap, r->n + 1, sizeof(*r->thread)))
		return -ENOMEM;
	r->thread[r->n++] = t;
	f = ab_open_file("/proc/%d/task/%d/children", pid, tid);
	while (f && !err && fscanf(f, "%d", &child) == 1)
		if (child != getpid()) /* the recorder belongs to no load */
			err = ab_push(r, child);
	if (f)
		fclose(f);
	return err;
}

static int ab_read_process(struct ab_reading *r, pid_t pid)
{
	char path[64];
	struct dirent *e;
	int err = 0;
	DIR *dir;

	ab_read_cpu(r, pid);
	ab_read_io(r, pid);
	snprintf(path, sizeof(path), "/proc/%d/task", pid);
	dir = opendir(path);
	while (dir && !err && (e = readdir(dir)))
		if (e->d_name[0] != '.')
			err = ab_read_thread(r, pid, atoi(e->d_name));
	if (dir)
		closedir(dir);
	return err;
}

static int ab_by_tid(const void *a, const void *b)
{
	return ((const struct ab_thread *)a)->tid - ((const struct ab_thread *)b)->tid;
}

int ab_read(struct ab_reading *r, pid_t process)
{
	int err;

	r->n = r->ntodo = 0;
	memset(r->v, 0, sizeof(r->v));
	r->at_ns = now_ns();
	ab_read_network(r, process);
	err = ab_push(r, process);
	while (!err && r->ntodo)
		err = ab_read_process(r, r->todo[--r->ntodo]);
	if (!err)
		qsort(r->thread, r->n, sizeof(*r->thread), ab_by_tid);
	return err;
}

size_t ab_rates(const struct ab_reading *from, const struct ab_reading *to, double *rate)
{
	double seconds = (double)(to->at_ns - from->at_ns) / 1e9, switches[2] = { 0 };
	size_t stayed = 0;

	for (size_t i = 0; i < to->n; i++) {
		const struct ab_thread *t = &to->thread[i];
		const struct ab_thread *before =
			!from->n ? NULL : bsearch(t, from->thread, from->n, sizeof(*t), ab_by_tid);

		stayed += before != NULL;
		for (int k = 0; k < 2; k++)
			switches[k] +=
				(double)(t->switches[k] - (before ? before->switches[k] : 0));
	}
	/* a sum decreases only if a process has left the descendants without being waited for */
	for (int k = 0; k < AB_COUNTERS; k++)
		rate[k] = to->v[k] >= from->v[k] ? (to->v[k] - from->v[k]) / seconds : NAN;
	rate[AB_SLEEPS] = switches[0] / seconds;
	rate[AB_PREEMPTIONS] = switches[1] / seconds;
	return from->n - stayed;
}

void ab_reading_free(struct ab_reading *r)
{
	free(r->thread);
	free(r->todo);
}
