/* chart_svg.c: a table as a picture in SVG 1.1, for papers and pages; its texts can be selected. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "runs/results/chart.h"
#include "support/controls.h"

enum { WIDTH = 800, TOP = 44, ROW = 20, MARGIN = 10, PLOT = 360 };
/* One blue for amounts, and an orange from light to full for shares: readable without distinguishing red
   from green. */
static const char blue[] = "#2f6db5";

static void put_escaped(const char *text, uint32_t most, FILE *stream) {
    bool whole = text_width(text) <= most;
    for (uint32_t width = 0; *text; text++) {
        bool begins = ((unsigned char)*text & 0xc0) != 0x80;
        if (begins && !whole && width + 1 >= most)
            break;
        width += begins;
        switch (*text) {
        case '&':
            fputs("&amp;", stream);
            break;
        case '<':
            fputs("&lt;", stream);
            break;
        case '>':
            fputs("&gt;", stream);
            break;
        case '"':
            fputs("&quot;", stream);
            break;
        default:
            fputc(is_control((const unsigned char *)text, 1) && begins ? ' ' : *text, stream);
        }
    }
    fputs(whole ? "" : "…", stream);
}

static void put_svg_text(double x, double y, const char *anchor, const char *text, uint32_t most,
                         FILE *stream) {
    fprintf(stream, "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\">", x, y, anchor);
    put_escaped(text, most, stream);
    fputs("</text>\n", stream);
}

static void put_box(double x, double y, double width, double height, const char *colour, const char *name,
                    const char *value, FILE *stream) {
    fprintf(stream, "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" fill=\"%s\"><title>", x, y,
            width > 0.5 ? width : 0.5, height, colour);
    put_escaped(name, 1000, stream);
    fputs(": ", stream);
    put_escaped(value, 100, stream);
    fputs("</title></rect>\n", stream);
}

static void begin_svg(const struct chart *chart, double height, FILE *stream) {
    fprintf(
        stream,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%.0f\" viewBox=\"0 0 %d %.0f\" "
        "font-family=\"sans-serif\" font-size=\"12\" fill=\"#222\">\n"
        "<rect width=\"100%%\" height=\"100%%\" fill=\"#fff\"/>\n<g font-size=\"14\" font-weight=\"bold\">\n",
        WIDTH, height, WIDTH, height);
    put_svg_text(MARGIN, 18, "start", chart->title, 100, stream);
    fputs("</g>\n", stream);
    bool has_unit = chart_has_unit(chart);
    char *below = format_string("%s%s%s%s%s%s", chart->title_of_y, has_unit ? " (" : "",
                                has_unit ? chart->unit : "", has_unit ? ")" : "",
                                *chart->x_title ? chart->kind == DISPLAY_SCATTER ? " against " : " by " : "",
                                chart->x_title);
    put_svg_text(MARGIN, 35, "start", below, 100, stream);
    free(below);
}

/* The colour of a share from 0 to 1. */
static const char *heat_color(double share, char buffer[8]) {
    share = share < 0 ? 0 : share > 1 ? 1 : share;
    snprintf(buffer, 8, "#%02x%02x%02x", (unsigned)(255 - 15 * share), (unsigned)(240 - 120 * share),
             (unsigned)(220 - 180 * share));
    return buffer;
}

/* ---- bars ---------------------------------------------------------------------------------------------------- */

static void put_svg_bars(const struct chart *chart, FILE *stream) {
    double labels = 240, values = 100, room = WIDTH - labels - values - 3 * MARGIN;
    begin_svg(chart, TOP + ROW * (chart->count + (chart->left_out > 0)) + MARGIN, stream);
    char colour[8];
    for (uint32_t i = 0; i < chart->count; i++) {
        const struct chart_point *point = &chart->points[i];
        double y = TOP + ROW * i, share = chart->greatest > 0 ? point->y / chart->greatest : 0;
        put_svg_text(MARGIN + labels, y + 14, "end", point->label, 34, stream);
        put_box(2 * MARGIN + labels, y + 2, fmax(share, 0) * room, ROW - 4,
                chart->kind == DISPLAY_HEAT ? heat_color(share, colour) : blue, point->label, point->text,
                stream);
        put_svg_text(WIDTH - MARGIN, y + 14, "end", point->text, 20, stream);
    }
    if (chart->left_out > 0) {
        char *rest = format_string("and %llu more, %.1f %% of the sum", (unsigned long long)chart->left_out,
                                   100 * chart->sum_left_out / fmax(chart->sum + chart->sum_left_out, 1));
        put_svg_text(2 * MARGIN + labels, TOP + ROW * chart->count + 14, "start", rest, 60, stream);
        free(rest);
    }
}

/* ---- axes ---------------------------------------------------------------------------------------------------- */

struct axis {
    double from, to;     /* values */
    double begin, end;   /* the area in which they are drawn */
    bool is_logarithmic; /* powers of two and the like */
};
static double position_on(const struct axis *axis, double value) {
    double from = axis->from, to = axis->to;
    if (axis->is_logarithmic) {
        from = log2(from + 1);
        to = log2(to + 1);
        value = log2(value + 1);
    }
    return axis->begin + (to > from ? (value - from) / (to - from) : 0.5) * (axis->end - axis->begin);
}

static void put_axes(const struct axis *x, const struct axis *y, const char *x_title, FILE *stream) {
    char buffer[32];
    fprintf(stream, "<path d=\"M%.1f %.1fV%.1fH%.1f\" fill=\"none\" stroke=\"#888\"/>\n", x->begin, y->end,
            y->begin, x->end);
    int ticks = y->from == 0 && y->to < 4 && y->to == floor(y->to) ? (int)y->to : 4; /* counts are whole */
    for (int i = 0; i <= ticks; i++) {
        double value = y->from + i * (y->to - y->from) / ticks;
        fprintf(stream, "<path d=\"M%.1f %.1fH%.1f\" stroke=\"#e4e4e4\"/>\n", x->begin, position_on(y, value),
                x->end);
        put_svg_text(x->begin - 4, position_on(y, value) + 4, "end", chart_number(value, buffer), 12, stream);
    }
    for (int i = 0; i <= 4; i++) {
        double at = x->is_logarithmic
                        ? exp2(log2(x->from + 1) + i * (log2(x->to + 1) - log2(x->from + 1)) / 4) - 1
                        : x->from + i * (x->to - x->from) / 4;
        put_svg_text(position_on(x, at), y->begin + 16, "middle", chart_number(round(at), buffer), 12,
                     stream);
    }
    put_svg_text((x->begin + x->end) / 2, y->begin + 32, "middle", x_title, 60, stream);
}

static void put_plot(const struct chart *chart, FILE *stream) {
    struct axis x = {INFINITY, -INFINITY, 70, WIDTH - 2 * MARGIN, false},
                y = {0, 1, TOP + PLOT, TOP + MARGIN, false};
    bool histogram = chart->kind == DISPLAY_HISTOGRAM;
    for (uint32_t i = 0; i < chart->count; i++) {
        const struct chart_point *point = &chart->points[i];
        x.from = fmin(x.from, point->x);
        x.to = fmax(x.to, histogram ? point->x2 : point->x);
        y.from = fmin(y.from, point->y);
        y.to = fmax(y.to, point->y);
    }
    begin_svg(chart, TOP + PLOT + 44, stream);
    if (chart->count == 0)
        return;
    x.is_logarithmic = histogram && x.from >= 0 && x.to > 1000;
    put_axes(&x, &y, chart->x_title, stream);
    if (chart->kind == DISPLAY_LINE) {
        fprintf(stream, "<path fill=\"none\" stroke=\"%s\" stroke-width=\"1.5\" d=\"", blue);
        for (uint32_t i = 0; i < chart->count; i++)
            fprintf(stream, "%c%.1f %.1f", i ? 'L' : 'M', position_on(&x, chart->points[i].x),
                    position_on(&y, chart->points[i].y));
        fputs("\"/>\n", stream);
    }
    for (uint32_t i = 0; i < chart->count; i++) {
        const struct chart_point *point = &chart->points[i];
        if (histogram) {
            double left = position_on(&x, point->x), right = position_on(&x, point->x2 + 1);
            put_box(left, position_on(&y, point->y), fmax(right - left - 1, 1.5),
                    y.begin - position_on(&y, point->y), blue, point->label, point->text, stream);
        } else if (chart->kind == DISPLAY_SCATTER || chart->count <= 60) {
            fprintf(stream, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"2.5\" fill=\"%s\" fill-opacity=\"0.6\"/>\n",
                    position_on(&x, point->x), position_on(&y, point->y), blue);
        }
    }
}

/* ---- trees --------------------------------------------------------------------------------------------------- */

/* A hash of the name: the same procedure has the same colour everywhere. */
static const char *warm_color(const char *name, char buffer[8]) {
    uint32_t hash = 2166136261u;
    for (; *name; name++)
        hash = (hash ^ (unsigned char)*name) * 16777619u;
    snprintf(buffer, 8, "#%02x%02x%02x", 222 + hash % 24, 176 + (hash >> 8) % 44, 120 + (hash >> 16) % 50);
    return buffer;
}

static void put_flame(const struct chart *chart, FILE *stream) {
    const struct tree *tree = &chart->tree;
    double all = (double)chart->totals[0], scale = all > 0 ? (WIDTH - 2 * MARGIN) / all : 0;
    double *at = allocate(tree->count * sizeof *at), *used = allocate(tree->count * sizeof *used);
    uint32_t deepest = 0;
    for (uint32_t i = 0; i < tree->count; i++) {
        const struct tree_node *node = &tree->nodes[i];
        at[i] = i ? at[node->parent] + used[node->parent] : MARGIN;
        used[i] = 0;
        double width = (double)chart->totals[i] * scale;
        if (i)
            used[node->parent] += width;
        if (width >= 0.5 && node->depth > deepest)
            deepest = node->depth;
    }
    begin_svg(chart, TOP + (ROW - 3) * deepest + MARGIN, stream);
    char colour[8];
    for (uint32_t i = 1; i < tree->count; i++) {
        double width = (double)chart->totals[i] * scale, y = TOP + (ROW - 3) * (tree->nodes[i].depth - 1);
        if (width < 0.5)
            continue;
        const char *name = tree->nodes[i].name;
        char *value =
            format_string("%lld, %.2f %%", (long long)chart->totals[i], 100 * (double)chart->totals[i] / all);
        put_box(at[i], y, width - 0.5, ROW - 4, warm_color(name, colour), name, value, stream);
        if (width > 30)
            put_svg_text(at[i] + 3, y + 12, "start", name, (uint32_t)((width - 6) / 7.6), stream);
        free(value);
    }
    free(at);
    free(used);
}

/* ---- areas ---------------------------------------------------------------------------------------------------- */

/* Points whose labels have a common prefix, up to a /: a folder; or a single point. Points are in the order
   of their labels. */
struct area {
    uint32_t first, last; /* sum of the points, without the last */
    double sum;
};
struct box {
    double x, y, width, height;
};
enum { FOLDER_HEAD = 17, FOLDER_EDGE = 2 };

static int compare_areas(const void *left, const void *right) {
    const struct area *a = left, *b = right;
    return a->sum < b->sum ? 1 : a->sum > b->sum ? -1 : (a->first > b->first) - (a->first < b->first);
}

/* The length of the label's part up to the / after the prefix; 0: there is no such part. */
static size_t folder_length(const char *label, size_t prefix) {
    const char *slash = strchr(label + prefix + (label[prefix] == '/'), '/');
    return slash ? (size_t)(slash - label) + 1 : 0;
}

static uint32_t folder_end(const struct chart *chart, uint32_t first, uint32_t last, size_t length) {
    uint32_t end = first + 1;
    while (length > 0 && end < last &&
           strncmp(chart->points[first].label, chart->points[end].label, length) == 0)
        end++;
    return end;
}

static void put_folder(const struct chart *chart, uint32_t first, uint32_t last, size_t prefix,
                       struct box box, FILE *stream);

static void put_area(const struct chart *chart, const struct area *area, size_t prefix, struct box box,
                     FILE *stream) {
    const struct chart_point *point = &chart->points[area->first];
    char colour[8];
    if (box.width < 0.5 || box.height < 0.5)
        return;
    if (folder_length(point->label, prefix) > 0) {
        put_folder(chart, area->first, area->last, prefix, box, stream);
        return;
    }
    put_box(box.x, box.y, box.width - 1, fmax(box.height - 1, 0.5),
            heat_color(chart->greatest > 0 ? 0.2 + 0.6 * point->y / chart->greatest : 0, colour),
            point->label, point->text, stream);
    if (box.width > 40 && box.height > 16)
        put_svg_text(box.x + 4, box.y + 14, "start", point->label + prefix, (uint32_t)((box.width - 8) / 7.6),
                     stream);
    if (box.width > 60 && box.height > 32)
        put_svg_text(box.x + 4, box.y + 29, "start", point->text, (uint32_t)((box.width - 8) / 7.6), stream);
}

/* Divides the points into halves of about equal sums, side by side or one above the other, until one point is
   left. */
static void put_areas(const struct chart *chart, const struct area *areas, uint32_t count, size_t prefix,
                      struct box box, FILE *stream) {
    double sum = 0;
    for (uint32_t i = 0; i < count; i++)
        sum += areas[i].sum;
    while (count > 1) {
        double half = 0;
        uint32_t middle = 0;
        while (middle + 1 < count && (middle == 0 || half + areas[middle].sum <= sum / 2))
            half += areas[middle++].sum;
        double share = sum > 0 ? half / sum : 0.5;
        struct box part = box;
        if (box.width >= box.height) {
            part.width = box.width * share;
            box.x += part.width;
            box.width -= part.width;
        } else {
            part.height = box.height * share;
            box.y += part.height;
            box.height -= part.height;
        }
        put_areas(chart, areas, middle, prefix, part, stream);
        areas += middle;
        count -= middle;
        sum -= half;
    }
    if (count > 0)
        put_area(chart, areas, prefix, box, stream);
}

/* Draws a heading, if there is room for it. A folder with a single entry is merged with the entry. */
static void put_folder(const struct chart *chart, uint32_t first, uint32_t last, size_t prefix,
                       struct box box, FILE *stream) {
    const char *label = chart->points[first].label;
    size_t begin = prefix, next;
    while ((next = folder_length(label, prefix)) > 0 && folder_end(chart, first, last, next) == last)
        prefix = next;
    if (prefix > begin && box.width > 40 && box.height > 2.2 * FOLDER_HEAD) {
        char *name = format_string("%.*s", (int)(prefix - begin), label + begin);
        put_box(box.x, box.y, box.width - 1, box.height - 1, "#e9edf3", name, "", stream);
        put_svg_text(box.x + 4, box.y + 13, "start", name, (uint32_t)((box.width - 8) / 7.6), stream);
        free(name);
        box = (struct box){box.x + FOLDER_EDGE, box.y + FOLDER_HEAD, box.width - 2 * FOLDER_EDGE,
                           box.height - FOLDER_HEAD - FOLDER_EDGE};
    }
    struct area *areas = allocate((last - first) * sizeof *areas);
    uint32_t count = 0;
    for (uint32_t i = first, end; i < last; i = end) {
        end = folder_end(chart, i, last, folder_length(chart->points[i].label, prefix));
        struct area *area = &areas[count++];
        *area = (struct area){i, end, 0};
        for (uint32_t k = i; k < end; k++)
            area->sum += fmax(chart->points[k].y, 0);
    }
    qsort(areas, count, sizeof *areas, compare_areas);
    put_areas(chart, areas, count, prefix, box, stream);
    free(areas);
}

static void put_treemap(const struct chart *chart, FILE *stream) {
    begin_svg(chart, TOP + PLOT + MARGIN, stream);
    if (chart->count > 0 && chart->sum > 0)
        put_folder(chart, 0, chart->count, 0, (struct box){MARGIN, TOP, WIDTH - 2 * MARGIN, PLOT}, stream);
}

/* ---- nodes and arrows ------------------------------------------------------------------------------------------ */

struct node {
    const char *name;
    uint32_t layer, row;
};

static uint32_t node_of(struct node *nodes, uint32_t *count, const char *name) {
    for (uint32_t i = 0; i < *count; i++)
        if (strcmp(nodes[i].name, name) == 0)
            return i;
    nodes[*count] = (struct node){.name = name};
    return (*count)++;
}

/* From left to right: a node is to the right of its predecessors, in at most six layers, so that cycles
   end. */
static void put_graph(const struct chart *chart, FILE *stream) {
    uint32_t count = 0, layers = 1, highest = 1;
    struct node *nodes = allocate((2 * chart->count + 1) * sizeof *nodes);
    uint32_t(*arrows)[2] = allocate((chart->count + 1) * sizeof *arrows);
    for (uint32_t i = 0; i < chart->count; i++) {
        arrows[i][0] = node_of(nodes, &count, *chart->points[i].label ? chart->points[i].label : "?");
        arrows[i][1] = node_of(nodes, &count, *chart->points[i].second ? chart->points[i].second : "?");
    }
    for (uint32_t round = 0; round < 6; round++)
        for (uint32_t i = 0; i < chart->count; i++)
            if (arrows[i][0] != arrows[i][1] && nodes[arrows[i][1]].layer <= nodes[arrows[i][0]].layer &&
                nodes[arrows[i][0]].layer < 5)
                nodes[arrows[i][1]].layer = nodes[arrows[i][0]].layer + 1;
    uint32_t rows[8] = {0};
    for (uint32_t i = 0; i < count; i++) {
        nodes[i].row = rows[nodes[i].layer]++;
        layers = nodes[i].layer + 1 > layers ? nodes[i].layer + 1 : layers;
        highest = rows[nodes[i].layer] > highest ? rows[nodes[i].layer] : highest;
    }
    double step = (WIDTH - 2.0 * MARGIN) / layers, box = step * 0.62;
    begin_svg(chart, TOP + highest * 30 + MARGIN, stream);
    fprintf(stream, "<defs><marker id=\"a\" viewBox=\"0 0 6 6\" refX=\"6\" refY=\"3\" markerWidth=\"7\" "
                    "markerHeight=\"7\" "
                    "markerUnits=\"userSpaceOnUse\" orient=\"auto\"><path d=\"M0 0L6 3L0 6z\" "
                    "fill=\"#666\"/></marker></defs>\n");
    for (uint32_t i = 0; i < chart->count; i++) {
        const struct node *from = &nodes[arrows[i][0]], *to = &nodes[arrows[i][1]];
        double x1 = MARGIN + from->layer * step + box, y1 = TOP + from->row * 30 + 11;
        double x2 = MARGIN + to->layer * step, y2 = TOP + to->row * 30 + 11;
        double bend = fmax(30, fabs(x2 - x1) / 2),
               width = chart->greatest > 0 ? 0.7 + 4 * chart->points[i].y / chart->greatest : 1;
        fprintf(stream,
                "<path d=\"M%.1f %.1fC%.1f %.1f %.1f %.1f %.1f %.1f\" fill=\"none\" stroke=\"#666\" "
                "stroke-opacity=\"0.7\" "
                "stroke-width=\"%.1f\" marker-end=\"url(#a)\"><title>",
                x1, y1, x1 + bend, y1, x2 - bend, y2, x2, y2, width);
        put_escaped(from->name, 200, stream);
        fputs(" → ", stream);
        put_escaped(to->name, 200, stream);
        fprintf(stream, ": %s</title></path>\n", chart->points[i].text);
    }
    for (uint32_t i = 0; i < count; i++) {
        double x = MARGIN + nodes[i].layer * step, y = TOP + nodes[i].row * 30;
        put_box(x, y, box, 22, "#dbe7f5", nodes[i].name, "", stream);
        put_svg_text(x + 5, y + 15, "start", nodes[i].name, (uint32_t)((box - 8) / 7.6), stream);
    }
    free(nodes);
    free(arrows);
}

/* ---- facts ------------------------------------------------------------------------------------------------------ */

static void put_svg_facts(const struct chart *chart, FILE *stream) {
    begin_svg(chart, TOP + ROW * chart->count + MARGIN, stream);
    for (uint32_t i = 0; i < chart->count; i++) {
        put_svg_text(MARGIN, TOP + ROW * i + 14, "start", chart->points[i].label, 60, stream);
        put_svg_text(WIDTH / 2.0, TOP + ROW * i + 14, "start", chart->points[i].text, 60, stream);
    }
}

void chart_write_svg(const struct chart *chart, FILE *stream) {
    switch (chart->kind) {
    case DISPLAY_FLAME:
        put_flame(chart, stream);
        break;
    case DISPLAY_TREEMAP:
        put_treemap(chart, stream);
        break;
    case DISPLAY_GRAPH:
        put_graph(chart, stream);
        break;
    case DISPLAY_LINE:
    case DISPLAY_SCATTER:
    case DISPLAY_HISTOGRAM:
        put_plot(chart, stream);
        break;
    case DISPLAY_FACTS:
        put_svg_facts(chart, stream);
        break;
    default:
        put_svg_bars(chart, stream);
    }
    fputs("</svg>\n", stream);
}
