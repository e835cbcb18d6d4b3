// SPDX-License-Identifier: BSD-2-Clause
/* Elements of gnuplot scripts, and running gnuplot on a script. */
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <spawn.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <netcost/text_append.h>

#include "plot.h"
#include "report/analysis/summary.h"
#include "report/base/text.h"
#include "report/model/filter.h"

#define FONT_PX 12
#define PX_PER_INCH 96.0
#define TEXT_COLOR "#222222"
#define GREY_COLOR "#666666"
#define LINE_COLOR "#888888"
#define ZOOM_COLOR "#f3f3f3"

const char *const plot_format_names[PLOT_FORMATS + 1] = { "svg", "png", "pdf", NULL };

bool plot_fail(struct plot *p, const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	vsnprintf(p->why, sizeof(p->why), fmt, args);
	va_end(args);
	return false;
}

bool plot_no_memory(struct plot *p)
{
	return plot_fail(p, "out of memory");
}

/* ---- strings ----------------------------------------------------------------------------- */

/*
 * Returns true for characters that have no special meaning in gnuplot, XML and PDF, in any kind of
 * quotes.
 */
static bool is_harmless(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
	       (c && strchr(" .,:;+-_/()[]=%#*!?", c));
}

/* Replaces "+-" in built-in texts, which can only contain ASCII. */
#define PLUS_MINUS "\u00b1"
/*
 * Replaces "'". Doubling a "'" quotes it in a gnuplot string, but not at the start of the string.
 */
#define APOSTROPHE "\u2019"
/* Replaces "< ", which begins a value below its interval; "@ " in a CPU's model becomes "at ". */
#define BELOW "under"

static void put_harmless(FILE *out, const char *s)
{
	for (; *s; s++) {
		if (!strncmp(s, PLUS_MINUS, strlen(PLUS_MINUS))) {
			fputs(PLUS_MINUS, out);
			s += strlen(PLUS_MINUS) - 1;
		} else if (*s == '\'') {
			fputs(APOSTROPHE, out);
		} else if (!strncmp(s, "< ", 2)) {
			fputs(BELOW, out);
		} else if (!strncmp(s, "@ ", 2)) {
			fputs("at", out);
			/* each character of UTF-8 becomes one '?' */
		} else if (((unsigned char)*s & 0xc0) != 0x80) {
			fputc(is_harmless(*s) ? *s : '?', out);
		}
	}
}

void plot_quote(FILE *out, const char *s)
{
	fputc('\'', out);
	put_harmless(out, s);
	fputc('\'', out);
}

/*
 * Writes a bold text. SVG supports bold type only as markup. '_' is special in markup, so no bold text may contain '_'.
 */
static void quote_bold(FILE *out, const char *s)
{
	fputs("'{/:Bold ", out);
	put_harmless(out, s);
	fputs("}'", out);
}

/* ---- the page ---------------------------------------------------------------------------- */

static void set_terminal(struct plot *p, double width, double height)
{
	static const char *const terminal[PLOT_FORMATS] = { "svg", "pngcairo", "pdfcairo" };
	/* Sizes of fonts are in pixels in SVG, and in points in the other formats. */
	double points = FONT_PX * 72 / PX_PER_INCH;

	fprintf(p->out, "set encoding utf8\nset terminal %s ", terminal[p->format]);
	if (p->format == PLOT_PDF)
		fprintf(p->out, "size %.2fin,%.2fin fontscale 0.75 ", width / PX_PER_INCH,
			height / PX_PER_INCH);
	else
		fprintf(p->out, "size %.0f,%.0f ", width, height);
	if (p->format == PLOT_SVG)
		fprintf(p->out, "name 'netcost_%s' ", p->chart->name);
	fprintf(p->out, "enhanced font 'sans-serif,%g' background '#ffffff'\n",
		p->format == PLOT_SVG ? FONT_PX : points);
}

/*
 * Describes the filter: "0.40 s to 1.20 s, CPUs 0-3, task nginx". The text is empty for the whole
 * trace.
 */
static char *filter_text(const struct model *m, char *dst, size_t size)
{
	const struct filter *f = m->filter;

	*dst = '\0';
	if (filter_has_cpus(f))
		snprintf(dst, size, "; only CPUs %s", f->cpus.text);
	if (f && f->tasks)
		text_append(dst, size, "", "; only tasks %s", f->tasks);
	if (f && f->cgroup)
		text_append(dst, size, "", "; only cgroup %s", f->cgroup);
	return dst;
}

/*
 * Returns a title such as "web.nct", with the part but without the folder, which does not matter to
 * readers of the picture.
 */
static char *file_title(const struct part *part, char *dst, size_t size)
{
	const char *slash = strrchr(part->file, '/');
	struct part named = *part;

	if (slash && slash[1])
		named.file = slash + 1;
	return part_title(&named, dst, size);
}

/*
 * Writes a line below the title. A text that is too long for the page is truncated and ends in
 * dots.
 */
__attribute__((format(printf, 4, 5))) static void subtitle(struct plot *p, double y,
							   unsigned int how, const char *fmt, ...)
{
	char text[SAFE_SIZE + PART_TITLE_SIZE];
	size_t room = (size_t)((p->chart->width - 2 * PLOT_MARGIN) / PLOT_CHAR);
	va_list args;

	va_start(args, fmt);
	vsnprintf(text, sizeof(text), fmt, args);
	va_end(args);
	if (strlen(text) > room && room < sizeof(text))
		memcpy(text + room - 3, "...", 4);
	plot_text(p, PLOT_MARGIN, y, how, "%s", text);
}

static void set_subtitles(struct plot *p)
{
	char file[PART_TITLE_SIZE];
	const struct model *m = p->m;
	const struct model_header *h = &m->header;
	char samples[TEXT_SIZE] = "no samples", filter[SAFE_SIZE], followed[TEXT_SIZE] = "";
	bool packets = p->chart->latency || p->chart->map || p->chart->stages;

	if (h->sample_hz)
		snprintf(samples, sizeof(samples), "samples %" PRIu64 " Hz", h->sample_hz);
	if (packets && model_follows_in_windows(m))
		snprintf(followed, sizeof(followed), "; packets followed for %s",
			 MEASURED(m->followed.on_ns, TEXT_NS));
	subtitle(p, 40, PLOT_LEFT, "%s: %s on %" PRIu64 " CPU%s%s%s",
		 file_title(p->part, file, sizeof(file)),
		 MEASURED(1e9 * summary_duration_s(m), TEXT_NS), h->ncpus, h->ncpus == 1 ? "" : "s",
		 m->status.ended ? "" : ", cut off", filter_text(m, filter, sizeof(filter)));
	subtitle(p, 57, PLOT_GREY, "Linux %s %s, %s; exact: %s; %s%s", model_string(m, h->kernel),
		 model_string(m, h->machine), model_string(m, h->cpu_model),
		 h->exact ? model_string(m, h->exact) : "-", samples, followed);
}

static void write_head(struct plot *p)
{
	double width = p->chart->width;

	fputs("# Made by netcost-report plot. gnuplot FILE >PICTURE draws it.\n", p->out);
	set_terminal(p, width, p->height);
	fputs("set multiplot\n"
	      "set lmargin at screen 0\nset rmargin at screen 1\n"
	      "set bmargin at screen 0\nset tmargin at screen 1\n"
	      "unset border\nunset tics\nunset key\n",
	      p->out);
	fprintf(p->out, "set xrange [0:%.0f]\nset yrange [%.0f:0]\n", width, p->height);
	p->page = p->out;
	plot_text(p, PLOT_MARGIN, 18, PLOT_BOLD | PLOT_LARGE, "%s", p->title);
	set_subtitles(p);
}

/* Begins a panel. gnuplot places panels by fractions of the page. */
static void begin_panel(const struct plot *p, const struct plot_panel *panel)
{
	double width = p->chart->width;

	fprintf(p->out, "set lmargin at screen %.4f\nset rmargin at screen %.4f\n",
		panel->x / width, (panel->x + panel->width) / width);
	fprintf(p->out, "set tmargin at screen %.4f\nset bmargin at screen %.4f\n",
		1 - panel->y / p->height, 1 - (panel->y + panel->height) / p->height);
	fputs("unset arrow\n"
	      "set border 3 linecolor rgb '" LINE_COLOR "'\n"
	      "set format '%g'\n"
	      "set tics scale 0.6\n"
	      "set xtics out nomirror textcolor rgb '" TEXT_COLOR "'\n"
	      "set ytics out nomirror textcolor rgb '" TEXT_COLOR "'\n",
	      p->out);
}

void plot_write(struct plot *p, const char *page, const char *panels)
{
	long at = 0, end = (long)strlen(panels);

	write_head(p);
	fputs(page, p->out);
	for (size_t i = 0; i <= p->npanels; i++) {
		long to = i < p->npanels ? p->panel[i].at : end;

		fwrite(panels + at, 1, (size_t)(to - at), p->out);
		if (i == 0)
			fputs("plot NaN notitle\nunset object\nunset label\n", p->out);
		if (i < p->npanels)
			begin_panel(p, &p->panel[i]);
		at = to;
	}
	fputs("unset multiplot\n", p->out);
}

void plot_panel(struct plot *p, double x, double y, double width, double height)
{
	if (p->npanels < PLOT_PANELS_MOST)
		p->panel[p->npanels++] =
			(struct plot_panel){ x, y, width, height, ftell(p->panels) };
}

double plot_tics(double most)
{
	double power = pow(10, floor(log10(most / 3)));
	double times = most / 3 / power;

	return power * (times >= 5 ? 5 : times >= 2 ? 2 : 1);
}

struct plot_axis plot_time_axis(double seconds)
{
	static const struct plot_axis axis[] = { { 1, "seconds" },
						 { 1 / 60.0, "minutes" },
						 { 1 / 3600.0, "hours" } };

	return axis[seconds <= 900 ? 0 : seconds <= 6 * 3600 ? 1 : 2];
}

/* ---- shapes, text ------------------------------------------------------------------------ */

static void fill(FILE *out, const char *color)
{
	if (color)
		fprintf(out, "fillcolor rgb '%s' fillstyle solid ", color);
	else
		fputs("fillcolor rgb '" LINE_COLOR "' fillstyle pattern 4 ", out);
	fputs("border linecolor rgb '" LINE_COLOR "' linewidth 0.5\n", out);
}

void plot_rect(struct plot *p, double x, double y, double width, double height, const char *color)
{
	fprintf(p->page, "set object rectangle from %.2f,%.2f to %.2f,%.2f ", x, y, x + width,
		y + height);
	fill(p->page, color);
}

/* Angles of gnuplot are counterclockwise and begin at the right. */
void plot_wedge(struct plot *p, double x, double y, double radius, double from, double to,
		const char *color)
{
	double begin = 90 - 360 * to;

	if (begin < 0)
		begin += 360;
	fprintf(p->page, "set object circle at %.2f,%.2f size %.2f arc [%.3f:%.3f] ", x, y, radius,
		begin, begin + 360 * (to - from));
	fill(p->page, color);
}

void plot_zoom(struct plot *p, const double from[2], double y, const double to[2], double y_to)
{
	fprintf(p->page,
		"set object polygon from %.2f,%.2f to %.2f,%.2f to %.2f,%.2f to %.2f,%.2f to %.2f,%.2f "
		"fillcolor rgb '" ZOOM_COLOR "' fillstyle solid noborder\n",
		from[0], y, from[1], y, to[1], y_to, to[0], y_to, from[0], y);
}

void plot_text(struct plot *p, double x, double y, unsigned int how, const char *fmt, ...)
{
	const char *align = how & PLOT_RIGHT ? "right" : how & PLOT_CENTER ? "center" : "left";
	char text[SAFE_SIZE + PART_TITLE_SIZE];
	double size = (how & PLOT_LARGE ? 1.3 : 1) * FONT_PX;
	va_list args;

	va_start(args, fmt);
	vsnprintf(text, sizeof(text), fmt, args);
	va_end(args);
	if (p->format != PLOT_SVG)
		size *= 72 / PX_PER_INCH;
	fputs("set label ", p->page);
	if (how & PLOT_BOLD)
		quote_bold(p->page, text);
	else
		plot_quote(p->page, text);
	fprintf(p->page, " at %.2f,%.2f %s %s font 'sans-serif,%g' textcolor rgb '%s'\n", x, y,
		align, how & PLOT_BOLD ? "enhanced" : "noenhanced", size,
		how & PLOT_GREY ? GREY_COLOR : TEXT_COLOR);
}

void plot_legend(struct plot *p, double x, double y, const char *color, const char *title)
{
	plot_rect(p, x, y - 6, 12, 12, color);
	plot_text(p, x + 20, y, PLOT_LEFT, "%s", title);
}

/* ---- gnuplot ----------------------------------------------------------------------------- */

/*
 * Starts gnuplot. Returns 0 or an error number. -d makes gnuplot ignore the user's start-up file.
 */
static int spawn(pid_t *pid, FILE *in, FILE *out, FILE *err)
{
	/*
	 * The script is passed as a file, because with '-' gnuplot would continue after an error.
	 */
	static char *const argv[] = { "gnuplot", "-d", "/dev/stdin", NULL };
	posix_spawn_file_actions_t actions;
	int error = posix_spawn_file_actions_init(&actions);

	if (error)
		return error;
	/*
	 * blur_date() needs this: otherwise cairo 1.18 compresses the object that contains the date
	 */
	setenv("CAIRO_DEBUG_PDF", "1", 1);
	error = posix_spawn_file_actions_adddup2(&actions, fileno(in), STDIN_FILENO);
	if (!error)
		error = posix_spawn_file_actions_adddup2(&actions, fileno(out), STDOUT_FILENO);
	if (!error)
		error = posix_spawn_file_actions_adddup2(&actions, fileno(err), STDERR_FILENO);
	if (!error)
		error = posix_spawnp(pid, argv[0], &actions, NULL, argv, environ);
	posix_spawn_file_actions_destroy(&actions);
	return error;
}

/* Reports the last line of gnuplot's error output. */
static void tell_failed(FILE *err, int status, char *why, size_t size)
{
	char *line = NULL, last[SAFE_SIZE] = "without a message";
	size_t cap = 0;

	rewind(err);
	while (getline(&line, &cap, err) > 0) {
		line[strcspn(line, "\n")] = '\0';
		if (line[strspn(line, " ")])
			snprintf(last, sizeof(last), "%s", line);
	}
	free(line);
	if (WIFSIGNALED(status))
		snprintf(why, size,
			 "gnuplot was ended by signal %d; --script writes the gnuplot script",
			 WTERMSIG(status));
	else
		snprintf(why, size, "gnuplot failed: %.150s; --script writes the gnuplot script",
			 SAFE(last));
}

/*
 * Overwrites the time of day that cairo writes into PDFs, so that the same trace gives the same
 * bytes.
 */
static void blur_date(FILE *picture)
{
	static const char key[] = "/CreationDate (D:", date[] = "19700101000000";
	char *line = NULL;
	size_t cap = 0;
	ssize_t n;

	while ((n = getline(&line, &cap, picture)) > 0) {
		char *at = memmem(line, (size_t)n, key, strlen(key));

		if (!at || line + n < at + strlen(key) + strlen(date))
			continue;
		if (fseeko(picture, at - line + (off_t)strlen(key) - n, SEEK_CUR))
			break;
		fwrite(date, 1, strlen(date), picture);
		break;
	}
	free(line);
	rewind(picture);
}

static bool run(FILE *script, FILE *picture, FILE *err, char *why, size_t size)
{
	pid_t pid;
	int status = 0, error;

	if (fflush(script) || fseeko(script, 0, SEEK_SET)) {
		snprintf(why, size, "cannot write a temporary file: %s", strerror(errno));
		return false;
	}
	error = spawn(&pid, script, picture, err);
	while (!error && waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	/* Some C libraries detect only in the child that the program cannot be started. */
	if (error == ENOENT || (WIFEXITED(status) && WEXITSTATUS(status) == 127)) {
		snprintf(why, size,
			 "charts are drawn by gnuplot, which is not installed: apt-get install "
			 "gnuplot-nox, or write the gnuplot script with --script");
		return false;
	}
	if (error) {
		snprintf(why, size, "cannot start gnuplot: %s", strerror(error));
		return false;
	}
	rewind(picture);
	if (!status && fseeko(picture, 0, SEEK_END) == 0 && ftello(picture) > 0) {
		rewind(picture);
		blur_date(picture);
		return true;
	}
	tell_failed(err, status, why, size);
	return false;
}

FILE *gnuplot_run(FILE *script, char *why, size_t size)
{
	FILE *picture = tmpfile(), *err = tmpfile();
	bool ok = picture && err;

	if (!ok)
		snprintf(why, size, "cannot make a temporary file: %s", strerror(errno));
	else
		ok = run(script, picture, err, why, size);
	if (err)
		fclose(err);
	if (!ok && picture)
		fclose(picture);
	return ok ? picture : NULL;
}
