// SPDX-License-Identifier: BSD-2-Clause
/*
 * export openmetrics --listen: follows a trace that is being written, and serves the newest point of
 * each series over HTTP. Model, intervals and series stay in memory, so a scrape costs the same however
 * long the recording is: the text was made when its tick was complete.
 */
#include "command.h"

#ifdef NETCOST_HTTP

#include <errno.h>
#include <fcntl.h>
#include <netdb.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

#include <microhttpd.h>

#include "report/export/export.h"
#include "report/input/follow.h"
#include "report/rules/rules.h"

#define LISTEN_EACH_MS 500	  /* between two looks at the trace */
#define LISTEN_CLIENTS 64u	  /* at one time; further ones wait */
#define LISTEN_QUIET_S 10u	  /* of a client, after which it is disconnected */
#define LISTEN_MEMORY (16u << 10) /* of a client, for its request */
#define LISTEN_UNIX "unix:"
#define LISTEN_TYPE "application/openmetrics-text; version=1.0.0; charset=utf-8"

struct listen {
	const struct options *o;
	struct rules *rules;
	struct classifier *classifier;
	struct exporter *exporter;
	struct model *m;
	struct intervals intervals;
	struct follow *f;
	char *text; /* new, and not yet in `newest` */
	size_t size;
	struct MHD_Response *newest;
	const char *path; /* of a Unix socket; NULL: none */
	struct stat socket;
};

static volatile sig_atomic_t listen_signal;

static void listen_on_signal(int signo)
{
	listen_signal = signo;
}

/* ---- the trace ---------------------------------------------------------------------------- */

static int listen_see(void *ctx, const struct model *m, const struct trace_record *rec)
{
	return intervals_see(ctx, m, rec);
}

/* A file of a recording with --rotate is a trace of its own: its counters begin at 0. */
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

/* What the last frame has is not served: the last tick of a trace may replace the one before. */
static bool listen_look(struct listen *l)
{
	const struct follow_status *st = follow_read(l->f);

	if (st->ended && *st->why)
		tell(st->name, "is not served any more: %s",
		     l->m && *l->m->err ? l->m->err : st->why);
	if (st->ended || !l->text)
		return !st->ended;
	MHD_destroy_response(l->newest);
	l->newest = MHD_create_response_from_buffer(l->size, l->text, MHD_RESPMEM_MUST_FREE);
	MHD_add_response_header(l->newest, MHD_HTTP_HEADER_CONTENT_TYPE, LISTEN_TYPE);
	l->text = NULL;
	return true;
}

/* ---- the socket --------------------------------------------------------------------------- */

/* Whether the path is a socket that nothing listens at. */
static bool listen_is_stale(const struct sockaddr_un *to)
{
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	struct stat st;
	bool stale = fd >= 0 && !lstat(to->sun_path, &st) && S_ISSOCK(st.st_mode) &&
		     connect(fd, (const struct sockaddr *)to, sizeof(*to)) && errno == ECONNREFUSED;

	if (fd >= 0)
		close(fd);
	return stale;
}

static int listen_unix(struct listen *l, const char *path)
{
	struct sockaddr_un to = { .sun_family = AF_UNIX };
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0), err = 0;
	mode_t mask = umask(0177);

	if (!*path || strlen(path) >= sizeof(to.sun_path)) {
		err = ENAMETOOLONG;
	} else {
		strcpy(to.sun_path, path);
		if (listen_is_stale(&to))
			unlink(path);
		err = bind(fd, (const struct sockaddr *)&to, sizeof(to)) ? errno : 0;
		l->path = !err && !lstat(path, &l->socket) ? path : NULL;
	}
	umask(mask);
	if (!err && listen(fd, SOMAXCONN))
		err = errno;
	errno = err;
	return err ? -1 : fd;
}

/* Splits [ADDR:]PORT; an IPv6 address is in brackets. False: it is neither. */
static bool listen_split(const char *text, char host[256], const char **port)
{
	const char *colon = strrchr(text, ':');
	size_t n = colon ? (size_t)(colon - text) : 0;

	*port = colon ? colon + 1 : text;
	if (n && *text == '[' && text[n - 1] == ']')
		snprintf(host, 256, "%.*s", (int)n - 2, text + 1);
	else
		snprintf(host, 256, "%.*s", (int)n, text);
	if (!*host)
		strcpy(host, "127.0.0.1");
	return n < 256 && **port && !(*port)[strspn(*port, "0123456789")] && strlen(*port) < 6 &&
	       strtoul(*port, NULL, 10) <= UINT16_MAX;
}

static int listen_tcp(const char *host, const char *port)
{
	const struct addrinfo hints = { .ai_socktype = SOCK_STREAM, .ai_flags = AI_NUMERICSERV };
	struct addrinfo *to = NULL;
	int fd = -1, one = 1, err = getaddrinfo(host, port, &hints, &to) ? EADDRNOTAVAIL : 0;

	if (!err)
		fd = socket(to->ai_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	if (!err && (fd < 0 || setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &one, sizeof(one)) ||
		     bind(fd, to->ai_addr, to->ai_addrlen) || listen(fd, SOMAXCONN)))
		err = errno;
	if (to)
		freeaddrinfo(to);
	errno = err;
	return err ? -1 : fd;
}

static void listen_say(const struct listen *l, int fd, const char *host)
{
	struct sockaddr_storage at;
	socklen_t n = sizeof(at);
	char port[16] = "";

	if (l->o->recorder)
		(void)!write(STDOUT_FILENO, "\n", 1);
	if (l->o->quiet)
		return;
	if (!getsockname(fd, (struct sockaddr *)&at, &n))
		getnameinfo((struct sockaddr *)&at, n, NULL, 0, port, sizeof(port), NI_NUMERICSERV);
	if (l->path)
		tell("--listen", "curl --unix-socket %s http://localhost/metrics", l->path);
	else
		tell("--listen",
		     strchr(host, ':') ? "http://[%s]:%s/metrics" : "http://%s:%s/metrics", host,
		     port);
}

/* EXIT_USAGE: it is not an address. Both errors are reported. */
static enum exit_status listen_open(struct listen *l, int *fd)
{
	const char *text = l->o->listen, *port;
	char host[256] = "";

	if (!strncmp(text, LISTEN_UNIX, strlen(LISTEN_UNIX))) {
		*fd = listen_unix(l, text + strlen(LISTEN_UNIX));
	} else if (listen_split(text, host, &port)) {
		*fd = listen_tcp(host, port);
	} else {
		tell("--listen",
		     "'%s' is not [ADDR:]PORT, such as 9100, 0.0.0.0:9100 or [::1]:9100, nor unix:PATH",
		     text);
		return EXIT_USAGE;
	}
	if (*fd >= 0) {
		listen_say(l, *fd, host);
		return EXIT_DONE;
	}
	tell("--listen", "cannot listen at %s: %s; %s", text, strerror(errno),
	     errno == EADDRINUSE ? (*host ? "another program does: give another port" :
					    "remove it, or give another path") :
				   "give an address or path of this host");
	return EXIT_FAILED;
}

/* ---- HTTP --------------------------------------------------------------------------------- */

static enum MHD_Result listen_refuse(struct MHD_Connection *to, unsigned int status,
				     const char *hint)
{
	struct MHD_Response *r = MHD_create_response_from_buffer(
		strlen(hint), (void *)(uintptr_t)hint, MHD_RESPMEM_PERSISTENT);
	enum MHD_Result result;

	MHD_add_response_header(r, MHD_HTTP_HEADER_CONTENT_TYPE, "text/plain; charset=utf-8");
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
	const struct listen *l = ctx;

	(void)version;
	(void)data;
	(void)size;
	(void)state;
	if (strcmp(method, MHD_HTTP_METHOD_GET) != 0 && strcmp(method, MHD_HTTP_METHOD_HEAD) != 0)
		return listen_refuse(to, MHD_HTTP_METHOD_NOT_ALLOWED, "Only GET and HEAD.\n");
	if (strcmp(url, "/metrics") != 0 && strcmp(url, "/") != 0)
		return listen_refuse(to, MHD_HTTP_NOT_FOUND, "Metrics are at /metrics.\n");
	return MHD_queue_response(to, MHD_HTTP_OK, l->newest);
}

static uint64_t listen_now_ms(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000 + (uint64_t)t.tv_nsec / 1000000;
}

static void listen_loop(struct listen *l, struct MHD_Daemon *d)
{
	struct pollfd fd[] = {
		{ .fd = MHD_get_daemon_info(d, MHD_DAEMON_INFO_EPOLL_FD)->epoll_fd,
		  .events = POLLIN },
		{ .fd = l->o->recorder ? STDIN_FILENO : -1, .events = POLLIN },
	};
	uint64_t due = 0;

	while (!listen_signal && !fd[1].revents) {
		uint64_t now = listen_now_ms();
		MHD_UNSIGNED_LONG_LONG most;
		int wait;

		if (now >= due && !listen_look(l))
			break;
		due = now >= due ? now + LISTEN_EACH_MS : due;
		wait = (int)(due - now);
		if (MHD_get_timeout(d, &most) == MHD_YES && most < (unsigned int)wait)
			wait = (int)most;
		poll(fd, 2, wait);
		MHD_run(d);
	}
}

static struct MHD_Daemon *listen_daemon(struct listen *l, int fd)
{
	static char empty[] = "# EOF\n"; /* until a tick is complete */

	l->newest = MHD_create_response_from_buffer(strlen(empty), empty, MHD_RESPMEM_PERSISTENT);
	MHD_add_response_header(l->newest, MHD_HTTP_HEADER_CONTENT_TYPE, LISTEN_TYPE);
	return MHD_start_daemon(MHD_USE_EPOLL, 0, NULL, NULL, listen_answer, l,
				MHD_OPTION_LISTEN_SOCKET, fd, MHD_OPTION_CONNECTION_LIMIT,
				LISTEN_CLIENTS, MHD_OPTION_CONNECTION_TIMEOUT, LISTEN_QUIET_S,
				MHD_OPTION_CONNECTION_MEMORY_LIMIT, (size_t)LISTEN_MEMORY,
				MHD_OPTION_END);
}

static void listen_catch(bool recorder)
{
	const struct sigaction act = { .sa_handler = listen_on_signal };
	const struct sigaction ignore = { .sa_handler = SIG_IGN };

	/* Ctrl-C ends the recording, and that ends us. */
	sigaction(SIGINT, recorder ? &ignore : &act, NULL);
	sigaction(SIGHUP, recorder ? &ignore : &act, NULL);
	sigaction(SIGTERM, &act, NULL);
	sigaction(SIGPIPE, &ignore, NULL);
}

static void listen_remove(const struct listen *l)
{
	struct stat st;

	if (l->path && !lstat(l->path, &st) && st.st_dev == l->socket.st_dev &&
	    st.st_ino == l->socket.st_ino)
		unlink(l->path);
}

static enum exit_status listen_run(struct listen *l)
{
	struct MHD_Daemon *d;
	enum exit_status status;
	int fd;

	status = listen_open(l, &fd);
	if (status)
		return status;
	d = listen_daemon(l, fd);
	if (d) {
		follow_records(l->f, listen_take, l);
		listen_loop(l, d);
		MHD_stop_daemon(d);
	} else {
		tell("--listen", "cannot serve: out of memory or of files");
	}
	listen_remove(l);
	MHD_destroy_response(l->newest);
	return d ? EXIT_DONE : EXIT_FAILED;
}

enum exit_status listen_serve(const struct options *o)
{
	struct listen l = { .o = o,
			    .rules = rules_load(o->rules),
			    .exporter = exporter_make(&export_openmetrics),
			    .f = follow_new(o->file) };
	enum exit_status status = EXIT_FAILED;

	l.classifier = l.rules ? classifier_new(l.rules) : NULL;
	intervals_init(&l.intervals, 0);
	l.intervals.grows = true;
	listen_catch(o->recorder);
	if (l.classifier && l.exporter && l.f) {
		l.intervals.second = &l.exporter->watch;
		l.exporter->wanted.per_cpu = o->per_cpu;
		status = listen_run(&l);
	}
	free(l.text);
	follow_free(l.f);
	model_free(l.m);
	intervals_free(&l.intervals);
	if (l.exporter)
		exporter_free(l.exporter);
	classifier_free(l.classifier);
	rules_free(l.rules);
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
