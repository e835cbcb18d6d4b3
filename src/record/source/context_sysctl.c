// SPDX-License-Identifier: BSD-2-Clause
/* Reads settings in /proc/sys that affect the cost of the network. */
#include <unistd.h>

#include "context_rows.h"
#include "record/base/procfs.h"

/* File names in a folder. */
static const char *const core[] = {
	"busy_poll",
	"busy_read",
	"bpf_jit_enable",
	"bpf_jit_harden",
	"default_qdisc",
	"dev_weight",
	"dev_weight_rx_bias",
	"dev_weight_tx_bias",
	"gro_normal_batch",
	"high_order_alloc_disable",
	"max_skb_frags",
	"mem_pcpu_rsv",
	"netdev_budget",
	"netdev_budget_usecs",
	"netdev_max_backlog",
	"netdev_tstamp_prequeue",
	"optmem_max",
	"rmem_default",
	"rmem_max",
	"rps_sock_flow_entries",
	"skb_defer_max",
	"somaxconn",
	"tstamp_allow_data",
	"txrehash",
	"wmem_default",
	"wmem_max",
	NULL,
};

static const char *const ipv4[] = {
	"fib_multipath_hash_policy",
	"ip_early_demux",
	"ip_forward",
	"ipfrag_high_thresh",
	"tcp_adv_win_scale",
	"tcp_app_win",
	"tcp_autocorking",
	"tcp_backlog_ack_defer",
	"tcp_base_mss",
	"tcp_comp_sack_delay_ns",
	"tcp_comp_sack_nr",
	"tcp_comp_sack_slack_ns",
	"tcp_congestion_control",
	"tcp_dsack",
	"tcp_early_demux",
	"tcp_early_retrans",
	"tcp_ecn",
	"tcp_fastopen",
	"tcp_frto",
	"tcp_limit_output_bytes",
	"tcp_max_reordering",
	"tcp_max_syn_backlog",
	"tcp_max_tw_buckets",
	"tcp_mem",
	"tcp_min_tso_segs",
	"tcp_moderate_rcvbuf",
	"tcp_mtu_probing",
	"tcp_no_metrics_save",
	"tcp_notsent_lowat",
	"tcp_pacing_ca_ratio",
	"tcp_pacing_ss_ratio",
	"tcp_recovery",
	"tcp_reordering",
	"tcp_rmem",
	"tcp_rto_min_us",
	"tcp_sack",
	"tcp_shrink_window",
	"tcp_slow_start_after_idle",
	"tcp_syncookies",
	"tcp_timestamps",
	"tcp_tso_rtt_log",
	"tcp_tso_win_divisor",
	"tcp_tw_reuse",
	"tcp_window_scaling",
	"tcp_wmem",
	"udp_early_demux",
	"udp_mem",
	"udp_rmem_min",
	"udp_wmem_min",
	NULL,
};

static const char *const ipv6[] = { "conf/all/forwarding", NULL };

static const char *const netfilter[] = {
	"nf_conntrack_acct",	       "nf_conntrack_buckets",	 "nf_conntrack_checksum",
	"nf_conntrack_events",	       "nf_conntrack_max",	 "nf_conntrack_timestamp",
	"nf_conntrack_tcp_be_liberal", "nf_conntrack_tcp_loose", NULL,
};

static const char *const bridge[] = { "bridge-nf-call-iptables", "bridge-nf-call-ip6tables",
				      "bridge-nf-call-arptables", NULL };

static const char *const kernel[] = { "bpf_stats_enabled",
				      "kptr_restrict",
				      "nmi_watchdog",
				      "numa_balancing",
				      "perf_event_max_contexts_per_stack",
				      "perf_event_max_stack",
				      "timer_migration",
				      NULL };

static const struct {
	const char *subject, *folder;
	const char *const *name;
} sysctls[] = {
	{ "net.core", "/proc/sys/net/core", core },
	{ "net.ipv4", "/proc/sys/net/ipv4", ipv4 },
	{ "net.ipv6", "/proc/sys/net/ipv6", ipv6 },
	{ "net.netfilter", "/proc/sys/net/netfilter", netfilter },
	{ "net.bridge", "/proc/sys/net/bridge", bridge },
	{ "kernel", "/proc/sys/kernel", kernel },
};

void context_sysctls(struct context_rows *r)
{
	for (size_t i = 0; i < sizeof(sysctls) / sizeof(*sysctls); i++) {
		int dir = procfs_folder(sysctls[i].folder);

		for (const char *const *name = sysctls[i].name; *name; name++)
			context_file(r, sysctls[i].subject, *name, dir, *name);
		if (dir >= 0)
			close(dir);
	}
}
