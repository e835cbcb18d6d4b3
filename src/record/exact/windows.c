// SPDX-License-Identifier: BSD-2-Clause
#include "windows.h"

#define MS 1000000ull
/* without windows, the recorder notices a rise in cost within this time */
#define LOOK_NS (200 * MS)
/* within a window, the recorder notices a rise in cost within this time */
#define WITHIN_NS (100 * MS)
#define WINDOW_NS (150 * MS) /* minimum length of a window, unless periods would become too long */
#define SHORTEST_NS (20 * MS)
#define PERIOD_NS (2000 * MS)
#define REST_NS (1000 * MS)
#define LONGEST_NS (30000 * MS)
/* Maximum share of the budget for attaching and detaching, unless periods would become too long. */
#define ROUND_SHARE 0.1
#define LEAST_SHARE 0.1 /* minimum share of the budget for windows */
/* windows end if the cost in a window is below this share of the budget */
#define ENOUGH 0.8
#define SAVED_NS 0.5e9 /* time whose unused budget can be saved, ns */
#define OWN_NS 10e9    /* the recorder's own CPU time is averaged over about this time */

static double larger(double a, double b)
{
	return a > b ? a : b;
}

static double smaller(double a, double b)
{
	return a < b ? a : b;
}

static uint64_t earlier(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

void windows_begin(struct windows *w, double budget, uint64_t now)
{
	*w = (struct windows){
		.budget = budget,
		.on = true,
		.always = true,
		.due_ns = budget > 0 ? now + LOOK_NS : UINT64_MAX,
		.asked_ns = now,
		.on_ns = now,
	};
}

void windows_give_up(struct windows *w)
{
	w->on = w->always = false;
	w->due_ns = UINT64_MAX;
}

/* Returns the budget that is left for the probes and for attaching them, as a share of a CPU. */
static double left(struct windows *w, const struct windows_seen *seen, uint64_t passed_ns)
{
	double passed = larger((double)passed_ns, 1);

	w->own += ((double)seen->own_ns / passed - w->own) * smaller(passed / OWN_NS, 1);
	return larger(w->budget - w->own - seen->samples, LEAST_SHARE * w->budget);
}

/* Plans the lengths of period and window. cost: share of a CPU's time that attached probes cost. */
static void plan(struct windows *w, const struct windows_seen *seen, double cost, double budget)
{
	double round = (double)seen->round_cpu_ns, period = (double)PERIOD_NS, window;

	period = larger(period, round / (ROUND_SHARE * budget));
	period = larger(period,
			cost * (double)(WINDOW_NS + seen->round_ns) / ((1 - ROUND_SHARE) * budget));
	period = smaller(period, (double)LONGEST_NS);
	budget = larger(budget - round / period, LEAST_SHARE * budget);
	window = budget / cost * period - (double)seen->round_ns;
	window = larger(smaller(window, period * 0.95), (double)SHORTEST_NS);
	w->period_ns = (uint64_t)period;
	w->window_ns = (uint64_t)window;
}

/* Detaches the probes until the next period's window. */
static void rest(struct windows *w, uint32_t random, uint64_t now)
{
	uint64_t begin = w->period_end_ns > now ? w->period_end_ns : now;
	double place = (double)random / ((double)UINT32_MAX + 1);

	w->on = false;
	w->period_end_ns = begin + w->period_ns;
	w->due_ns = begin + (uint64_t)(place * (double)(w->period_ns - w->window_ns));
}

static void look_again(struct windows *w, uint64_t now)
{
	uint64_t end = w->on_ns + w->window_ns;

	w->due_ns = now + (w->always ? LOOK_NS : WITHIN_NS);
	if (!w->always && end > now)
		w->due_ns = earlier(w->due_ns, end);
}

void windows_attached(struct windows *w, uint64_t now)
{
	w->on_ns = w->asked_ns = now;
	w->counted_ns = w->probes_ns = 0;
	w->debt_ns = 0;
	look_again(w, now);
}

/* Detaches the probes for as long as their cost requires. */
static void pause(struct windows *w, const struct windows_seen *seen, double cost, double budget,
		  uint64_t now)
{
	plan(w, seen, cost, budget);
	if (w->always) /* the cost exceeded the budget since the last check */
		w->period_end_ns = now + REST_NS;
	w->always = false;
	rest(w, seen->random, now);
}

/*
 * Decides while the probes are attached all the time. Unused budget is saved for a while, so that load in short bursts
 * can stay within the budget.
 */
static void judge_always(struct windows *w, const struct windows_seen *seen, double budget,
			 uint64_t now)
{
	double counted = (double)seen->counted_ns, probes = (double)seen->probes_ns;

	w->debt_ns = larger(w->debt_ns + probes - budget * counted, -budget * SAVED_NS);
	if (w->debt_ns > 0)
		pause(w, seen, probes / counted, budget, now);
	else
		look_again(w, now);
}

/* Decides within a window. If a complete window shows that the probes are cheap enough, they stay attached. */
static void judge_window(struct windows *w, const struct windows_seen *seen, double budget,
			 uint64_t now)
{
	bool over = now >= w->on_ns + w->window_ns;
	double cost;

	w->counted_ns += seen->counted_ns;
	w->probes_ns += seen->probes_ns;
	cost = (double)w->probes_ns / larger((double)w->counted_ns, 1);
	if (cost > budget * ENOUGH) {
		plan(w, seen, cost, budget);
		if (now >= w->on_ns + w->window_ns) {
			pause(w, seen, cost, budget, now);
			return;
		}
	} else if (over && w->counted_ns >= w->window_ns / 2) {
		w->always = true;
	}
	look_again(w, now);
}

void windows_decide(struct windows *w, const struct windows_seen *seen, uint64_t now)
{
	double budget = left(w, seen, now - w->asked_ns);

	w->asked_ns = now;
	if (!w->on)
		w->on = true;
	else if (w->always)
		judge_always(w, seen, budget, now);
	else
		judge_window(w, seen, budget, now);
}
