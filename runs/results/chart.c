/* chart.c: atomc chart: tables of results as charts. runs/results/display.c chooses the kind of chart. */
#include "runs/results/chart.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* ---- values -------------------------------------------------------------------------------------------- */

static double value_at(const struct shape *shape, const struct cell *cells, uint32_t column) {
    if (column >= shape->column_count || cells[column].missing)
        return 0;
    return shape->columns[column].type == ROW_REAL ? cells[column].value.real
                                                   : (double)cells[column].value.integer;
}

static const char *print_value(const struct shape *shape, const struct cell *cells, uint32_t column,
                               struct arena *arena) {
    if (column >= shape->column_count || cells[column].missing)
        return "-";
    switch (shape->columns[column].type) {
    case ROW_TEXT:
        return shown_text(arena, cells[column].value.text);
    case ROW_REAL:
        return arena_format(arena, "%.2f", cells[column].value.real);
    case ROW_ADDRESS:
        return arena_format(arena, "0x%" PRIx64, (uint64_t)cells[column].value.integer);
    default:
        return arena_format(arena, "%" PRId64, cells[column].value.integer);
    }
}

const char *chart_number(double value, char buffer[32]) {
    static const char *const powers[] = {"", "k", "M", "G", "T", "P", "E"};
    int power = 0;
    for (double size = fabs(value); size >= 1000 && power < 6; size /= 1000)
        power++;
    double shown = value / pow(1000, power);
    snprintf(buffer, 32, shown == floor(shown) || fabs(shown) >= 100 ? "%.0f%s" : "%.1f%s", shown,
             powers[power]);
    return buffer;
}

bool chart_has_unit(const struct chart *chart) {
    return *chart->unit && strcmp(chart->unit, "count") != 0 &&
           strcasecmp(chart->unit, chart->title_of_y) != 0;
}

/* The name of a row of places: its procedure, and the line or the address. */
static const char *place_label(const struct shape *shape, const struct cell *cells, struct arena *arena) {
    struct source_columns source = source_columns(shape);
    uint32_t columns = shape->column_count;
    const char *name = text_at(cells, source.name, columns), *file = text_at(cells, source.file, columns);
    const char *slash = strrchr(file, '/');
    int64_t line = number_at(cells, source.line, columns);
    if (*file && line > 0)
        return arena_format(arena, "%s%s%s:%" PRId64, name, *name ? " " : "", slash ? slash + 1 : file, line);
    if (source.address < columns)
        return arena_format(arena, "%s%s0x%" PRIx64, name, *name ? " " : "",
                            (uint64_t)number_at(cells, source.address, columns));
    for (uint32_t i = 0; i < columns && !*name; i++)
        if (!shape->columns[i].hidden && shape->columns[i].role != ROW_MEASURE)
            name = print_value(shape, cells, i, arena);
    return name;
}

static int by_height(const void *left, const void *right) {
    const struct chart_point *a = left, *b = right;
    return a->y < b->y ? 1 : a->y > b->y ? -1 : strcmp(a->label, b->label);
}

static int by_x(const void *left, const void *right) {
    const struct chart_point *a = left, *b = right;
    return (a->x > b->x) - (a->x < b->x);
}

static int by_label(const void *left, const void *right) {
    const struct chart_point *a = left, *b = right;
    int order = strcmp(a->label, b->label);
    return order ? order : strcmp(a->second, b->second);
}

/* Equal names in several rows become one bar. */
static void add_equal(struct chart *chart) {
    struct chart_point *points = chart->points;
    qsort(points, chart->count, sizeof *points, by_label);
    uint32_t kept = 0;
    for (uint32_t i = 0; i < chart->count; i++)
        if (kept > 0 && by_label(&points[kept - 1], &points[i]) == 0)
            points[kept - 1].text = NULL, points[kept - 1].y += points[i].y;
        else
            points[kept++] = points[i];
    chart->count = kept;
}

static void cut_chart(struct chart *chart, uint32_t most) {
    for (uint32_t i = most; i < chart->count; i++)
        chart->sum_left_out += chart->points[i].y;
    if (chart->count > most) {
        chart->left_out = chart->count - most;
        chart->count = most;
    }
}

static void measure_chart(struct chart *chart) {
    for (uint32_t i = 0; i < chart->count; i++) {
        chart->greatest = chart->points[i].y > chart->greatest ? chart->points[i].y : chart->greatest;
        chart->sum += chart->points[i].y;
    }
}

/* ---- one table ------------------------------------------------------------------------------------------ */

static bool is_by_height(enum display_kind kind) {
    return kind == DISPLAY_BARS || kind == DISPLAY_HEAT || kind == DISPLAY_TREEMAP || kind == DISPLAY_GRAPH;
}

static void make_points(struct chart *chart, const struct shape *shape, const struct display *display,
                        const struct row_list *rows, struct arena *arena) {
    chart->points = arena_allocate(arena, (rows->count + 1) * sizeof *chart->points);
    for (uint32_t i = 0; i < rows->count; i++) {
        const struct cell *cells = rows->rows[i];
        struct chart_point *point = &chart->points[chart->count++];
        *point = (struct chart_point){.label = "",
                                      .second = "",
                                      .y = value_at(shape, cells, display->columns[0]),
                                      .text = print_value(shape, cells, display->columns[0], arena)};
        switch (display->kind) {
        case DISPLAY_BARS:
        case DISPLAY_TREEMAP:
            point->label = print_value(shape, cells, display->columns[1], arena);
            break;
        case DISPLAY_GRAPH:
            point->label = print_value(shape, cells, display->columns[1], arena);
            point->second = print_value(shape, cells, display->columns[2], arena);
            point->second = *point->second ? point->second : "?";
            break;
        case DISPLAY_HEAT:
            point->label = place_label(shape, cells, arena);
            break;
        case DISPLAY_HISTOGRAM:
            point->x = value_at(shape, cells, display->columns[1]);
            point->x2 = value_at(shape, cells, display->columns[2]);
            point->label =
                point->x == point->x2
                    ? print_value(shape, cells, display->columns[1], arena)
                    : arena_format(arena, "%s..%s", print_value(shape, cells, display->columns[1], arena),
                                   print_value(shape, cells, display->columns[2], arena));
            break;
        default:
            point->x = value_at(shape, cells, display->columns[1]);
            point->label = print_value(shape, cells, display->columns[1], arena);
        }
    }
}

/* One row: each column is a fact. */
static void make_facts(struct chart *chart, const struct shape *shape, const struct row_list *rows,
                       struct arena *arena) {
    chart->points = arena_allocate(arena, (shape->column_count + 1) * sizeof *chart->points);
    for (uint32_t i = 0; i < shape->column_count && rows->count > 0; i++)
        if (!shape->columns[i].hidden)
            chart->points[chart->count++] =
                (struct chart_point){.label = shape->columns[i].title,
                                     .second = "",
                                     .text = print_value(shape, rows->rows[0], i, arena)};
}

/* The chart's kind from the page, or from --display. False: an error has been reported. */
static bool choose_display(const struct request *request, const struct shape *shape,
                           struct display *display) {
    const char *wrong;
    if (!request->display) {
        *display = display_of(shape);
        return true;
    }
    if (display_parse(shape, request->display, request->arena, display, &wrong))
        return true;
    diagnose(request->diagnostics, NULL, MESSAGE_CHART_DISPLAY, request->display, shape->tool, shape->report,
             wrong);
    const char *titles = "";
    for (uint32_t i = 0; i < shape->column_count; i++)
        if (!shape->columns[i].hidden)
            titles = arena_format(request->arena, "%s%s\"%s\"", titles, *titles ? ", " : "",
                                  shape->columns[i].title);
    diagnose_hint(request->diagnostics, "its columns are %s", titles);
    return false;
}

/* The column of times, if the chart does not show it: times are not added; NULL: there is none. */
static const struct row_column *hidden_time(const struct shape *shape, const struct display *display) {
    const struct row_column *time = shape_time(shape);
    for (uint32_t i = 0; time && i < DISPLAY_COLUMNS; i++)
        if (display->columns[i] == (uint32_t)(time - shape->columns))
            return NULL;
    return time;
}

/* Leaves the rows of the last time, which it returns. */
static int64_t keep_last_time(struct row_list *rows, uint32_t time) {
    int64_t last = INT64_MIN;
    size_t count = 0;
    for (size_t i = 0; i < rows->count; i++)
        last = rows->rows[i][time].value.integer > last ? rows->rows[i][time].value.integer : last;
    for (size_t i = 0; i < rows->count; i++)
        if (rows->rows[i][time].value.integer == last)
            rows->rows[count++] = rows->rows[i];
    rows->count = count;
    return last;
}

static bool draw_selection(const struct request *request, struct store *store, struct selection *selection,
                           FILE *stream) {
    const struct shape *shape = selection->shape;
    const uint32_t room = request->svg ? UINT32_MAX : CHART_LONGEST_LABEL;
    struct display display;
    if (!choose_display(request, shape, &display))
        return false;
    if (selection->report_count > 1 && hidden_time(shape, &display)) {
        diagnose(request->diagnostics, NULL, MESSAGE_MERGE_TIMES, shape->report);
        diagnose_hint(request->diagnostics, "each process has its own times: draw one process");
        return false;
    }
    struct chart chart = {.kind = display.kind, .unit = "", .x_title = "", .title_of_y = ""};
    chart.title =
        arena_format(request->arena, "%s %s: %s", shape->tool, shape->report, program_of(store, selection));
    if (display.columns[0] < shape->column_count) {
        chart.title_of_y = shape->columns[display.columns[0]].title;
        chart.unit = shape->columns[display.columns[0]].unit;
        if (display.columns[1] < shape->column_count && display.kind != DISPLAY_FLAME)
            chart.x_title = shape->columns[display.columns[1]].title;
    }
    if (display.kind == DISPLAY_FLAME) {
        if (!tree_read(store, selection, request->arena, &chart.tree))
            return false;
        show_tree_names(request, &chart.tree);
        chart.totals = tree_totals(&chart.tree, display.columns[0], request->arena);
    } else {
        struct row_list rows = {0};
        if (!read_rows(store, selection, request->arena, &rows))
            return false;
        const struct row_column *time = hidden_time(shape, &display);
        if (time && rows.count > 0)
            chart.title = arena_format(request->arena, "%s, %s %lld", chart.title, time->title,
                                       (long long)keep_last_time(&rows, (uint32_t)(time - shape->columns)));
        if (display.kind == DISPLAY_FACTS)
            make_facts(&chart, shape, &rows, request->arena);
        else
            make_points(&chart, shape, &display, &rows, request->arena);
        if (is_by_height(display.kind)) {
            add_equal(&chart);
            if (!request->svg || display.kind != DISPLAY_TREEMAP) { /* largest size at which all rows have
                                                                       room, by name */
                qsort(chart.points, chart.count, sizeof *chart.points, by_height);
                cut_chart(&chart, request->top);
            }
        } else if (display.kind != DISPLAY_FACTS) {
            qsort(chart.points, chart.count, sizeof *chart.points, by_x);
        }
        for (uint32_t i = 0; i < chart.count; i++)
            if (!chart.points[i].text)
                chart.points[i].text = arena_format(request->arena, "%.0f", chart.points[i].y);
        for (uint32_t i = 0; i < chart.count && display.kind != DISPLAY_FACTS; i++) {
            struct chart_point *point = &chart.points[i];
            point->label = shown_label(request, point->label, room);
            point->second = shown_label(request, point->second, room);
        }
        measure_chart(&chart);
    }
    if (request->svg)
        chart_write_svg(&chart, stream);
    else
        chart_write_text(&chart, request->width, stream);
    return true;
}

/* ---- the command ---------------------------------------------------------------------------------------- */

static bool is_report_charted(const struct request *request, const struct shape *shape) {
    return !request->report || strcmp(request->report, shape->report) == 0 ||
           strcmp(request->report, shape->tool) == 0;
}

static bool is_drawn(const struct request *request, const struct selection *selection) {
    const struct shape *shape = selection->shape;
    return is_report_charted(request, shape) &&
           (request->display || (display_of(shape).kind != DISPLAY_TABLE &&
                                 (!shape_time(shape) || selection->report_count == 1)));
}

/* A chart shows one report: if there are several, no chart is written. */
static bool is_one_report(const struct request *request, const struct selections *selections) {
    uint32_t drawn = 0;
    for (uint32_t i = 0; i < selections->count; i++) {
        const struct shape *shape = selections->list[i].shape;
        if (!is_drawn(request, &selections->list[i]) || drawn++ == 0)
            continue;
        diagnose(request->diagnostics, NULL, MESSAGE_CHART_SEVERAL);
        diagnose_hint(request->diagnostics, "--report=%s", shape->report);
        return false;
    }
    return true;
}

bool chart_results(const struct request *request, FILE *stream) {
    struct store store;
    struct selections selections = {0};
    bool good = store_open(&store, NULL, STORE_WRITE, request->diagnostics) &&
                add_inputs(request, &store, request->inputs, request->input_count, &selections);
    uint32_t drawn = 0;
    if (good && (request->svg || request->display))
        good = is_one_report(request, &selections);
    for (uint32_t i = 0; good && i < selections.count; i++) {
        struct selection *selection = &selections.list[i];
        if (!is_report_charted(request, selection->shape))
            continue;
        if (!is_drawn(request, selection)) {
            if (!request->svg)
                fprintf(stream, "%s %s: a table, which atomc merge prints\n", selection->shape->tool,
                        selection->shape->report);
            continue;
        }
        fputs(drawn++ > 0 ? "\n" : "", stream);
        good = may_be_merged(request, &store, selection) && selection_choose(&store, selection, NULL) &&
               draw_selection(request, &store, selection, stream);
    }
    if (good && drawn == 0) {
        diagnose(request->diagnostics, NULL, MESSAGE_CHART_NONE);
        good = false;
    }
    store_close(&store);
    return good;
}
