// SPDX-License-Identifier: BSD-2-Clause
/*
 * netcost-report live: follows a trace while it is written (input/follow.h), and shows its last
 * seconds.
 *
 * The screen shows the text of the ordinary reports about a window of ticks, as --from and --to
 * would select it. A child process makes the reports and writes them to an unnamed file, so they
 * may print, fail and exit as usual. This process owns the terminal and keeps only the text.
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

#include "report/base/confine.h"
#include "report/input/follow.h"
#include "report/tables/tables.h"

#define LIVE_LAST_NS (10 * UNITS_SECOND) /* default of --last */
#define LIVE_EACH_NS UNITS_SECOND	 /* least time between two screens */
/* pause after a screen, as a multiple of the time that it took to make the screen */
#define LIVE_IDLE 3
/* time without a new tick after which the screen reports a pause */
#define LIVE_STILL_NS (3 * UNITS_SECOND)
#define LIVE_LOOK_MS 250
#define LIVE_BRIEF 32 /* on a terminal with fewer lines, categories are left out */
#define LIVE_LINE 512

struct live {
	const struct options *o;
	struct follow *f;
	const struct follow_status *st;
	bool colors, utf8;

	size_t view, sort; /* indexes into live_views and processes_sort_names */
	uint64_t to_ns;	   /* end of the window, ns; the last tick, unless `held` */
	bool held, quit;

	WINDOW *text; /* text of the report; NULL before the first report */
	int top;      /* first line of the text that the screen shows */
	char window[64];
	uint64_t due_ns, seen_ns; /* times of the next screen and of the last new tick, ns */
};

/* ---- the reports -------------------------------------------------------------------------- */

static int live_build(struct doc *d, const struct report_part *p)
{
	struct summary s = { 0 };
	int err = summary_make(&s, p->m, p->part);

	if (err)
		return err;
	err = screen_live_doc(d, &s, p->intervals, LINES < LIVE_BRIEF);
	summary_free(&s);
	return err;
}

static const struct report live_summary = { .build = live_build,
					    .keep = MODEL_TASKS | MODEL_CPU_TASKS |
						    MODEL_PROCESSES | MODEL_CGROUPS | MODEL_LATENCY,
					    .intervals = true,
					    .rows = SCREEN_LIVE_MOST };

#define LIVE_WHO 1
static const struct {
	const char *name;
	const struct report *report;
} live_views[] = { { "summary", &live_summary },
		   [LIVE_WHO] = { "who", who_reports },
		   { "latency", latency_reports },
		   { "functions", top_reports } };

/* Prints the report of the trace on stdin. Runs in the child process. Times are in ms since the start of the trace. */
static enum exit_status live_report(const struct live *l, uint64_t from_ms, uint64_t to_ms)
{
	const struct terminal terminal = { COLS > 40 ? (unsigned int)COLS : 40, l->colors, true,
					   l->utf8 };
	struct options o = *l->o;

	signal(SIGINT, SIG_DFL);
	signal(SIGTERM, SIG_DFL);
	terminal_assume(&terminal);
	input_call_stdin(l->st->name);
	o.file = "-";
	o.no_pager = true;
	o.sort = l->sort ? (option_word)l->sort + 1 : 0;
	o.filter.window = true;
	o.filter.from = (struct time_arg){ TIME_SINCE_START, from_ms * UNITS_MS, NULL };
	o.filter.to = (struct time_arg){ TIME_SINCE_START, to_ms * UNITS_MS, NULL };
	return report_run(live_views[l->view].report, &o);
}

/*
 * Applies an SGR code of the report's text: 0 resets all attributes, 1 is bold, 3N and 38;5;N are colours, "1;3N" is a
 * bold colour.
 */
static void live_code(WINDOW *w, const char *code)
{
	int color = !strncmp(code, "38;5;", 5) ? atoi(code + 5) :
		    strcspn(code, "3") == 2    ? atoi(code + 2) - 30 :
		    *code == '3'	       ? atoi(code) - 30 :
						 -1;

	wattrset(w, *code == '1' ? A_BOLD : A_NORMAL);
	if (color > 0 && color < COLORS && color + 1 < COLOR_PAIRS &&
	    init_pair((short)(color + 1), (short)color, -1) == OK)
		wattron(w, COLOR_PAIR(color + 1));
}

/* Shows a NUL-terminated text in a pad that is as wide as the terminal. The pad wraps the text. */
static void live_take(struct live *l, const char *text)
{
	int lines = (int)strlen(text) / COLS + 2; /* an upper limit */

	for (const char *p = text; (p = strchr(p, '\n')); p++)
		lines++;
	if (l->text)
		delwin(l->text);
	l->text = newpad(lines, COLS);
	while (l->text && *text) {
		size_t n = strcspn(text, "\033");

		waddnstr(l->text, text, (int)n);
		text += n;
		if (*text)
			live_code(l->text, text + 2);
		text += strcspn(text, "m") + (*text != '\0');
	}
}

/* Returns the length of the window, at least a tick. */
static uint64_t live_last_ns(const struct live *l)
{
	return l->o->last_ns > l->st->tick_ns ? l->o->last_ns : l->st->tick_ns;
}

/*
 * Makes the report of the window. --from is half a tick after the first tick of the window, and still selects that
 * tick. --to is the last tick. Both are in whole milliseconds, as on the screen.
 */
static void live_make(struct live *l)
{
	uint64_t back_ns = live_last_ns(l) - l->st->tick_ns / 2, to_ns = l->to_ns - l->st->start_ns;
	uint64_t from_ms = to_ns > back_ns ? (to_ns - back_ns) / UNITS_MS : 0;
	uint64_t to_ms = to_ns / UNITS_MS;
	int out = memfd_create("netcost-report", MFD_CLOEXEC);
	int trace = follow_window(l->f, l->st->start_ns + from_ms * UNITS_MS, l->to_ns);
	pid_t pid = trace >= 0 && out >= 0 ? fork() : -1;
	off_t n;
	char *text;

	if (!pid) {
		if (dup2(trace, STDIN_FILENO) < 0 || dup2(out, STDOUT_FILENO) < 0 ||
		    dup2(out, STDERR_FILENO) < 0)
			_exit(EXIT_FAILED);
		_exit((int)live_report(l, from_ms, to_ms));
	}
	while (pid > 0 && waitpid(pid, NULL, 0) < 0 && errno == EINTR)
		;
	n = lseek(out, 0, SEEK_END);
	text = n > 0 ? calloc(1, (size_t)n + 1) : NULL;
	if (text && pread(out, text, (size_t)n, 0) == n) {
		live_take(l, text);
		snprintf(l->window, sizeof(l->window), "--from=%.3f --to=%.3f",
			 (double)from_ms / 1e3, (double)to_ms / 1e3);
	}
	free(text);
	close(trace);
	close(out);
}

/* ---- drawing ------------------------------------------------------------------------------ */

/* Draws a line from the left to the right edge. */
static void live_edge(int y, const char *left, const char *right)
{
	int at = COLS - (int)strlen(right);

	attrset(A_REVERSE);
	mvhline(y, 0, ' ' | A_REVERSE, COLS);
	mvaddnstr(y, 0, left, COLS);
	mvaddstr(y, at > 0 ? at : 0, right);
	attrset(A_NORMAL);
}

static uint64_t live_now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * UNITS_SECOND + (uint64_t)t.tv_nsec;
}

static void live_draw(struct live *l)
{
	uint64_t still_ns = live_now() - l->seen_ns;
	char line[2 * LIVE_LINE], state[LIVE_LINE], nothing[64] = "";
	int last = l->text ? getcury(l->text) - (LINES - 2) : 0;
	bool who = l->view == LIVE_WHO;
	size_t n = strlen(l->st->name), room;

	if (still_ns > LIVE_STILL_NS + l->st->tick_ns && !l->st->ended)
		snprintf(nothing, sizeof(nothing), "nothing new for %.0f s",
			 (double)still_ns / 1e9);
	snprintf(state, sizeof(state), "  %.32s%s%.32s  %.63s%s ", live_views[l->view].name,
		 who ? " by " : "", who ? processes_sort_names[l->sort] : "",
		 l->st->ended ? "ended" :
		 *nothing     ? nothing :
		 l->held      ? "" :
				"live",
		 l->held ? " paused" : "");
	room = strlen(state) + strlen(l->window) + 3;
	room = (size_t)COLS > room ? (size_t)COLS - room :
				     0; /* of a long name only the end is shown */
	snprintf(line, sizeof(line), " %.255s  %.63s",
		 SAFE(l->st->name + (n > room ? n - room : 0)), l->window);
	l->top = l->top < last ? l->top : last;
	l->top = l->top > 0 ? l->top : 0;

	erase();
	live_edge(0, line, state);
	if (!l->text)
		mvaddstr(2, 2, "waiting for the second tick of the recording");
	snprintf(line, sizeof(line), " %s%s",
		 *l->st->why ?
			 l->st->why :
			 "q quit  1 summary  2 who  3 latency  4 functions  space pause  < > move",
		 who && !*l->st->why ? "  s sort" : "");
	live_edge(LINES - 1, line, "");
	wnoutrefresh(stdscr);
	if (l->text)
		pnoutrefresh(l->text, l->top, 0, 1, 0, LINES - 2, COLS - 1);
	doupdate();
}

/* ---- keys --------------------------------------------------------------------------------- */

/* Moves the window, within the recorded time. */
static void live_move(struct live *l, uint64_t to_ns)
{
	uint64_t least = l->st->first_ns + live_last_ns(l);

	to_ns = to_ns > least ? to_ns : least;
	l->held = to_ns < l->st->last_ns;
	l->to_ns = l->held ? to_ns : l->st->last_ns;
}

/* Handles a key. Returns true if a new report is needed. */
static bool live_key(struct live *l, int key)
{
	uint64_t last_ns = live_last_ns(l);
	int page = key == KEY_PPAGE || key == KEY_NPAGE ? LINES - 2 : 1;

	if (key == 'q')
		l->quit = true;
	else if (key == KEY_UP || key == KEY_PPAGE)
		l->top -= page;
	else if (key == KEY_DOWN || key == KEY_NPAGE)
		l->top += page;
	else if (key == KEY_LEFT || key == '<')
		live_move(l, l->to_ns > last_ns ? l->to_ns - last_ns : 0);
	else if (key == KEY_RIGHT || key == '>')
		live_move(l, l->to_ns + last_ns);
	else if (key == KEY_HOME || key == 'g')
		live_move(l, 0);
	else if (key == KEY_END || key == 'G' || (key == ' ' && l->held))
		live_move(l, UINT64_MAX);
	else if (key == ' ')
		l->held = true;
	else if (key == 's' && l->view == LIVE_WHO)
		l->sort = processes_sort_names[l->sort + 1] ? l->sort + 1 : 0;
	else if (key >= '1' && key < '1' + (int)(sizeof(live_views) / sizeof(*live_views)))
		l->view = (size_t)(key - '1');
	else if (key != KEY_RESIZE)
		return false;
	return key != 'q' && key != KEY_UP && key != KEY_DOWN && page == 1;
}

/* ---- running ------------------------------------------------------------------------------ */

static volatile sig_atomic_t live_signal;

static void live_on_signal(int signo)
{
	live_signal = signo;
}

/*
 * Reads the records that were added. Returns true if a new report is needed, because the window moved or the trace
 * ended. The last records of a trace describe the whole trace.
 */
static bool live_look(struct live *l)
{
	uint64_t before = l->st->last_ns;
	bool ended = l->st->ended, moves;

	l->st = follow_read(l->f);
	if (l->st->last_ns != before)
		l->seen_ns = live_now();
	moves = !l->held && l->to_ns != l->st->last_ns;
	if (moves)
		l->to_ns = l->st->last_ns;
	return moves || l->st->ended != ended;
}

static void live_loop(struct live *l, int tty)
{
	struct pollfd ready = { .fd = tty, .events = POLLIN };
	bool wanted = true; /* a new report is needed */

	while (!l->quit && !live_signal && !(ready.revents & (POLLHUP | POLLERR))) {
		uint64_t now = live_now();
		bool key = false;

		for (int c; !l->quit && (c = getch()) != ERR; key = true)
			wanted |= live_key(l, c);
		wanted |= live_look(l);
		if (wanted && (key || now >= l->due_ns) && l->st->last_ns > l->st->first_ns) {
			live_make(l);
			wanted = false;
			l->due_ns = live_now() + LIVE_IDLE * (live_now() - now);
			if (l->due_ns < now + LIVE_EACH_NS)
				l->due_ns = now + LIVE_EACH_NS;
		}
		live_draw(l);
		if (!l->quit)
			poll(&ready, 1, LIVE_LOOK_MS);
	}
}

/* Sets up the terminal. Returns what the terminal lacks, or NULL. */
static const char *live_terminal(struct live *l, int *tty)
{
	const char *no_color = getenv("NO_COLOR");
	FILE *out = fdopen(dup(STDOUT_FILENO), "w"), *in;

	if (!isatty(STDOUT_FILENO))
		return "stdout is not a terminal";
	*tty = isatty(STDIN_FILENO) ? dup(STDIN_FILENO) : open("/dev/tty", O_RDWR | O_CLOEXEC);
	in = *tty < 0 ? NULL : fdopen(*tty, "r");
	if (!in || !out)
		return "there is no terminal to read keys from";
	setlocale(LC_CTYPE, "");
	l->utf8 = !strcmp(nl_langinfo(CODESET), "UTF-8");
	if (!newterm(NULL, out, in))
		return "the terminal type does not support cursor movement: set TERM to a type such as xterm or vt100";
	if (!tigetstr("cup")) {
		endwin();
		return "the terminal type does not support cursor movement: set TERM to a type such as xterm or vt100";
	}
	l->colors = has_colors() && !(no_color && *no_color) && start_color() == OK &&
		    use_default_colors() == OK;
	cbreak();
	noecho();
	curs_set(0);
	set_escdelay(25);
	nodelay(stdscr, true);
	keypad(stdscr, true);
	return NULL;
}

enum exit_status live_run(const struct options *given)
{
	const struct sigaction act = { .sa_handler = live_on_signal };
	struct options o = *given;
	struct live l = { .o = &o, .seen_ns = live_now() };
	const char *lacks = NULL;
	int tty = -1;

	o.last_ns = o.last_ns ? o.last_ns : LIVE_LAST_NS;
	l.f = follow_new(o.file);
	if (!l.f)
		return EXIT_FAILED;
	l.st = follow_read(l.f);
	if (l.st->ended && !l.st->last_ns)
		tell(l.st->name, "%s", lacks = *l.st->why ? l.st->why : "has no ticks to show");
	else if ((lacks = live_terminal(&l, &tty)))
		tell("live", "%s; netcost-report summary --from=-10s FILE prints the same", lacks);
	if (!lacks) {
		sigaction(SIGINT, &act, NULL);
		sigaction(SIGTERM, &act, NULL);
		sigaction(SIGHUP, &act, NULL);
		confine(0);
		live_loop(&l, tty);
		endwin();
	}
	follow_free(l.f);
	return lacks || (live_signal && live_signal != SIGINT) ? EXIT_FAILED : EXIT_DONE;
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
