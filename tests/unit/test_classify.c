// SPDX-License-Identifier: BSD-2-Clause
/* Stacks as real kernels print them, outermost first, and the leaf that each belongs to. */
#include <stdio.h>
#include <string.h>

#include "src/report/classify.h"
#include "unit.h"

static struct classifier *classifier;

static enum leaf mark(const char *function)
{
	if (!classifier)
		classifier = classifier_new(builtin_rules, builtin_nrules);
	return classifier_mark(classifier, function);
}

static enum leaf classify(const char *stack)
{
	enum leaf leaf = LEAF_OTHER_KERNEL;
	char copy[1024];

	snprintf(copy, sizeof(copy), "%s", stack);
	for (char *s = strtok(copy, ";"); s; s = strtok(NULL, ";"))
		leaf = classify_step(leaf, mark(s));
	return leaf;
}

#define SYSCALL "entry_SYSCALL_64_after_hwframe;do_syscall_64;"
#define SENDTO SYSCALL "__x64_sys_sendto;__sys_sendto;"
#define LOOPBACK "ip_finish_output2;__dev_queue_xmit;__local_bh_enable_ip;do_softirq.part.0;"
#define RX "__do_softirq;net_rx_action;__napi_poll;process_backlog;__netif_receive_skb;ip_rcv;"
#define IDLE "secondary_startup_64_no_verify;start_secondary;cpu_startup_entry;do_idle;"

static const struct {
	const char *stack;
	enum leaf leaf;
} stacks[] = {
	{ SYSCALL "ksys_read;vfs_read;ext4_file_read_iter", LEAF_OTHER_KERNEL },
	{ "ret_from_fork_asm;ret_from_fork;kthread;kswapd", LEAF_OTHER_KERNEL },
	{ IDLE "cpuidle_idle_call;cpuidle_enter;intel_idle", LEAF_IDLE },
	{ IDLE "cpuidle_idle_call;asm_sysvec_apic_timer_interrupt;sysvec_apic_timer_interrupt",
	  LEAF_IDLE },

	/* sends, on all ways in */
	{ SENDTO "udp_sendmsg;ip_append_data", LEAF_SOCK_SEND },
	{ SENDTO "__sock_sendmsg;inet_sendmsg;tcp_sendmsg;tcp_sendmsg_locked;tcp_push",
	  LEAF_SOCK_SEND },
	{ SYSCALL "__x64_sys_write;ksys_write;vfs_write;sock_write_iter;udp_sendmsg",
	  LEAF_SOCK_SEND },
	{ SYSCALL "__x64_sys_sendmsg;__sys_sendmsg;___sys_sendmsg;____sys_sendmsg;udpv6_sendmsg",
	  LEAF_SOCK_SEND },
	{ SYSCALL "__x64_sys_sendmmsg;__sys_sendmmsg", LEAF_SOCK_SEND },
	{ "invoke_syscall;__arm64_sys_sendto;__sys_sendto", LEAF_SOCK_SEND },
	{ "do_int80_syscall_32;__ia32_compat_sys_sendmsg", LEAF_SOCK_SEND },
	{ SYSCALL
	  "do_sendfile;splice_direct_to_actor;direct_splice_actor;splice_to_socket;sock_sendmsg",
	  LEAF_SOCK_SEND },
	{ SYSCALL "__do_sys_io_uring_enter;io_submit_sqes;io_issue_sqe;io_sendmsg",
	  LEAF_SOCK_SEND },
	{ "kthread;worker_thread;xs_tcp_send_request;sock_sendmsg;tcp_sendmsg", LEAF_SOCK_SEND },
	/* tables of other protocols do not change a send's leaf */
	{ SENDTO
	  "tcp_sendmsg;tcp_push;tcp_write_xmit;__ip_queue_xmit;nf_hook_slow;inet_sk_rebuild_header",
	  LEAF_SOCK_SEND },

	{ SYSCALL "__x64_sys_recvfrom;__sys_recvfrom;sock_recvmsg;tcp_recvmsg;tcp_recvmsg_locked",
	  LEAF_SOCK_RECV },
	{ SYSCALL "ksys_read;vfs_read;sock_read_iter;sock_recvmsg;inet6_recvmsg", LEAF_SOCK_RECV },
	{ SYSCALL "__x64_sys_splice;do_splice;sock_splice_read;tcp_splice_read", LEAF_SOCK_RECV },

	/* a softirq belongs to itself wherever it runs */
	{ SENDTO "udp_sendmsg;" LOOPBACK RX "udp_rcv", LEAF_RX_SOFTIRQ },
	{ SENDTO "udp_sendmsg;" LOOPBACK "handle_softirqs", LEAF_SOCK_SEND },
	{ IDLE "asm_common_interrupt;common_interrupt;__irq_exit_rcu;" RX "tcp_v4_rcv",
	  LEAF_RX_SOFTIRQ },
	{ "kthread;smpboot_thread_fn;run_ksoftirqd;" RX "br_handle_frame", LEAF_RX_SOFTIRQ },
	{ "kthread;napi_threaded_poll;__napi_poll", LEAF_RX_SOFTIRQ },
	{ SYSCALL "__sys_recvfrom;tcp_recvmsg;sk_busy_loop_end;napi_busy_loop", LEAF_RX_SOFTIRQ },
	{ SENDTO "__irq_exit_rcu;__do_softirq;net_tx_action;__qdisc_run;sch_direct_xmit",
	  LEAF_TX_SOFTIRQ },
	{ SENDTO "unix_stream_sendmsg;asm_common_interrupt;" RX, LEAF_RX_SOFTIRQ },
	{ RX "tcp_v4_rcv;tcp_close;sock_sendmsg", LEAF_RX_SOFTIRQ },

	/* local sockets, and generic code or protocols inside of them */
	{ SENDTO "__sock_sendmsg;unix_stream_sendmsg;sock_alloc_send_pskb", LEAF_SOCK_LOCAL },
	{ SYSCALL "ksys_write;vfs_write;sock_write_iter;unix_dgram_sendmsg", LEAF_SOCK_LOCAL },
	{ SYSCALL "__sys_recvmsg;sock_recvmsg;unix_stream_recvmsg;unix_stream_read_generic",
	  LEAF_SOCK_LOCAL },
	{ SENDTO "netlink_sendmsg;netlink_unicast;rtnetlink_rcv;inet_rtm_newaddr;fib_add_ifaddr",
	  LEAF_SOCK_LOCAL },
	{ SENDTO "vsock_connectible_sendmsg;virtio_transport_stream_enqueue", LEAF_SOCK_LOCAL },
	{ SENDTO "netlink_sendmsg;genl_rcv;wg_set_device;kernel_sendmsg;udp_sendmsg",
	  LEAF_SOCK_LOCAL },

	{ "ret_from_fork;io_wq_worker;io_worker_handle_work;io_read", LEAF_IO_WORKER },
	{ "ret_from_fork;io_sq_thread;io_submit_sqes;io_send;tcp_sendmsg", LEAF_SOCK_SEND },
	{ "ret_from_fork;io_wq_worker;io_poll_add;sock_poll;tcp_poll", LEAF_IO_WORKER },

	/* other network is what nothing else has */
	{ SYSCALL "__x64_sys_connect;__sys_connect;inet_stream_connect;tcp_v4_connect",
	  LEAF_OTHER_NETWORK },
	{ SYSCALL "do_epoll_wait;ep_item_poll.isra.0;sock_poll;tcp_poll", LEAF_OTHER_NETWORK },
	{ SYSCALL "__x64_sys_close;__fput;sock_close;__sock_release;inet_release;tcp_close",
	  LEAF_OTHER_NETWORK },
	{ "asm_sysvec_apic_timer_interrupt;__irq_exit_rcu;__do_softirq;run_timer_softirq;tcp_write_timer",
	  LEAF_OTHER_NETWORK },
	{ "kthread;worker_thread;process_one_work;wg_packet_decrypt_worker", LEAF_OTHER_NETWORK },
	{ IDLE "__irq_exit_rcu;__do_softirq;run_timer_softirq;tcp_write_timer", LEAF_IDLE },
	{ SYSCALL "do_sys_poll;sock_poll;unix_poll", LEAF_OTHER_KERNEL },
	{ SYSCALL "__sys_connect;unix_stream_connect;sock_wmalloc", LEAF_OTHER_KERNEL },
	{ SYSCALL "__x64_sys_close;__fput;sock_close;__sock_release;netlink_release",
	  LEAF_OTHER_KERNEL },
};

static void test_stacks(void)
{
	for (size_t i = 0; i < sizeof(stacks) / sizeof(*stacks); i++) {
		enum leaf got = classify(stacks[i].stack);

		CU_ASSERT_EQUAL(got, stacks[i].leaf);
		if (got != stacks[i].leaf)
			printf("%s: %s, not %s\n", stacks[i].stack, leaf_desc[got].key,
			       leaf_desc[stacks[i].leaf].key);
	}
}

static void test_compiler_suffixes(void)
{
	static const char *const names[] = {
		"tcp_sendmsg",	       "tcp_sendmsg.isra.0",
		"tcp_sendmsg.part.12", "tcp_sendmsg.constprop.0.isra.0",
		"tcp_sendmsg.cold",    "tcp_sendmsg.llvm.1234567890"
	};

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		CU_ASSERT_EQUAL(mark(names[i]), LEAF_SOCK_SEND);
	CU_ASSERT_EQUAL(mark("do_idle.llvm.1"), LEAF_IDLE);
}

static void test_names_match_whole(void)
{
	CU_ASSERT_EQUAL(mark("do_idle_not"), CLASS_NO_MARK);
	CU_ASSERT_EQUAL(mark("do_idl"), CLASS_NO_MARK);
	CU_ASSERT_EQUAL(mark(""), CLASS_NO_MARK);
	CU_ASSERT_EQUAL(mark("."), CLASS_NO_MARK);
	CU_ASSERT_EQUAL(mark("tcp"), CLASS_NO_MARK);
	CU_ASSERT_EQUAL(mark("tcp_"), LEAF_OTHER_NETWORK);
	CU_ASSERT_EQUAL(mark("tcp_anything"), LEAF_OTHER_NETWORK);
	CU_ASSERT_EQUAL(mark("__x64_sys_"), CLASS_NO_MARK);
	CU_ASSERT_EQUAL(mark("__netif_receive_skb"), LEAF_OTHER_NETWORK);
}

static void test_longest_prefix_wins(void)
{
	static const struct class_rule rules[] = { { LEAF_OTHER_NETWORK, "a_*" },
						   { LEAF_SOCK_LOCAL, " a_b_*  a_b_c " } };
	struct classifier *c = classifier_new(rules, 2);

	CU_ASSERT_EQUAL(classifier_mark(c, "a_x"), LEAF_OTHER_NETWORK);
	CU_ASSERT_EQUAL(classifier_mark(c, "a_b_x"), LEAF_SOCK_LOCAL);
	CU_ASSERT_EQUAL(classifier_mark(c, "a_b_c"), LEAF_SOCK_LOCAL);
	classifier_free(c);
	c = classifier_new(NULL, 0);
	CU_ASSERT_EQUAL(classifier_mark(c, "do_idle"), CLASS_NO_MARK);
	classifier_free(c);
}

/* A function in two rules would be the one or the other by chance. */
static void test_no_function_twice(void)
{
	static const char *seen[1024];
	static size_t len[1024];
	size_t n = 0;

	for (size_t r = 0; r < builtin_nrules; r++) {
		const char *s = builtin_rules[r].functions;

		for (s += strspn(s, " "); *s && n < 1024; s += strspn(s, " ")) {
			len[n] = strcspn(s, " ");
			seen[n] = s;
			for (size_t i = 0; i < n; i++)
				if (len[i] == len[n] && !memcmp(seen[i], s, len[n]))
					CU_FAIL(s);
			s += len[n++];
		}
	}
	CU_ASSERT(n > 200 && n < 1024);
	classifier_free(classifier);
	classifier = NULL;
}

static const struct unit_test tests[] = {
	{ "stacks", test_stacks },
	{ "compiler_suffixes", test_compiler_suffixes },
	{ "names_match_whole", test_names_match_whole },
	{ "longest_prefix_wins", test_longest_prefix_wins },
	{ "no_function_twice", test_no_function_twice },
};

int main(void)
{
	return unit_main("classify", tests, sizeof(tests) / sizeof(tests[0]));
}
