// groma_packets.so as SQLite loads it: every answer against the list of all records of the log.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sqlite3.h>

#include <fstream>
#include <functional>
#include <memory>

#include "common/os/temporary_folder.hpp"
#include "tests/common/log/log_samples.hpp"

namespace groma {
namespace {

using ::testing::HasSubstr;
using Row = std::vector<std::string>;

/// Text of a number as SQLite has it; "-" for NULL.
std::string text(std::int64_t number) {
    return std::to_string(number);
}

class PacketsExtension : public testing::Test {
protected:
    PacketsExtension() {
        sqlite3* opened = nullptr;
        EXPECT_EQ(sqlite3_open(":memory:", &opened), SQLITE_OK);
        database_.reset(opened);
        EXPECT_EQ(sqlite3_enable_load_extension(opened, 1), SQLITE_OK);
        char* error = nullptr;
        EXPECT_EQ(sqlite3_load_extension(opened, GROMA_PACKETS_MODULE, nullptr, &error), SQLITE_OK) << error;
        sqlite3_free(error);
    }

    std::string write(const std::string& name, const LogText& log) {
        const std::string file = folder_.file(name);
        std::ofstream(file, std::ios::binary)
            .write(reinterpret_cast<const char*>(log.data()), static_cast<std::streamsize>(log.size()));
        return file;
    }

    /// $1 and $2 in the query stand for files. Returns: the rows, or the error as a single row.
    std::vector<Row> query(const std::string& sql, const std::string& first, const std::string& second = {}) {
        std::vector<Row> rows;
        sqlite3_stmt* prepared = nullptr;
        const int status = sqlite3_prepare_v2(database_.get(), sql.c_str(), -1, &prepared, nullptr);
        const std::unique_ptr<sqlite3_stmt, decltype(&sqlite3_finalize)> statement(prepared, sqlite3_finalize);
        if (status != SQLITE_OK) {
            return {{sqlite3_errmsg(database_.get())}};
        }
        bind(prepared, "$1", first);
        bind(prepared, "$2", second);
        int step = sqlite3_step(prepared);
        for (; step == SQLITE_ROW; step = sqlite3_step(prepared)) {
            Row& row = rows.emplace_back();
            for (int column = 0; column < sqlite3_column_count(prepared); ++column) {
                const auto* value = reinterpret_cast<const char*>(sqlite3_column_text(prepared, column));
                row.emplace_back(value == nullptr ? "-" : value);
            }
        }
        return step == SQLITE_DONE ? rows : std::vector<Row>{{sqlite3_errmsg(database_.get())}};
    }

    static void bind(sqlite3_stmt* statement, const char* name, const std::string& value) {
        const int index = sqlite3_bind_parameter_index(statement, name);
        if (index > 0) {
            sqlite3_bind_text(statement, index, value.c_str(), -1, SQLITE_TRANSIENT);
        }
    }

    TemporaryFolder folder_;
    std::unique_ptr<sqlite3, decltype(&sqlite3_close)> database_{nullptr, sqlite3_close};
};

template <typename Time>
std::string time_text(Time time) {
    return time == ReceivedRecord::kNoTime ? "-" : text(ns_since_epoch(time));
}

std::string seq_text(std::uint64_t seq) {
    return seq == ReceivedRecord::kNoSeq ? "-" : text(static_cast<std::int64_t>(seq));
}

/// flow, kind, seq, at, sent_at, size, delay, lateness, batch, ttl, ds_byte of every record.
std::vector<Row> all_rows(const WholeLog& log) {
    std::vector<Row> rows;
    for (const auto& [flow, records] : log.sent) {
        for (const SentRecord& it : records) {
            rows.push_back({text(flow.value), "sent", seq_text(it.seq), time_text(it.sent_at), time_text(it.sent_at),
                            text(it.size), "-", text(it.lateness.count()), text(it.batch), "-", "-"});
        }
    }
    for (const auto& [flow, records] : log.received) {
        for (const ReceivedRecord& it : records) {
            const bool dated = it.sent_at != ReceivedRecord::kNoTime;
            rows.push_back({text(flow.value), "received", seq_text(it.seq), time_text(it.received_at),
                            time_text(it.sent_at), text(it.size),
                            dated ? text((it.received_at - it.sent_at).count()) : "-", "-", "-",
                            it.ttl == 0 ? "-" : text(it.ttl), it.ttl == 0 ? "-" : text(it.ds_byte)});
        }
    }
    for (const auto& [flow, records] : log.returned) {
        for (const RoundTripRecord& it : records) {
            rows.push_back({text(flow.value), "returned", seq_text(it.seq), time_text(it.returned_at),
                            time_text(it.sent_at), text(it.size), "-", "-", "-", "-", "-"});
        }
    }
    for (const auto& [flow, records] : log.transmitted) {
        for (const TransmitRecord& it : records) {
            rows.push_back({text(flow.value), "transmitted", seq_text(it.seq), time_text(it.transmitted_at), "-", "-",
                            "-", "-", "-", "-", "-"});
        }
    }
    std::ranges::sort(rows);
    return rows;
}

constexpr const char* kColumns =
    "SELECT flow, kind, seq, at_ns, sent_at_ns, size, delay_ns, CAST(round(lateness_us * 1000) AS INTEGER), batch, "
    "ttl, "
    "ds_byte FROM groma_packets($1)";

std::vector<Row> sorted(std::vector<Row> rows) {
    std::ranges::sort(rows);
    return rows;
}

TEST_F(PacketsExtension, HasEveryRecordOfALog) {
    for (const LogRole role : {LogRole::sender, LogRole::receiver}) {
        const LogText log = sample_measured_log(role);
        const auto rows = sorted(query(kColumns, write(role == LogRole::sender ? "s.glog" : "r.glog", log)));
        EXPECT_GT(rows.size(), 50U);
        EXPECT_EQ(rows, all_rows(read_all(log)));
    }
}

/// A log of three flows with small blocks.
LogText log_of_flows(LogRole role) {
    MemorySink sink;
    LogWriter writer(sink, sample_metadata(role), 16);
    for (const std::uint32_t flow : {1U, 2U, 7U}) {
        if (role == LogRole::sender) {
            writer.add(FlowId{flow}, sample_sent(500, flow * 100));
        } else {
            writer.add(FlowId{flow}, sample_received(500));
        }
    }
    writer.close(sample_totals());
    return sink.log;
}

TEST_F(PacketsExtension, WhatAWhereLeavesIsWhatItWouldLeaveOfAnOrdinaryTable) {
    const char* const conditions[] = {"flow = 2",
                                      "flow = 3",
                                      "flow > 1",
                                      "flow BETWEEN 2 AND 6",
                                      "flow IN (1, 7)",
                                      "flow < 0",
                                      "flow = 2.5",
                                      "flow >= 1.5",
                                      "flow = '2'",
                                      "flow IS NULL",
                                      "flow = NULL",
                                      "flow = 99999999999",
                                      "seq = 250",
                                      "seq > 250",
                                      "seq >= 250",
                                      "seq < 120",
                                      "seq <= 120 AND flow = 1",
                                      "seq = 4294967300",
                                      "seq > 4294967300.5",
                                      "seq < 4294967300.5",
                                      "seq = 130.5",
                                      "seq < 9.3e18",
                                      "seq > -1e300",
                                      "seq > 9223372036854775807",
                                      "seq < -9223372036854775808",
                                      "seq = 'x'",
                                      "seq IS NULL",
                                      "seq IS NOT NULL",
                                      "at_ns < 1700000000100000000",
                                      "at_ns > 1700000000200000000 AND flow = 7",
                                      "at_ns BETWEEN 1700000000100000000 AND 1700000000110000000",
                                      "at_ns = 1700000000000000000",
                                      "kind = 'sent'",
                                      "kind = 'received' AND seq > 4294967400",
                                      "kind = 'nothing'",
                                      "kind > 'r'",
                                      "kind = 5",
                                      "kind = NULL",
                                      "flow = 2 AND seq = 4294967301 AND at_ns > 0",
                                      "flow = 1 OR seq = 300",
                                      "size = 40 AND flow = 2",
                                      "NOT flow = 2",
                                      "seq = 200 AND seq = 201"};
    for (const LogRole role : {LogRole::sender, LogRole::receiver}) {
        const std::string file = write(role == LogRole::sender ? "s.glog" : "r.glog", log_of_flows(role));
        query("DROP TABLE IF EXISTS plain", {});
        query("CREATE TABLE plain(flow INTEGER, kind TEXT, seq INTEGER, at_ns INTEGER, size INTEGER)", {});
        EXPECT_TRUE(
            query("INSERT INTO plain SELECT flow, kind, seq, at_ns, size FROM groma_packets($1)", file).empty());
        EXPECT_NE(query("SELECT count(*) FROM plain", {}), (std::vector<Row>{{"0"}}));
        for (int round = 0; round < 2; ++round) {  // the second time it knows the extent of each block
            for (const std::string condition : conditions) {
                const std::string columns = "SELECT flow, kind, seq, at_ns, size FROM ";
                EXPECT_EQ(sorted(query(columns + "groma_packets($1) WHERE " + condition, file)),
                          sorted(query(columns + "plain WHERE " + condition, {})))
                    << condition;
            }
        }
    }
}

TEST_F(PacketsExtension, FlowsComeInOrderWhenThatIsAskedFor) {
    const std::string file = write("r.glog", log_of_flows(LogRole::receiver));
    query("CREATE TABLE plain AS SELECT flow, seq, at_ns FROM groma_packets($1)", file);
    for (const std::string rest : {"GROUP BY flow", "WHERE flow IN (7, 1) GROUP BY flow",
                                   "GROUP BY flow ORDER BY flow DESC", "WHERE seq > 4294967400 GROUP BY flow"}) {
        const std::string columns = "SELECT flow, count(*), sum(seq), min(at_ns) FROM ";
        const auto rows = query(columns + "groma_packets($1) " + rest, file);
        EXPECT_EQ(rows, query(columns + "plain " + rest, {})) << rest;
        EXPECT_GE(rows.size(), 2U);
    }
    EXPECT_EQ(query("SELECT flow FROM groma_packets($1) ORDER BY flow", file),
              query("SELECT flow FROM plain ORDER BY flow", {}));
}

TEST_F(PacketsExtension, LogsCanBeJoined) {
    const std::string sent = write("s.glog", log_of_flows(LogRole::sender));
    const std::string again = write("t.glog", log_of_flows(LogRole::sender));
    EXPECT_EQ(query("SELECT count(*), sum(a.at_ns = b.at_ns) FROM groma_packets($1) a JOIN groma_packets($2) b "
                    "ON b.flow = a.flow AND b.seq = a.seq",
                    sent, again),
              (std::vector<Row>{{"1500", "1500"}}));
    EXPECT_EQ(
        query("WITH files(f) AS (VALUES ($1), ($2)) SELECT count(*) FROM files, groma_packets(files.f)", sent, again),
        (std::vector<Row>{{"3000"}}));
}

TEST_F(PacketsExtension, ADamagedLogGivesWhatIsReadableAndItsGaps) {
    const LogText whole = log_of_flows(LogRole::receiver);
    const auto starts = block_starts(whole);
    for (std::size_t byte = 16; byte < whole.size(); byte += 397) {
        const LogText damaged = flipped(whole, byte);
        const std::string file = write(std::to_string(byte) + ".glog", damaged);
        const WholeLog expected = read_all(damaged);
        EXPECT_EQ(sorted(query(kColumns, file)), all_rows(expected)) << byte;
        const auto gaps = query(
            "SELECT \"offset\", bytes, reason, torn_tail FROM groma_gaps($1) WHERE reason NOT LIKE 'log cut short%'",
            file);
        ASSERT_EQ(gaps.size(), expected.gaps.size());
        for (std::size_t i = 0; i < gaps.size(); ++i) {
            const LogGap& gap = expected.gaps[i];
            EXPECT_EQ(gaps[i], (Row{std::to_string(gap.offset), std::to_string(gap.bytes), gap.reason,
                                    gap.torn_tail ? "1" : "0"}));
        }
    }
    const std::string cut =
        write("c.glog", LogText(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(starts[3])));
    EXPECT_EQ(query("SELECT reason FROM groma_gaps($1)", cut), (std::vector<Row>{{"log cut short: totals missing"}}));
    EXPECT_TRUE(query("SELECT * FROM groma_gaps($1)", write("w.glog", whole)).empty());
}

TEST_F(PacketsExtension, ALogThatChangesIsReadAnew) {
    const LogText whole = log_of_flows(LogRole::receiver);
    const std::string file = write("x.glog", whole);
    const auto count = [&] { return query("SELECT count(*) FROM groma_packets($1)", file).at(0).at(0); };
    const std::string all = count();
    write("x.glog", LogText(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(block_starts(whole)[3])));
    EXPECT_NE(count(), all);
    write("x.glog", whole);
    EXPECT_EQ(count(), all);
}

TEST_F(PacketsExtension, WhatIsWrongIsSaid) {
    const auto said = [&](const std::string& sql, const std::string& first = {}, const std::string& second = {}) {
        const auto rows = query(sql, first, second);
        return rows.empty() or rows[0].empty() ? std::string("nothing") : rows[0][0];
    };
    EXPECT_THAT(said("SELECT * FROM groma_packets"), HasSubstr("which log?"));
    EXPECT_THAT(said("SELECT * FROM groma_gaps"), HasSubstr("which log?"));
    EXPECT_THAT(said("SELECT * FROM groma_packets(NULL)"), HasSubstr("empty or NULL"));
    EXPECT_THAT(said("SELECT * FROM groma_packets('/none.glog')"), HasSubstr("cannot open /none.glog"));
    EXPECT_THAT(said("SELECT * FROM groma_packets('/dev/null')"), HasSubstr("not a regular file"));
    EXPECT_THAT(said("SELECT * FROM groma_packets($1)", write("no.glog", LogText(100))),
                HasSubstr("is not a Groma log"));
    const std::string sender = write("s.glog", sample_log(LogRole::sender));
    const std::string receiver = write("r.glog", sample_log(LogRole::receiver));
    EXPECT_THAT(said("SELECT * FROM groma_packets($1, $2)", sender, receiver),
                HasSubstr("not a receiver's and its sender's"));
    EXPECT_THAT(said("SELECT * FROM groma_packets($1, $2, 3)", sender, receiver), HasSubstr("too many arguments"));
    EXPECT_THAT(said("INSERT INTO groma_packets(flow) VALUES(1)"), HasSubstr("may not be modified"));
}

TEST_F(PacketsExtension, NoSchemaCanNameAFile) {
    const std::string file = write("s.glog", sample_log(LogRole::sender));
    query("CREATE VIEW secret AS SELECT * FROM groma_packets('" + file + "')", {});
    const auto rows = query("SELECT * FROM secret", {});
    ASSERT_EQ(rows.size(), 1U);
    EXPECT_THAT(rows[0][0], HasSubstr("unsafe use of virtual table"));
}

/// With the clocks' relation from the log's own probes: one host's clock is two seconds ahead.
TEST_F(PacketsExtension, DelaysAreCorrectedWhenTheSendersLogIsThere) {
    const Nanos ahead{2'000'000'000};
    RunMetadata sender = sample_metadata(LogRole::sender);
    RunMetadata receiver = sample_metadata(LogRole::receiver);
    receiver.boot_id = sample_probe().peer_boot_id;
    MemorySink here;
    LogWriter sending(here, sender);
    for (int i = 0; i < 20; ++i) {
        ClockProbe probe = sample_probe();
        probe.sent = sender.started_at + Nanos{i * 1'000'000};
        probe.received = probe.sent + ahead + Nanos{1000};
        probe.answered = probe.received + Nanos{500};
        probe.returned = probe.sent + Nanos{2500};
        sending.add(probe);
    }
    sending.close(sample_totals());
    MemorySink there;
    LogWriter receiving(there, receiver);
    const ReceivedRecord record{.seq = 1,
                                .sent_at = sender.started_at + Nanos{5'000'000},
                                .received_at = sender.started_at + Nanos{5'000'000} + ahead + Nanos{40'000},
                                .size = 100};
    receiving.add(FlowId{1}, std::span(&record, 1));
    receiving.close(sample_totals());
    const std::string send = write("s.glog", here.log);
    const std::string recv = write("r.glog", there.log);
    EXPECT_EQ(query("SELECT delay_ns FROM groma_packets($1)", recv), (std::vector<Row>{{"2000040000"}}));
    EXPECT_EQ(query("SELECT delay_ns, delay_us FROM groma_packets($1, $2)", recv, send),
              (std::vector<Row>{{"40000", "40.0"}}));
}

}  // namespace
}  // namespace groma
