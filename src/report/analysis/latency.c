// SPDX-License-Identifier: BSD-2-Clause
#include "latency.h"

const char *const latency_keys[] = {
#define X(id, name, key, from, to) [id] = key,
	NETCOST_LATENCIES(X)
#undef X
		NULL
};

const char *const latency_from[] = {
#define X(id, name, key, from, to) [id] = from,
	NETCOST_LATENCIES(X)
#undef X
		NULL
};

const char *const latency_to[] = {
#define X(id, name, key, from, to) [id] = to,
	NETCOST_LATENCIES(X)
#undef X
		NULL
};

const char *const latency_by_keys[] = {
#define X(id, name, key) [id] = key,
	NETCOST_LATENCY_BYS(X)
#undef X
		NULL
};

const char *const latency_which_keys[] = {
#define X(id, name, key) [id] = key,
	NETCOST_LATENCY_WHICHES(X)
#undef X
		NULL
};

const char *const latency_loss_keys[] = {
#define X(id, name, key, title) [id] = key,
	NETCOST_LATENCY_LOSSES(X)
#undef X
		NULL
};

const char *const latency_loss_titles[] = {
#define X(id, name, key, title) [id] = title,
	NETCOST_LATENCY_LOSSES(X)
#undef X
		NULL
};
