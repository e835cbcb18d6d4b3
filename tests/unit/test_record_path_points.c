// SPDX-License-Identifier: BSD-2-Clause
/* Tests how --latency measures each checkpoint on kernels with different features, and the reasons why a checkpoint
 * is not measured. */
#include "unit.h"

#include <errno.h>
#include <string.h>

#include <bpf/btf.h>

#include "record/kernel/btf_names.h"
#include "record/source/path/path_points.h"
#include "record/source/source.h"

#define TRACEPOINTS                                                                                \
	"netif_rx_entry", "netif_receive_skb_entry", "netif_receive_skb", "net_dev_queue",         \
		"net_dev_start_xmit", "net_dev_xmit", "consume_skb", "kfree_skb", "tcp_probe",     \
		"tcp_rcv_space_adjust"

struct kernel {
	struct btf *btf;
	struct btf_names *names;
};

/* Adds a function with this number of arguments. */
static void add_function(struct btf *btf, const char *name, unsigned int arguments)
{
	int proto = btf__add_func_proto(btf, 1);

	for (unsigned int i = 0; i < arguments; i++)
		btf__add_func_param(btf, "x", 1);
	btf__add_func(btf, name, BTF_FUNC_GLOBAL, proto);
}

/* Returns a kernel with these tracepoints and functions. Both lists end with NULL. Functions have one argument,
 * except that recvmsg has `arguments` arguments. */
static struct kernel kernel_with(const char *const *tracepoint, const char *const *function,
				 unsigned int arguments)
{
	struct kernel k = { .btf = btf__new_empty() };
	const void *data;
	char name[96];
	__u32 size;

	btf__add_int(k.btf, "int", 4, BTF_INT_SIGNED);
	for (; *tracepoint; tracepoint++) {
		snprintf(name, sizeof(name), "btf_trace_%s", *tracepoint);
		btf__add_typedef(k.btf, name, 1);
	}
	for (; *function; function++)
		add_function(k.btf, *function, strstr(*function, "recvmsg") ? arguments : 1);
	data = btf__raw_data(k.btf, &size);
	CU_ASSERT_EQUAL_FATAL(btf_names_parse(&k.names, NULL, data, size), 0);
	return k;
}

static void kernel_free(struct kernel *k)
{
	btf_names_close(k->names);
	btf__free(k->btf);
}

static void says(const struct path_points *w, enum netcost_latency hook, const char *name,
		 const char *method, const char *why)
{
	struct source_point p;

	path_points_say(w, NETCOST_OF_LATENCY, hook, &p);
	CU_ASSERT(p.of == NETCOST_OF_LATENCY && p.number == hook);
	CU_ASSERT_STRING_EQUAL(p.name, name);
	CU_ASSERT_STRING_EQUAL(p.method, method);
	CU_ASSERT_STRING_EQUAL(unit_sentence(p.why), why);
	CU_ASSERT_EQUAL(p.n != 0, strcmp(method, "off") != 0);
	CU_ASSERT_EQUAL(path_points_measures(w, hook), p.n != 0);
}

#define ESTABLISHED "established connections only"
#define ONE_READER                                                                                 \
	"reads are matched to packets in order: if several tasks read from one socket, some are missing"

/* Tests Linux 6.3 and later if it refuses programs of functions. */
static void test_refused(void)
{
	const char *const tracepoint[] = { TRACEPOINTS, "sk_data_ready", "sock_recv_length", NULL };
	const char *const function[] = { "ip_rcv_core", "ip6_rcv_core",	     "tcp_v4_rcv",
					 "udp_rcv",	"sock_def_readable", NULL };
	struct kernel k = kernel_with(tracepoint, function, 5);
	struct path_points w = { .latency = true, .refused = EPERM };
	const char *no = "no tracepoint, and function probes are refused: "
			 "Operation not permitted";

	path_points_choose(&w, k.names);
	says(&w, NETCOST_LATENCY_RECEIVE, "receive", "tracepoint", "");
	says(&w, NETCOST_LATENCY_IP_START, "ip-start", "off", no);
	says(&w, NETCOST_LATENCY_UDP_START, "udp-start", "off", no);
	says(&w, NETCOST_LATENCY_TCP_START, "tcp-start", "tracepoint", ESTABLISHED);
	says(&w, NETCOST_LATENCY_UDP_ENQUEUED, "udp-socket-enqueued", "tracepoint", "");
	says(&w, NETCOST_LATENCY_UDP_READ, "udp-socket-read", "tracepoint", ONE_READER);
	says(&w, NETCOST_LATENCY_COMPLETION, "completion", "tracepoint", "");
	says(&w, NETCOST_LATENCY_TCP_TSQ, "tcp-small-queue", "off", no);
	says(&w, NETCOST_LATENCY_UDP_MEMORY, "udp-send-memory", "off", no);
	CU_ASSERT(!path_points_by(&w, NETCOST_LATENCY_TCP_START, "tcp_v4_rcv"));
	CU_ASSERT(path_points_counts(&w, k.names, "sk_data_ready", false));
	CU_ASSERT(path_points_counts(&w, k.names, "kfree_skb", false));
	CU_ASSERT(!path_points_counts(&w, k.names, "netif_receive_skb_list_entry", false));
	CU_ASSERT(!path_points_counts(&w, k.names, "sk_data", false));
	CU_ASSERT(!path_points_counts(&w, k.names, "sock_def_readable", true));
	CU_ASSERT(!path_points_counts(&w, k.names, "ip_rcv_core", true));
	kernel_free(&k);
}

/* Tests a kernel before 6.3 with IPv6 as a module. */
static void test_functions(void)
{
	const char *const tracepoint[] = { TRACEPOINTS, NULL };
	const char *const function[] = { "ip_rcv_core",	   "tcp_v4_rcv",	   "tcp_v6_rcv",
					 "udp_rcv",	   "sock_def_readable",	   "udp_recvmsg",
					 "tcp_write_xmit", "sock_alloc_send_pskb", NULL };
	struct kernel k = kernel_with(tracepoint, function, 5);
	struct path_points w = { .latency = true };

	path_points_choose(&w, k.names);
	says(&w, NETCOST_LATENCY_IP_START, "ip-start", "fentry",
	     "IPv6 is not measured: the kernel itself has no function ip6_rcv_core()");
	says(&w, NETCOST_LATENCY_TCP_START, "tcp-start", "fentry", "");
	says(&w, NETCOST_LATENCY_TCP_ENQUEUED, "tcp-socket-enqueued", "fentry", ESTABLISHED);
	says(&w, NETCOST_LATENCY_UDP_READ, "udp-socket-read", "fentry",
	     "IPv6 is not measured: the kernel itself has no function udpv6_recvmsg(); " ONE_READER);
	says(&w, NETCOST_LATENCY_TCP_TSQ, "tcp-small-queue", "fentry", "");
	says(&w, NETCOST_LATENCY_UDP_MEMORY, "udp-send-memory", "fentry", "");
	CU_ASSERT(path_points_by(&w, NETCOST_LATENCY_TCP_START, "tcp_v4_rcv"));
	CU_ASSERT(path_points_counts(&w, k.names, "tcp_v6_rcv", true));
	/* counts packets that are received */
	CU_ASSERT(path_points_counts(&w, k.names, "tcp_probe", false));
	CU_ASSERT(path_points_counts(&w, k.names, "udp_recvmsg", true));
	CU_ASSERT(!path_points_counts(&w, k.names, "udpv6_recvmsg", true));
	CU_ASSERT(!path_points_counts(&w, k.names, "sk_data_ready", false));
	kernel_free(&k);
}

/* Tests kernels before 5.19, on which recvmsg has another argument before the flags. */
static void test_other_arguments(void)
{
	const char *const tracepoint[] = { TRACEPOINTS, NULL };
	const char *const function[] = { "sock_def_readable", "udp_recvmsg", "udpv6_recvmsg",
					 NULL };
	struct kernel k = kernel_with(tracepoint, function, 6);
	struct path_points w = { .latency = true };

	path_points_choose(&w, k.names);
	says(&w, NETCOST_LATENCY_UDP_ENQUEUED, "udp-socket-enqueued", "fentry", "");
	says(&w, NETCOST_LATENCY_UDP_READ, "udp-socket-read", "off",
	     "the kernel has no tracepoint sk_data_ready");
	says(&w, NETCOST_LATENCY_IP_START, "ip-start", "off",
	     "no tracepoint, and the function ip_rcv_core() is missing or unsuitable");
	CU_ASSERT(!path_points_counts(&w, k.names, "udp_recvmsg", true));
	CU_ASSERT(path_points_measures_any(&w));
	kernel_free(&k);
}

/* Tests requested keys, which must be known for each packet: of two methods, the recorder uses the method that knows
 * the key. */
static void test_asked(void)
{
	const char *const tracepoint[] = { TRACEPOINTS, "sk_data_ready", "sock_recv_length", NULL };
	const char *const function[] = { "ip_rcv_core", "tcp_v4_rcv", "udp_rcv", NULL };
	struct kernel k = kernel_with(tracepoint, function, 5);
	struct path_points w = { .latency = true, .asked = LATENCY_KNOWS_CGROUP };

	path_points_choose(&w, k.names);
	CU_ASSERT(!path_points_by(&w, NETCOST_LATENCY_TCP_START, "tcp_v4_rcv"));
	says(&w, NETCOST_LATENCY_TCP_START, "tcp-start", "tracepoint", ESTABLISHED);
	says(&w, NETCOST_LATENCY_QDISC, "qdisc", "tracepoint", "");
	says(&w, NETCOST_LATENCY_RECEIVE, "receive", "off",
	     "--latency-only=cgroup cannot be evaluated for these packets");
	w.asked |= LATENCY_KNOWS_QUEUE;
	path_points_choose(&w, k.names);
	says(&w, NETCOST_LATENCY_UDP_ENQUEUED, "udp-socket-enqueued", "tracepoint", "");
	says(&w, NETCOST_LATENCY_QDISC, "qdisc", "off",
	     "--latency-only=queue cannot be evaluated for these packets");
	w.asked = LATENCY_KNOWS_PROCESS;
	path_points_choose(&w, k.names);
	says(&w, NETCOST_LATENCY_UDP_READ, "udp-socket-read", "tracepoint", ONE_READER);
	says(&w, NETCOST_LATENCY_TCP_START, "tcp-start", "off",
	     "--latency-only=pid cannot be evaluated for these packets");
	kernel_free(&k);
}

static void test_nothing(void)
{
	const char *const none[] = { NULL };
	struct kernel k = kernel_with(none, none, 0);
	struct path_points w = { .latency = true };

	path_points_choose(&w, k.names);
	CU_ASSERT(!path_points_measures_any(&w));
	says(&w, NETCOST_LATENCY_RECEIVE, "receive", "off",
	     "the kernel has no tracepoint netif_receive_skb");
	kernel_free(&k);
}

static const struct unit_test tests[] = {
	{ "refused", test_refused },
	{ "functions", test_functions },
	{ "other_arguments", test_other_arguments },
	{ "asked", test_asked },
	{ "nothing", test_nothing },
};

int main(void)
{
	return unit_main("path_points", tests, sizeof(tests) / sizeof(tests[0]));
}
