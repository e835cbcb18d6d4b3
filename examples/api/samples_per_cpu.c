// SPDX-License-Identifier: BSD-2-Clause
/*
 * The trace library in a program of your own: how many samples does a trace hold of each CPU, and how many of
 * them are user code? After `make install`:
 *
 *	cc samples_per_cpu.c $(pkg-config --cflags --libs netcost-trace) -o samples_per_cpu
 *	./samples_per_cpu netcost.nct
 */
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

#include <netcost/trace.h>

struct counts {
	uint64_t samples, user;
};

/* A record of SAMPLES: the ids of their stacks, of which 0 is user code. */
static void count(const struct trace_record *rec, struct counts *cpu)
{
	uint64_t number = trace_record_uint(rec, TRACE_SAMPLES_CPU, TRACE_MAX_CPU), id;
	struct trace_column stacks = trace_record_column(rec, TRACE_SAMPLES_STACK);

	if (number >= TRACE_MAX_CPU) /* a trace can hold anything */
		return;
	while (trace_column_uint(&stacks, &id)) {
		cpu[number].samples++;
		cpu[number].user += id == 0;
	}
}

int main(int argc, char **argv)
{
	static struct counts cpu[TRACE_MAX_CPU];
	struct trace_reader *r;
	struct trace_record rec;
	int fd = argc == 2 ? open(argv[1], O_RDONLY) : -1, more;

	if (fd < 0 || trace_reader_new(&r, fd)) {
		fprintf(stderr, "usage: samples_per_cpu FILE\n");
		return 2;
	}
	while ((more = trace_reader_next(r, &rec)) > 0)
		if (rec.type == TRACE_SAMPLES)
			count(&rec, cpu);
	if (trace_reader_status(r)->problem) /* cut, damaged, no trace at all … */
		fprintf(stderr, "%s: %s\n", argv[1], trace_reader_status(r)->what);
	for (unsigned int i = 0; i < TRACE_MAX_CPU; i++)
		if (cpu[i].samples)
			printf("cpu%u %llu %llu\n", i, (unsigned long long)cpu[i].samples,
			       (unsigned long long)cpu[i].user);
	trace_reader_free(r);
	close(fd);
	return more < 0;
}
