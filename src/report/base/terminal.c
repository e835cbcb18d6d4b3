// SPDX-License-Identifier: BSD-2-Clause
#include "terminal.h"

#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#define USUAL 80 /* columns */
#define LEAST 40

const char *const terminal_colors[] = { "auto", "always", "never", NULL };

static bool is_set(const char *name)
{
	const char *value = getenv(name);

	return value && *value;
}

/* https://no-color.org */
static bool has_colors(void)
{
	const char *term = getenv("TERM");

	return term && *term && strcmp(term, "dumb") && !is_set("NO_COLOR");
}

/* As setlocale() would find it, which would change how numbers are written, too. */
static bool has_utf8(void)
{
	const char *names[] = { "LC_ALL", "LC_CTYPE", "LANG" };
	size_t i = 0;

	while (i < 2 && !is_set(names[i]))
		i++;
	return is_set(names[i]) &&
	       (strcasestr(getenv(names[i]), "utf-8") || strcasestr(getenv(names[i]), "utf8"));
}

static unsigned int columns(void)
{
	struct winsize size = { 0 };

	if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) || !size.ws_col)
		return USUAL;
	return size.ws_col > LEAST ? size.ws_col : LEAST;
}

struct terminal terminal_of_stdout(const char *colors)
{
	bool is = isatty(STDOUT_FILENO), always = colors && !strcmp(colors, "always");
	bool never = colors && !strcmp(colors, "never");

	return (struct terminal){
		.columns = is ? columns() : 0,
		.colors = always || (is && !never && has_colors()),
		.bars = is || always,
		.utf8 = has_utf8(),
	};
}
