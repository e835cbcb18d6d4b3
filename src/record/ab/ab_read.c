// SPDX-License-Identifier: BSD-2-Clause
/*
 * Reads what the kernel counts for a process without any probe. The sums include the living descendants of the process.
 * When a descendant has ended and its parent waits for it, the kernel adds the descendant's CPU time, calls and bytes
 * to the parent's counts. So these sums stay complete. The kernel does not add context switches, so the sum of context
 * switches is unknown if the set of threads changed.
 */
#include "ab_impl.h"

#include <dirent.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "record/base/clock.h"

#define TICK_NS 1e7 /* unit of CPU times in /proc/PID/stat: USER_HZ is 100 */

/*
 * A file in /proc/PID or /proc/PID/task/TID, and the scanf() format of one line. The line's one or two numbers are
 * added.
 */
struct ab_line {
	const char *file, *format;
	enum ab_counter to;
	double scale;
};

static const struct ab_line ab_of_process[] = {
	/* CPU time of the children that the process has waited for; the format begins after the name in parentheses */
	{ "stat", " %*c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %*u %*u %lf %lf", AB_CPU_NS,
	  TICK_NS },
	{ "io", "syscr: %lf", AB_CALLS, 1 },
	{ "io", "syscw: %lf", AB_CALLS, 1 },
	{ "io", "rchar: %lf", AB_CALL_BYTES, 1 },
	{ "io", "wchar: %lf", AB_CALL_BYTES, 1 },
};

static const struct ab_line ab_of_thread[] = {
	{ "status", "voluntary_ctxt_switches: %lf", AB_SLEEPS, 1 },
	{ "status", "nonvoluntary_ctxt_switches: %lf", AB_PREEMPTIONS, 1 },
};

static const struct ab_line ab_of_namespace[] = {
	{ "net/snmp", "Ip: %*d %*d %lf %*d %*d %*d %*d %*d %*d %lf", AB_PACKETS, 1 },
	{ "net/netstat", "IpExt: %*d %*d %*d %*d %*d %*d %lf %lf", AB_PACKET_BYTES, 1 },
	{ "net/snmp6", "Ip6InReceives %lf", AB_PACKETS, 1 },
	{ "net/snmp6", "Ip6OutRequests %lf", AB_PACKETS, 1 },
	{ "net/snmp6", "Ip6InOctets %lf", AB_PACKET_BYTES, 1 },
	{ "net/snmp6", "Ip6OutOctets %lf", AB_PACKET_BYTES, 1 },
};

#define LENGTH(a) (sizeof(a) / sizeof((a)[0]))

static void ab_add(struct ab_reading *r, enum ab_counter to, double v)
{
	r->v[to] = isnan(r->v[to]) ? v : r->v[to] + v;
}

/* Reads the lines of a table, grouped by file. A file adds nothing if it is missing, because the process has ended. */
static void ab_read_lines(struct ab_reading *r, const char *dir, const struct ab_line *line,
			  size_t n)
{
	for (size_t i = 0, next; i < n; i = next) {
		char path[320], text[4096];
		FILE *f;

		snprintf(path, sizeof(path), "%s/%s", dir, line[i].file);
		for (next = i + 1; next < n && !strcmp(line[next].file, line[i].file);)
			next++;
		f = fopen(path, "re");
		while (f && fgets(text, sizeof(text), f)) {
			const char *name_end = strrchr(text, ')');

			for (size_t k = i; k < next; k++) {
				double v[2] = { 0 };

				if (sscanf(name_end ? name_end + 1 : text, line[k].format, &v[0],
					   &v[1]) > 0)
					ab_add(r, line[k].to, (v[0] + v[1]) * line[k].scale);
			}
		}
		if (f)
			fclose(f);
	}
}

static void ab_read_process(struct ab_reading *r, pid_t pid)
{
	struct timespec ts;
	clockid_t clock;
	char path[320];
	struct dirent *e;
	DIR *dir;
	FILE *f;
	int child;

	/* this clock covers all threads of the process, including ended threads */
	if (!clock_getcpuclockid(pid, &clock) && !clock_gettime(clock, &ts))
		ab_add(r, AB_CPU_NS, (double)ts.tv_sec * 1e9 + (double)ts.tv_nsec);
	snprintf(path, sizeof(path), "/proc/%d", pid);
	ab_read_lines(r, path, ab_of_process, LENGTH(ab_of_process));
	snprintf(path, sizeof(path), "/proc/%d/task", pid);
	dir = opendir(path);
	while (dir && (e = readdir(dir))) {
		uint64_t id = strtoul(e->d_name, NULL, 10) * 0x9e3779b97f4a7c15;

		if (!id)
			continue;
		r->threads += id ^ id >> 31;
		snprintf(path, sizeof(path), "/proc/%d/task/%s", pid, e->d_name);
		ab_read_lines(r, path, ab_of_thread, LENGTH(ab_of_thread));
		snprintf(path, sizeof(path), "/proc/%d/task/%s/children", pid, e->d_name);
		f = fopen(path, "re");
		while (f && fscanf(f, "%d", &child) == 1)
			if (child != getpid()) /* the recorder is not part of the load */
				ab_read_process(r, child);
		if (f)
			fclose(f);
	}
	if (dir)
		closedir(dir);
}

void ab_read(struct ab_reading *r, pid_t process)
{
	char path[32];

	*r = (struct ab_reading){ .at_ns = now_ns() };
	for (int i = 0; i < AB_COUNTERS; i++)
		r->v[i] = NAN;
	snprintf(path, sizeof(path), "/proc/%d", process);
	ab_read_lines(r, path, ab_of_namespace, LENGTH(ab_of_namespace));
	ab_read_process(r, process);
}

void ab_rates(const struct ab_reading *from, const struct ab_reading *to, double *rate)
{
	double seconds = (double)(to->at_ns - from->at_ns) / 1e9;

	/* a sum decreases only if a descendant has ended and its parent did not wait for it */
	for (int i = 0; i < AB_COUNTERS; i++)
		rate[i] = to->v[i] >= from->v[i] ? (to->v[i] - from->v[i]) / seconds : NAN;
	if (from->threads != to->threads)
		rate[AB_SLEEPS] = rate[AB_PREEMPTIONS] = NAN;
}
