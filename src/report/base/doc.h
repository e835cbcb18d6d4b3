/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * doc.h: a report as data: fields, tables, lines and notes, one after the other. A function builds
 * a report, item by item.
 *
 *   1. Renderers (text, JSON, CSV, HTML, the schema of the JSON) print the items that are meant
 *      for them. They do not depend on any report, and a new format is one more struct
 *      doc_renderer.
 *   2. Code that builds a report does not know which renderer prints it. It can only ask doc_is_for(), in order to skip
 *      expensive calculations.
 *   3. NaN and a NULL text mean "not measured": "-" in text, null in JSON, an empty cell in CSV.
 *      They are never printed as 0.
 *   4. A row has a cell for each column of its table, in the order of the columns, including
 *      invisible columns.
 *   5. The same functions build the schema from an empty model, so a key that is not always
 *      present needs doc_optional().
 *   6. Texts may come from a trace. Renderers make them safe. Texts must live until the row, or
 *      the field, has ended.
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

/* The terminal that text is written to, and its capabilities. A zeroed struct means a file. */
struct terminal {
	unsigned int columns; /* width that text must fit; 0 if it is unlimited */
	bool colors;
	bool bars;
	bool utf8; /* bars may use characters beyond ASCII */
};

/* Makes terminal_of_stdout() return t from now on. t must stay valid. */
void terminal_assume(const struct terminal *t);

extern const char *const terminal_colors[]; /* "auto", "always", "never", NULL-terminated */

/*
 * Describes the terminal of stdout. colors: one of terminal_colors; NULL means auto. "always"
 * treats any output as a terminal.
 */
struct terminal terminal_of_stdout(const char *colors);

/* The formats, and thus the readers, that an item is meant for. */
enum doc_for {
	DOC_TEXT = 1,
	DOC_HTML = 2,
	DOC_JSON = 4, /* JSON; also JSON as CSV with a row for each value (doc_begin_flat()) */
	DOC_CSV = 8,
	DOC_PEOPLE = DOC_TEXT | DOC_HTML,
	DOC_PROGRAMS = DOC_JSON | DOC_CSV,
	DOC_ALL = DOC_PEOPLE | DOC_PROGRAMS,
	DOC_LAST = 16, /* flag of a row that sorting keeps below the other rows */
};

enum doc_kind {
	DOC_NUMBER,
	DOC_UINT,     /* fields only: a 64-bit number, which a double cannot hold */
	DOC_INTERVAL, /* a number and the half-width of its 95 % interval */
	DOC_STRING,   /* left-aligned */
	/* strings that are consecutive in memory; text and CSV print commas between them */
	DOC_LIST,
	DOC_UINTS, /* fields only: a list of 32-bit numbers */
	DOC_BOOL,
	DOC_HISTOGRAM, /* JSON only: the middle and the count of each bin that is not empty */
	/* a share from 0 to 1 as a bar: in HTML, and on terminals if the column has a width */
	DOC_BAR,
	/* text only: a string of '\1' to '\10', each drawn as a column of that many eighths */
	DOC_SPARK,
};

/* The type of a cell's value in the struct of a row. */
enum doc_value {
	DOC_OF_NOTHING, /* no value; the cell is blank */
	DOC_OF_NUMBER,	/* a double */
	DOC_OF_UINT,	/* a uint64_t; UINT64_MAX means unknown */
	DOC_OF_STRING,	/* a const char *; "" means unknown, unless the column is `known` */
	DOC_OF_CHARS,	/* an array of char; "" means the same as for DOC_OF_STRING */
	DOC_OF_CHOICE,	/* an enum, as an index into `choices` */
	DOC_OF_BOOL
};

/* Members of a column with which doc_put_row() finds the value in the struct of a row. */
#define DOC_AT(type, member)                                                                       \
	.value = _Generic(((type *)0)->member,                                                     \
			double: DOC_OF_NUMBER,                                                     \
			uint64_t: DOC_OF_UINT,                                                     \
			const char *: DOC_OF_STRING,                                               \
			char *: DOC_OF_CHARS,                                                      \
			unsigned int: DOC_OF_CHOICE,                                               \
			bool: DOC_OF_BOOL),                                                        \
	.at = offsetof(type, member)
/* As DOC_AT(), for an INTERVAL. ci: the member with the half-width, a double. */
#define DOC_AT_INTERVAL(type, member, ci) DOC_AT(type, member), .ci_at = offsetof(type, ci)

struct doc_column {
	const char *
		/*
		 * key for programs; NULL if the column is only for people. JSON makes nested
		 * objects of the dots in "leaf_ns.idle"; keys of an object must be adjacent
		 */
		key;
	const char *ci_key; /* key of the half-width of an INTERVAL */
	/* title for people, with the unit; NULL if the column is only for programs */
	const char *title;
	enum doc_kind kind;
	double scale;	   /* factor of the number for people; 0 means 1 */
	uint8_t decimals;  /* number of decimals for people */
	uint8_t precision; /* number of decimals for programs */
	uint8_t width;	   /* width in text */
	uint8_t ci_width;  /* columns of the half-width of an INTERVAL in text; 0 means 5 */
	bool sign;	   /* people see a plus sign before positive numbers */
	/*
	 * People see only significant digits (text_measured()), with at most `decimals` decimals, of each INTERVAL and
	 * of each NUMBER with a unit or decimals. The digits of a NUMBER depend on the half-width that doc_interval()
	 * gets. `fixed`: people see all decimals, because the number is a position, such as a time.
	 */
	bool fixed;
	enum text_unit unit; /* unit of the number, scaled for people */
	uint8_t cut;	     /* largest number of bytes of a STRING in text; 0 if it is unlimited */
	/* The members up to `spare` are for narrow text (doc_fitted()). */
	const char *brief_title; /* short title; NULL if `title` is used */
	bool brief;		 /* a count above 9999 has three digits, with k, M and so on */
	/*
	 * rank of an optional column: higher ranks are left out first if there is no room; 0 if the
	 * column is never left out
	 */
	uint8_t spare;
	uint8_t only; /* the formats that the column is meant for, enum doc_for; 0 means all */

	/* The members up to `single` are for doc_put_row(). */
	enum doc_value value;
	/* offsets of the value and the half-width in the row's struct, from DOC_AT() */
	uint16_t at, ci_at;
	double times;		  /* factor of the value; 0 means 1; ignored for bars */
	const char *empty;	  /* text that replaces an empty STRING */
	const char *const *color; /* points to the colour of a BAR */
	bool single;		  /* the cell is blank in a row of sums */

	/* The remaining members are for the schema. */
	bool known;    /* the value is never null; a number is then a count */
	bool optional; /* the rows of some requests do not have the key */
	bool whole;    /* the number is a count or null */
	/* all values of a STRING, NULL-terminated; NULL if any text is possible */
	const char *const *choices;
	bool constant;	   /* `empty` is the only value of the STRING */
	const char *about; /* description; NULL if the key is sufficient */
};

/* Members of a column of percentages, without and with intervals. */
#define DOC_PERCENT(key_, title_, width_)                                                          \
	.key = key_, .title = title_, .decimals = 2, .precision = 4, .width = width_
#define DOC_PERCENT_INTERVAL(key_, ci_key_, title_, width_)                                        \
	DOC_PERCENT(key_, title_, width_), .ci_key = ci_key_, .kind = DOC_INTERVAL

#define DOC_COLUMNS 96

struct doc_table {
	const char *key; /* key for programs */
	const char *
		/*
		 * title for people, which is also the heading of the first column in text; NULL if the first column has
		 * its own title
		 */
		title;
	const char *caption; /* title in HTML; NULL if it is the same as `title` */
	bool above;	     /* text has the title on a separate line above the headings */
	bool tight;	     /* text has no empty line before the table */
	bool sections;	     /* people see headings only at the start of a section */
	bool sortable;	     /* readers of a page can sort the table by clicking on a heading */
	const struct doc_column *column;
	size_t ncolumns; /* number of columns, at most DOC_COLUMNS */
	/*
	 * In JSON the table is an object, and not an array of rows. The object has a member for each row, named by the
	 * row's first cell. If programs see only one other column, the member is that column's value.
	 */
	bool keyed;
	unsigned int only; /* the formats that the table is meant for, enum doc_for; 0 means all */
	const char *about; /* description for the schema; NULL if the key is sufficient */
};

/* Members of a table whose columns are all elements of the array. */
#define DOC_COLUMNS_OF(array) .column = (array), .ncolumns = sizeof(array) / sizeof(*(array))

struct doc_cell {
	bool blank; /* the cell shows nothing */
	double v, ci, limit;
	uint64_t u;
	const char *s; /* text; NULL if it is unknown */
	uint32_t n;    /* number of strings of a LIST, beginning at s */
	const struct histogram *histogram;
	const uint32_t *uints; /* the n numbers of UINTS */
	bool is;
	int color;	   /* colour of a terminal; 0 for none */
	const char *brief; /* text that replaces a STRING in narrow text; NULL for none */
};

struct doc;

struct doc_renderer {
	unsigned int is; /* the format of the renderer, a single bit of enum doc_for */
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

/* What the schema says about the next item. */
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
	bool row_taken;	    /* this renderer prints the row */
	bool row_last;	    /* the row has the flag DOC_LAST */

	struct json json;
	struct doc_schema *schema; /* the schema under construction; NULL for other renderers */
	struct doc_next next;
	const char *csv_table;	   /* CSV: path of the table to print, as in struct doc_tables */
	bool csv_on, csv_seen;	   /* CSV: that table is being written; that table was found */
	struct doc_tables *tables; /* list of doc_begin_tables(); otherwise NULL */
	struct terminal terminal;  /* terminal that text is written to */
	struct text_fit *fit;	   /* text: the table that is kept until it ends; otherwise NULL */
	bool wide;		   /* text shows all columns and digits, however wide */
	struct doc_survey *survey; /* contents of the columns for doc_fitted(); otherwise NULL */
	bool in_list;		   /* HTML: a list of lines is open */
	bool in_table;		   /* HTML: a table is open */
};

/* Begins a document about a part of a file. The part must outlive the document. */
struct doc doc_begin(const struct doc_renderer *r, FILE *out, const struct part *part);
/* Begins CSV with a row for each value: the keys of the value, then the value. */
struct doc doc_begin_flat(FILE *out, const struct part *part);
/* Begins CSV of the table with a path as in struct doc_tables. */
struct doc doc_begin_csv(FILE *out, const struct part *part, const char *table);

#define DOC_TABLES 64

/*
 * The tables of a report that CSV can print. Each has a path of JSON keys, such as "cost.programs".
 */
struct doc_tables {
	char path[DOC_TABLES][JSON_PATH];
	size_t n;
};

/*
 * Begins a document that collects the tables of a report. The report is built without a trace, as
 * for the schema.
 */
struct doc doc_begin_tables(const struct part *part, struct doc_tables *t);
/*
 * Returns the path of a table, or NULL if there is no such table. name: the key of the table, or
 * its path if another table has that key.
 */
const char *doc_tables_find(const struct doc_tables *t, const char *name);
/* Prints the names that doc_tables_find() accepts, separated by commas. */
void doc_tables_print(const struct doc_tables *t, FILE *out);

/*
 * Begins the JSON schema of all reports that are built into the document, each after a call of
 * doc_schema_report(). The reports are built without a trace, so their values are zero, empty or
 * NaN. Returns -1 if out of memory.
 */
int doc_begin_schema(struct doc *d, FILE *out, const struct part *part);
void doc_schema_report(struct doc *d, const char *name);
void doc_schema_free(struct doc *d);
void doc_end(struct doc *d);

bool doc_is_for(const struct doc *d, unsigned int who);
/*
 * Returns true for the schema. There is no trace then, so a report must not treat data as missing.
 */
bool doc_is_schema(const struct doc *d);

/* ---- fields, for programs: key NULL in arrays -------------------------------------------- */

void doc_object(struct doc *d, const char *key);
void doc_object_end(struct doc *d);
void doc_array(struct doc *d, const char *key);
void doc_array_end(struct doc *d);
void doc_field(struct doc *d, const char *key, double v, int precision);
void doc_field_uint(struct doc *d, const char *key, uint64_t v);
void doc_field_string(struct doc *d, const char *key, const char *s); /* s: NULL if it is unknown */
void doc_field_text(struct doc *d, const char *key, const char *s);   /* s: never NULL */
/* Writes a number, or null if it is not known. */
void doc_field_known(struct doc *d, const char *key, uint64_t v, bool known);
/* Adds a text that is the same in every report. */
void doc_field_constant(struct doc *d, const char *key, const char *s);
/* Adds one of several texts. choices: all of them, NULL-terminated. */
void doc_field_choice(struct doc *d, const char *key, const char *s, const char *const *choices);
void doc_field_list(struct doc *d, const char *key, const char *first, uint32_t n);
void doc_field_uints(struct doc *d, const char *key, const uint32_t *v, uint32_t n);
void doc_field_bool(struct doc *d, const char *key, bool v);

/* Sets what the schema says about the next field, object, array or table. */
void doc_about(struct doc *d, const char *text);
/* Marks the next item as optional. Returns true if the caller must add it. */
bool doc_optional(struct doc *d, bool there);
/*
 * Marks the next item as one that may be null. key: the key of the item. Returns true if the caller
 * must add the item; otherwise the function has added a null.
 */
bool doc_or_null(struct doc *d, const char *key, bool there);

/* ---- text --------------------------------------------------------------------------- */

/*
 * Starts a report: prints the name of the trace, then the text, unless it is "". A page already has
 * the name.
 */
__attribute__((format(printf, 2, 3))) void doc_heading(struct doc *d, const char *fmt, ...);
/* Prints a heading above lines or tables. With "", prints only an empty line. */
void doc_title(struct doc *d, const char *text);
/* Prints a name and a text about it. If the name is "", the text continues the previous line. */
__attribute__((format(printf, 3, 4))) void doc_line(struct doc *d, const char *name,
						    const char *fmt, ...);
/* Prints a name, the name of a part of it, and a text about that part. */
void doc_subline(struct doc *d, const char *name, const char *of, const char *text);
/* Prints a problem: a word, then details. */
__attribute__((format(printf, 3, 4))) void doc_alert(struct doc *d, const char *word,
						     const char *fmt, ...);
/* Prints a sentence. */
__attribute__((format(printf, 2, 3))) void doc_note(struct doc *d, const char *fmt, ...);

/* ---- tables ------------------------------------------------------------------------------ */

/* t must outlive doc_table_end(). */
void doc_table(struct doc *d, const struct doc_table *t);
void doc_table_end(struct doc *d);

/*
 * Begins a section: people see a new table with the same columns, while the table continues for
 * programs.
 */
void doc_section(struct doc *d, const char *title);

/* The functions that add the rows of a table. */
struct doc_rows {
	void (*add)(struct doc *d, const void *ctx); /* adds all rows; called once or twice */
	const void *ctx;
	/* adds lines below the table; NULL for a table without such lines */
	void (*below)(struct doc *d, const void *ctx);
	/*
	 * size of the names that add() shortens; doc_fitted() sets it to the available width; NULL
	 * if names are not shortened
	 */
	size_t *name_size;
};

/*
 * Prints a table that fits the terminal, or TEXT_COLUMNS in a file, unless wide text was requested. Columns are as wide
 * as their contents. Empty optional columns are left out first. Then other optional columns are left out until the
 * table fits. A line below the table lists the columns that were left out. t has at most DOC_COLUMNS columns.
 */
void doc_fitted(struct doc *d, const struct doc_table *t, const struct doc_rows *rows);

/*
 * Begins a row. The caller then adds a cell for each column, including invisible ones, and calls
 * doc_row_end(). Strings must live until then.
 */
void doc_row(struct doc *d, unsigned int depth, unsigned int only);
void doc_row_end(struct doc *d);
/*
 * Prints a whole row. Each cell is read from the row's struct at the offset of its column
 * (DOC_AT()). The struct must live until the end of the row.
 */
void doc_put_row(struct doc *d, unsigned int depth, unsigned int only, const void *row);
/* Prints a row of sums for people below the other rows. Cells of `single` columns are blank. */
void doc_put_sum(struct doc *d, const void *row);
void doc_number(struct doc *d, double v);
void doc_interval(struct doc *d, double v, double ci);
/* limit: largest possible value, which people see instead of larger bounds. */
void doc_interval_to(struct doc *d, double v, double ci, double limit);
void doc_string(struct doc *d, const char *s);
void doc_list(struct doc *d, const char *first, uint32_t n);
void doc_histogram(struct doc *d, const struct histogram *h);
/* brief: replaces s in narrow text. */
void doc_string_brief(struct doc *d, const char *s, const char *brief);
void doc_colored(struct doc *d, const char *s, int color);
void doc_bool(struct doc *d, bool v);
void doc_bar(struct doc *d, double share, const char *color);
/* level: the levels, without blanks. Characters that are not levels of a DOC_SPARK are printed unchanged. */
void doc_spark(struct doc *d, const char *level, const char *color);
void doc_blank(struct doc *d);
void doc_blanks(struct doc *d, size_t n);

/* ---- for renderers ----------------------------------------------------------------------- */

#define DOC_LINE 2048 /* bytes: longer lines are truncated */

/* Returns true if this renderer prints column i of the table. */
bool doc_takes(const struct doc *d, size_t i);
/*
 * Returns the only column that programs see of a keyed table besides its keys; 0 if there are
 * several.
 */
size_t doc_only_column(const struct doc *d);
/* Returns true if people see the number of the column as doc_measured() writes it. */
bool doc_is_measured(const struct doc_column *c);
/* Writes the number of a cell as people see it. Returns buf. */
char *doc_shown(char *buf, size_t size, const struct doc_column *c, double v);
#define DOC_SHOWN_SIZE 48
/*
 * Writes the number of a measured column and its interval. ci_width: columns of the
 * half-width; 0 means as needed.
 */
char *doc_measured(char *buf, size_t size, const struct doc_column *c, const struct doc_cell *cell,
		   int ci_width);
/* Returns true if the column is text, which is left-aligned. Numbers are right-aligned. */
bool doc_is_text(const struct doc_column *c);
/* Writes the strings of a list as people see them. Returns dst. */
char *doc_joined(char *dst, size_t size, const struct doc_cell *cell);
#define DOC_JOINED_SIZE 1024

/* ---- text: rows as lines --------------------------------------------------------------- */

#define DOC_TEXT_INDENT 2 /* columns before a row */

/* Returns the text of a cell, which is in buf or constant. */
const char *doc_text_shown(const struct doc *d, char *buf, size_t size, const struct doc_column *c,
			   const struct doc_cell *cell);
const char *doc_text_title(const struct doc *d, const struct doc_column *c);

/*
 * The contents of a row: a text for each column of the table, including columns that text does not
 * show.
 */
struct text_row {
	unsigned int depth;
	const char *text[DOC_COLUMNS];
	/* shorter text that is used if there is no room; NULL for none */
	const char *brief[DOC_COLUMNS];
	int color[DOC_COLUMNS];		    /* colour of a terminal; 0 for none */
	double share[DOC_COLUMNS];	    /* length of a BAR */
	const char *bar_color[DOC_COLUMNS]; /* colour of a bar, as "#rrggbb" */
};

/* Prints a title on a separate line; "" prints nothing. */
void text_row_title(const struct doc *d, const char *text);
/* title: the title of the table, or of its section. */
void text_row_headings(struct doc *d, const char *title);
/* Prints a row. The last column is wrapped at the terminal's width if that is known. */
void text_row_put(struct doc *d, const struct text_row *r);

/*
 * The titles of a table's columns that were left out, by reason: all values missing, all values 0,
 * or no room.
 */
#define LEFT_TITLES 256
struct left_out {
	char missing[LEFT_TITLES], zero[LEFT_TITLES], no_room[LEFT_TITLES];
};

/* Leaves a column out and adds its title to one of the lists of struct left_out. */
void left_out_add(const struct doc *d, struct doc_column *c, char titles[LEFT_TITLES]);
/* Leaves out the optional columns of the highest rank. Returns false if no column is optional. */
bool left_out_add_rank(struct left_out *l, const struct doc *d, struct doc_column *column,
		       size_t n);
/*
 * Writes "  no values: a, b; no room for: c (--wide shows all)", or "" if no column was left
 * out.
 */
char *left_out_text(char *buf, size_t size, const struct left_out *l);

#endif
