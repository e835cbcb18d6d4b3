// SPDX-License-Identifier: BSD-2-Clause
#include "plot_draw.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <string.h>

#include <netcost/text_append.h>

#include "report/analysis/summary.h"
#include "report/base/text.h"
#include "report/model/filter.h"

#define FONT_PX 12
#define PX_PER_INCH 96.0
#define TEXT_COLOR "#222222"
#define GREY_COLOR "#666666"
#define LINE_COLOR "#888888"
#define ZOOM_COLOR "#f3f3f3"

/* ---- strings ----------------------------------------------------------------------------- */

/* Letters, digits and these mean nothing to gnuplot, XML and PDF, in any kind of quotes. */
static bool is_harmless(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
	       (c && strchr(" .,:;+-_/()[]=%#*!?", c));
}

/* Our own texts have "+-" instead where only ASCII is possible. */
#define PLUS_MINUS "\u00b1"
/* Instead of "'". Doubling it quotes it in a gnuplot string, but not at the string's beginning. */
#define APOSTROPHE "\u2019"

static void put_harmless(FILE *out, const char *s)
{
	for (; *s; s++) {
		if (!strncmp(s, PLUS_MINUS, strlen(PLUS_MINUS))) {
			fputs(PLUS_MINUS, out);
			s += strlen(PLUS_MINUS) - 1;
		} else if (*s == '\'') {
			fputs(APOSTROPHE, out);
		} else if (((unsigned char)*s & 0xc0) != 0x80) { /* one '?' a character of UTF-8 */
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

/* In SVG bold type is possible only as markup. There '_' has a meaning, too: no bold text may contain it. */
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
	/* SVG has font sizes in pixels, the others in points. */
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

/* "0.40 s to 1.20 s, CPUs 0-3, task nginx"; empty: all of the trace. */
static char *filter_text(const struct model *m, char *dst, size_t size)
{
	const struct filter *f = m->filter;

	*dst = '\0';
	if (filter_has_cpus(f))
		snprintf(dst, size, "; only CPUs %s", f->cpu_list);
	if (f && f->tasks)
		text_append(dst, size, "", "; only tasks %s", f->tasks);
	if (f && f->cgroup)
		text_append(dst, size, "", "; only cgroup %s", f->cgroup);
	return dst;
}

/* "web.nct", with its part, but without its folder: that does not matter to those who look at the picture. */
static char *file_title(const struct part *part, char *dst, size_t size)
{
	const char *slash = strrchr(part->file, '/');
	struct part named = *part;

	if (slash && slash[1])
		named.file = slash + 1;
	return part_title(&named, dst, size);
}

/* Text that is too long for the page is cut, and ends in dots. */
__attribute__((format(printf, 4, 5))) static void subtitle(struct plot *p, double y,
							   unsigned int how, const char *fmt, ...)
{
	char text[SAFE_SIZE + PART_TITLE_SIZE];
	size_t room = (size_t)((p->width - 2 * PLOT_MARGIN) / PLOT_CHAR);
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
	char samples[TEXT_SIZE] = "no samples", filter[SAFE_SIZE];

	if (h->sample_hz)
		snprintf(samples, sizeof(samples), "samples %" PRIu64 " Hz", h->sample_hz);
	subtitle(p, 40, PLOT_LEFT, "%s: %s s on %" PRIu64 " CPU%s%s%s",
		 file_title(p->part, file, sizeof(file)), NUM(summary_duration_s(m), 2), h->ncpus,
		 h->ncpus == 1 ? "" : "s", m->status.ended ? "" : ", cut off",
		 filter_text(m, filter, sizeof(filter)));
	subtitle(p, 57, PLOT_GREY, "Linux %s %s, %s; exact: %s; %s", model_string(m, h->kernel),
		 model_string(m, h->machine), model_string(m, h->cpu_model),
		 h->exact ? model_string(m, h->exact) : "-", samples);
}

void plot_begin(struct plot *p, double width, double height, const char *title)
{
	p->width = width;
	p->height = height;
	p->page_drawn = false;
	fputs("# Made by netcost-report plot. gnuplot FILE >PICTURE draws it.\n", p->out);
	set_terminal(p, width, height);
	fputs("set multiplot\n"
	      "set lmargin at screen 0\nset rmargin at screen 1\n"
	      "set bmargin at screen 0\nset tmargin at screen 1\n"
	      "unset border\nunset tics\nunset key\n",
	      p->out);
	fprintf(p->out, "set xrange [0:%.0f]\nset yrange [%.0f:0]\n", width, height);
	plot_text(p, PLOT_MARGIN, 18, PLOT_BOLD | PLOT_LARGE, "%s", title);
	set_subtitles(p);
}

static void draw_page(struct plot *p)
{
	if (!p->page_drawn)
		fputs("plot NaN notitle\nunset object\nunset label\n", p->out);
	p->page_drawn = true;
}

void plot_panel(struct plot *p, double x, double y, double width, double height)
{
	draw_page(p);
	fprintf(p->out, "set lmargin at screen %.4f\nset rmargin at screen %.4f\n", x / p->width,
		(x + width) / p->width);
	fprintf(p->out, "set tmargin at screen %.4f\nset bmargin at screen %.4f\n",
		1 - y / p->height, 1 - (y + height) / p->height);
	fputs("unset arrow\n"
	      "set border 3 linecolor rgb '" LINE_COLOR "'\n"
	      "set format '%g'\n"
	      "set tics scale 0.6\n"
	      "set xtics out nomirror textcolor rgb '" TEXT_COLOR "'\n"
	      "set ytics out nomirror textcolor rgb '" TEXT_COLOR "'\n",
	      p->out);
}

double plot_tics(double most)
{
	double power = pow(10, floor(log10(most / 3)));
	double times = most / 3 / power;

	return power * (times >= 5 ? 5 : times >= 2 ? 2 : 1);
}

void plot_end(struct plot *p)
{
	draw_page(p);
	fputs("unset multiplot\n", p->out);
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
	fprintf(p->out, "set object rectangle from %.2f,%.2f to %.2f,%.2f ", x, y, x + width,
		y + height);
	fill(p->out, color);
}

/* gnuplot's angles go the other way round, from the right. */
void plot_wedge(struct plot *p, double x, double y, double radius, double from, double to,
		const char *color)
{
	double begin = 90 - 360 * to;

	if (begin < 0)
		begin += 360;
	fprintf(p->out, "set object circle at %.2f,%.2f size %.2f arc [%.3f:%.3f] ", x, y, radius,
		begin, begin + 360 * (to - from));
	fill(p->out, color);
}

void plot_zoom(struct plot *p, const double from[2], double y, const double to[2], double y_to)
{
	fprintf(p->out,
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
	fputs("set label ", p->out);
	if (how & PLOT_BOLD)
		quote_bold(p->out, text);
	else
		plot_quote(p->out, text);
	fprintf(p->out, " at %.2f,%.2f %s %s font 'sans-serif,%g' textcolor rgb '%s'\n", x, y,
		align, how & PLOT_BOLD ? "enhanced" : "noenhanced", size,
		how & PLOT_GREY ? GREY_COLOR : TEXT_COLOR);
}

void plot_legend(struct plot *p, double x, double y, const char *color, const char *title)
{
	plot_rect(p, x, y - 6, 12, 12, color);
	plot_text(p, x + 20, y, PLOT_LEFT, "%s", title);
}
