/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * processes.h: counters by process and cgroup: see struct netcost_process_counts in wire.h. This code is part of
 * sched_switch, so nothing interrupts it.
 */
#ifndef NETCOST_PROCESSES_H
#define NETCOST_PROCESSES_H

#include "cgroup.h"
#include "config.h"
#include "cpu.h"
#include "pmu.h"

#ifndef PROCESS_ROW /* the unit tests define their own PROCESS_ROW */
/* The recorder maps this map. */
struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(map_flags, BPF_F_MMAPABLE);
	__uint(max_entries, 1); /* the recorder sets the real size */
	__type(key, __u32);
	__type(value, struct netcost_process);
} process_rows SEC(".maps");
__u32 processes_map; /* the half of the rows that is written; the recorder maps this variable */

#define PROCESS_ROW(index) bpf_map_lookup_elem(&process_rows, &(index))

static __always_inline bool process_takes_one(void)
{
	return *(volatile __u32 *)&processes_map;
}
#endif

static __always_inline void process_name(struct netcost_process *row,
					 const struct task_struct *leader)
{
	row->name[0] = ((const __u64 *)leader->comm)[0];
	row->name[1] = ((const __u64 *)leader->comm)[1];
}

/*
 * Stores the user of a process: the real uid and not the effective uid, which a file system may replace temporarily.
 * The credentials of the running thread exist as long as it runs. The threads of a process share their credentials
 * unless they ask the kernel for separate ones.
 */
static __always_inline void process_user(struct netcost_process *row, struct task_struct *task,
					 bool casts)
{
	row->user = UNTRUSTED(task_struct, task, casts)->real_cred->uid.val;
	row->is |= NETCOST_PROCESS_USER;
}

/*
 * Fills in a new row. If the thread is dead, it may be the last thread of its process, and the process leader may have
 * been freed already.
 */
static __always_inline void process_meet(struct netcost_process *row, struct task_struct *task,
					 bool casts)
{
	struct task_struct *leader;

	row->is = task->flags & PF_KTHREAD ? NETCOST_PROCESS_KERNEL : 0;
	process_user(row, task, casts);
	if (task->pid != task->tgid && task->exit_state)
		return;
	leader = UNTRUSTED(task_struct, task, casts)->group_leader;
	row->start_ns = leader->start_time;
	process_name(row, leader);
}

/*
 * Returns the place where the search for a process's row starts. The search continues within the CPU's rows and wraps
 * around.
 */
static __always_inline __u32 process_place(__u32 process, __u64 cgroup)
{
	return (process * 0x9e3779b1u ^ (__u32)cgroup * 0x85ebca6bu) >> 7;
}

/* Returns the row of the process on this CPU, or a free row, whose process is 0. Returns NULL if there is no room. */
static __always_inline struct netcost_process *process_find(const struct netcost_told *told,
							    __u32 half, __u32 *index)
{
	__u32 first = (half * processes_cpus + told->running.cpu) * processes_each;
	__u32 place = process_place(told->running.process, told->running.cgroup);
	struct netcost_process *row;

#pragma unroll
	for (__u32 way = 0; way < NETCOST_PROCESS_WAYS; way++) {
		*index = first + ((place + way) & (processes_each - 1));
		row = PROCESS_ROW(*index);
		if (!row)
			return 0;
		if (!row->key.process || (row->key.process == told->running.process &&
					  row->key.cgroup == told->running.cgroup))
			return row;
	}
	return 0;
}

static __always_inline void process_take(struct netcost_told *told, struct netcost_process *row,
					 __u32 half, __u32 index)
{
	row->key.cgroup = told->running.cgroup;
	row->key.process = told->running.process;
	row->next = told->taken[half & 1];
	told->taken[half & 1] = index + 1;
}

static __always_inline struct netcost_process *process_row(struct netcost_told *told,
							   struct task_struct *task, bool casts)
{
	__u32 half = process_takes_one(), index;
	struct netcost_process *row;

	if (told->half != half + 1) { /* the recorder has emptied this half since the last switch */
		told->half = half + 1;
		told->taken[half & 1] = 0;
	}
	row = process_find(told, half, &index);
	if (!row)
		return 0;
	if (!row->key.process) {
		process_take(told, row, half, index);
		if (task->pid)
			process_meet(row, task, casts);
	}
	if (!(task->flags & PF_EXITING) || task->pid != task->tgid)
		return row;
	process_name(row, task); /* the name is read again because exec may have changed it */
	process_user(row, task, casts);
	row->is |= NETCOST_PROCESS_ENDED;
	return row;
}

static __always_inline void process_comes(struct netcost_told *told, struct task_struct *task,
					  bool casts)
{
	told->running.process = task->tgid;
	told->running.cgroup = task->pid ? cgroup_of(task, casts) : 0;
}

/* Charges the increase of a counter since its last reading. */
#define TELL(field, counter)                                                                       \
	do {                                                                                       \
		__u64 now_ = (counter);                                                            \
		to->field += now_ - told->all.field;                                               \
		told->all.field = now_;                                                            \
	} while (0)

static __always_inline void tell_interrupts(struct netcost_cpu *c, struct netcost_told *told,
					    struct netcost_process_counts *to)
{
	if (told->softirq_seq != c->softirq_seq) {
		told->softirq_seq = c->softirq_seq;
		TELL(softirq_ns, c->softirq_ns);
		TELL(tx_ns, c->tx_ns);
		TELL(softirq_runs, c->softirq_runs);
		TELL(tx_runs, c->tx_runs);
	}
	if (hardirqs && told->hardirq_seq != c->hardirq_seq) {
		told->hardirq_seq = c->hardirq_seq;
		TELL(hardirq_ns, c->hardirq_ns);
		TELL(hardirq_runs, c->hardirq_runs);
	}
}

static __always_inline void tell_operations(struct netcost_cpu *c, struct netcost_told *told,
					    struct netcost_process_counts *to)
{
	told->op_seq = c->op_seq;
#pragma unroll
	for (int op = 0; op < NETCOST_PROCESS_OPS; op++) {
		const __u64 event = NETCOST_PROCESS_EVENT(op);

		/*
		 * Most tasks use one or two operations. Bytes may also change without a call, because each message of
		 * sendmmsg() adds its bytes.
		 */
		if (told->all.op[op].ns == c->op_ns[event] &&
		    told->all.op[op].calls == c->calls[event] &&
		    told->all.op[op].bytes == c->bytes[event])
			continue;
		TELL(op[op].ns, c->op_ns[event]);
		TELL(op[op].calls, c->calls[event]);
		TELL(op[op].failed, c->failed[event]);
		TELL(op[op].bytes, c->bytes[event]);
	}
	TELL(uncounted, c->uncounted[NETCOST_EV_SOCK_SEND] + c->uncounted[NETCOST_EV_SOCK_RECV] +
				c->uncounted[NETCOST_EV_SOCK_LOCAL]);
}

/*
 * Determines the process to which the interval that ends now belongs. Process 0 is the idle task. Normally the interval
 * belongs to the process that was switched in last. If another process is switched out now, a switch was missed, and
 * the interval may belong to both processes. (Linux 6.18 in a virtual machine misses some switches away from threads of
 * its init; the cause is not known.) The interval is charged to the process that is switched out. If that is the idle
 * task, the interval is charged to the process that was switched in last, because the CPU was not idle all the time.
 * Returns true if a switch was missed.
 */
static __always_inline bool process_goes(struct netcost_cpu *c, struct netcost_told *told,
					 struct task_struct *prev, bool casts)
{
	bool unseen = told->running.process != (__u32)prev->tgid;

	if (!c->seg_start)
		told->running.cpu = bpf_get_smp_processor_id();
	if (unseen && (prev->pid || !c->seg_start))
		process_comes(told, prev, casts);
	return unseen && c->seg_start;
}

/*
 * Charges the counters of the interval that ends now. Called after the CPU's time has been charged to `prev`. in_op:
 * set if `prev` was in an operation. In that case the counters of operations have changed even if no operation began or
 * ended.
 */
static __always_inline void processes_switch(struct netcost_cpu *c, struct task_struct *prev,
					     struct task_struct *next, bool in_op, bool casts)
{
	__u64 base = c->seg_base & (NETCOST_BASES - 1);
	struct netcost_told *told = &c->told;
	struct netcost_process_counts *to = &told->idle;
	struct netcost_pmu *pmu_to = &told->pmu_idle;
	bool unseen = process_goes(c, told, prev, casts);
	struct netcost_process *row;

	if (told->running.process) {
		row = process_row(told, prev, casts);
		to = row ? &row->counts : &told->rest;
		pmu_to = row ? &row->pmu : &told->pmu_rest;
		to->switches++;
		told->all.switches++;
		to->unseen += unseen;
		told->all.unseen += unseen;
	}
	TELL(own_ns[base], c->base_ns[base] - c->base_op_ns[base]);
	tell_interrupts(c, told, to);
	if (in_op || told->op_seq != c->op_seq)
		tell_operations(c, told, to);
	if (told->all.page_hits != c->page_hits)
		TELL(page_hits, c->page_hits);
	if (pmu_events)
		tell_pmu(told, pmu_to);
	process_comes(told, next, casts);
}

#endif
