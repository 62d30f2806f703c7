# tables: messages of atomc_begin_table for invalid columns, and for a table within another table; the other tables are
# written.
cat >tool.atd <<'END'
tool tables "tables with errors"
analysis "tool.c"
after program call Write()
END
cat >tool.c <<'END'
#include "table.h"

static void write(const char *file, const char *columns) {
    atomc_begin_table("tables", file, columns);
    atomc_add_row((long)"row", 1l);
    atomc_end_table();
}
void Write(void) {
    write("none", "Name|#Number");
    write("none", "'Name||#Number");
    write("none", "'Name|#");
    write("none", "");
    write("none", "'Name|Number");
    atomc_begin_table("tables", "outer.out", "'Name|#Number");
    write("none", "'Name|#Number");
    atomc_add_row((long)"outer", 2l);
    atomc_end_table();
    write("last.out", "'Name|#Number");
}
END
echo 'int main(void) { return 0; }' >program.c
alpha program program.c
instrument instrumented tool.atd program
ending log instrumented
prints errors grep -v 'wrote' log <<'END'
atomc: tables: the columns of the table are "Name|#Number": column 1, "Name", must begin with one of '*@=#+~^_.%&<!, which says what it has
atomc: tables: the columns of the table are "'Name||#Number": column 2, "", is empty
atomc: tables: the columns of the table are "'Name|#": column 2, "#", has no title
atomc: tables: the columns of the table are "": column 1, "", is empty
atomc: tables: the columns of the table are "'Name|Number": column 2, "Number", must begin with one of '*@=#+~^_.%&<!, which says what it has
atomc: tables: a table is begun before the one in outer.out has ended
exit status 0
END
prints written tail -n 2 outer.out last.out <<'END'
==> outer.out <==
Name	Number
outer	2

==> last.out <==
Name	Number
row	1
END
check none '[ ! -e none ]'

# A row's place is in files of rows only, and stands after all shown columns.
cat >tool.c <<'END'
#include "table.h"
void Write(void) {
    atomc_begin_table("tables", "places.out", "'Name|#Number|!inst.pc|!inst.file|!inst.line");
    atomc_add_row((long)"row", 1l, 0x120000010l, "a.c", 7l);
    atomc_end_table();
    atomc_begin_table("tables", "none", "!inst.line|#Number");
}
END
instrument instrumented tool.atd program
ending log instrumented
prints errors grep -v 'wrote' log <<'END'
atomc: tables: the columns of the table are "!inst.line|#Number": column 2, "#Number", must not follow a column that is not shown
exit status 0
END
prints places/text cat places.out <<'END'
Name	Number
row	1
END
rm -rf places
ATOMC_FORMAT=rows ATOMC_OUT=places ending log instrumented
prints places/rows sh -c "sed -n 2p places/*.rows; sed 1q places/*.rows | jq -c '.columns[2:][] |
    [.attribute, .type, .role, .hidden]'" <<'END'
["row",1,"0x120000010","a.c",7]
["inst.pc","address","label",true]
["inst.file","text","label",true]
["inst.line","integer","label",true]
END

# Percentages of negative numbers, and of numbers near 2^63, are rounded as others are.
cat >tool.c <<'END'
#include "table.h"
void Write(void) {
    atomc_begin_table("tables", "-", "#Part|#Whole|%Share:Part/Whole");
    atomc_add_row(-4l, 8l);
    atomc_add_row(-1l, 1l);
    atomc_add_row(4l, -8l);
    atomc_add_row(-2l, -3l);
    atomc_add_row(2l, 3l);
    atomc_add_row(1l, 0l);
    atomc_add_row(3l << 60, 7l << 60);
    atomc_end_table();
}
END
instrument instrumented tool.atd program
prints shares qemu instrumented <<'END'
Part	Whole	Share
-4	8	-50.00
-1	1	-100.00
4	-8	-50.00
-2	-3	66.67
2	3	66.67
1	0	0.00
3458764513820540928	8070450532247928832	42.86
END

# A missing address is 0, and an empty cell; in rows, which programs combine, it is a key like all others.
cat >tool.c <<'END'
#include "table.h"
void Write(void) {
    atomc_begin_table("tables", "-", "'What|@Where|#Times");
    atomc_add_row((long)"all", 0l, 3l);
    atomc_add_row((long)"one", 0x120000460l, 3l);
    atomc_add_row((long)"none", 0l, 0l);
    atomc_end_table();
}
END
instrument instrumented tool.atd program
for format in text csv json table; do
    ATOMC_FORMAT=$format qemu instrumented
done >found
ATOMC_OUT=where ATOMC_FORMAT=rows qemu instrumented
sed '1d; $d' where/*.rows >>found
prints no-address cat found <<'END'
What	Where	Times
all		3
one	0x120000460	3
none		0
What,Where,Times
all,,3
one,0x120000460,3
none,,0
{"tool": "tables", "report": "-", "rows": [
{"What": "all", "Where": "", "Times": 3},
{"What": "one", "Where": "0x120000460", "Times": 3},
{"What": "none", "Where": "", "Times": 0}]}
What        Where  Times
all                    3
one   0x120000460      3
none                   0
["all","0x0",3]
["one","0x120000460",3]
["none","0x0",0]
END
