/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * doc.h: a report as data: fields, tables, lines and notes, one after the other. A function builds
 * a report, item by item.
 *
 *   1. Renderers (text, JSON, CSV, HTML, the schema of the JSON) take the items that are for them.
 *      They know no report; a new format is one more struct doc_renderer.
 *   2. Code that builds a report does not know the renderer, except through doc_is_for(), to skip
 *      expensive calculations.
 *   3. NaN and a NULL text mean "not measured": "-" in text, null in JSON, an empty cell in CSV.
 *      Never 0.
 *   4. A row has a cell for each column of its table, in their order, including invisible columns.
 *   5. The schema is built by the same functions, from an empty model. So a key that is not always
 *      present needs doc_optional().
 *   6. Texts may come from a trace: renderers make them safe. They must live until the row, or the
 *      field, has ended.
 */
#ifndef NETCOST_REPORT_DOC_H
#define NETCOST_REPORT_DOC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "render.h"
#include "text.h"

struct histogram;

/* The output of text: a terminal and its capabilities. Zeroed: a file. */
struct terminal {
	unsigned int columns; /* width that text must fit; 0: unlimited */
	bool colors;
	bool bars;
	bool utf8; /* bars may use characters beyond ASCII */
};

/* From now on terminal_of_stdout() returns this, which must stay valid. */
void terminal_assume(const struct terminal *t);

extern const char *const terminal_colors[]; /* auto, always, never; NULL-terminated */

/*
 * Describes stdout. colors: one of terminal_colors; NULL: auto. "always" treats any output as a
 * terminal.
 */
struct terminal terminal_of_stdout(const char *colors);

/* The readers of an item. */
enum doc_for {
	DOC_TEXT = 1,
	DOC_HTML = 2,
	DOC_JSON = 4, /* includes doc_begin_flat(): JSON as CSV with a row for each value */
	DOC_CSV = 8,
	DOC_PEOPLE = DOC_TEXT | DOC_HTML,
	DOC_PROGRAMS = DOC_JSON | DOC_CSV,
	DOC_ALL = DOC_PEOPLE | DOC_PROGRAMS,
	DOC_LAST = 16, /* a flag of rows: sorting keeps the row below the others */
};

enum doc_kind {
	DOC_NUMBER,
	DOC_UINT,     /* for fields: 64 bits, which a double cannot hold */
	DOC_INTERVAL, /* a number, and the half-width of its 95 % interval */
	DOC_STRING,   /* left-aligned */
	DOC_LIST, /* strings that are consecutive in memory; text and CSV separate them by commas */
	DOC_UINTS, /* for fields: 32-bit numbers */
	DOC_BOOL,
	DOC_HISTOGRAM, /* JSON only: the middle and the count of each bin that is not empty */
	DOC_BAR,       /* a share of 1, drawn: in HTML, and with a width on terminals */
	DOC_SPARK, /* text only: a string of '\1' to '\10', drawn as columns of that many eighths */
};

/* The type of a cell's value in the struct of a row. */
enum doc_value {
	DOC_OF_NOTHING, /* no value: the cell is blank */
	DOC_OF_NUMBER,	/* double */
	DOC_OF_UINT,	/* uint64_t; UINT64_MAX: unknown */
	DOC_OF_STRING,	/* const char *; "": unknown, unless the column is `known` */
	DOC_OF_CHARS,	/* an array of char; "": as in DOC_OF_STRING */
	DOC_OF_CHOICE,	/* an enum: an index into `choices` */
	DOC_OF_BOOL
};

/* Members of a column: where doc_put_row() finds its value in the struct of a row. */
#define DOC_AT(type, member)                                                                       \
	.value = _Generic(((type *)0)->member,                                                     \
			double: DOC_OF_NUMBER,                                                     \
			uint64_t: DOC_OF_UINT,                                                     \
			const char *: DOC_OF_STRING,                                               \
			char *: DOC_OF_CHARS,                                                      \
			unsigned int: DOC_OF_CHOICE,                                               \
			bool: DOC_OF_BOOL),                                                        \
	.at = offsetof(type, member)
/* The same for an INTERVAL; ci: its half-width, a double. */
#define DOC_AT_INTERVAL(type, member, ci) DOC_AT(type, member), .ci_at = offsetof(type, ci)

struct doc_column {
	const char *
		/*
		 * for programs; NULL: only for people. JSON nests "leaf_ns.idle"; keys of an
		 * object must be adjacent
		 */
		key;
	const char *ci_key; /* INTERVAL: the key of the half-width */
	const char *title;  /* for people, with the unit; NULL: only for programs */
	enum doc_kind kind;
	double scale;	   /* factor of the number for people; 0: 1 */
	uint8_t decimals;  /* for people */
	uint8_t precision; /* decimals for programs */
	uint8_t width;	   /* in text */
	uint8_t ci_width;  /* INTERVAL: in text, of the half-width; 0: 5 */
	bool sign;	   /* people also see a plus sign */
	/* people see only significant digits (text_measured()), `decimals` at most */
	bool measured;
	enum text_unit unit; /* measured: scaled for people */
	uint8_t cut;	     /* STRING: largest number of bytes in text; 0: unlimited */
	/* For narrow text (doc_fitted()): */
	const char *brief_title; /* NULL: title */
	bool brief;		 /* NUMBER: four digits, and k, M and so on */
	uint8_t spare; /* order of omission if there is no room, higher numbers first; 0: never */
	uint8_t only;  /* enum doc_for; 0: all */

	/* for doc_put_row() */
	enum doc_value value;
	uint16_t at, ci_at;	  /* offsets in the row's struct: DOC_AT() */
	double times;		  /* factor of the value; 0: 1; not for bars */
	const char *empty;	  /* STRING: replaces an empty one */
	const char *const *color; /* BAR */
	bool single;		  /* blank in a row of sums */

	/* for the schema */
	bool known;		    /* never null; a number is then a count */
	bool whole;		    /* a number is a count or null */
	const char *const *choices; /* STRING: all values, NULL-terminated; NULL: any text */
	bool constant;		    /* STRING: the only value */
	const char *about;	    /* NULL: the key is sufficient */
};

/* Members of a column of percentages, without and with intervals. */
#define DOC_PERCENT(key_, title_, width_)                                                          \
	.key = key_, .title = title_, .decimals = 2, .precision = 4, .width = width_
#define DOC_PERCENT_INTERVAL(key_, ci_key_, title_, width_)                                        \
	DOC_PERCENT(key_, title_, width_), .ci_key = ci_key_, .kind = DOC_INTERVAL

#define DOC_COLUMNS 96

struct doc_table {
	const char *key; /* for programs */
	const char *
		/*
		 * for people: in text the heading of the first column; NULL: that column has its
		 * own
		 */
		title;
	const char *caption; /* in HTML; NULL: title */
	bool above;	     /* in text the title has a separate line above the headings */
	bool tight;	     /* no empty line before it in text */
	bool sections;	     /* for people it begins with its first section */
	bool sortable;	     /* in a page: by clicking on a heading */
	const struct doc_column *column;
	size_t ncolumns; /* at most DOC_COLUMNS */
	/*
	 * In JSON: an object with a member for each row, named by its first cell, instead of an
	 * array of rows. If there is only one other column for programs, a member is that value.
	 */
	bool keyed;
	unsigned int only; /* enum doc_for; 0: all */
	const char *about; /* for the schema; NULL: the key is sufficient */
};

/* Members of a table: all columns of that array. */
#define DOC_COLUMNS_OF(array) .column = (array), .ncolumns = sizeof(array) / sizeof(*(array))

struct doc_cell {
	bool blank; /* show nothing */
	double v, ci;
	uint64_t u;
	const char *s; /* NULL: unknown */
	uint32_t n;    /* LIST: number of strings, beginning at s */
	const struct histogram *histogram;
	const uint32_t *uints; /* UINTS: n numbers */
	bool is;
	int color;	   /* of a terminal; 0: none */
	const char *brief; /* STRING: replaces it in narrow text; NULL: none */
};

struct doc;

struct doc_renderer {
	unsigned int is; /* a single enum doc_for */
	void (*object)(struct doc *d, const char *key);
	void (*object_end)(struct doc *d);
	void (*array)(struct doc *d, const char *key);
	void (*array_end)(struct doc *d);
	void (*field)(struct doc *d, const struct doc_column *c, const struct doc_cell *cell);
	void (*heading)(struct doc *d, const char *text);
	void (*title)(struct doc *d, const char *text);
	void (*line)(struct doc *d, const char *name, const char *text);
	void (*subline)(struct doc *d, const char *name, const char *of, const char *text);
	void (*note)(struct doc *d, const char *text);
	void (*alert)(struct doc *d, const char *word, const char *text);
	void (*table)(struct doc *d);
	void (*row)(struct doc *d);
	void (*section)(struct doc *d, const char *title);
	void (*table_end)(struct doc *d);
	void (*end)(struct doc *d);
};

extern const struct doc_renderer doc_text, doc_html, doc_json, doc_csv;

/* The schema's description of the next item. */
struct doc_next {
	const char *about;
	bool optional, null;
};

struct doc {
	const struct doc_renderer *renderer;
	FILE *out;
	const struct part *part;

	/* the current table and row */
	const struct doc_table *table;
	struct doc_cell cell[DOC_COLUMNS];
	size_t ncells;
	unsigned int depth; /* indentation of the row */
	bool row_taken;	    /* the row is for this renderer */
	bool row_last;	    /* DOC_LAST */

	struct json json;
	struct doc_schema *schema; /* for the schema; otherwise NULL */
	struct doc_next next;
	const char *csv_table;	   /* for CSV: the table to print, as in struct doc_tables */
	bool csv_on, csv_seen;	   /* that table is being written; it was found */
	struct doc_tables *tables; /* for doc_begin_tables(); otherwise NULL */
	struct terminal terminal;  /* for text */
	struct text_fit *fit;	   /* for text: the table, kept until its end; otherwise NULL */
	bool wide;		   /* for text: all columns and digits, however wide */
	struct doc_survey *survey; /* for doc_fitted(); otherwise NULL */
	bool in_list;		   /* for HTML: a list of lines is open */
	bool in_table;		   /* for HTML: a table is open */
};

/* Begins a document about that part, which must outlive it. */
struct doc doc_begin(const struct doc_renderer *r, FILE *out, const struct part *part);
/* Begins CSV with a row for each value: its keys, and the value. */
struct doc doc_begin_flat(FILE *out, const struct part *part);
/* Begins CSV of one table, named as in struct doc_tables. */
struct doc doc_begin_csv(FILE *out, const struct part *part, const char *table);

#define DOC_TABLES 64

/* The tables of a report that CSV can print, each by its path of JSON keys: "cost.programs". */
struct doc_tables {
	char path[DOC_TABLES][JSON_PATH];
	size_t n;
};

/* Collects the tables of the report that is built into it, without a trace, as for the schema. */
struct doc doc_begin_tables(const struct part *part, struct doc_tables *t);
/*
 * Returns the path of a table. name: its key, or its path if another table has that key. NULL: no
 * such table.
 */
const char *doc_tables_find(const struct doc_tables *t, const char *name);
/* Prints the names that doc_tables_find() accepts, separated by commas. */
void doc_tables_print(const struct doc_tables *t, FILE *out);

/*
 * Begins the JSON schema of all reports that are built into it, each after doc_schema_report().
 * They are built without a trace, so their values are zero, empty or NaN. -1: out of memory.
 */
int doc_begin_schema(struct doc *d, FILE *out, const struct part *part);
void doc_schema_report(struct doc *d, const char *name);
void doc_schema_free(struct doc *d);
void doc_end(struct doc *d);

bool doc_is_for(const struct doc *d, unsigned int who);
/* True for the schema, where no data is missing because there is no trace. */
bool doc_is_schema(const struct doc *d);

/* ---- fields, for programs: key NULL in arrays -------------------------------------------- */

void doc_object(struct doc *d, const char *key);
void doc_object_end(struct doc *d);
void doc_array(struct doc *d, const char *key);
void doc_array_end(struct doc *d);
void doc_field(struct doc *d, const char *key, double v, int precision);
void doc_field_uint(struct doc *d, const char *key, uint64_t v);
void doc_field_string(struct doc *d, const char *key, const char *s); /* NULL: unknown */
void doc_field_text(struct doc *d, const char *key, const char *s);   /* never NULL */
/* Writes null unless known. */
void doc_field_known(struct doc *d, const char *key, uint64_t v, bool known);
/* The same text in every report. */
void doc_field_constant(struct doc *d, const char *key, const char *s);
/* One of choices, which is NULL-terminated. */
void doc_field_choice(struct doc *d, const char *key, const char *s, const char *const *choices);
void doc_field_list(struct doc *d, const char *key, const char *first, uint32_t n);
void doc_field_uints(struct doc *d, const char *key, const uint32_t *v, uint32_t n);
void doc_field_bool(struct doc *d, const char *key, bool v);

/* The schema's description of the next field, object, array or table. */
void doc_about(struct doc *d, const char *text);
/* The next item is optional. Returns whether to add it. */
bool doc_optional(struct doc *d, bool there);
/*
 * The next item, of that key, may be null. Returns whether to add it; otherwise the null has been
 * added.
 */
bool doc_or_null(struct doc *d, const char *key, bool there);

/* ---- text --------------------------------------------------------------------------- */

/*
 * The start of a report: the name of the trace, then the text, if it is not "". A page has the
 * name already.
 */
__attribute__((format(printf, 2, 3))) void doc_heading(struct doc *d, const char *fmt, ...);
/* A heading above lines or tables; "": only an empty line. */
void doc_title(struct doc *d, const char *text);
/* A name, and text about it. name "": continues the previous line. */
__attribute__((format(printf, 3, 4))) void doc_line(struct doc *d, const char *name,
						    const char *fmt, ...);
/* A name, a part of it, and text about that part. */
void doc_subline(struct doc *d, const char *name, const char *of, const char *text);
/* A problem: a word, and details. */
__attribute__((format(printf, 3, 4))) void doc_alert(struct doc *d, const char *word,
						     const char *fmt, ...);
/* A sentence. */
__attribute__((format(printf, 2, 3))) void doc_note(struct doc *d, const char *fmt, ...);

/* ---- tables ------------------------------------------------------------------------------ */

/* t must outlive doc_table_end(). */
void doc_table(struct doc *d, const struct doc_table *t);
void doc_table_end(struct doc *d);

/* People see a new table with the same columns; for programs the table continues. */
void doc_section(struct doc *d, const char *title);

/* All rows of a table. */
struct doc_rows {
	void (*add)(struct doc *d, const void *ctx); /* adds the rows; called once or twice */
	const void *ctx;
	void (*below)(struct doc *d, const void *ctx); /* lines below the table; NULL: none */
	/* size of the names that add() shortens: set to the available width; NULL: none */
	size_t *name_size;
};

/*
 * A table that fits the terminal, or TEXT_COLUMNS in a file, unless wide text was requested:
 * columns are as wide as their contents. Empty optional columns are left out, then other optional
 * columns until the table fits, which is noted. t: at most DOC_COLUMNS columns.
 */
void doc_fitted(struct doc *d, const struct doc_table *t, const struct doc_rows *rows);

/*
 * Begins a row. A cell for each column follows, including invisible ones, then doc_row_end().
 * Strings must live until then.
 */
void doc_row(struct doc *d, unsigned int depth, unsigned int only);
void doc_row_end(struct doc *d);
/*
 * Puts a whole row from its struct, each cell from its column's offset (DOC_AT()). The struct must
 * live until the end of the row.
 */
void doc_put_row(struct doc *d, unsigned int depth, unsigned int only, const void *row);
/*
 * Puts a row of sums from its struct, for people, below the others: cells of `single` columns are
 * blank.
 */
void doc_put_sum(struct doc *d, const void *row);
void doc_number(struct doc *d, double v);
void doc_interval(struct doc *d, double v, double ci);
void doc_string(struct doc *d, const char *s);
void doc_list(struct doc *d, const char *first, uint32_t n);
void doc_histogram(struct doc *d, const struct histogram *h);
/* brief: used in narrow text. */
void doc_string_brief(struct doc *d, const char *s, const char *brief);
void doc_colored(struct doc *d, const char *s, int color);
void doc_bool(struct doc *d, bool v);
void doc_bar(struct doc *d, double share, const char *color);
/* level: without blanks; other characters than those of DOC_SPARK are printed as they are. */
void doc_spark(struct doc *d, const char *level, const char *color);
void doc_blank(struct doc *d);
void doc_blanks(struct doc *d, size_t n);

/* ---- for renderers ----------------------------------------------------------------------- */

#define DOC_LINE 2048 /* bytes: longer lines are truncated */

/* True if column i of the table is for this renderer. */
bool doc_takes(const struct doc *d, size_t i);
/* Returns the only column of a keyed table for programs, except its keys; 0: there are several. */
size_t doc_only_column(const struct doc *d);
/* Writes the number of a cell for people. Returns buf. */
char *doc_shown(char *buf, size_t size, const struct doc_column *c, double v);
#define DOC_SHOWN_SIZE 48
/*
 * The same for a measured column, with its interval; ci_width: width of the half-width; 0: as
 * needed.
 */
char *doc_measured(char *buf, size_t size, const struct doc_column *c, const struct doc_cell *cell,
		   int ci_width);
/* Text is left-aligned, numbers are right-aligned. */
bool doc_is_text(const struct doc_column *c);
/* Writes the strings of a list for people. Returns dst. */
char *doc_joined(char *dst, size_t size, const struct doc_cell *cell);
#define DOC_JOINED_SIZE 1024

/* ---- text: rows as lines --------------------------------------------------------------- */

#define DOC_TEXT_INDENT 2 /* columns before a row */

/* Returns the text of a cell: buf, or a constant. */
const char *doc_text_shown(const struct doc *d, char *buf, size_t size, const struct doc_column *c,
			   const struct doc_cell *cell);
const char *doc_text_title(const struct doc *d, const struct doc_column *c);

/*
 * The contents of a row: a text for each column of the table, including columns that are not for
 * text.
 */
struct text_row {
	unsigned int depth;
	const char *text[DOC_COLUMNS];
	const char *brief[DOC_COLUMNS];	    /* used if there is no room; NULL: none */
	int color[DOC_COLUMNS];		    /* of a terminal; 0: none */
	double share[DOC_COLUMNS];	    /* BAR */
	const char *bar_color[DOC_COLUMNS]; /* "#rrggbb" */
};

/* A separate line; "": nothing. */
void text_row_title(const struct doc *d, const char *text);
/* title: of the table, or of its section. */
void text_row_headings(struct doc *d, const char *title);
/* Wraps the last column at the terminal's width, if known. */
void text_row_put(struct doc *d, const struct text_row *r);

/* Columns of a table that were left out for lack of room: their titles, by their contents. */
#define LEFT_TITLES 256
struct left_out {
	char missing[LEFT_TITLES], zero[LEFT_TITLES], no_room[LEFT_TITLES];
};

/* Leaves a column out. titles: a list of struct left_out. */
void left_out_add(const struct doc *d, struct doc_column *c, char titles[LEFT_TITLES]);
/* Leaves out the optional columns of the highest rank. Returns false if no column is optional. */
bool left_out_add_rank(struct left_out *l, const struct doc *d, struct doc_column *column,
		       size_t n);
/* "  not measured: a, b; no room for: c (--wide shows all)"; "": nothing was left out. */
char *left_out_text(char *buf, size_t size, const struct left_out *l);

#endif
