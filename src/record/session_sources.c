// SPDX-License-Identifier: BSD-2-Clause
/* What a session's trace says of where its data are from: the SOURCE records. */
#include "session_impl.h"

#include <stdio.h>
#include <string.h>

#include <netcost/trace.h>

#include "cgroups.h"
#include "mark.h"
#include "online.h"
#include "procfs.h"
#include "programs.h"
#include "sampler.h"
#include "source.h"
#include "symbols.h"

/* perf gives thread ids as the recorder's pid namespace has them, and 0 for a task outside of it. */
static const char *pid_namespace_why(void)
{
	if (procfs_initial_pids())
		return "";
	return "recorded inside a pid namespace: tasks outside of it have the id 0, as the idle tasks have";
}

/* Said when the recording begins, and again when it ends and more is known. */
int session_write_marks_source(struct session *s)
{
	const char *why = marks_why(s->marks);
	char refused[160];

	if (*why)
		return source_put(s->w, "marks", "refused", "SIGUSR1", why);
	marks_refused(s->marks, refused, sizeof(refused));
	return source_put(s->w, "marks", "measured", "--mark, SIGUSR1", refused);
}

/* Where the kernel lets no program run inside another it takes no sample, and counts none. */
#define BPF_WHY "what hits another BPF program is neither taken nor counted"

/* The same holds for samples. */
int session_write_samples_source(struct session *s)
{
	bool bpf = !strcmp(s->cfg->sampler, "bpf");
	char why[240] = "", via[64];
	unsigned int holes = 0;
	uint64_t ns = 0;

	snprintf(via, sizeof(via), "%s %s%s", s->cfg->sampler, s->cfg->event,
		 s->cfg->net_only ? ", inside the network only" : "");
	if (!s->sampler)
		return source_put(s->w, "samples", "off", via, "-F 0");
	for (unsigned int i = 0; i < s->cpus.n; i++) {
		uint64_t hole = sampler_loss(s->sampler, i).unsampled_ns;

		ns += hole;
		holes += hole > 0;
	}
	if (holes)
		snprintf(
			why, sizeof(why),
			"no samples for %.3f s of %u CPU%s that went offline, until a tick found %s back%s",
			(double)ns / 1e9, holes, holes == 1 ? "" : "s", holes == 1 ? "it" : "them",
			bpf ? "; " BPF_WHY : "");
	return source_put(s->w, "samples", "measured", via, holes ? why : bpf ? BPF_WHY : "");
}

/* CPUs that -C left out are nobody's concern. */
int session_write_cpus_source(struct session *s)
{
	const char *late = s->cfg->cpus ? "" : online_late(s->online_now);
	char why[200] = "";

	if (*late)
		snprintf(why, sizeof(why), "CPU %s came online while recording: in no figure",
			 late);
	return source_put(s->w, "cpus", "measured", ONLINE_CPUS, why);
}

static int write_programs_source(struct session *s)
{
	struct source_status st;

	programs_status(s->programs, &st);
	return source_put(s->w, "programs", st.state, st.via, st.why);
}

int session_write_sources(struct session *s)
{
	bool sampled = s->sampler, hidden = sampled && symbols_hidden(s->symbols);
	const char *exact = s->exact ? "measured" : s->exact_why[0] ? "refused" : "off";
	const char *exact_why = s->exact || s->exact_why[0] ? s->exact_why : "--exact=off";
	const struct {
		bool there;
		const char *name, *state, *via, *why;
	} own[] = {
		{ sampled, "tasks", "measured", "perf, /proc", pid_namespace_why() },
		{ sampled, "cgroups", s->cgroups ? "measured" : "absent",
		  s->cgroups ? cgroups_via(s->cgroups) : "",
		  s->cgroups ? cgroups_why(s->cgroups) : CGROUPS_ABSENT },
		{ sampled, "symbols", hidden ? "refused" : "measured",
		  sampled ? symbols_via(s->symbols) : "",
		  hidden ? "addresses are hidden: kernel.kptr_restrict, or no CAP_SYSLOG" : "" },
		{ true, "exact", exact, "bpf", exact_why },
		{ s->exact, "self-test", s->selftest.why[0] ? "refused" : "measured",
		  "calls of the recorder's own", s->selftest.why },
		{ s->exact, "witness", s->ladder.witness ? "measured" : "absent",
		  "sock_send_length, sock_recv_length", s->ladder.witness_why },
	};
	int err = session_write_cpus_source(s);

	if (!err)
		err = session_write_samples_source(s);

	for (size_t i = 0; i < sizeof(own) / sizeof(own[0]) && !err; i++)
		if (own[i].there)
			err = source_put(s->w, own[i].name, own[i].state, own[i].via, own[i].why);
	if (!err)
		err = session_write_marks_source(s);
	if (!err && s->programs)
		err = write_programs_source(s);
	return err ? err : sources_write(s->sources, s->w);
}
