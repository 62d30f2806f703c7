/* packages.c: changed copies of a package's archive, before it is compressed. Use: packages COUNT SEED FOLDER
   <TAR: FOLDER/1.tar, FOLDER/2.tar, ... Headers get other names, kinds, sizes and modes, contents are changed
   as changes.h does it, entries are repeated, left out or cut. Most headers are right in themselves
   afterwards, so that what they say is looked at. */
#include "changes.h"

enum { BLOCK = 512, MOST_ENTRIES = 64 };

static unsigned octal(const char *field, unsigned width) {
    unsigned number = 0;
    for (unsigned i = 0; i < width && field[i] >= '0' && field[i] <= '7'; i++)
        number = number << 3 | (unsigned)(field[i] - '0');
    return number;
}

static void set_checksum(char *header) {
    unsigned sum = 0;
    memset(header + 148, ' ', 8);
    for (unsigned i = 0; i < BLOCK; i++)
        sum += (unsigned char)header[i];
    snprintf(header + 148, 8, "%06o", sum);
}

/* An entry's place, and how long it is with its header and the rest of its last block. */
struct entry {
    size_t at, bytes;
};

static size_t find_entries(const char *tar, size_t length, struct entry *entries) {
    size_t count = 0;
    for (size_t at = 0; at + BLOCK <= length && tar[at] && count < MOST_ENTRIES;
         at += entries[count++].bytes) {
        size_t bytes = BLOCK + (octal(tar + at + 124, 12) + BLOCK - 1) / BLOCK * BLOCK;
        entries[count] = (struct entry){at, bytes < length - at ? bytes : length - at};
    }
    return count;
}

static void set_field(char *header) {
    static const char *const names[] = {"../escaped",
                                        "/tmp/escaped",
                                        "a/../../escaped",
                                        "a//b",
                                        ".",
                                        "",
                                        "./",
                                        "..",
                                        ".hidden",
                                        "package.json",
                                        "README.md/x",
                                        "a b",
                                        "\xff\xfe",
                                        "-o",
                                        "x\ny",
                                        "con/../x",
                                        "entries.atd/",
                                        "CON",
                                        "a/./b",
                                        "\xc3\xa9.atd"};
    static const char sizes[][13] = {
        "77777777777",  "00000000000", "-0000000001", "\x80\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff",
        "40000000000",  "00000000001", "9",           "           ",
        "00000001000x", "37777777777"};
    static const char modes[][9] = {"0004755", "0002755", "0177777",         "-------",
                                    "0000000", "7777777", "\x80\0\0\0\0\0\1"};
    static const char kinds[] = "\0"
                                "1234567LKxgSVDANMX";
    unsigned name = draw(sizeof names / sizeof *names);
    switch (draw(8)) {
    case 0:
    case 1:
        memset(header, 0, 100);
        memcpy(header, names[name], strlen(names[name]));
        break;
    case 2: /* no NUL after it */
        memset(header, 'a' + (int)draw(26), 100);
        break;
    case 3:
        memset(header + 345, 0, 155);
        memcpy(header + 345, names[name], strlen(names[name]));
        break;
    case 4:
        header[156] = kinds[draw(sizeof kinds - 1)];
        memcpy(header + 157, "/etc/passwd", 12);
        break;
    case 5:
        memcpy(header + 124, sizes[draw(sizeof sizes / sizeof *sizes)], 12 - draw(6));
        break;
    case 6:
        memcpy(header + 100, modes[draw(sizeof modes / sizeof *modes)], 8);
        break;
    default:
        header[draw(BLOCK)] = (char)draw(256);
    }
}

/* The content of a file, changed; its entry has the length that this needs. */
static void change_content(char *tar, size_t *length, const struct entry *entry) {
    static char text[ROOM];
    size_t old = octal(tar + entry->at + 124, 12), bytes = old;
    if (old > ROOM / 4 || entry->bytes < BLOCK + old)
        return;
    memcpy(text, tar + entry->at + BLOCK, old);
    for (unsigned changes = 1 + draw(3); changes > 0; changes--)
        change(text, &bytes);
    size_t whole = (bytes + BLOCK - 1) / BLOCK * BLOCK, end = entry->at + entry->bytes;
    if (entry->at + BLOCK + whole + *length - end >= ROOM)
        return;
    memmove(tar + entry->at + BLOCK + whole, tar + end, *length - end);
    memset(tar + entry->at + BLOCK, 0, whole);
    memcpy(tar + entry->at + BLOCK, text, bytes);
    snprintf(tar + entry->at + 124, 12, "%011o", (unsigned)bytes);
    set_checksum(tar + entry->at);
    *length = entry->at + BLOCK + whole + *length - end;
}

/* A copy of the other entry after this one, or nothing in its place. */
static void move_entry(char *tar, size_t *length, const struct entry *entry, const struct entry *other) {
    static char kept[ROOM];
    if (draw(2)) {
        take_out(tar, length, entry->at, entry->bytes);
        return;
    }
    if (*length + other->bytes >= ROOM)
        return;
    memcpy(kept, tar + other->at, other->bytes);
    memmove(tar + entry->at + other->bytes, tar + entry->at, *length - entry->at);
    memcpy(tar + entry->at, kept, other->bytes);
    *length += other->bytes;
}

int main(int count, char **words) {
    static char original[ROOM], tar[ROOM];
    struct entry entries[MOST_ENTRIES];
    if (count != 4)
        return 2;
    size_t bytes = fread(original, 1, ROOM / 4, stdin);
    state = strtoull(words[2], NULL, 10) * 2654435761u + 88172645463325252ull;
    static char *const others[] = {"\"name\": \"../x\"", "\"tools\": [\"../../x.atd\"]",
                                   "use int F(int) from \"/etc/passwd\"", "include \"../../../x.atd\"",
                                   "\"requires\": \"99\""};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        lines[line_count++] = others[i];
    for (long i = 1; i <= atol(words[1]); i++) {
        char path[4096];
        size_t length = bytes;
        memcpy(tar, original, bytes);
        for (unsigned changes = 1 + draw(2); changes > 0; changes--) {
            size_t found = find_entries(tar, length, entries);
            if (!found)
                break;
            const struct entry *entry = &entries[draw((unsigned)found)];
            switch (draw(8)) {
            case 0:
                move_entry(tar, &length, entry, &entries[draw((unsigned)found)]);
                break;
            case 1:
            case 2:
            case 3:
                change_content(tar, &length, entry);
                break;
            case 4:
                if (draw(3) == 0)
                    change(tar, &length);
                break;
            default:
                set_field(tar + entry->at);
                if (draw(8))
                    set_checksum(tar + entry->at);
            }
        }
        if (draw(12) == 0)
            length = draw((unsigned)length + 1);
        snprintf(path, sizeof path, "%s/%ld.tar", words[3], i);
        FILE *file = fopen(path, "w");
        if (!file || fwrite(tar, 1, length, file) != length || fclose(file) != 0)
            return 1;
    }
    return 0;
}
