/* chart_text.c: a table as a picture of characters, for terminals that know UTF-8. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "runs/results/chart.h"
#include "support/controls.h"

void put_fitted(const char *text, uint32_t width, FILE *stream) {
    bool fits = text_width(text) <= width;
    uint32_t left = fits ? width : width - 1;
    for (size_t length; *text && left > 0; text += length, left--) {
        length = shown_character((const unsigned char *)text);
        if (is_control((const unsigned char *)text, length))
            fputc((unsigned char)*text < ' ' ? ' ' : '?', stream);
        else
            fwrite(text, 1, length, stream);
    }
    fputs(fits ? "" : "…", stream);
    for (; fits && left > 0; left--)
        fputc(' ', stream);
}

/* The end of a path distinguishes it from other paths. */
static void put_label(const char *text, uint32_t width, FILE *stream) {
    if (text_width(text) <= width || !strchr(text, '/')) {
        put_fitted(text, width, stream);
        return;
    }
    for (uint32_t left = text_width(text) - (width - 1); left > 0 || ((unsigned char)*text & 0xc0) == 0x80;
         text++)
        left -= ((unsigned char)*text & 0xc0) != 0x80;
    fputs("…", stream);
    put_shown(text, "", stream);
}

/* Eighths of a character. */
static void put_bar(double share, uint32_t width, FILE *stream) {
    static const char *const parts[] = {"", "▏", "▎", "▍", "▌", "▋", "▊", "▉"};
    double length = share > 0 ? share * width : 0;
    uint32_t eighths = (uint32_t)(length * 8 + 0.5);
    if (eighths == 0 && share > 0)
        eighths = 1;
    for (uint32_t i = 0; i < eighths / 8; i++)
        fputs("█", stream);
    fputs(parts[eighths % 8], stream);
}

static void put_heading(const struct chart *chart, FILE *stream) {
    fprintf(stream, "%s\n", chart->title);
    if (*chart->title_of_y) {
        bool has_unit = chart_has_unit(chart);
        fprintf(stream, "%s%s%s%s", chart->title_of_y, has_unit ? " (" : "", has_unit ? chart->unit : "",
                has_unit ? ")" : "");
        if (*chart->x_title)
            fprintf(stream, " %s %s", chart->kind == DISPLAY_SCATTER ? "against" : "by", chart->x_title);
        fputc('\n', stream);
    }
}

static void put_left_out(const struct chart *chart, FILE *stream) {
    double all = chart->sum + chart->sum_left_out;
    if (chart->left_out > 0)
        fprintf(stream, "and %llu more, %.1f %% of the sum\n", (unsigned long long)chart->left_out,
                all > 0 ? 100 * chart->sum_left_out / all : 0);
}

/* ---- a row, a line ---------------------------------------------------------------------------------------- */

static void put_text_bars(const struct chart *chart, uint32_t width, FILE *stream) {
    uint32_t labels = 0, values = 0, seconds = 0;
    for (uint32_t i = 0; i < chart->count; i++) {
        const struct chart_point *point = &chart->points[i];
        labels = text_width(point->label) > labels ? text_width(point->label) : labels;
        seconds = text_width(point->second) > seconds ? text_width(point->second) : seconds;
        values = text_width(point->text) > values ? text_width(point->text) : values;
    }
    uint32_t most = seconds ? width / 4 : width / 2;
    labels = labels > most ? most : labels;
    seconds = seconds > most ? most : seconds;
    uint32_t used = labels + (seconds ? seconds + 4 : 0) + values + 3,
             left = width > used + 8 ? width - used : 8;
    for (uint32_t i = 0; i < chart->count; i++) {
        const struct chart_point *point = &chart->points[i];
        put_label(point->label, labels, stream);
        if (seconds) {
            fputs(" -> ", stream);
            put_fitted(point->second, seconds, stream);
        }
        fprintf(stream, " %*s%s ", (int)(values - text_width(point->text)), "", point->text);
        put_bar(chart->greatest > 0 ? point->y / chart->greatest : 0, left, stream);
        fputc('\n', stream);
    }
    put_left_out(chart, stream);
}

static void put_text_facts(const struct chart *chart, FILE *stream) {
    uint32_t labels = 0;
    for (uint32_t i = 0; i < chart->count; i++)
        labels = text_width(chart->points[i].label) > labels ? text_width(chart->points[i].label) : labels;
    for (uint32_t i = 0; i < chart->count; i++) {
        put_fitted(chart->points[i].label, labels, stream);
        fprintf(stream, "  %s\n", chart->points[i].text);
    }
}

/* ---- two axes ----------------------------------------------------------------------------------------------- */

struct frame {
    double least, greatest; /* of x */
    double low, high;       /* range of y; low is 0 or less */
};
static struct frame frame_of(const struct chart *chart) {
    struct frame frame = {chart->points[0].x, chart->points[0].x, 0, 0};
    for (uint32_t i = 0; i < chart->count; i++) {
        frame.least = fmin(frame.least, chart->points[i].x);
        frame.greatest = fmax(frame.greatest, chart->points[i].x);
        frame.low = fmin(frame.low, chart->points[i].y);
        frame.high = fmax(frame.high, chart->points[i].y);
    }
    return frame;
}

static double part_between(double value, double from, double to) {
    return to > from ? (value - from) / (to - from) : 0;
}

/* Four dots high and two wide in each character: U+2800 and its bits. */
static void put_dots(const struct chart *chart, uint32_t width, bool joined, FILE *stream) {
    enum { HEIGHT = 12, MARGIN = 9 };
    if (chart->count == 0)
        return;
    uint32_t columns = width > 2 * MARGIN ? width - MARGIN : MARGIN, across = 2 * columns, up = 4 * HEIGHT;
    unsigned char *cells = allocate((size_t)columns * HEIGHT);
    memset(cells, 0, (size_t)columns * HEIGHT);
    static const unsigned char bits[4][2] = {{0x01, 0x08}, {0x02, 0x10}, {0x04, 0x20}, {0x40, 0x80}};
    struct frame frame = frame_of(chart);
    for (uint32_t i = 0; i < chart->count; i++) {
        uint32_t steps = joined && i + 1 < chart->count ? across : 1;
        const struct chart_point *from = &chart->points[i], *to = steps > 1 ? from + 1 : from;
        for (uint32_t k = 0; k < steps; k++) {
            double way = steps > 1 ? (double)k / steps : 0;
            double x = part_between(from->x + way * (to->x - from->x), frame.least, frame.greatest);
            double y = part_between(from->y + way * (to->y - from->y), frame.low, frame.high);
            uint32_t column = (uint32_t)(x * (across - 1) + 0.5),
                     row = up - 1 - (uint32_t)(y * (up - 1) + 0.5);
            cells[row / 4 * columns + column / 2] |= bits[row % 4][column % 2];
        }
    }
    char buffer[32];
    for (uint32_t row = 0; row < HEIGHT; row++) {
        const char *number = row == 0            ? chart_number(frame.high, buffer)
                             : row == HEIGHT - 1 ? chart_number(frame.low, buffer)
                                                 : "";
        fprintf(stream, "%7s │", number);
        for (uint32_t column = 0; column < columns; column++) {
            unsigned dots = cells[row * columns + column];
            if (dots)
                fprintf(stream, "%c%c%c", 0xe2, 0xa0 | dots >> 6, 0x80 | (dots & 0x3f));
            else
                fputc(' ', stream);
        }
        fputc('\n', stream);
    }
    char right[32];
    chart_number(frame.greatest, right);
    fprintf(stream, "%7s %s%*s\n", "", chart_number(frame.least, buffer),
            (int)(columns > strlen(buffer) ? columns + 1 - strlen(buffer) : 1), right);
    free(cells);
}

/* ---- trees -------------------------------------------------------------------------------------------------- */

/* Nodes with at least a hundredth of the sum: the call tree, and each node's part of the total. */
static void put_text_tree(const struct chart *chart, uint32_t width, FILE *stream) {
    const struct tree *tree = &chart->tree;
    double all = (double)chart->totals[0];
    uint32_t shown = 0, hidden = 0;
    for (uint32_t i = 1; i < tree->count; i++) {
        double share = all > 0 ? (double)chart->totals[i] / all : 0;
        if (share < 0.01) {
            hidden++;
            continue;
        }
        shown++;
        fprintf(stream, "%5.1f %% ", 100 * share);
        uint32_t indent = 2 * (tree->nodes[i].depth - 1), room = width > 8 + 20 + 12 ? width - 8 - 12 : 20;
        indent = indent > room / 2 ? room / 2 : indent;
        fprintf(stream, "%*s", (int)indent, "");
        put_fitted(tree->nodes[i].name, room - indent, stream);
        fputc(' ', stream);
        put_bar(share, 10, stream);
        fputc('\n', stream);
    }
    if (hidden > 0)
        fprintf(stream, "and %lu of less than 1 %%\n", (unsigned long)hidden);
}

void chart_write_text(const struct chart *chart, uint32_t width, FILE *stream) {
    put_heading(chart, stream);
    switch (chart->kind) {
    case DISPLAY_FLAME:
        put_text_tree(chart, width, stream);
        break;
    case DISPLAY_FACTS:
        put_text_facts(chart, stream);
        break;
    case DISPLAY_LINE:
        put_dots(chart, width, true, stream);
        break;
    case DISPLAY_SCATTER:
        put_dots(chart, width, false, stream);
        break;
    default:
        put_text_bars(chart, width, stream);
    }
}
