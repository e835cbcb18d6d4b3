// SPDX-License-Identifier: BSD-2-Clause
/*
 * export openmetrics --listen: follows a trace that is being written, and serves the newest point of each series over
 * HTTP. The text is made once, when a tick is complete. So the cost of a scrape does not depend on the length of the
 * recording.
 */
#include "command.h"

#ifdef NETCOST_HTTP

#include <errno.h>
#include <netdb.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

#include <microhttpd.h>

#include "report/base/confine.h"
#include "report/export/export.h"
#include "report/input/follow.h"
#include "report/rules/rules.h"

#define LISTEN_EACH_NS 500000000 /* interval between two readings of the trace */
#define LISTEN_CLIENTS 64u	 /* maximum number of clients at one time; other clients wait */
#define LISTEN_STILL_S 10u	 /* a client that is idle for this time is disconnected */
#define LISTEN_MEMORY 16384	 /* bytes of memory for the request of a client */
#define LISTEN_UNIX "unix:"
#define LISTEN_TYPE "application/openmetrics-text; version=1.0.0; charset=utf-8"

struct listen {
	const struct options *o;
	struct classifier *classifier;
	struct exporter *exporter;
	struct model *m;
	struct intervals intervals;
	struct follow *f;
	char *text; /* metrics of a complete tick that are not in `newest` yet, or NULL */
	size_t size;
	pthread_mutex_t
		lock; /* protects `newest`, because a thread of the library serves the clients */
	struct MHD_Response *newest;
};

/* ---- the trace ---------------------------------------------------------------------------- */

static int listen_see(void *ctx, const struct model *m, const struct trace_record *rec)
{
	return intervals_see(ctx, m, rec);
}

/* Begins a file. With --rotate each file is a trace of its own, so its counters begin at 0. */
static int listen_begin(struct listen *l)
{
	const struct intervals_watch *w = &l->exporter->watch;

	model_free(l->m);
	l->m = model_new(l->exporter->format->keep, l->classifier);
	if (!l->m)
		return -ENOMEM;
	model_set_filter(l->m, &l->o->filter);
	model_set_memory(l->m, l->o->memory);
	model_set_see(l->m, listen_see, &l->intervals);
	intervals_begin(&l->intervals);
	if (l->o->ask && model_ask(l->m, l->o->ask))
		return -ENOMEM;
	return w->begin(w->ctx, &l->intervals) ? 0 : -ENOMEM;
}

static int listen_write(struct listen *l)
{
	FILE *out;
	int err;

	free(l->text);
	l->text = NULL;
	out = open_memstream(&l->text, &l->size);
	if (!out)
		return -ENOMEM;
	err = openmetrics_write_newest(out, l->exporter, l->m);
	intervals_forget(&l->intervals);
	return fclose(out) ? -ENOMEM : err;
}

static int listen_take(void *ctx, const struct trace_record *rec)
{
	struct listen *l = ctx;
	int err = rec->type == TRACE_HEADER ? listen_begin(l) : 0;

	if (!err)
		err = model_feed(l->m, rec);
	return !err && l->intervals.closed ? listen_write(l) : err;
}

static struct MHD_Response *listen_response(size_t size, char *text,
					    enum MHD_ResponseMemoryMode mode, const char *type)
{
	struct MHD_Response *r = MHD_create_response_from_buffer(size, text, mode);

	MHD_add_response_header(r, MHD_HTTP_HEADER_CONTENT_TYPE, type);
	return r;
}

/*
 * Serves the newest complete tick. The ticks of the last frame are not served, because the last tick of a trace may
 * replace the tick before it.
 */
static bool listen_look(struct listen *l)
{
	const struct follow_status *st = follow_read(l->f);
	struct MHD_Response *before = l->newest;

	if (st->ended && *st->why)
		tell(st->name, "can no longer be served: %s",
		     l->m && *l->m->err ? l->m->err : st->why);
	if (st->ended || !l->text)
		return !st->ended;
	pthread_mutex_lock(&l->lock);
	l->newest = listen_response(l->size, l->text, MHD_RESPMEM_MUST_FREE, LISTEN_TYPE);
	pthread_mutex_unlock(&l->lock);
	MHD_destroy_response(before);
	l->text = NULL;
	return true;
}

/* ---- the socket --------------------------------------------------------------------------- */

#define LISTEN_SOCKET (SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK)

/* Listens at a path. Replaces an existing socket only if no process listens at it. */
static int listen_unix(const char *path)
{
	struct sockaddr_un at = { .sun_family = AF_UNIX };
	int fd = socket(AF_UNIX, LISTEN_SOCKET, 0), probe = socket(AF_UNIX, LISTEN_SOCKET, 0), err;
	mode_t mask = umask(0177);
	struct stat st;

	strncpy(at.sun_path, path, sizeof(at.sun_path) - 1);
	if (!lstat(at.sun_path, &st) && S_ISSOCK(st.st_mode) &&
	    connect(probe, (struct sockaddr *)&at, sizeof(at)) && errno == ECONNREFUSED)
		unlink(at.sun_path);
	close(probe);
	errno = ENAMETOOLONG;
	err = strcmp(at.sun_path, path) || bind(fd, (struct sockaddr *)&at, sizeof(at));
	umask(mask);
	if (!err) {
		printf(LISTEN_UNIX "%s\n", path);
		return fd;
	}
	err = errno;
	close(fd);
	errno = err;
	return -1;
}

/* Listens at [ADDR:]PORT. An IPv6 address is in brackets. */
static int listen_tcp(const char *text)
{
	const struct addrinfo hints = { .ai_socktype = SOCK_STREAM, .ai_flags = AI_NUMERICSERV };
	const char *colon = strrchr(text, ':'), *port = colon ? colon + 1 : text;
	int n = colon ? (int)(colon - text) : 0, v6 = n > 2 && *text == '[', fd, one = 1, err = 0;
	struct addrinfo *to = NULL;
	char host[256];

	snprintf(host, sizeof(host), "%.*s", n ? n - 2 * v6 : 9, n ? text + v6 : "127.0.0.1");
	errno = EINVAL;
	if (!*port || port[strspn(port, "0123456789")] || strtoul(port, NULL, 10) > UINT16_MAX)
		return -1;
	errno = EADDRNOTAVAIL;
	if (getaddrinfo(host, port, &hints, &to))
		return -1;
	fd = socket(to->ai_family, LISTEN_SOCKET, 0);
	setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &one, sizeof(one));
	if (bind(fd, to->ai_addr, to->ai_addrlen)) {
		err = errno;
		close(fd);
		fd = -1;
	}
	freeaddrinfo(to);
	errno = err;
	if (fd >= 0)
		printf(v6 ? "http://[%s]:%s/metrics\n" : "http://%s:%s/metrics\n", host, port);
	return fd;
}

static bool listen_is_unix(const char *text)
{
	return !strncmp(text, LISTEN_UNIX, strlen(LISTEN_UNIX));
}

/* Opens the socket and prints its address. Reports an error and returns -1 on failure. */
static int listen_open(const char *text)
{
	int fd = listen_is_unix(text) ? listen_unix(text + strlen(LISTEN_UNIX)) : listen_tcp(text);

	if (fd < 0 || listen(fd, SOMAXCONN)) {
		tell("--listen",
		     "cannot listen at '%s': %s; give a free [ADDR:]PORT, such as 9100 or 0.0.0.0:9100, or a free unix:PATH",
		     text, strerror(errno));
		return -1;
	}
	fflush(stdout);
	return fd;
}

/* ---- HTTP --------------------------------------------------------------------------------- */

static enum MHD_Result listen_refuse(struct MHD_Connection *to, unsigned int status, char *hint)
{
	struct MHD_Response *r =
		listen_response(strlen(hint), hint, MHD_RESPMEM_MUST_COPY, "text/plain");
	enum MHD_Result result;

	if (status == MHD_HTTP_METHOD_NOT_ALLOWED)
		MHD_add_response_header(r, MHD_HTTP_HEADER_ALLOW, "GET, HEAD");
	result = MHD_queue_response(to, status, r);
	MHD_destroy_response(r);
	return result;
}

static enum MHD_Result listen_answer(void *ctx, struct MHD_Connection *to, const char *url,
				     const char *method, const char *version, const char *data,
				     size_t *size, void **state)
{
	struct listen *l = ctx;
	enum MHD_Result result;

	(void)version, (void)data, (void)size, (void)state;
	if (strcmp(method, MHD_HTTP_METHOD_GET) != 0 && strcmp(method, MHD_HTTP_METHOD_HEAD) != 0)
		return listen_refuse(to, MHD_HTTP_METHOD_NOT_ALLOWED,
				     "Only GET and HEAD are supported.\n");
	if (strcmp(url, "/metrics") != 0 && strcmp(url, "/") != 0)
		return listen_refuse(to, MHD_HTTP_NOT_FOUND, "Metrics are at /metrics.\n");
	pthread_mutex_lock(&l->lock);
	result = MHD_queue_response(to, MHD_HTTP_OK, l->newest);
	pthread_mutex_unlock(&l->lock);
	return result;
}

static enum exit_status listen_run(struct listen *l)
{
	const struct timespec each = { .tv_nsec = LISTEN_EACH_NS };
	static char empty[] = "# EOF\n"; /* served until the first tick is complete */
	struct MHD_Daemon *d = NULL;
	sigset_t end;
	int fd;

	/* The library's thread inherits the signal mask, so the signals are blocked before the thread starts. */
	sigemptyset(&end);
	sigaddset(&end, SIGINT);
	sigaddset(&end, SIGTERM);
	sigaddset(&end, SIGHUP);
	sigprocmask(SIG_BLOCK, &end, NULL);
	fd = listen_open(l->o->listen);
	if (fd < 0)
		return EXIT_FAILED;
	confine(listen_is_unix(l->o->listen) ? CONFINE_REMOVES : 0);
	l->newest = listen_response(strlen(empty), empty, MHD_RESPMEM_PERSISTENT, LISTEN_TYPE);
	d = MHD_start_daemon(MHD_USE_EPOLL_INTERNAL_THREAD, 0, NULL, NULL, listen_answer, l,
			     MHD_OPTION_LISTEN_SOCKET, fd, MHD_OPTION_CONNECTION_LIMIT,
			     LISTEN_CLIENTS, MHD_OPTION_CONNECTION_TIMEOUT, LISTEN_STILL_S,
			     MHD_OPTION_CONNECTION_MEMORY_LIMIT, (size_t)LISTEN_MEMORY,
			     MHD_OPTION_END);
	while (d && listen_look(l) && sigtimedwait(&end, NULL, &each) < 0)
		;
	if (d)
		MHD_stop_daemon(d);
	else
		tell("--listen", "cannot serve: %s", strerror(errno));
	if (listen_is_unix(l->o->listen))
		unlink(l->o->listen + strlen(LISTEN_UNIX));
	MHD_destroy_response(l->newest);
	return d ? EXIT_DONE : EXIT_FAILED;
}

enum exit_status listen_serve(const struct options *o)
{
	struct rules *rules = rules_load(o->rules);
	struct listen l = { .o = o,
			    .classifier = rules ? classifier_new(rules) : NULL,
			    .exporter = exporter_make(&export_openmetrics),
			    .f = follow_new(o->file),
			    .lock = PTHREAD_MUTEX_INITIALIZER };
	enum exit_status status = EXIT_FAILED;

	if (l.classifier && l.exporter && l.f) {
		l.intervals.grows = true;
		l.intervals.second = &l.exporter->watch;
		l.exporter->wanted.per_cpu = o->per_cpu;
		follow_records(l.f, listen_take, &l);
		status = listen_run(&l);
		exporter_free(l.exporter);
	}
	free(l.text);
	follow_free(l.f);
	model_free(l.m);
	intervals_free(&l.intervals);
	classifier_free(l.classifier);
	rules_free(rules);
	return status;
}

#else

enum exit_status listen_serve(const struct options *o)
{
	(void)o;
	fputs("netcost-report: --listen: this program was built without libmicrohttpd: install it (sh tools/deps.sh "
	      "report) and build again\n",
	      stderr);
	return EXIT_FAILED;
}

#endif
