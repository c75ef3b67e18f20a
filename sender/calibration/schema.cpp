#include "sender/calibration/schema.hpp"

#include "common/sqlite/figure_rows.hpp"

namespace groma {

namespace {

FigureTable<PointResult> make_columns() {
    using R = PointResult;
    FigureTable<R> table;
    table.add_all(point_keys(), [](const R& it) { return &it.point; })
        .add("run_id", "32 hex digits, the same in all logs of the run", &R::run_id)
        .add("started_ns", "when the run began, on the sender's clock, since 1970", &R::started_at)
        .add("took_ns", "the whole point, with sessions and logs", &R::took)
        .add("idt", "the gaps as asked: `exp:1000pps`", &R::idt)
        .add("verdict", "`as_asked`, `within`, `not_as_asked`", &R::verdict)
        .add("explanation", "the verdict in words", &R::explanation)
        .add("failures", "why it was not sent to its end, or its log is not complete; empty: it was", &R::failures)
        .add("warnings", "what was asked of the sender and not had, such as real time; empty: nothing", &R::warnings);
    for (const FigureHead& head : point_figures()) {
        table.add({head, [name = head.name](const R& it) { return figure_value(known(it.figures, name)); }});
    }
    return table;
}

}  // namespace

const FigureTable<Point>& point_keys() {
    static const FigureTable<Point> kTable =
        FigureTable<Point>()
            .add("kind", "`sweep` or `search`",
                 [](const Point& it) { return it.kind == PointKind::sweep ? "sweep" : "search"; })
            .add("distribution", "of the gaps: `const`, `exp`, ...",
                 [](const Point& it) { return to_string(it.series.distribution); })
            .add("size_bytes", "payload of a packet", [](const Point& it) { return it.series.size_bytes; })
            .add("logging", "`local`, `tcp`, `udp`, `off`",
                 [](const Point& it) { return to_string(it.series.logging); })
            .add("rate_pps", "packets per second asked for", &Point::rate_pps)
            .add("repetition", "from 1 on; of a search: which try", &Point::repetition);
    return kTable;
}

const FigureTable<PointResult>& point_columns() {
    static const FigureTable<PointResult> kTable = make_columns();
    return kTable;
}

std::string calibration_schema() {
    std::string keys;
    for (const Figure<Point>& key : point_keys()) {
        keys.append(keys.empty() ? "" : ", ").append(key.name);
    }
    return "CREATE TABLE points(id INTEGER PRIMARY KEY" + column_definitions(point_columns()) + ", UNIQUE(" + keys +
           "));"
           "CREATE TABLE about(subject TEXT, name TEXT, value TEXT, PRIMARY KEY(subject, name));"
           "CREATE TABLE gaps(point INTEGER, low_ns REAL, high_ns REAL, count INTEGER, asked_share REAL);"
           "CREATE INDEX gaps_by_point ON gaps(point, low_ns);"
           "CREATE TABLE limits(distribution TEXT, size_bytes INTEGER, logging TEXT, tolerance REAL, kept_pps REAL, "
           "not_kept_pps REAL, PRIMARY KEY(distribution, size_bytes, logging, tolerance));";
}

}  // namespace groma
