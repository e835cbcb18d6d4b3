// SPDX-License-Identifier: BSD-2-Clause
/* Tests the leaf and category of stacks. The stacks are as real kernels print them, outermost function first. */
#include <stdio.h>
#include <string.h>

#include "report/rules/rules.h"
#include "unit.h"

static struct rules *parse(const char *text)
{
	struct rules_error err = { 0 };
	struct rules *r = NULL;

	CU_ASSERT_EQUAL_FATAL(rules_parse(&r, text, strlen(text), &err), 0);
	return r;
}

static struct rules *rules;
static struct classifier *classifier;

static void use(struct rules *r)
{
	classifier_free(classifier);
	rules_free(rules);
	rules = r;
	classifier = r ? classifier_new(r) : NULL;
}

static unsigned int classify(const char *stack)
{
	unsigned int category = LEAF_OTHER_KERNEL;
	const char *caller = NULL;
	char copy[1024];

	snprintf(copy, sizeof(copy), "%s", stack);
	for (char *s = strtok(copy, ";"); s; s = strtok(NULL, ";")) {
		category =
			classify_step(classifier, category, classifier_mark(classifier, s), caller);
		caller = s;
	}
	return category;
}

static bool is_in(const char *stack, const char *key)
{
	const char *got = rules->category[classify(stack)].key;

	if (strcmp(got, key))
		printf("%s: %s, not %s\n", stack, got, key);
	return !strcmp(got, key);
}

static void use_default(void)
{
	size_t len;

	use(parse(rules_default(&len)));
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

	/* sends, through all entry points */
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
	/* functions of other subsystems do not change the leaf of a send */
	{ SENDTO
	  "tcp_sendmsg;tcp_push;tcp_write_xmit;__ip_queue_xmit;nf_hook_slow;inet_sk_rebuild_header",
	  LEAF_SOCK_SEND },

	{ SYSCALL "__x64_sys_recvfrom;__sys_recvfrom;sock_recvmsg;tcp_recvmsg;tcp_recvmsg_locked",
	  LEAF_SOCK_RECV },
	{ SYSCALL "ksys_read;vfs_read;sock_read_iter;sock_recvmsg;inet6_recvmsg", LEAF_SOCK_RECV },
	{ SYSCALL "__x64_sys_splice;do_splice;sock_splice_read;tcp_splice_read", LEAF_SOCK_RECV },

	/* a softirq has its own leaf, whatever it interrupts */
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

	/* local sockets, and generic code or protocols that they call */
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

	/* "other network" is network code that no other rule matches */
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

static void test_leaves(void)
{
	use_default();
	for (size_t i = 0; i < sizeof(stacks) / sizeof(*stacks); i++) {
		unsigned int got = rules->category[classify(stacks[i].stack)].leaf;

		CU_ASSERT_EQUAL(got, stacks[i].leaf);
		if (got != stacks[i].leaf)
			printf("%s: %s, not %s\n", stacks[i].stack, leaf_desc[got].key,
			       leaf_desc[stacks[i].leaf].key);
	}
}

#define POLL "handle_softirqs;net_rx_action;__napi_poll;process_backlog;"
#define ONE POLL "__netif_receive_skb_one_core;"
#define CORE ONE "__netif_receive_skb_core.constprop.0;"
#define LOCAL ONE "ip_local_deliver;ip_local_deliver_finish;ip_protocol_deliver_rcu;"
#define PREROUTING ONE "ip_rcv;nf_hook_slow;"
#define TX "ip_output;ip_finish_output2;__dev_queue_xmit;"

/* Stacks of Linux 5.10, 6.1 and 6.18, with their categories. */
static const struct {
	const char *stack, *key;
} inside[] = {
	{ POLL, "driver_poll" },
	{ "net_rx_action;napi_poll;mlx5e_napi_poll;mlx5e_poll_rx_cq", "driver_poll" },
	{ "net_rx_action;__napi_poll;virtnet_poll;bpf_prog_6deef7357e7b4530_xdp", "driver_xdp" },
	{ "net_rx_action;__napi_poll;virtnet_poll;napi_gro_receive;dev_gro_receive", "gro" },
	{ "net_rx_action;veth_poll;veth_xdp_rcv;gro_receive_skb;dev_gro_receive;inet_gro_receive",
	  "gro" },
	{ "net_rx_action;veth_poll;napi_complete_done;netif_receive_skb_list_internal", "receive" },
	{ ONE "ip_rcv;ip_rcv_core", "receive_ip" },
	{ CORE "packet_rcv;skb_clone", "receive_taps" },
	{ CORE "do_xdp_generic;bpf_prog_run_generic_xdp;bpf_prog_2bf8_x", "xdp_generic" },
	{ CORE "tc_run;tcf_classify;cls_bpf_classify;bpf_prog_2bf8_x", "tc_ingress" },
	{ CORE "bpf_prog_2bf8_tcx", "tc_ingress" },
	{ CORE "nf_hook_slow;nft_do_chain_netdev;nft_do_chain", "nf_ingress" },
	{ PREROUTING "nft_do_chain_inet;nft_do_chain", "prerouting_v4" },
	{ ONE "ip_rcv;NF_HOOK.constprop.0;nf_hook_slow;nft_do_chain_ipv4", "prerouting_v4" },
	{ POLL
	  "__netif_receive_skb_list_core;ip_list_rcv;ip_sublist_rcv;nf_hook_slow_list;nf_hook_slow",
	  "prerouting_v4" },
	{ ONE "ipv6_rcv;nf_hook_slow;nft_do_chain_inet", "prerouting_v6" },
	{ PREROUTING "ipv4_conntrack_in;nf_conntrack_in;nf_conntrack_udp_packet", "conntrack" },
	{ CORE "br_handle_frame;br_nf_pre_routing;nf_hook_slow;nf_conntrack_in", "conntrack" },
	{ CORE "br_handle_frame;br_nf_pre_routing;nf_hook_slow;nft_do_chain", "prerouting_v4" },
	{ CORE "br_handle_frame;br_handle_frame_finish;br_forward;__br_forward", "bridging" },
	{ CORE "br_handle_frame;br_dev_queue_push_xmit;__dev_queue_xmit;veth_xmit",
	  "bridging_transmit" },
	{ CORE "br_handle_frame;br_pass_frame_up;netif_receive_skb;ip_rcv;ip_rcv_core",
	  "receive_ip" },
	{ ONE "ip_rcv;ip_forward;nf_hook_slow;nft_do_chain", "forward_v4_netfilter" },
	{ ONE "ip_rcv;ip_forward;ip_forward_finish;" TX "veth_xmit", "forward_v4_transmit" },
	/* ip_forward() made a tail call, so it is not on the stack */
	{ ONE "ip_output", "forward_v4" },
	{ ONE TX "dev_hard_start_xmit", "forward_v4_transmit" },
	{ ONE "ip6_output;ip6_finish_output;neigh_resolve_output", "forward_v6_transmit" },
	{ LOCAL "tcp_v4_rcv;tcp_v4_do_rcv;tcp_rcv_established", "local_v4_tcp" },
	{ LOCAL "tcp_v4_rcv;tcp_v4_do_rcv;__tcp_transmit_skb;__ip_queue_xmit;" TX "veth_xmit",
	  "local_v4_transmit" },
	{ LOCAL "tcp_v4_rcv;tcp_data_queue;sock_def_readable;__wake_up;_raw_spin_lock",
	  "local_v4_wake" },
	{ LOCAL "udp_rcv;__udp4_lib_rcv;udp_queue_rcv_one_skb;vxlan_rcv", "local_v4_tunnel" },
	{ LOCAL "udp_rcv;udp_queue_rcv_one_skb;sk_skb_reason_drop;kfree", "local_v4_skb" },
	{ LOCAL "icmp_rcv;icmp_echo", "local_v4" },
	{ ONE "ip6_input;ip6_input_finish;ip6_protocol_deliver_rcu;udpv6_rcv", "local_v6_udp" },

	{ SENDTO "udp_sendmsg;ip_make_skb;__ip_append_data;ip_generic_getfrag;_copy_from_iter",
	  "send_copy" },
	{ SENDTO "tcp_sendmsg;tcp_sendmsg_locked;tcp_stream_alloc_skb;__alloc_skb;_raw_spin_lock",
	  "send_skb" },
	{ SENDTO "tcp_sendmsg;tcp_write_xmit;__tcp_transmit_skb", "send_tcp" },
	{ SENDTO "tcp_sendmsg;release_sock;__release_sock", "send_backlog" },
	{ SENDTO "tcp_sendmsg;lock_sock_nested;_raw_spin_lock_bh", "send_locking" },
	{ SENDTO "udp_sendmsg;udp_send_skb;ip_send_skb;ip_output;nf_hook_slow;nft_do_chain",
	  "send_netfilter" },
	{ SENDTO "udp_sendmsg;" TX "sch_direct_xmit;validate_xmit_skb_list", "send_qdisc" },
	{ SENDTO "udp_sendmsg;" TX "dev_hard_start_xmit;some_driver_xmit;some_helper",
	  "send_driver" },
	{ SENDTO "tcp_sendmsg;asm_sysvec_apic_timer_interrupt;tcp_tsq_handler", "send_interrupts" },
	{ SYSCALL "__sys_recvfrom;tcp_recvmsg;skb_copy_datagram_iter;_copy_to_iter", "recv_copy" },
	{ SYSCALL "__sys_recvfrom;tcp_recvmsg;sk_wait_data;schedule_timeout;__schedule",
	  "recv_wait" },
	{ SYSCALL "__sys_recvfrom;tcp_recvmsg;__tcp_send_ack.part.0;" TX "veth_xmit",
	  "recv_transmit" },
	{ SENDTO "__do_softirq;net_tx_action;__kfree_skb;kfree", "tx_free" },
	{ "call_timer_fn;tcp_write_timer;tcp_retransmit_skb", "net_timers" },
	{ "call_timer_fn;process_timeout", "other_kernel" },
	{ "kthread;worker_thread;process_one_work;wg_packet_decrypt_worker", "net_workers" },
	{ SYSCALL "__sys_connect;tcp_v4_connect", "net_setup" },
	{ SYSCALL "do_epoll_wait;sock_poll;tcp_poll", "net_poll" },
	{ SYSCALL "udp_lib_getsockopt", "other_network" },
	{ SENDTO "unix_stream_sendmsg;sock_alloc_send_pskb", "local_unix" },
};

static void test_categories(void)
{
	for (size_t i = 0; i < sizeof(inside) / sizeof(*inside); i++)
		CU_ASSERT(is_in(inside[i].stack, inside[i].key));
}

static void test_compiler_suffixes(void)
{
	static const char *const names[] = {
		"tcp_sendmsg",	       "tcp_sendmsg.isra.0",
		"tcp_sendmsg.part.12", "tcp_sendmsg.constprop.0.isra.0",
		"tcp_sendmsg.cold",    "tcp_sendmsg.llvm.1234567890"
	};

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		CU_ASSERT(is_in(names[i], "send_tcp"));
	CU_ASSERT(is_in("do_idle.llvm.1", "idle"));
	CU_ASSERT(is_in("net_rx_action;ip_rcv.isra.0;nf_hook_slow.cold", "prerouting_v4"));
}

#define RX_RULES "leaf rx_softirq\n functions net_rx_action\n"

static void test_names_match_whole(void)
{
	use(parse("leaf idle\nfunctions do_idle\nleaf other_network\nfunctions tcp_* sys_bind"));
	CU_ASSERT(is_in("do_idle", "idle"));
	CU_ASSERT(is_in("do_idle_not", "other_kernel"));
	CU_ASSERT(is_in("do_idl", "other_kernel"));
	CU_ASSERT_EQUAL(classifier_mark(classifier, ""), CLASSIFY_NOTHING);
	CU_ASSERT(is_in(".", "other_kernel"));
	CU_ASSERT(is_in("tcp", "other_kernel"));
	CU_ASSERT(is_in("tcp_", "other_network"));
	CU_ASSERT(is_in("tcp_anything", "other_network"));
	CU_ASSERT(is_in("__x64_sys_", "other_kernel"));
	CU_ASSERT(is_in("__arm64_compat_sys_bind", "other_network"));
}

static void test_most_special_wins(void)
{
	use(parse("leaf other_network\n functions a_*\n"
		  "leaf sock_local\n functions a_b_* a_b_c x>a_*\n" RX_RULES
		  "category one in rx_softirq\n functions a_*\n"
		  "category two in rx_softirq\n functions a_b x_*>a_* y>*\n"
		  "category deep in one\n functions a_*\n"));
	CU_ASSERT(is_in("a_x", "other_network"));
	CU_ASSERT(is_in("a_b_x", "sock_local"));
	CU_ASSERT(is_in("a_b_c", "sock_local"));
	CU_ASSERT(is_in("x;a_x", "sock_local"));
	CU_ASSERT(is_in("net_rx_action;a_c", "one"));
	CU_ASSERT(is_in("net_rx_action;a_b", "two"));
	CU_ASSERT(is_in("net_rx_action;x_1;a_c", "two"));
	CU_ASSERT(is_in("net_rx_action;z_1;a_c", "one"));
	CU_ASSERT(is_in("net_rx_action;y;z", "two"));
	CU_ASSERT(is_in("net_rx_action;a_c;a_c", "deep"));
	CU_ASSERT(is_in("net_rx_action;a_c;a_b", "deep"));
	CU_ASSERT(is_in("net_rx_action;a_b;a_c", "one"));
	use(parse(""));
	CU_ASSERT(is_in("do_idle;net_rx_action", "other_kernel"));
}

static void test_whole_stays(void)
{
	use(parse("leaf tx_softirq\n functions net_tx_action\n" RX_RULES
		  "category wake in rx_softirq whole\n functions wake\n"
		  "category lock in rx_softirq\n functions lock\n"
		  "category in_wake in wake\n functions inner\n"));
	CU_ASSERT(is_in("net_rx_action;wake;lock", "wake"));
	CU_ASSERT(is_in("net_rx_action;lock;wake", "wake"));
	CU_ASSERT(is_in("net_rx_action;wake;inner", "wake"));
	CU_ASSERT(is_in("net_rx_action;wake;net_tx_action", "tx_softirq"));
	CU_ASSERT(is_in("wake;lock", "other_kernel"));
	use(NULL);
}

/* Checks that probes do not belong to the code that they interrupt. */
static void test_tracing_is_everywhere(void)
{
	use(parse("leaf tx_softirq\n functions net_tx_action\n" RX_RULES
		  "category wake in rx_softirq whole\n functions wake\n"
		  "category lock in rx_softirq\n functions lock\n"
		  "category probe in rx_softirq tracing\n functions probe\n"));
	CU_ASSERT(is_in("net_rx_action;probe;lock", "probe"));
	CU_ASSERT(is_in("net_rx_action;wake;probe", "probe"));
	CU_ASSERT(is_in("net_rx_action;wake;probe;lock", "probe"));
	CU_ASSERT(is_in("net_rx_action;wake;probe;net_tx_action", "tx_softirq"));
	CU_ASSERT(is_in("probe", "other_kernel"));
	use(NULL);
}

static const struct unit_test tests[] = {
	{ "leaves", test_leaves },
	{ "categories", test_categories },
	{ "compiler_suffixes", test_compiler_suffixes },
	{ "names_match_whole", test_names_match_whole },
	{ "most_special_wins", test_most_special_wins },
	{ "whole_stays", test_whole_stays },
	{ "tracing_is_everywhere", test_tracing_is_everywhere },
};

int main(void)
{
	return unit_main("classify", tests, sizeof(tests) / sizeof(tests[0]));
}
