/* formats.c: the format of a report: the format that ATOMC_FORMAT specifies, or a table on a terminal.
 */
#include <stdlib.h>
#include <unistd.h>

#include "runtime/report/report.h"
#include "stdtools/table.h"

const struct atomc_format *atomc_chosen_format(void) {
    static const struct atomc_format *const formats[] = {[ATOMC_AS_TEXT] = &atomc_text_format,
                                                         [ATOMC_AS_CSV] = &atomc_csv_format,
                                                         [ATOMC_AS_JSON] = &atomc_json_format,
                                                         [ATOMC_AS_ROWS] = &atomc_rows_format,
                                                         [ATOMC_AS_TABLE] = &atomc_table_format};
    return formats[atomc_asked_form()];
}

const struct atomc_format *atomc_format_on(const struct atomc_format *format, FILE *stream) {
    const char *word = getenv("ATOMC_FORMAT");
    if (format == &atomc_text_format && !(word && *word) && atomc_is_standard(stream) &&
        isatty(fileno(stream)))
        return &atomc_table_format;
    return format;
}

int atomc_for_terminal(const char *file) {
    FILE *stream = atomc_standard_stream(file);
    return stream && isatty(fileno(stream)) &&
           atomc_format_on(atomc_chosen_format(), stream) == &atomc_table_format;
}
