// SPDX-License-Identifier: BSD-2-Clause
/*
 * The built-in rules: the functions that mark a leaf, under all the names they have had since about
 * Linux 5.10. System calls are written sys_NAME for __x64_sys_NAME, __arm64_sys_NAME and their like;
 * what a compiler adds (.isra.0, .part.0, .constprop.0, .cold …) is left out.
 */
#include "classify.h"

const struct class_rule builtin_rules[] = {
	{ LEAF_IDLE, "do_idle cpu_startup_entry cpuidle_idle_call default_idle_call cpuidle_enter "
		     "cpuidle_enter_state arch_cpu_idle default_idle" },

	/* The system calls, the generic layer, what io_uring calls, and the protocols. */
	{ LEAF_SOCK_SEND,
	  "sys_send sys_sendto sys_sendmsg sys_sendmmsg __sys_sendto __sys_sendmsg ___sys_sendmsg "
	  "____sys_sendmsg __sys_sendmmsg "
	  "sock_sendmsg __sock_sendmsg sock_sendmsg_nosec sock_write_iter kernel_sendmsg "
	  "kernel_sendmsg_locked splice_to_socket sock_sendpage kernel_sendpage "
	  "kernel_sendpage_locked pipe_to_sendpage "
	  "io_send io_sendmsg io_send_zc io_sendmsg_zc "
	  "inet_sendmsg inet6_sendmsg inet_sendpage tcp_sendmsg tcp_sendmsg_locked tcp_sendpage "
	  "tcp_sendpage_locked tcp_bpf_sendmsg tcp_bpf_sendpage udp_sendmsg udpv6_sendmsg "
	  "udp_sendpage raw_sendmsg rawv6_sendmsg ping_v4_sendmsg ping_v6_sendmsg packet_sendmsg "
	  "packet_sendmsg_spkt sctp_sendmsg mptcp_sendmsg tls_sw_sendmsg tls_device_sendmsg "
	  "tls_sw_sendpage tls_device_sendpage xsk_sendmsg dccp_sendmsg smc_sendmsg kcm_sendmsg "
	  "tipc_sendmsg tipc_sendstream rds_sendmsg l2tp_ip_sendmsg l2tp_ip6_sendmsg "
	  "pppol2tp_sendmsg pppoe_sendmsg" },
	{ LEAF_SOCK_RECV,
	  "sys_recv sys_recvfrom sys_recvmsg sys_recvmmsg sys_recvmmsg_time32 __sys_recvfrom "
	  "__sys_recvmsg ___sys_recvmsg ____sys_recvmsg __sys_recvmmsg do_recvmmsg "
	  "sock_recvmsg sock_recvmsg_nosec sock_read_iter sock_splice_read kernel_recvmsg "
	  "io_recv io_recvmsg io_recvzc "
	  "inet_recvmsg inet6_recvmsg tcp_recvmsg tcp_recvmsg_locked tcp_splice_read "
	  "tcp_bpf_recvmsg tcp_bpf_recvmsg_parser udp_recvmsg udpv6_recvmsg raw_recvmsg "
	  "rawv6_recvmsg ping_recvmsg packet_recvmsg sctp_recvmsg mptcp_recvmsg mptcp_splice_read "
	  "tls_sw_recvmsg tls_sw_splice_read xsk_recvmsg dccp_recvmsg smc_recvmsg smc_splice_read "
	  "kcm_recvmsg kcm_splice_read tipc_recvmsg tipc_recvstream rds_recvmsg l2tp_ip_recvmsg "
	  "l2tp_ip6_recvmsg pppol2tp_recvmsg pppoe_recvmsg" },
	{ LEAF_SOCK_LOCAL,
	  "unix_stream_sendmsg unix_dgram_sendmsg unix_seqpacket_sendmsg unix_stream_sendpage "
	  "unix_stream_recvmsg __unix_stream_recvmsg unix_stream_read_generic "
	  "unix_stream_splice_read unix_dgram_recvmsg __unix_dgram_recvmsg "
	  "unix_seqpacket_recvmsg unix_bpf_recvmsg "
	  "netlink_sendmsg netlink_recvmsg "
	  "af_alg_sendmsg af_alg_sendpage hash_sendmsg hash_recvmsg hash_sendpage "
	  "skcipher_sendmsg skcipher_recvmsg aead_sendmsg aead_recvmsg rng_recvmsg "
	  "vsock_connectible_sendmsg vsock_connectible_recvmsg vsock_stream_sendmsg "
	  "vsock_stream_recvmsg vsock_seqpacket_sendmsg vsock_dgram_sendmsg vsock_dgram_recvmsg "
	  "vsock_bpf_recvmsg" },

	/* Where a CPU enters the receive path, not what only runs inside it: a driver polls elsewhere too. */
	{ LEAF_RX_SOFTIRQ,
	  "net_rx_action napi_threaded_poll napi_threaded_poll_loop run_backlog_napi "
	  "napi_busy_loop napi_busy_loop_rcu __napi_busy_loop" },
	{ LEAF_TX_SOFTIRQ, "net_tx_action" },
	{ LEAF_IO_WORKER, "io_wq_worker io_wqe_worker io_wq_manager io_wqe_manager io_sq_thread" },

	/* Generic socket calls, then whatever else is certain to be the network stack's own. */
	{ LEAF_OTHER_NETWORK,
	  "sys_socket __sys_socket sys_bind __sys_bind sys_listen __sys_listen sys_connect "
	  "__sys_connect __sys_connect_file sys_accept sys_accept4 __sys_accept4 "
	  "__sys_accept4_file do_accept sys_shutdown __sys_shutdown sys_setsockopt "
	  "__sys_setsockopt do_sock_setsockopt sys_getsockopt __sys_getsockopt "
	  "do_sock_getsockopt sys_getsockname sys_getpeername io_connect io_accept "
	  "sock_poll sock_close sock_release __sock_release sock_ioctl sock_setsockopt "
	  "sk_setsockopt sk_getsockopt sock_map_fd sk_psock_backlog "
	  "tcp_* __tcp_* tcpv6_* udp_* __udp_* udpv6_* udp4_* udp6_* inet_* __inet_* inet6_* "
	  "__inet6_* ip_* __ip_* ip6_* __ip6_* ipv6_* __ipv6_* icmp_* icmpv6_* igmp_* mld_* arp_* "
	  "ndisc_* neigh_* __neigh_* fib_* fib6_* rt6_* addrconf_* nf_* __nf_* nft_* ipt_* ip6t_* "
	  "sctp_* mptcp_* __mptcp_* dccp_* xfrm_* __xfrm_* wg_* tun_* tap_* vxlan_* macvlan_* "
	  "macvtap_* ipvlan_* veth_* bond_* smc_* tipc_* "
	  "netif_receive_skb netif_receive_skb_list netif_rx __netif_rx netif_rx_internal "
	  "__netif_receive_skb __netif_receive_skb_list netif_receive_skb_internal "
	  "napi_gro_receive napi_gro_frags gro_receive_skb "
	  "dev_queue_xmit __dev_queue_xmit __dev_direct_xmit dev_hard_start_xmit sch_direct_xmit "
	  "__qdisc_run qdisc_watchdog dev_watchdog linkwatch_event tls_sw_* tls_device_* tx_work_handler "
	  "br_handle_frame br_dev_xmit br_fdb_cleanup packet_poll packet_setsockopt packet_release "
	  "raw_close rawv6_close xsk_poll xsk_generic_xmit process_backlog" },

	/* Not network after all, though a generic socket call led here. */
	{ LEAF_OTHER_KERNEL,
	  "unix_* __unix_* netlink_* __netlink_* vsock_* __vsock_* alg_* af_alg_*" },
};

const size_t builtin_nrules = sizeof(builtin_rules) / sizeof(*builtin_rules);
