#include "common/log/log_writer.hpp"

#include <gmock/gmock.h>

#include "common/base/errors.hpp"
#include "common/wire/log_block.hpp"
#include "tests/common/log/log_samples.hpp"

namespace groma {
namespace {

/// Takes a number of pieces and then fails as a full disk does.
class FullSink final : public LogSink {
public:
    explicit FullSink(int room) : room_(room) {}
    void append(std::span<const std::byte> /*piece*/) override {
        if (room_-- <= 0) {
            throw std::runtime_error("disk full");
        }
    }
    void close() override {}
    [[nodiscard]] std::string describe() const override { return "full"; }

private:
    int room_;
};

TEST(LogWriter, ASendersLogComesBack) {
    const WholeLog log = read_all(sample_log(LogRole::sender));
    EXPECT_THAT(log.metadata, testing::ElementsAre(sample_metadata(LogRole::sender)));
    EXPECT_EQ(log.sent.at(FlowId{1}), sample_sent(300));
    EXPECT_EQ(log.sent.at(FlowId{2}), sample_sent(10, 1'000'000'000'000));
    EXPECT_TRUE(log.received.empty());
    EXPECT_THAT(log.gaps, testing::IsEmpty());
}

TEST(LogWriter, AReceiversLogComesBack) {
    const WholeLog log = read_all(sample_log(LogRole::receiver));
    EXPECT_THAT(log.metadata, testing::ElementsAre(sample_metadata(LogRole::receiver)));
    EXPECT_EQ(log.received.at(FlowId{1}), sample_received(300));
    EXPECT_EQ(log.received.at(FlowId{2}), sample_received(10));
    EXPECT_TRUE(log.sent.empty());
    EXPECT_THAT(log.gaps, testing::IsEmpty());
}

TEST(LogWriter, RoundTripsTransmitStampsAndConnectionsComeBack) {
    const WholeLog log = read_all(sample_measured_log(LogRole::sender));
    EXPECT_EQ(log.sent.at(FlowId{1}), sample_sent(60));
    EXPECT_EQ(log.returned.at(FlowId{1}), sample_returned(60));
    EXPECT_EQ(log.transmitted.at(FlowId{1}), sample_transmitted(60));
    EXPECT_EQ(log.connection.at(FlowId{2}), sample_connection(12));
    EXPECT_THAT(log.gaps, testing::IsEmpty());
}

TEST(LogWriter, OnlyBlocksWithArrivalHeadersAreOfTheVersionThatHasThem) {
    MemorySink sink;
    LogWriter writer(sink, sample_metadata(LogRole::receiver));
    writer.add(FlowId{1}, sample_received(10));
    writer.flush();
    writer.add(FlowId{1}, sample_received_headers(10));
    writer.flush();
    EXPECT_EQ(parse_block_header(sink.pieces.at(2))->version, kBlockVersion);
    EXPECT_EQ(parse_block_header(sink.pieces.at(3))->version, kArrivalHeaderVersion);
}

TEST(LogWriter, ManySamplesOfAConnectionComeBack) {
    MemorySink sink;
    LogWriter writer(sink, sample_metadata(LogRole::sender));
    const auto samples = sample_connection(2 * kMaxBlockSamples + 5);
    writer.add(FlowId{1}, samples);
    writer.close(sample_totals());
    const WholeLog log = read_all(sink.log);
    EXPECT_EQ(log.connection.at(FlowId{1}), samples);
    EXPECT_THAT(log.gaps, testing::IsEmpty());
}

TEST(LogWriter, ProbesEventsAndTotalsComeBack) {
    const WholeLog log = read_all(sample_log(LogRole::sender));
    EXPECT_THAT(log.probes, testing::ElementsAre(sample_probe()));
    EXPECT_THAT(log.events, testing::ElementsAre(sample_event()));
    EXPECT_THAT(log.totals, testing::ElementsAre(sample_totals()));
}

TEST(LogWriter, FlowsAreInTheMetadata) {
    RunMetadata metadata = sample_metadata(LogRole::sender);
    metadata.flows.resize(2);
    metadata.flows[0].spec.id = FlowId{1};
    metadata.flows[0].spec.name = "voice";
    metadata.flows[0].spec.target.host = "beta";
    metadata.flows[0].spec.stop.packets = 300;
    metadata.flows[0].local_address = "10.0.0.1:41234";
    metadata.flows[0].remote_address = "10.0.0.2:5000";
    metadata.flows[1] = metadata.flows[0];
    metadata.flows[1].spec.id = FlowId{2};
    metadata.flows[1].spec.name = "telnet";
    MemorySink sink;
    const LogWriter writer(sink, metadata);
    EXPECT_THAT(read_all(sink.log).metadata, testing::ElementsAre(metadata));
}

TEST(LogWriter, PiecesAreTheFileHeaderAndThenOneBlockEach) {
    MemorySink sink;
    LogWriter writer(sink, sample_metadata(LogRole::sender));
    writer.add(FlowId{1}, sample_sent(kMaxBlockRecords + 1));
    writer.close(sample_totals());
    ASSERT_EQ(sink.pieces.size(), 5U);  // header, metadata, records, records, totals
    EXPECT_EQ(sink.pieces[0].size(), kLogHeaderSize);
    for (std::size_t i = 1; i < sink.pieces.size(); ++i) {
        const auto header = parse_block_header(sink.pieces[i]);
        ASSERT_TRUE(header);
        EXPECT_EQ(header->number, i - 1);
        EXPECT_EQ(header->stored_length + kBlockHeaderSize, sink.pieces[i].size());
    }
    EXPECT_TRUE(sink.closed);
}

TEST(LogWriter, ManyRecordsAtOnceComeBackInOrder) {
    MemorySink sink;
    LogWriter writer(sink, sample_metadata(LogRole::sender));
    const auto records = sample_sent(3 * kMaxBlockRecords + 17);
    writer.add(FlowId{1}, std::span(records).first(5));
    writer.add(FlowId{1}, std::span(records).subspan(5));
    writer.close(sample_totals());
    EXPECT_EQ(read_all(sink.log).sent.at(FlowId{1}), records);
    EXPECT_EQ(writer.records(), records.size());
    EXPECT_EQ(writer.bytes(), sink.log.size());
}

TEST(LogWriter, BlocksAreAsSmallAsAskedFor) {
    for (const std::size_t records_in_block : {1U, 3U, 100U}) {
        MemorySink sink;
        LogWriter writer(sink, sample_metadata(LogRole::sender), records_in_block);
        const auto records = sample_sent(10);
        writer.add(FlowId{1}, records);
        const std::size_t full = records.size() / records_in_block;
        EXPECT_EQ(sink.pieces.size(), 2 + full) << records_in_block;
        writer.close(sample_totals());
        EXPECT_EQ(read_all(sink.log).sent.at(FlowId{1}), records);
    }
}

TEST(LogWriter, RecordsAreHeldUntilABlockIsFullOrFlushed) {
    MemorySink sink;
    LogWriter writer(sink, sample_metadata(LogRole::receiver));
    writer.add(FlowId{1}, sample_received(10));
    EXPECT_EQ(read_all(sink.log).records(), 0U);
    writer.flush();
    EXPECT_EQ(read_all(sink.log).received.at(FlowId{1}), sample_received(10));
}

TEST(LogWriter, AFlushWithoutRecordsWritesNothing) {
    MemorySink sink;
    LogWriter writer(sink, sample_metadata(LogRole::receiver));
    writer.add(FlowId{1}, std::span<const ReceivedRecord>{});
    const std::uint64_t before = writer.bytes();
    writer.flush();
    EXPECT_EQ(writer.bytes(), before);
}

TEST(LogWriter, HundredsOfSlowFlowsComeBack) {
    MemorySink sink;
    LogWriter writer(sink, sample_metadata(LogRole::sender));
    for (std::uint32_t flow = 1; flow <= 400; ++flow) {
        writer.add(FlowId{flow}, sample_sent(10, flow));
    }
    writer.close(sample_totals());
    const WholeLog log = read_all(sink.log);
    ASSERT_EQ(log.sent.size(), 400U);
    for (const auto& [flow, records] : log.sent) {
        EXPECT_EQ(records, sample_sent(10, flow.value));
    }
}

TEST(LogWriter, TheErrorOfASinkReachesTheCaller) {
    FullSink sink(3);  // header, metadata, one block
    LogWriter writer(sink, sample_metadata(LogRole::sender));
    writer.add(FlowId{1}, sample_sent(kMaxBlockRecords));
    EXPECT_THROW(writer.add(FlowId{1}, sample_sent(kMaxBlockRecords)), std::runtime_error);
    writer.add(FlowId{1}, sample_sent(1));
    EXPECT_THROW(writer.flush(), std::runtime_error);
    EXPECT_THROW(writer.close(sample_totals()), std::runtime_error);
}

TEST(LogWriter, ALogWhoseFlowsSayTooMuchLeavesNothing) {
    RunMetadata metadata = sample_metadata(LogRole::sender);
    FlowSetup flow;
    flow.spec.idt = FromFile{.path = "gaps", .values = std::vector<double>(65'536, 1.2345678901234567e-300)};
    metadata.flows.assign(50, flow);
    MemorySink sink;
    EXPECT_THAT([&] { LogWriter(sink, metadata); },
                testing::ThrowsMessage<RunError>(testing::HasSubstr("use fewer flows")));
    EXPECT_THAT(sink.log, testing::IsEmpty());
}

TEST(LogWriter, ATextThatIsTooLongOrNotUtf8CanStillBeRead) {
    MemorySink sink;
    LogWriter writer(sink, sample_metadata(LogRole::sender));
    LogEvent event = sample_event();
    event.text = std::string(10'000, 'x');
    event.kind = "\xff";
    writer.add(event);
    const WholeLog log = read_all(sink.log);
    EXPECT_THAT(log.gaps, testing::IsEmpty());
    ASSERT_EQ(log.events.size(), 1U);
    EXPECT_EQ(log.events[0].text, event.text.substr(0, log.events[0].text.size()));
    EXPECT_GE(log.events[0].text.size(), 1000U);
}

}  // namespace
}  // namespace groma
