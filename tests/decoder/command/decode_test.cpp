// The complete program except main(): real logs by the log writer, results read back from files.
#include "decoder/command/decode.hpp"
#include "common/os/temporary_folder.hpp"

#include <SQLiteCpp/SQLiteCpp.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "common/base/errors.hpp"
#include "common/log/file_sink.hpp"
#include "common/log/log_writer.hpp"
#include "tests/decoder/sample_logs.hpp"
#include "tests/files.hpp"
#include "tests/kernel_clock.hpp"

namespace groma {
namespace {

void write_log(const SampleLog& sample, const std::string& file) {
    const auto sink = open_file_sink(file);
    LogWriter writer(*sink, sample.metadata);
    for (const auto& [flow, records] : sample.sent) {
        writer.add(flow, records);
    }
    for (const auto& [flow, records] : sample.received) {
        writer.add(flow, records);
    }
    writer.close(sample.totals.value());
}

class Decode : public ::testing::Test {
protected:
    Decode() {
        std::vector<SentRecord> sent;
        std::vector<ReceivedRecord> received;
        for (std::uint64_t seq = 0; seq < 20'000; ++seq) {
            const auto at = static_cast<std::int64_t>(seq * 100'000);
            sent.push_back(sent_packet(seq, at));
            if (seq % 100 != 0) {
                received.push_back(received_packet(seq, at, 50'000 + static_cast<std::int64_t>(seq % 7)));
            }
        }
        SamplePair pair = pair_of(std::move(sent), std::move(received));
        pair.receiver.totals->flows.front().counters = {{"duplicates", 0}};  // as receivers count them
        write_log(pair.sender, send_);
        write_log(pair.receiver, recv_);
        options_.logs = {send_, recv_};
        options_.quiet = true;
        options_.json = folder_.file("r.json");
    }

    [[nodiscard]] nlohmann::json flow() const {
        return nlohmann::json::parse(content_of(folder_.file("r.json")))["runs"][0]["flows"][0];
    }

    /// Cuts a log to `keep` of its length.
    static void cut(const std::string& file, double keep) {
        const auto size = static_cast<double>(std::filesystem::file_size(file));
        std::filesystem::resize_file(file, static_cast<std::uintmax_t>(size * keep));
    }

    TemporaryFolder folder_;
    std::string send_ = folder_.file("send.glog");
    std::string recv_ = folder_.file("recv.glog");
    DecoderOptions options_;
};

TEST_F(Decode, WholeLogsGiveAllFiguresAndStatusZero) {
    EXPECT_EQ(decode(options_, kernel_clock()), 0);
    EXPECT_EQ(flow()["sent_packets"], 20'000);
    EXPECT_EQ(flow()["lost"], 200);
    EXPECT_EQ(flow()["delay_min_ns"], 50'000);
    EXPECT_EQ(flow()["series"].size(), 2U);
}

TEST_F(Decode, ATornLogGivesWhatIsThereAndStatusOne) {
    cut(recv_, 0.5);
    EXPECT_EQ(decode(options_, kernel_clock()), 1);
    EXPECT_TRUE(flow()["lost"].is_null());
    EXPECT_EQ(flow()["received_log_complete"], false);
    EXPECT_GT(flow()["received_packets"], 0);
    EXPECT_LT(flow()["received_packets"], 19'800);
}

TEST_F(Decode, ADamagedBlockIsNamedInTheResults) {
    std::fstream log(recv_, std::ios::in | std::ios::out | std::ios::binary);
    log.seekp(static_cast<std::streamoff>(std::filesystem::file_size(recv_) / 2));
    log.write("damage", 6);
    log.close();
    options_.sqlite = folder_.file("r.sqlite");
    EXPECT_EQ(decode(options_, kernel_clock()), 1);
    EXPECT_GT(flow()["received_records_missing"], 0);
    EXPECT_EQ(flow()["lost"], 200);
    SQLite::Database database(*options_.sqlite);
    EXPECT_GE(database.execAndGet("SELECT COUNT(*) FROM log_gaps").getInt(), 1);
}

TEST_F(Decode, WhatIsNoLogIsRefused) {
    std::ofstream(folder_.file("x.txt")) << "hello, this is no log at all, is it?";
    options_.logs = {folder_.file("x.txt")};
    EXPECT_THROW(static_cast<void>(decode(options_, kernel_clock())), ParseError);
    EXPECT_FALSE(std::filesystem::exists(*options_.json));
}

TEST_F(Decode, AMissingLogIsAnError) {
    options_.logs = {folder_.file("nowhere.glog")};
    EXPECT_THROW(static_cast<void>(decode(options_, kernel_clock())), SystemError);
}

TEST_F(Decode, ALogIsNeverOverwritten) {
    options_.csv = recv_;
    EXPECT_THROW(static_cast<void>(decode(options_, kernel_clock())), UsageError);
    EXPECT_GT(std::filesystem::file_size(recv_), 1000U);
}

TEST_F(Decode, AnSqliteFileIsReplacedOnlyByForce) {
    options_.sqlite = folder_.file("r.sqlite");
    EXPECT_EQ(decode(options_, kernel_clock()), 0);
    EXPECT_THROW(static_cast<void>(decode(options_, kernel_clock())), UsageError);
    options_.force = true;
    EXPECT_EQ(decode(options_, kernel_clock()), 0);
}

TEST_F(Decode, AFolderStandsForTheLogsInIt) {
    std::filesystem::create_directory(folder_.file("voip-1a2b3c4d"));
    std::filesystem::rename(send_, folder_.file("voip-1a2b3c4d/sender.glog"));
    std::filesystem::rename(recv_, folder_.file("voip-1a2b3c4d/receiver.glog.part"));
    SQLite::Database catalogue(folder_.file("catalogue.sqlite"), SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE);
    catalogue.exec(
        "CREATE TABLE experiments(id, name); INSERT INTO experiments VALUES (1, 'voip-1a2b3c4d');"
        "CREATE TABLE logs(experiment, name, state, reason);"
        "INSERT INTO logs VALUES (1, 'receiver', 'incomplete', 'its writer died')");
    options_.logs = {folder_.file("voip-1a2b3c4d")};
    testing::internal::CaptureStderr();
    EXPECT_EQ(decode(options_, kernel_clock()), 0);
    EXPECT_THAT(testing::internal::GetCapturedStderr(), testing::HasSubstr("is incomplete: its writer died"));
    std::ifstream file(*options_.json);
    EXPECT_EQ(nlohmann::json::parse(file).at("runs").size(), 1U);
}

TEST_F(Decode, AFolderWithoutLogsIsRefused) {
    std::filesystem::create_directory(folder_.file("empty"));
    options_.logs = {folder_.file("empty")};
    EXPECT_THROW((void)decode(options_, kernel_clock()), UsageError);
}

TEST_F(Decode, WhatIsRequiredAndNotMetIsStatusOne) {
    options_.required = parse_requirements("lateness-max=0ns,loss=1%");
    EXPECT_EQ(decode(options_, kernel_clock()), 0);
    options_.required = parse_requirements("loss=0.9%");
    EXPECT_EQ(decode(options_, kernel_clock()), 1);
    EXPECT_EQ(flow()["sent_packets"], 20'000);
}

}  // namespace
}  // namespace groma
