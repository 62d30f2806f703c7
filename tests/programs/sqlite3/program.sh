# sqlite3: the SQLite shell, C; the largest text of all, a virtual machine with a table jump per instruction.
# Requires: tests/programs/build.sh, which sources this; tclsh and gcc to make the amalgamation.
description="sqlite3, a database shell (C)"
source_package=sqlite3
source_version=3.40.1-2+deb12u2
levels="O2 O0"
check_levels=none
threads=no
workloads="queries errors large"

build() {
    $CC $CFLAGS $IEEE -DSQLITE_THREADSAFE=0 -DSQLITE_OMIT_LOAD_EXTENSION -DSQLITE_ENABLE_FTS5 -DSQLITE_ENABLE_RTREE \
        sqlite3.c shell.c $LINK $REPEATABLE -lm -o "$1"
}
prepare() {
    # The two files that SQLite is meant to be built from; the rest of its source is large.
    (
        cd "$SOURCE"
        CC=gcc ./configure --disable-tcl --disable-readline --disable-load-extension
        make sqlite3.c shell.c
        find . -mindepth 1 -maxdepth 1 ! -name sqlite3.c ! -name sqlite3.h ! -name shell.c -exec rm -rf {} +
    )
    cat >queries.sql <<'END'
create table place(id integer primary key, name text unique, area real, parent integer references place);
insert into place values (1, 'north', 12.5, null), (2, 'south', 3.25, 1), (3, 'east', null, 1), (4, 'west', 1e-3, 2);
create index by_area on place(area);
with recursive chain(id, path) as (select id, name from place where parent is null
  union all select place.id, path || '/' || name from place join chain on parent = chain.id) select * from chain;
.mode column
.headers on
select p.name, count(c.id) as children, total(c.area), avg(c.area) from place p left join place c on c.parent = p.id
  group by p.id having children >= 0 order by 2 desc, 1;
create trigger shrink after delete on place begin update place set parent = old.parent where parent = old.id; end;
delete from place where name = 'south';
select *, typeof(area), printf('%08.3f|%x', area, id) from place;
explain query plan select * from place where area > 2 and name like 'n%';
select sum(x * x) over (order by x rows 2 preceding) from (values (1), (2), (3), (4), (5)) as t(x) limit 3;
.mode list
select json_extract('{"a":[1,{"b":2}]}', '$.a[1].b'), hex(zeroblob(3)), date('2000-02-28', '+2 days');
END
    sed "s/column1/x/; s/as t(x)//; s/sum(x \* x)/sum(column1 * column1)/; s/order by x rows/order by column1 rows/" \
        queries.sql >q && mv q queries.sql
    cat >errors.sql <<'END'
create table t(a integer check (a > 0), b text not null);
insert into t values (0, 'x');
insert into t values (1, null);
select * from missing;
select a b c from t;
begin; insert into t values (5, 'five'); rollback; select count(*) from t;
.import missing.csv t
pragma integrity_check;
END
    cat >large.sql <<'END'
create table n(i integer primary key, s text, r real);
with recursive c(x) as (select 1 union all select x + 1 from c where x < 5000)
  insert into n select x, printf('%d-%x', x * 7919 % 5003, x), x / 3.0 from c;
create index n_s on n(s);
select count(*), sum(r), max(s) from n where s like '%a%' and r > 100;
select a.i % 10 as k, count(*), sum(b.r) from n a join n b on b.i = a.i * 2 group by k order by 3 desc;
update n set s = s || '!' where i % 3 = 0;
delete from n where i % 7 = 0;
vacuum;
select count(*), group_concat(substr(s, 1, 3), '') from (select s from n order by s desc limit 20);
END
}
workload_queries() {
    arguments=(-batch :memory:)
    standard_input=queries.sql
}
workload_errors() {
    arguments=(-batch :memory:)
    standard_input=errors.sql
}
workload_large() {
    arguments=(-batch large.db)
    standard_input=large.sql
}
