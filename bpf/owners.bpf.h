/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * owners.bpf.h: the attach points of --owners, which src/record/exact/ladder.c selects. Packets are identified by BTF
 * tracepoints. A kernel may lack the tracepoints that identify a packet's socket. Then probes of functions do it and, if
 * the kernel refuses them, the task that the packet wakes. Included by netcost.bpf.c.
 */
#ifndef NETCOST_OWNERS_BPF_H
#define NETCOST_OWNERS_BPF_H

/*
 * The receiver of a socket, for the life of the socket. A socket that accept() returns inherits the receiver of the
 * listening socket.
 */
struct {
	__uint(type, BPF_MAP_TYPE_SK_STORAGE);
	__uint(map_flags, BPF_F_NO_PREALLOC | BPF_F_CLONE);
	__type(key, int);
	__type(value, struct netcost_owner);
} owner_of SEC(".maps");

/* Returns the state of this CPU. The time of the programs below is charged to the event that is in progress. */
static __always_inline struct netcost_cpu *owners_cpu(void)
{
	struct netcost_cpu *c = this_cpu();

	if (c)
		count_run(c, NETCOST_PROBE_OWNERS, event_now(c));
	return c;
}

/* ---- packets ------------------------------------------------------------------------------- */

SEC("tp_btf/netif_receive_skb")
int BPF_PROG(owners_receive, struct sk_buff *skb)
{
	struct netcost_cpu *c = owners_cpu();

	if (c)
		owners_packet(c, (__u64)skb, skb->hash);
	return 0;
}

#define OWNERS_GRO(name, tracepoint)                                                               \
	SEC("tp_btf/" #tracepoint) int name(void *ctx)                                             \
	{                                                                                          \
		struct netcost_cpu *c = owners_cpu();                                              \
                                                                                                   \
		if (c)                                                                             \
			owners_gro_got(c);                                                         \
		return 0;                                                                          \
	}
OWNERS_GRO(owners_gro, napi_gro_receive_exit)
OWNERS_GRO(owners_gro_frags, napi_gro_frags_exit)

/*
 * Returns true if the driver runs an XDP program for this device. The XDP program of a bond, or of a device with a
 * virtual function, runs in the lower devices, but the state of the lower devices does not show it.
 */
static __always_inline bool runs_xdp(const struct napi_struct *napi)
{
	struct net_device *dev = BPF_CORE_READ(napi, dev);

	return dev && (BPF_CORE_READ(dev, xdp_state[XDP_MODE_DRV].prog) ||
		       BPF_CORE_READ(dev, xdp_state[XDP_MODE_DRV].link) ||
		       BPF_CORE_READ(dev, flags) & IFF_SLAVE);
}

SEC("tp_btf/napi_poll")
int BPF_PROG(owners_poll, struct napi_struct *napi, int packets)
{
	struct netcost_cpu *c = owners_cpu();
	__u32 missing;

	if (!c)
		return 0;
	missing = owners_missing(&c->owners, packets);
	owners_poll_ends(c, packets, missing && runs_xdp(napi) ? missing : 0);
	return 0;
}

/* ---- dispositions of packets --------------------------------------------------------------- */

/*
 * Marks a packet that reached a socket: see owners_mark_socket(). If the previous packet reached the same socket, the
 * receiver is known already. The sockets are compared by their storage, because another socket may be allocated at the
 * address of a freed socket. The storage is freed only after an RCU grace period, and no grace period ends on this CPU
 * within a softirq or a poll. So equal storage means the same socket.
 */
static __always_inline void mark_owner(struct netcost_cpu *c, struct sock *sk, __u64 packet,
				       bool again)
{
	__u64 storage = (__u64)UNTRUSTED(sock, sk, hooks_cast)->sk_bpf_storage;
	struct netcost_owners *o = &c->owners;

	if (storage && storage == o->key_of && !list_is_on(o)) {
		owners_mark_same(o);
		return;
	}
	owners_mark_socket(c, bpf_sk_storage_get(&owner_of, sk, 0, 0), packet, again);
	if (o->fate == NETCOST_FATE_DIRECT)
		o->key_of = storage;
}

/*
 * Marks the packet that reached `sk`. The packets of a list pass the taps before the list is delivered, so a tap's mark
 * would be mistaken for a delivery. A TCP packet may already have a mark by owners_tcp.
 */
static __always_inline void mark_socket(struct sock *sk)
{
	struct netcost_cpu *c = owners_cpu();

	if (!c || !owners_may_mark(c) || !sk)
		return;
	if (c->owners.listed && sk->__sk_common.skc_family == AF_PACKET)
		return;
	mark_owner(c, sk, 0, sk->sk_protocol == IPPROTO_TCP);
	c->owners.tap = sk->__sk_common.skc_family == AF_PACKET;
}

SEC("tp_btf/sk_data_ready")
int BPF_PROG(owners_data_ready, struct sock *sk)
{
	mark_socket(sk);
	return 0;
}

/*
 * Replaces the tracepoint sk_data_ready on kernels that lack it (before 6.3). Attached to the caller of the tracepoint,
 * sock_def_readable().
 */
SEC("fentry")
int BPF_PROG(owners_readable, struct sock *sk)
{
	mark_socket(sk);
	return 0;
}

/*
 * This tracepoint reports not only the socket, but also the packet. Outside of softirqs, it fires for packets that had
 * to wait because their socket was in use. In that case the program stores the receiver of the flow.
 */
SEC("tp_btf/tcp_probe")
int BPF_PROG(owners_tcp, struct sock *sk, struct sk_buff *skb)
{
	struct netcost_cpu *c = owners_cpu();
	struct netcost_owner *owner;

	if (!c)
		return 0;
	if (owners_may_mark(c)) {
		mark_owner(c, sk, (__u64)skb, false);
		return 0;
	}
	if (c->softirq_start)
		return 0;
	owner = bpf_sk_storage_get(&owner_of, sk, 0, 0);
	if (owner && owner->process)
		flow_learn(skb->hash, owner);
	return 0;
}

/*
 * Marks a received packet as forwarded if the same packet is sent on. A reply is another packet, and marks nothing.
 * Most sent packets come from tasks, for which this program returns early.
 */
SEC("tp_btf/net_dev_queue")
int BPF_PROG(owners_forward, struct sk_buff *skb)
{
	struct netcost_cpu *c = owners_cpu();
	const __u64 *name;
	__u64 first, second;

	if (!c || !owners_may_mark(c) || !owners_has(&c->owners, (__u64)skb))
		return 0;
	name = (const __u64 *)skb->dev->name; /* read once: see UNTRUSTED() */
	first = name[0];
	second = name[1];
	/* the interface is identified by name, because interface numbers repeat in other network namespaces */
	owners_mark_fate(c, (__u64)skb, NETCOST_FATE_FORWARDED,
			 ((first ^ second * 31) * 0x9e3779b97f4a7c15ull) >> 32, first, second);
	return 0;
}

SEC("tp_btf/kfree_skb")
int BPF_PROG(owners_drop, struct sk_buff *skb, void *location, __u32 reason)
{
	struct netcost_cpu *c = owners_cpu();

	if (c && owners_may_mark(c))
		owners_mark_fate(c, (__u64)skb, NETCOST_FATE_DROPPED, reason, 0, 0);
	return 0;
}

static __always_inline void owner_is(struct netcost_owner *owner, struct task_struct *task,
				     bool casts)
{
	owner->process = task->tgid;
	owner->cgroup = cgroup_of(task, casts);
}

SEC("tp_btf/sched_waking")
int BPF_PROG(owners_waking, struct task_struct *task)
{
	struct netcost_cpu *c = owners_cpu();
	struct netcost_owner woken = { 0 };

	if (!c || !owners_may_mark(c) || c->hardirq_start || task->flags & PF_KTHREAD)
		return 0;
	owner_is(&woken, task, hooks_cast);
	owners_mark_woken(&c->owners, &woken);
	return 0;
}

/* ---- receivers of sockets ------------------------------------------------------------------ */

/* Sets the receiver of a socket. If `first` is set, an existing receiver is kept. */
static __always_inline void owner_set(struct sock *sk, struct task_struct *task, bool first)
{
	struct netcost_owner now = { 0 }, *owner;

	if (first && sk->sk_bpf_storage && bpf_sk_storage_get(&owner_of, sk, 0, 0))
		return;
	owner_is(&now, task, hooks_cast);
	owner = bpf_sk_storage_get(&owner_of, sk, &now, BPF_LOCAL_STORAGE_GET_F_CREATE);
	if (owner && (owner->process != now.process || owner->cgroup != now.cgroup)) {
		owner->process = now.process;
		owner->cgroup = now.cgroup;
	}
}

/*
 * Makes the current process the receiver of a socket. In a softirq, the current task is unrelated to the socket.
 * Usually the receiver stays the same. So the receiver is first compared with the process that was last switched in.
 * This costs less than looking up the current task's process. If that switch was missed, the next call corrects the
 * receiver.
 */
static __always_inline void owner_is_current(const struct netcost_cpu *c, struct sock *sk,
					     bool first)
{
	struct netcost_owner *owner;

	if (!c || !sk || c->softirq_start)
		return;
	owner = bpf_sk_storage_get(&owner_of, sk, 0, 0);
	if (owner && (first || (owner->process == c->told.running.process &&
				owner->cgroup == c->told.running.cgroup)))
		return;
	owner_set(sk, bpf_get_current_task_btf(), false);
}

/*
 * A process that sends becomes the receiver of a socket that has no receiver yet, so that the reply is charged to this
 * process. If messages are counted, the programs that count messages call these macros, too, because entering another
 * program would cost more than the work of the macros.
 */
#define OWNER_SENDS(c, sk) owner_is_current(c, sk, true)
#define OWNER_RECEIVES(c, sk) owner_is_current(c, sk, false)

SEC("tp_btf/sock_recv_length")
int BPF_PROG(owners_received, struct sock *sk)
{
	OWNER_RECEIVES(owners_cpu(), sk);
	return 0;
}

SEC("tp_btf/sock_send_length")
int BPF_PROG(owners_sent, struct sock *sk)
{
	OWNER_SENDS(owners_cpu(), sk);
	return 0;
}

/*
 * These programs replace the tracepoint sock_recv_length on kernels without this tracepoint. They are attached to
 * inet_recvmsg() and inet6_recvmsg().
 */
#define OWNERS_RECVMSG(name)                                                                       \
	SEC("fentry") int BPF_PROG(name, struct socket *sock)                                      \
	{                                                                                          \
		OWNER_RECEIVES(owners_cpu(), sock->sk);                                            \
		return 0;                                                                          \
	}
OWNERS_RECVMSG(owners_recvmsg)
OWNERS_RECVMSG(owners_recvmsg6)

/*
 * Makes a process that calls listen() or connect() the receiver of the socket. Any other change of state is caused by a
 * packet, which is marked.
 */
SEC("tp_btf/inet_sock_set_state")
int BPF_PROG(owners_state, struct sock *sk, int before, int state)
{
	if (state == TCP_LISTEN || state == TCP_SYN_SENT)
		OWNER_RECEIVES(owners_cpu(), sk);
	else
		mark_socket(sk);
	return 0;
}

/*
 * Finds the receivers of sockets that were opened before the recording: the receiver is a process that has the socket
 * open.
 */
struct bpf_iter__task_file {
	void *meta;
	struct task_struct *task;
	__u32 fd;
	struct file *file;
};

SEC("iter/task_file")
int owners_fill(struct bpf_iter__task_file *ctx)
{
	struct task_struct *task = ctx->task;
	struct file *file = ctx->file;
	struct socket *sock;
	struct sock *sk;

	if (!task || !file)
		return 0;
	sock = bpf_sock_from_file(file);
	if (!sock)
		return 0;
	sk = sock->sk;
	if (sk)
		owner_set(sk, task, true);
	return 0;
}

#endif
