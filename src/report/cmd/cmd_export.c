// SPDX-License-Identifier: BSD-2-Clause
/* netcost-report export: writes a trace in other formats. */
#include <errno.h>
#include <limits.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "command.h"
#include "report/base/text.h"
#include "report/export/export.h"

struct export
{
	const struct options *o;
	const struct export_format *format;
	struct exporter *exporter;
	struct intervals intervals;
	const char *trace;   /* the current input file */
	unsigned int seen;   /* number of parts of `trace` so far */
	char path[PATH_MAX]; /* path of the current output file, if there are several */
	/*
	 * open output files of a format with file_name(), indexed by number - 1; closed after all traces were exported
	 */
	FILE *kept[EXPORT_FILES_MAX];
	/* output files of kept[]; formats without file_name() use the first element */
	struct outfile file[EXPORT_FILES_MAX];
};

/* Returns true if the format writes a file per interval, in a folder. */
static bool is_several(const struct export *x)
{
	return x->format->several && x->o->every_ns;
}

static bool make_folder(const char *name)
{
	if (!mkdir(name, 0777) || errno == EEXIST)
		return true;
	tell(name, "cannot make this folder: %s; check the path", strerror(errno));
	return false;
}

/*
 * Sets x->path to the path of output file `number`, and makes its folder. Returns false on an error, which is reported.
 */
static bool name_file(struct export *x, size_t number)
{
	const char *folder = x->o->output, *ending = x->format->ending;

	if (x->format->file_name)
		snprintf(x->path, sizeof(x->path), "%s/%s%s%s", folder,
			 x->format->file_name(number), ending, x->o->zstd ? ".zst" : "");
	else
		snprintf(x->path, sizeof(x->path), "%s/%s-%06zu%s", folder, x->format->name, number,
			 ending);
	return make_folder(folder) && !input_is_output(x->trace, "trace", x->path);
}

/*
 * Returns a stream that writes compressed data to `to`. On an error, reports the error, closes `to` and returns NULL.
 */
static FILE *compressed(FILE *to, const char *path)
{
	FILE *out = zstd_file(to);

	if (!out) {
		tell(path, "out of memory");
		fclose(to);
	}
	return out;
}

/* Returns a file that stays open, so that all traces can write to it. */
static FILE *keep(struct export *x, size_t number)
{
	FILE **kept = &x->kept[number - 1];

	if (!*kept && name_file(x, number))
		*kept = command_open(&x->file[number - 1], x->path);
	else
		return *kept;
	if (*kept && x->o->zstd)
		*kept = compressed(*kept, x->path);
	return *kept;
}

static FILE *open_one(void *ctx, size_t number)
{
	struct export *x = ctx;

	if (x->format->file_name)
		return keep(x, number);
	if (!is_several(x))
		return command_open(&x->file[0], x->o->output);
	return name_file(x, number) ? command_open(&x->file[0], x->path) : NULL;
}

static bool close_one(void *ctx, FILE *out, size_t number, bool ok)
{
	struct export *x = ctx;

	(void)number;
	if (x->format->file_name)
		return true;
	return !command_end(&x->file[0], out, is_several(x) ? x->path : x->o->output, ok);
}

/* Closes the kept files. Returns false on an error, which is reported. */
static bool close_kept(struct export *x)
{
	bool ok = true;

	for (size_t i = 0; i < EXPORT_FILES_MAX; i++)
		if (x->kept[i] && name_file(x, i + 1))
			ok = !command_end(&x->file[i], x->kept[i], x->path, true) && ok;
	return ok;
}

static bool print(void *ctx, const struct model *m, const struct part *part)
{
	struct export *x = ctx;
	const struct export_source from = { .m = m, .part = part, .iv = &x->intervals };
	const struct export_target to = { .ctx = x, .open = open_one, .close = close_one };
	int err;

	if (!x->format->file_name && !models_is_first(&x->seen, part, "export"))
		return false;
	if ((x->format->pieces || x->o->every_ns) && !intervals_fit(&x->intervals, part))
		return false;
	err = x->format->write(x->exporter, &from, &to);
	if (err == -ENOMEM)
		tell(PART_TITLE(part), "out of memory");
	return !err;
}

/* ---- command ----------------------------------------------------------------------------- */

const char *const *export_format_names(void)
{
	static const char *names[EXPORT_FORMATS + 1];

	for (size_t i = 0; i < EXPORT_FORMATS; i++)
		names[i] = export_format[i]->name;
	return names;
}

static const struct export_format *find_format(const char *name)
{
	const struct export_format *format = export_find(name);

	if (!format)
		command_tell_unknown("export", "format", name, export_format_names());
	return format;
}

/* Returns the name of an option that was given but that the format does not support, or NULL. */
static const char *find_untaken(const struct options *o, const struct export_format *format)
{
	const struct {
		bool given;
		unsigned int takes;
		const char *name;
	} option[] = {
		{ o->rows, EXPORT_TAKES_TOP, "--rows" },
		{ o->per_cpu, EXPORT_TAKES_PER_CPU, "--per-cpu" },
		{ o->idle, EXPORT_TAKES_IDLE, "--idle" },
		{ o->zstd, EXPORT_TAKES_ZSTD, "--zstd" },
		{ o->ddl, EXPORT_TAKES_DDL, "--ddl" },
		{ o->host, EXPORT_TAKES_HOST, "--host" },
		{ o->listen, EXPORT_TAKES_LISTEN, "--listen" },
	};

	for (size_t i = 0; i < sizeof(option) / sizeof(*option); i++)
		if (option[i].given && !(format->takes & option[i].takes))
			return option[i].name;
	return NULL;
}

/* Returns an error message, or NULL if the options are valid. */
static const char *find_wrong(const struct options *o, const struct export_format *format)
{
	bool fixed = format->file_name;

	if (o->listen && (o->rows || o->every_ns || o->output || o->part || o->filter.window ||
			  options_select(o) || o->noperands > 2))
		return "--listen serves one whole recording tick by tick, so it cannot be combined with -o, --rows, --every, or options that select a part";
	if (fixed && o->ddl)
		return NULL;
	if (o->rows && options_select(o))
		return "--rows covers all CPUs and tasks: it cannot be combined with --cpu, --task and --cgroup";
	if (fixed && options_select(o))
		return "tables cover all CPUs and tasks: they cannot be combined with --cpu, --task and --cgroup";
	if (!format->write && (!o->output || options_select(o)))
		return "this format needs -o FILE, and cannot be combined with --cpu, --task and --cgroup";
	if (!fixed && format->write && o->noperands > 2)
		return "this format holds one trace; tables and sqlite hold several";
	if (fixed && command_to_stdout(o->output))
		return "this format writes several files; name their folder with -o";
	if (format->several && o->every_ns && command_to_stdout(o->output))
		return "with --every this format writes several files; name their folder with -o";
	if (format->binary && command_to_stdout(o->output) && isatty(STDOUT_FILENO))
		return "this format cannot be written to a terminal; use -o FILE, or a pipe";
	return NULL;
}

/* Returns true if the usage is wrong, which is reported. */
static bool is_wrong_usage(const struct options *o, const struct export_format *format)
{
	const char *untaken = find_untaken(o, format), *wrong = NULL;

	if (untaken) {
		fprintf(stderr, "netcost-report: export: %s is not supported by the format %s\n",
			untaken, format->name);
		return true;
	}
	wrong = find_wrong(o, format);
	if (wrong)
		fprintf(stderr, "netcost-report: export: %s\n", wrong);
	return wrong;
}

static enum exit_status run_trace(struct export *x, const char *file)
{
	const struct options *o = x->o;
	enum exit_status status;

	x->trace = file;
	intervals_init(&x->intervals, o->every_ns);
	x->intervals.costs_of_then = x->format->as_live;
	x->intervals.second = &x->exporter->watch;
	status = models_each(o, file, x->format->keep | (o->rows ? x->format->keep_top : 0),
			     &x->intervals, print, x);
	intervals_free(&x->intervals);
	return status;
}

/* Exports all traces. An error in one trace does not stop the others. */
static enum exit_status run_traces(struct export *x)
{
	const struct options *o = x->o;
	enum exit_status status = run_trace(x, o->file), next;

	for (size_t i = 2; i < o->noperands && status != EXIT_USAGE; i++) {
		next = run_trace(x, o->operand[i]);
		status = next ? next : status;
	}
	return close_kept(x) ? status : EXIT_FAILED;
}

static enum exit_status write_ddl(const struct options *o)
{
	struct outfile file;
	FILE *out = command_open(&file, o->output);

	if (!out)
		return EXIT_FAILED;
	ddl_write(out, o->ddl);
	return command_end(&file, out, o->output, true);
}

static enum exit_status run_format(struct export *x)
{
	const struct options *o = x->o;
	enum exit_status status;

	x->exporter = exporter_make(x->format);
	if (!x->exporter) {
		tell(input_name(o->file), "out of memory");
		return EXIT_FAILED;
	}
	x->exporter->wanted = (struct export_wanted){
		.top = o->rows,
		.per_cpu = o->per_cpu,
		.idle = o->idle,
		.every = o->every_ns,
		.quiet = o->quiet,
		.host = o->host,
	};
	status = run_traces(x);
	exporter_free(x->exporter);
	return status;
}

enum exit_status export_run(const struct options *o)
{
	struct export x = { .o = o, .format = find_format(o->operand[0]) };

	if (!x.format || is_wrong_usage(o, x.format))
		return EXIT_USAGE;
	if (o->listen)
		return listen_serve(o);
	if (!x.format->write)
		return sql_run(o);
	return o->ddl ? write_ddl(o) : run_format(&x);
}

void export_list_formats(FILE *out)
{
	fputs("Formats:\n", out);
	for (size_t i = 0; i < EXPORT_FORMATS; i++)
		fprintf(out, "  %-12s %s\n", export_format[i]->name, export_format[i]->help);
}
