/* files.c: changed copies of a file. Use: files COUNT SEED FOLDER <FILE: FOLDER/1, FOLDER/2, ... Each has one
   to three changes, and some end too early. */
#include "changes.h"

int main(int count, char **words) {
    static char original[ROOM], text[ROOM];
    if (count != 4)
        return 2;
    size_t bytes = fread(original, 1, ROOM / 4, stdin);
    state = strtoull(words[2], NULL, 10) * 2654435761u + 88172645463325252ull;
    /* Parts of other lines come from the file itself. */
    for (char *line = strtok(memcpy(text, original, bytes + 1), "\n"); line && line_count < MOST_LINES;
         line = strtok(NULL, "\n"))
        lines[line_count++] = strdup(line);
    for (long i = 1; i <= atol(words[1]) && line_count > 0; i++) {
        char path[4096];
        size_t length = bytes;
        memcpy(text, original, bytes);
        for (unsigned changes = 1 + draw(3); changes > 0; changes--)
            change(text, &length);
        if (draw(8) == 0)
            length = draw((unsigned)length + 1);
        snprintf(path, sizeof path, "%s/%ld", words[3], i);
        FILE *file = fopen(path, "w");
        if (!file || fwrite(text, 1, length, file) != length || fclose(file) != 0)
            return 1;
    }
    return line_count == 0;
}
