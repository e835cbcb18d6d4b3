/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * kernel_types.h: the few kernel types and fields that the programs use. libbpf relocates their
 * offsets for the running kernel (CO-RE), so that a build needs neither kernel headers nor BTF.
 */
#ifndef NETCOST_KERNEL_TYPES_H
#define NETCOST_KERNEL_TYPES_H

typedef signed char __s8;
typedef unsigned char __u8;
typedef short __s16;
typedef unsigned short __u16;
typedef int __s32;
typedef unsigned int __u32;
typedef long long __s64;
typedef unsigned long long __u64;
typedef __u16 __be16;
typedef __u32 __be32;
typedef __u32 __wsum;
typedef _Bool bool;
enum { false, true };

enum bpf_map_type {
	BPF_MAP_TYPE_HASH = 1,
	BPF_MAP_TYPE_ARRAY = 2,
	BPF_MAP_TYPE_PERF_EVENT_ARRAY = 4,
	BPF_MAP_TYPE_PERCPU_HASH = 5,
	BPF_MAP_TYPE_PERCPU_ARRAY = 6,
	BPF_MAP_TYPE_LRU_HASH = 9,
	BPF_MAP_TYPE_SK_STORAGE = 24,
	BPF_MAP_TYPE_RINGBUF = 27,
	BPF_MAP_TYPE_TASK_STORAGE = 29,
};

enum { BPF_NOEXIST = 1 };
#define BPF_F_CURRENT_CPU 0xffffffffull
enum { BPF_F_NO_PREALLOC = 1 << 0, BPF_F_CLONE = 1 << 9, BPF_F_MMAPABLE = 1 << 10 };
enum { BPF_RB_NO_WAKEUP = 1 << 0 };
enum { BPF_LOCAL_STORAGE_GET_F_CREATE = 1 << 0 };

#define PF_EXITING 0x00000004
#define PF_IO_WORKER 0x00000010 /* flag of io-wq and SQPOLL threads: copy_process(), Linux 5.12 */
#define PF_KTHREAD 0x00200000
#define PF_NO_SETAFFINITY 0x04000000
#define S_IFMT 00170000
#define S_IFSOCK 0140000
#define NET_TX_SOFTIRQ 2 /* include/linux/interrupt.h: stable ABI */
#define NET_RX_SOFTIRQ 3
#define AF_INET 2 /* include/linux/socket.h: stable ABI */
#define AF_INET6 10
#define AF_PACKET 17
#define MSG_PEEK 2
#define MSG_ERRQUEUE 0x2000
#define IPPROTO_TCP 6
#define IPPROTO_UDP 17
#define IPPROTO_SCTP 132
#define IPPROTO_UDPLITE 136
#define IPPROTO_MPTCP 262
#define NF_LOCAL_OUT 3 /* include/uapi/linux/netfilter.h: stable ABI */
#define NF_POST_ROUTING 4
#define NFPROTO_IPV4 2
#define NFPROTO_IPV6 10
#define TSQ_THROTTLED 1 /* bit of sk_tsq_flags, from include/linux/tcp.h */
#define TCP_SYN_SENT 2	/* include/net/tcp_states.h: stable ABI */
#define TCP_TIME_WAIT 6
#define TCP_LISTEN 10
#define TCP_NEW_SYN_RECV 12
#define TCQ_F_CPUSTATS 0x20 /* include/net/sch_generic.h: stable ABI */
#define TCQ_F_NOLOCK 0x100
/* include/linux/hrtimer_defs.h: the clock base of timers that expire in hard interrupt context */
#define HRTIMER_BASE_MONOTONIC 0
#define TS_COMPAT 0x0002 /* x86: the task made its system call through a 32-bit entry */

struct bpf_perf_event_value {
	__u64 counter, enabled, running;
};

#pragma clang attribute push(__attribute__((preserve_access_index)), apply_to = record)

struct list_head {
	struct list_head *next;
};

struct thread_info {
	__u32 status;
};

struct inode {
	__u16 i_mode;
};

struct file {
	struct inode *f_inode;
	void *private_data;
};

struct kiocb {
	struct file *ki_filp;
};

struct fdtable {
	unsigned int max_fds;
	struct file **fd;
};

struct files_struct {
	struct fdtable *fdt;
};

struct bpf_local_storage;

struct kernfs_node {
	__u64 id;
};

struct cgroup;

struct cgroup_subsys_state {
	struct cgroup *cgroup;
	struct cgroup_subsys_state *parent;
};

struct cgroup_root {
	int hierarchy_id;
};

struct cgroup {
	struct cgroup_subsys_state self;
	struct kernfs_node *kn;
	struct cgroup_root *root;
};

#define CGROUP_CONTROLLERS 16 /* a power of two; no kernel has this many controllers */
struct css_set {
	/* cgroup v1: one element per controller */
	struct cgroup_subsys_state *subsys[CGROUP_CONTROLLERS];
	struct cgroup *dfl_cgrp; /* cgroup of v2 */
};

typedef struct {
	__u32 val;
} kuid_t;

struct cred {
	kuid_t uid;
};

struct task_struct {
	struct thread_info thread_info;
	unsigned int __state;
	unsigned int flags;
	int prio;
	unsigned int policy;
	int pid, tgid;
	int exit_state;
	__u64 start_time;
	struct task_struct *group_leader;
	const struct cred *real_cred;
	struct css_set *cgroups;
	struct files_struct *files;
	struct bpf_local_storage *bpf_storage;
	char comm[16];
};

struct rtnl_link_ops {
	const char *kind;
};

struct ns_common {
	unsigned int inum;
};

struct net {
	struct ns_common ns;
};

typedef struct {
	struct net *net;
} possible_net_t;

struct timerqueue_node {
	__s64 expires;
};

struct hrtimer_clock_base {
	unsigned int index;
};

struct hrtimer {
	struct timerqueue_node node;
	struct hrtimer_clock_base *base;
};

struct qdisc_skb_head {
	__u32 qlen;
};

struct Qdisc {
	unsigned int flags;
	struct qdisc_skb_head q;
};

struct netdev_queue {
	struct Qdisc *qdisc;
};

#define XDP_MODE_DRV 1 /* value of enum bpf_xdp_mode */
#define IFF_SLAVE 0x800

struct bpf_xdp_entity {
	struct bpf_prog *prog;
	struct bpf_xdp_link *link;
};

struct net_device {
	char name[16];
	int ifindex;
	unsigned int flags;
	struct bpf_xdp_entity xdp_state[3];
	const struct rtnl_link_ops *rtnl_link_ops;
	possible_net_t nd_net;
	struct netdev_queue *_tx;
};

struct napi_struct {
	struct net_device *dev;
};

struct sock;

struct sk_buff {
	struct sk_buff *next, *prev;
	struct net_device *dev;
	struct sock *sk;
	char cb[48];
	__u32 hash;
	int skb_iif;
	__u16 queue_mapping, network_header, transport_header;
	__u32 end;
	unsigned char *head, *data;
	__u8 tc_at_ingress : 1;
	__u8 cloned : 1;
};

struct sk_buff_head {
	struct sk_buff *next, *prev;
	__u32 qlen;
};

struct nf_hook_state {
	__u8 hook, pf;
	struct net_device *in, *out;
};

struct in6_addr {
	union {
		__be32 u6_addr32[4];
	} in6_u;
};

struct sock_common {
	unsigned short skc_family;
	__be32 skc_daddr;
	__be16 skc_dport;
	__u16 skc_num;
	struct in6_addr skc_v6_daddr;
	unsigned char skc_state;
	possible_net_t skc_net;
};

struct sock_cgroup_data {
	struct cgroup *cgroup;
};

struct bpf_local_storage;

typedef struct {
	int counter;
} atomic_t;

typedef struct {
	atomic_t refs;
} refcount_t;

struct skb_shared_info {
	__u16 gso_size;
	atomic_t dataref;
};

struct sock {
	struct sock_common __sk_common;
	__u16 sk_protocol;
	int sk_sndbuf;
	long sk_sndtimeo;
	refcount_t sk_wmem_alloc;
	unsigned long sk_tsq_flags;
	struct sk_buff_head sk_write_queue;
	struct sk_buff_head sk_receive_queue;
	struct sock_cgroup_data sk_cgrp_data;
	struct bpf_local_storage *sk_bpf_storage;
};

struct inet_sock {
	struct sock sk;
	__be16 inet_sport;
};

struct inet_bind_bucket {
	__s8 fastreuse; /* -1: connect() chose the port */
};

struct inet_connection_sock {
	struct inet_sock icsk_inet;
	struct inet_bind_bucket *icsk_bind_hash;
};

struct tcp_sock {
	struct inet_connection_sock inet_conn;
	__u32 rcv_nxt, copied_seq, snd_nxt;
};

struct udp_sock {
	struct inet_sock inet;
	struct sk_buff_head reader_queue;
};

struct socket {
	struct sock *sk;
};

#if defined(__TARGET_ARCH_x86)
struct pt_regs {
	unsigned long di, si, dx, cx, r8, r10, ax, sp, orig_ax;
};
#elif defined(__TARGET_ARCH_arm64)
struct pt_regs {
	__u64 regs[31], sp;
	__u64 orig_x0;
	__s32 syscallno;
};
#endif

#pragma clang attribute pop

/*
 * These macros name fields of a task's saved registers. The REG_SYSCALL_ macros name the registers with the number and
 * the arguments of a system call. The other REG_ macros name the registers with a function's arguments at its entry,
 * and the register with its result. RETURN_POPS is the number of bytes that a function's return removes from the stack.
 */
#if defined(__TARGET_ARCH_x86)
#define REG_SYSCALL_ID orig_ax
#define REG_SYSCALL_ARG0 di
#define REG_SYSCALL_ARG2 dx
#define REG_SYSCALL_ARG3 r10
#define REG_ARG0 di
#define REG_ARG1 si
#define REG_ARG2 dx
#define REG_ARG3 cx
#define REG_ARG4 r8
#define REG_RESULT ax
#define RETURN_POPS 8
#elif defined(__TARGET_ARCH_arm64)
#define REG_SYSCALL_ID syscallno
#define REG_SYSCALL_ARG0 orig_x0
#define REG_SYSCALL_ARG2 regs[2]
#define REG_SYSCALL_ARG3 regs[3]
#define REG_ARG0 regs[0]
#define REG_ARG1 regs[1]
#define REG_ARG2 regs[2]
#define REG_ARG3 regs[3]
#define REG_ARG4 regs[4]
#define REG_RESULT regs[0]
#define RETURN_POPS 0
#endif

#endif
