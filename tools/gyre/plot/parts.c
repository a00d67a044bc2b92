#include "plot/plot.h"

#include "support/common.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void plot_style(FILE *script)
{
    /* The palette of Okabe and Ito without yellow: distinguishable with every kind of colour vision. */
    static const char *const colours[MOST_CURVES] = {"#D55E00", "#0072B2", "#009E73", "#CC79A7",
                                                     "#E69F00", "#56B4E9", "#000000"};
    fputs("set encoding utf8\n"
          "set minussign\n"
          "set grid xtics ytics linetype 1 linecolor '#e3e3e3' linewidth 1\n"
          "set border 3 linecolor '#707070'\n"
          "set xtics nomirror scale 0.5\n"
          "set ytics nomirror scale 0.5\n"
          "set tics textcolor '#303030'\n"
          "set xlabel 'time (s)' textcolor '#303030'\n"
          "set autoscale noextend\n"
          "set style textbox opaque fillcolor '#ffffff' noborder margins 0.3, 0.1\n"
          "unset key\n",
          script);
    for (size_t i = 0; i < MOST_CURVES; i++) {
        fprintf(script, "set linetype %zu linecolor '%s' linewidth 2.5 pointtype 7 pointsize 1.2\n", i + 1, colours[i]);
    }
}

/* Writes text for a single-quoted string of gnuplot: with a minus sign before digits, as at the axes, and with the
   special characters of enhanced text and strings escaped. */
static void write_text(FILE *script, const char *text)
{
    for (; *text != '\0'; text++) {
        if (*text == '-' && text[1] >= '0' && text[1] <= '9') {
            fputs("−", script);
        } else if (*text == '\'') {
            fputs("''", script);
        } else if (strchr("_^@&~{}\\", *text) != NULL) {
            fprintf(script, "\\%c", *text);
        } else if ((unsigned char)*text >= ' ') {
            fputc(*text, script);
        }
    }
}

/* The font scale with which the text fits the margin; 1 for short texts. */
static double scale_of(const char *text)
{
    const double most_letters = 35;
    size_t letters = 0;
    for (; *text != '\0'; text++) {
        letters += ((unsigned char)*text & 0xc0) != 0x80; /* UTF-8: counts first bytes */
    }
    return fmin(1, most_letters / (double)letters);
}

/* `down`: lines below `height`. */
static void legend_entry(FILE *script, size_t i, double height, double down, const char *label, const char *note)
{
    fprintf(script, "set label '━━' at screen %g, %.4f left offset 0, %.2f textcolor linetype %zu\n", PLOT_LEGEND_LEFT,
            height, -down, i + 1);
    fprintf(script, "set label '{/*%.2f ", scale_of(label));
    write_text(script, label);
    fprintf(script, "}' at screen %g, %.4f left offset 3, %.2f textcolor linetype %zu\n", PLOT_LEGEND_LEFT, height,
            -down, i + 1);
    fputs("set label '{/*0.85 ", script);
    write_text(script, note);
    fprintf(script, "}' at screen %g, %.4f left offset 3, %.2f textcolor '#505050'\n", PLOT_LEGEND_LEFT, height,
            -down - 0.95);
}

void plot_legend(FILE *script, size_t i, const char *label, const char *note)
{
    legend_entry(script, i, 0.94, 2.6 * (double)i, label, note);
}

void plot_legend_at(FILE *script, size_t i, double height, const char *label, const char *note)
{
    legend_entry(script, i, height, 0, label, note);
}

void plot_footnote(FILE *script, int lines_below, const char *text)
{
    fprintf(script, "set label '{/*0.85 %s}' at screen %g, 0.05 left offset 0, %d textcolor '#505050'\n", text,
            PLOT_LEGEND_LEFT, lines_below);
}

double plot_finite(double value)
{
    if (!isfinite(value)) {
        fail(EXIT_BAD_INPUT,
             "a value in the picture does not fit in a float; expected smaller numbers or shorter times");
    }
    return value;
}

void plot_extend(struct plot_extent *extent, double value)
{
    extent->low = fmin(extent->low, plot_finite(value));
    extent->high = fmax(extent->high, value);
}

/* Adds room around curves that are all at one height. */
static struct plot_extent opened(struct plot_extent extent)
{
    double margin = extent.low < extent.high ? 0 : extent.low != 0 ? 0.1 * fabs(extent.low) : 1;
    return (struct plot_extent){extent.low - margin, extent.high + margin};
}

/* Every number that gnuplot can write at an axis of this range is a multiple of this. */
static double unit_of(struct plot_extent range) { return pow(10, floor(log10((range.high - range.low) / 5))); }

/* Digits that distinguish the numbers at such an axis: at least six, the default, and at most the nine of a float. */
static int digits_of(struct plot_extent range)
{
    double largest = fmax(fabs(range.low), fabs(range.high));
    return (int)fmax(6, fmin(9, floor(log10(largest / unit_of(range))) + 1));
}

void plot_heights(FILE *script, struct plot_extent extent)
{
    /* plot_left() relies on this format; the default may have many more digits. */
    fprintf(script, "set format y '%%.%dh'\n", digits_of(opened(extent)));
    if (extent.low < extent.high) {
        fputs("set yrange [*:*]\n", script);
    } else {
        fprintf(script, "set yrange [%.9g:%.9g]\n", opened(extent).low, opened(extent).high);
    }
}

double plot_left(struct plot_extent extent)
{
    const double label = 0.04, letter = 0.009;
    const struct plot_extent range = opened(extent);
    const double unit = unit_of(range);
    int longest = 0;
    for (double i = floor(range.low / unit); i <= ceil(range.high / unit); i++) {
        char text[32];
        int length = snprintf(text, sizeof text, "%.*g", digits_of(range), i * unit);
        longest = length > longest ? length : longest;
    }
    return fmax(0.08, label + letter * longest);
}

void plot_time_tics(FILE *script, const struct plot_request *request, bool is_narrow)
{
    const float duration_s = request->duration_s;
    if (is_narrow || duration_s >= 1e5f || duration_s < 1e-3f) { /* powers of ten are wide */
        fprintf(script, "set xtics %g\n", (double)plot_round(duration_s / 3));
    }
}

float plot_sample_s(float end_s, int sample, int samples) { return (float)((double)end_s * sample / (samples - 1)); }

float plot_round(float value)
{
    char text[32];
    snprintf(text, sizeof text, "%.0e", (double)value);
    return strtof(text, NULL);
}

void plot_trace(struct plot_traces *traces, size_t curve, int sample, int samples, double height)
{
    int part = sample * PLOT_TIME_PARTS / samples;
    struct plot_extent *heights = &traces->heights[curve][part];
    if (sample == 0) {
        *heights = PLOT_NOTHING;
    } else if (part != (sample - 1) * PLOT_TIME_PARTS / samples) { /* begins where the previous part ends */
        *heights = PLOT_NOTHING;
        plot_extend(heights, traces->last[curve]);
    }
    plot_extend(heights, height);
    traces->last[curve] = height;
}

/* True if the text of dot i would overlap an earlier one; `up` has their heights in lines above the foot of the panel.
 */
static bool is_taken(const float times_s[], const double up[], size_t i, float width_s)
{
    const double line = 0.9;
    for (size_t other = 0; other < i; other++) {
        if (fabsf(times_s[other] - times_s[i]) < width_s && fabs(up[other] - up[i]) < line) {
            return true;
        }
    }
    return false;
}

/* True if a curve crosses a text between these heights, at this time. */
static bool is_crossed(const struct plot_traces *traces, size_t count, double share, struct plot_extent text)
{
    const double half_width = 0.045;
    const int first = (int)(fmax(0, share - half_width) * PLOT_TIME_PARTS);
    const int last = (int)(fmin(1, share + half_width) * PLOT_TIME_PARTS);
    for (size_t curve = 0; curve < count; curve++) {
        for (int part = first; part <= last && part < PLOT_TIME_PARTS; part++) {
            const struct plot_extent *heights = &traces->heights[curve][part];
            if (heights->low < text.high && heights->high > text.low) {
                return true;
            }
        }
    }
    return false;
}

/* Offsets of the text of a dot in lines, nearest first: above, below, one line farther above, and so on. */
static double offset_of(int attempt)
{
    double offset = 1.05 + 0.95 * (attempt / 2);
    return attempt % 2 == 0 ? offset : -offset;
}

void plot_dots(FILE *script, const float times_s[], const float heights[], size_t count, float end_s,
               struct plot_extent extent, const struct plot_traces *traces, double lines)
{
    /* A text farther from its dot would not be seen to belong to it. */
    enum { NEAR_ATTEMPTS = 6, ATTEMPTS = 32 };
    const double half_line = 0.5;
    const struct plot_extent range = opened(extent);
    const double line = (range.high - range.low) / lines;
    double up[MOST_CURVES];
    for (size_t i = 0; i < count; i++) {
        up[i] = NAN;
        if (!(times_s[i] <= end_s)) {
            continue;
        }
        const double dot = ((double)heights[i] - range.low) / line;
        double offset = 0;
        bool is_good = false;
        /* First near and not over curves; then farther and over them; then below the panel. */
        for (int attempt = 0; !is_good; attempt++) {
            const bool is_near = attempt < NEAR_ATTEMPTS, may_leave = attempt >= NEAR_ATTEMPTS + ATTEMPTS;
            offset = offset_of(attempt - (is_near ? 0 : may_leave ? NEAR_ATTEMPTS + ATTEMPTS : NEAR_ATTEMPTS));
            up[i] = dot + offset;
            const double height = range.low + up[i] * line;
            const struct plot_extent text = {height - half_line * line, height + half_line * line};
            is_good = up[i] < lines + 1 && (up[i] > 0 || may_leave) && !is_taken(times_s, up, i, 0.12f * end_s) &&
                      !(is_near && is_crossed(traces, count, (double)(times_s[i] / end_s), text));
        }
        fprintf(script,
                "set label '{/*0.85 %.3g s}' at first %.9g, %.9g center front boxed textcolor linetype %zu "
                "point linetype %zu offset 0, %.2f\n",
                (double)times_s[i], (double)times_s[i], (double)heights[i], i + 1, i + 1, offset);
    }
}
