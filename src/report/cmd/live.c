// SPDX-License-Identifier: BSD-2-Clause
/*
 * live: follows a trace that is being written (input/follow.h) and shows the last seconds of it.
 *
 * What is shown is the text of the ordinary reports on a window of ticks, as --from and --to would
 * select it. They are made in a child process, which writes them to an unnamed file: so they may
 * print, fail and exit as always, and this process, which has the terminal, keeps only the text.
 */
#include "command.h"

#ifdef NETCOST_CURSES

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <langinfo.h>
#include <locale.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define NCURSES_NOMACROS 1
#include <ncurses.h>

#include <netcost/units.h>

#include "report/input/follow.h"
#include "report/tables/tables.h"

#define LIVE_LAST_NS (10 * UNITS_SECOND) /* default of --last */
#define LIVE_EACH_NS UNITS_SECOND	 /* between two screens … */
#define LIVE_IDLE 3			 /* … and at least this many times as long as one takes */
#define LIVE_STILL_NS (3 * UNITS_SECOND) /* without a new tick, after which that is said */
#define LIVE_SAID_NS (10 * UNITS_SECOND) /* how long a message of the recorder stays */
#define LIVE_BRIEF 32 /* lines of a terminal below which categories are left out */
#define LIVE_TEXT 256
#define LIVE_KEPT (1u << 13) /* bytes of the recorder's messages */

struct live {
	const struct options *o;
	struct follow *f;
	const struct follow_status *st;
	SCREEN *screen;
	int tty; /* where keys come from */
	bool colors, utf8;

	size_t view, sort; /* of live_views; of processes_sort_names */
	uint64_t to_ns;	   /* end of the window; moves with the trace unless `held` */
	bool held, quit, failed;
	int top; /* first line that is shown */

	char *text; /* of the report */
	size_t n;
	int lines;
	char window[LIVE_TEXT];

	uint64_t due_ns, seen_ns,
		said_ns;      /* the next screen; the last new tick; the last message */
	char said[LIVE_KEPT]; /* of the recorder, which are printed at the end */
	size_t nsaid;
};

/* ---- the reports -------------------------------------------------------------------------- */

static bool live_brief;

static int live_build(struct doc *d, const struct report_part *p)
{
	struct summary s = { 0 };
	int err = summary_make(&s, p->m, p->part);

	if (err)
		return err;
	err = screen_live_doc(d, &s, p->intervals, live_brief);
	summary_free(&s);
	return err;
}

static const struct report live_summary = { .build = live_build,
					    .keep = MODEL_TASKS | MODEL_CPU_TASKS |
						    MODEL_PROCESSES | MODEL_CGROUPS | MODEL_LATENCY,
					    .intervals = true,
					    .rows = SCREEN_LIVE_MOST };

static const struct {
	const char *name;
	const struct report *report;
} live_views[] = { { "summary", &live_summary },
		   { "who", who_reports },
		   { "latency", latency_reports },
		   { "functions", top_reports } };

#define LIVE_WHO 1
#define LIVE_VIEWS (sizeof(live_views) / sizeof(*live_views))

static uint64_t live_ms(uint64_t ns)
{
	return ns / UNITS_MS;
}

/*
 * From half a tick after the tick that is to be the first, so that --from finds that one; both in
 * whole milliseconds, as they are shown.
 */
static void live_window(const struct live *l, uint64_t *from_ms, uint64_t *to_ms)
{
	uint64_t back = l->o->last_ns - l->st->tick_ns / 2;
	uint64_t to = l->to_ns > l->st->start_ns ? l->to_ns - l->st->start_ns : 0;

	*to_ms = live_ms(to);
	*from_ms = to > back ? live_ms(to - back) : 0;
}

/* Runs in the child: prints the report on the trace that is stdin. */
static enum exit_status live_report(const struct live *l, uint64_t from_ms, uint64_t to_ms)
{
	const struct terminal terminal = { .columns = (unsigned int)(COLS > 40 ? COLS : 40),
					   .colors = l->colors,
					   .bars = true,
					   .utf8 = l->utf8 };
	struct options o = *l->o;

	signal(SIGINT, SIG_DFL);
	signal(SIGTERM, SIG_DFL);
	terminal_assume(&terminal);
	input_call_stdin(l->st->name);
	live_brief = LINES < LIVE_BRIEF;
	o.file = "-";
	o.no_pager = true;
	o.sort = l->sort ? (option_word)l->sort + 1 : 0;
	o.filter.window = true;
	o.filter.from = (struct time_arg){ TIME_SINCE_START, from_ms * UNITS_MS, NULL };
	o.filter.to = (struct time_arg){ TIME_SINCE_START, to_ms * UNITS_MS, NULL };
	return report_run(live_views[l->view].report, &o);
}

/* Returns the lines of the terminal that a line of text takes, up to its newline. */
static int live_rows(const char *line)
{
	int columns = 0;

	for (; *line != '\n'; line++)
		if (*line == '\033')
			line += strcspn(line, "m\n") - (line[strcspn(line, "m\n")] == '\n');
		else
			columns += (*line & 0xc0) != 0x80; /* the first byte of a character */
	return columns > COLS ? (columns + COLS - 1) / COLS : 1;
}

/* text: ends with a newline. */
static void live_set(struct live *l, char *text, size_t n)
{
	free(l->text);
	l->text = text;
	l->n = n;
	l->lines = 0;
	for (const char *line = text; line < text + n; line = strchr(line, '\n') + 1)
		l->lines += live_rows(line);
}

/* Reads what the child has written. */
static void live_take(struct live *l, int out)
{
	off_t size = lseek(out, 0, SEEK_END);
	char *text = size > 0 ? malloc((size_t)size + 2) : NULL;

	if (text && pread(out, text, (size_t)size, 0) == size) {
		strcpy(text + size, "\n");
		live_set(l, text, (size_t)size + 1);
	} else {
		free(text);
	}
}

static void live_make(struct live *l)
{
	int trace, out = memfd_create("netcost-report", MFD_CLOEXEC);
	uint64_t from_ms, to_ms;
	pid_t pid = -1;

	live_window(l, &from_ms, &to_ms);
	snprintf(l->window, sizeof(l->window),
		 "--from=%" PRIu64 ".%03" PRIu64 " --to=%" PRIu64 ".%03" PRIu64, from_ms / 1000,
		 from_ms % 1000, to_ms / 1000, to_ms % 1000);
	trace = follow_window(l->f, l->st->start_ns + from_ms * UNITS_MS, l->to_ns);
	if (trace >= 0 && out >= 0)
		pid = fork();
	if (!pid) {
		if (dup2(trace, STDIN_FILENO) < 0 || dup2(out, STDOUT_FILENO) < 0 ||
		    dup2(out, STDERR_FILENO) < 0)
			_exit(EXIT_FAILED);
		_exit((int)live_report(l, from_ms, to_ms));
	}
	while (pid > 0 && waitpid(pid, NULL, 0) < 0 && errno == EINTR)
		;
	if (pid > 0)
		live_take(l, out);
	close(trace);
	close(out);
}

/* ---- drawing ------------------------------------------------------------------------------ */

/* A code of doc_text.c: 1 is bold, 30 to 37 and 38;5;N are colours, 0 ends them. */
static void live_code(const char *code)
{
	unsigned long number = strtoul(code, NULL, 10);
	int color = number >= 30 && number <= 37 ? (int)number - 30 : -1;

	if (!strncmp(code, "1;3", 3))
		color = code[3] - '0';
	if (!strncmp(code, "38;5;", 5))
		color = atoi(code + 5);
	if (!number)
		attrset(A_NORMAL);
	if (number == 1)
		attron(A_BOLD);
	if (color > 0 && color < COLORS && color + 1 < COLOR_PAIRS &&
	    init_pair((short)(color + 1), (short)color, -1) == OK)
		attron(COLOR_PAIR(color + 1));
}

/* A line of the report, from column 0. */
static void live_line(int y, const char *line, size_t n)
{
	const char *end = line + n;

	move(y, 0);
	attrset(A_NORMAL);
	while (line < end) {
		size_t plain = strcspn(line, "\033\n");

		if (*line == '\033' && line[1] == '[') {
			live_code(line + 2);
			line += strcspn(line, "m\n");
			line += line < end;
			continue;
		}
		plain = plain ? plain : 1;
		addnstr(line, (int)plain);
		line += plain;
	}
}

static void live_body(const struct live *l)
{
	const char *end = l->text + l->n;
	int y = 1 - l->top;

	for (const char *line = l->text; line < end && y < LINES - 1;
	     line = strchr(line, '\n') + 1) {
		if (y >= 1)
			live_line(y, line, (size_t)(strchr(line, '\n') - line));
		y += live_rows(line);
	}
}

/* A line from edge to edge: some text on the left, some on the right. */
static void live_edge(int y, const char *left, const char *right)
{
	int room = COLS - (int)strlen(right) - 1;

	attrset(A_REVERSE);
	mvhline(y, 0, ' ' | A_REVERSE, COLS);
	mvaddnstr(y, 0, left, room > 0 ? room : 0);
	if (room > 0)
		mvaddstr(y, COLS - (int)strlen(right), right);
	attrset(A_NORMAL);
}

static uint64_t live_now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * UNITS_SECOND + (uint64_t)t.tv_nsec;
}

static void live_state(const struct live *l, char *dst, size_t size)
{
	uint64_t still = live_now() - l->seen_ns;

	if (l->st->ended)
		snprintf(dst, size, "ended ");
	else if (still > LIVE_STILL_NS + l->st->tick_ns)
		snprintf(dst, size, "nothing new for %.0f s ", (double)still / 1e9);
	else
		snprintf(dst, size, "%s", l->held ? "" : "live ");
	if (l->held && strlen(dst) + 8 < size)
		strcat(dst, "paused ");
}

/* Keeps the end of a long name. */
static const char *live_name(const char *name, size_t most)
{
	size_t n = strlen(name);

	return n > most ? name + n - most : name;
}

static void live_draw(const struct live *l)
{
	char left[2 * LIVE_TEXT], right[2 * LIVE_TEXT], state[LIVE_TEXT];
	int room;
	const char *said = l->nsaid && live_now() - l->said_ns < LIVE_SAID_NS ? l->said : NULL;

	erase();
	live_state(l, state, sizeof(state));
	snprintf(right, sizeof(right), "%s%s%s  %s", live_views[l->view].name,
		 l->view == LIVE_WHO ? " by " : "",
		 l->view == LIVE_WHO ? processes_sort_names[l->sort] : "", state);
	room = COLS - (int)(strlen(l->window) + strlen(right)) - 5;
	snprintf(left, sizeof(left), " %s  %s",
		 SAFE(live_name(l->st->name, room > 0 ? (size_t)room : 0)), l->window);
	live_edge(0, left, right);
	if (l->text)
		live_body(l);
	else
		mvaddstr(2, 2, "waiting for the second tick of the recording");
	snprintf(left, sizeof(left),
		 " q quit  1 summary  2 who  3 latency  4 functions  space pause  < > move%s",
		 l->view == LIVE_WHO ? "  s sort" : "");
	for (const char *p = said; p && *p; p = strchr(p, '\n') ? strchr(p, '\n') + 1 : "")
		said = p; /* the last line */
	if (*l->st->why)
		snprintf(left, sizeof(left), " %s", l->st->why);
	else if (said)
		snprintf(left, sizeof(left), " %.*s", (int)strcspn(said, "\n"), said);
	live_edge(LINES - 1, left, "");
	refresh();
}

/* ---- keys --------------------------------------------------------------------------------- */

/* Moves the window. It never leaves what was recorded. */
static void live_move(struct live *l, uint64_t to_ns)
{
	uint64_t least = l->st->first_ns + l->o->last_ns;

	l->held = to_ns < l->st->last_ns;
	l->to_ns = to_ns < least ? least : to_ns;
	if (l->to_ns >= l->st->last_ns) {
		l->held &= least > l->st->last_ns;
		l->to_ns = l->st->last_ns;
	}
}

static void live_view(struct live *l, size_t view)
{
	l->view = view;
	l->top = 0;
}

static bool live_scroll(struct live *l, int by)
{
	int most = l->lines - (LINES - 2);

	l->top = l->top + by < 0 ? 0 : l->top + by > most ? most : l->top + by;
	l->top = l->top < 0 ? 0 : l->top;
	return false;
}

/* Returns whether there must be another report. */
static bool live_key(struct live *l, int key)
{
	switch (key) {
	case 'q':
	case 'Q':
		l->quit = true;
		return false;
	case ' ':
		l->held = !l->held;
		l->to_ns = l->held ? l->to_ns : l->st->last_ns;
		return true;
	case 's':
		if (l->view != LIVE_WHO)
			return false;
		l->sort++;
		if (!processes_sort_names[l->sort])
			l->sort = 0;
		return true;
	case KEY_LEFT:
	case '<':
		live_move(l, l->to_ns > l->o->last_ns ? l->to_ns - l->o->last_ns : 0);
		return true;
	case KEY_RIGHT:
	case '>':
		live_move(l, l->to_ns + l->o->last_ns);
		return true;
	case KEY_HOME:
	case 'g':
		live_move(l, 0);
		return true;
	case KEY_END:
	case 'G':
		live_move(l, UINT64_MAX);
		return true;
	case KEY_UP:
	case KEY_DOWN:
		return live_scroll(l, key == KEY_UP ? -1 : 1);
	case KEY_PPAGE:
	case KEY_NPAGE:
		return live_scroll(l, key == KEY_PPAGE ? 2 - LINES : LINES - 2);
	case KEY_RESIZE:
		return true;
	default:
		if (key < '1' || key >= '1' + (int)LIVE_VIEWS)
			return false;
		live_view(l, (size_t)(key - '1'));
		return true;
	}
}

/* ---- running ------------------------------------------------------------------------------ */

static volatile sig_atomic_t live_signal;

static void live_on_signal(int signo)
{
	live_signal = signo;
}

/* The recorder's messages. Its end, before that of the trace, ends us. */
static void live_listen(struct live *l)
{
	char text[1024];
	ssize_t n = read(STDIN_FILENO, text, sizeof(text));

	if (n <= 0) {
		l->quit = l->failed = true;
		return;
	}
	if (l->nsaid + (size_t)n >= sizeof(l->said))
		l->nsaid = 0;
	memcpy(l->said + l->nsaid, text, (size_t)n);
	l->nsaid += (size_t)n;
	l->said[l->nsaid] = '\0';
	l->said_ns = live_now();
}

/* Waits for a key, for a pipe, or for the time of the next look. */
static void live_wait(struct live *l)
{
	struct pollfd fd[] = { { .fd = l->tty, .events = POLLIN },
			       { .fd = l->o->recorder ? STDIN_FILENO : -1, .events = POLLIN } };
	uint64_t now = live_now();
	int ms = l->due_ns > now ? (int)live_ms(l->due_ns - now) : 250;

	if (poll(fd, 2, ms < 250 ? ms + 1 : 250) <= 0)
		return;
	if (fd[1].revents)
		live_listen(l);
	if (fd[0].revents & (POLLHUP | POLLERR))
		l->quit = true; /* the terminal is gone */
}

/* Reads what is new. Returns whether a screen is due: the end has records about the whole trace. */
static bool live_look(struct live *l)
{
	uint64_t before = l->st->last_ns;
	bool ended = l->st->ended, moves;

	l->st = follow_read(l->f);
	if (l->st->last_ns != before)
		l->seen_ns = live_now();
	moves = !l->held && l->st->last_ns && l->to_ns != l->st->last_ns;
	if (moves)
		l->to_ns = l->st->last_ns;
	return moves || l->st->ended != ended;
}

static void live_loop(struct live *l)
{
	bool wanted = true; /* another report */

	while (!l->quit && !live_signal) {
		uint64_t now = live_now();
		bool key = false;
		int c;

		while ((c = getch()) != ERR && !l->quit) {
			wanted |= live_key(l, c);
			key = true;
		}
		wanted |= live_look(l);
		if (wanted && (key || now >= l->due_ns) && l->st->last_ns > l->st->first_ns) {
			live_make(l);
			live_scroll(l, 0);
			wanted = false;
			l->due_ns = live_now() + LIVE_IDLE * (live_now() - now);
			if (l->due_ns < now + LIVE_EACH_NS)
				l->due_ns = now + LIVE_EACH_NS;
		}
		live_draw(l);
		if (!l->quit)
			live_wait(l);
	}
	if (live_signal && live_signal != SIGINT)
		l->failed = true;
}

/* ---- the terminal ------------------------------------------------------------------------- */

static bool live_refuse(const char *why)
{
	tell("live", "%s; netcost-report summary --from=-10s FILE prints the same", why);
	return false;
}

static bool live_open_terminal(struct live *l)
{
	const char *no_color = getenv("NO_COLOR");
	FILE *out, *in;

	if (!isatty(STDOUT_FILENO))
		return live_refuse("stdout is not a terminal");
	l->tty = isatty(STDIN_FILENO) ? dup(STDIN_FILENO) : open("/dev/tty", O_RDWR | O_CLOEXEC);
	in = l->tty < 0 ? NULL : fdopen(l->tty, "r");
	out = fdopen(dup(STDOUT_FILENO), "w");
	if (!in || !out)
		return live_refuse("there is no terminal for keys");
	setlocale(LC_CTYPE, "");
	l->utf8 = !strcmp(nl_langinfo(CODESET), "UTF-8");
	l->screen = newterm(NULL, out, in);
	if (!l->screen || !tigetstr("cup")) {
		if (l->screen)
			endwin();
		return live_refuse(
			"this terminal cannot move its cursor: set TERM, such as xterm or vt100");
	}
	l->colors = has_colors() && !(no_color && *no_color) && start_color() == OK &&
		    use_default_colors() == OK;
	cbreak();
	noecho();
	curs_set(0);
	set_escdelay(25);
	nodelay(stdscr, true);
	keypad(stdscr, true);
	return true;
}

static void live_catch(void)
{
	const struct sigaction act = { .sa_handler = live_on_signal };

	sigaction(SIGINT, &act, NULL);
	sigaction(SIGTERM, &act, NULL);
	sigaction(SIGHUP, &act, NULL);
}

enum exit_status live_run(const struct options *given)
{
	struct options o = *given;
	struct live l = { .o = &o, .seen_ns = live_now() };
	bool ok;

	o.last_ns = o.last_ns ? o.last_ns : LIVE_LAST_NS;
	l.f = follow_new(o.file);
	if (!l.f)
		return EXIT_FAILED;
	l.st = follow_read(l.f);
	ok = !(l.st->ended && !l.st->last_ns);
	if (!ok)
		tell(l.st->name, "%s", *l.st->why ? l.st->why : "has no ticks to show");
	live_catch();
	if (ok && live_open_terminal(&l)) {
		live_loop(&l);
		endwin();
	} else {
		l.failed = true;
	}
	fputs(l.said, stderr);
	follow_free(l.f);
	free(l.text);
	return l.failed ? EXIT_FAILED : EXIT_DONE;
}

#else

enum exit_status live_run(const struct options *o)
{
	(void)o;
	fputs("netcost-report: live: this program was built without ncursesw: install it (sh tools/deps.sh report) and "
	      "build again\n",
	      stderr);
	return EXIT_FAILED;
}

#endif
