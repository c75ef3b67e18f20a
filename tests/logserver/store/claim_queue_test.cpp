#include "logserver/store/claim_queue.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <string>

#include "common/os/temporary_folder.hpp"
#include "tests/files.hpp"
#include "tests/logserver/recording_writer.hpp"

namespace groma {
namespace {

using ::testing::HasSubstr;

constexpr WallTime kClaimedAt = wall_time_from_ns(1'700'000'000'000'000'000);

class ClaimQueueTest : public testing::Test {
protected:
    [[nodiscard]] std::filesystem::path file(const std::string& name) const {
        return folder_.path() / "games" / (name + ".glog");
    }
    void add(const std::string& name, const std::string& host = "hosta", const std::string& token = "1") {
        queue_.add({.claim = {.experiment = "games", .name = name, .node = host, .token = token},
                    .file = file(name),
                    .contents = std::nullopt,
                    .writer = &writer_,
                    .slot = admission_.admit(host)});
    }
    std::vector<ClaimedLog> claim_batch() {
        const auto claim = queue_.begin_batch(catalogue_, kClaimedAt);
        EXPECT_TRUE(claim);
        claim();
        return queue_.end_batch();
    }
    /// Its catalogue entry has this number of bytes from now on.
    void acknowledge(const ClaimedLog& log, LogState state, std::uint64_t bytes) {
        const CatalogueUpdate update{.id = log.entry->id, .state = state, .reason = {}, .pieces = 1, .bytes = bytes};
        catalogue_.apply(std::span(&update, 1), kClaimedAt, Durability::process);
    }

    TemporaryFolder folder_;
    LogCatalogue catalogue_{folder_.path(), LogCatalogue::Access::write};
    Admission admission_{1000, 1000};
    RecordingWriter writer_;
    ClaimQueue queue_;
};

TEST_F(ClaimQueueTest, MakesTheFilesOfNewLogs) {
    EXPECT_FALSE(queue_.begin_batch(catalogue_, kClaimedAt)) << "none waits";
    add("sender");
    const auto claimed = claim_batch();
    ASSERT_EQ(claimed.size(), 1U);
    EXPECT_EQ(claimed[0].error, "");
    EXPECT_EQ(claimed[0].writer, &writer_);
    ASSERT_TRUE(claimed[0].contents);
    EXPECT_TRUE(std::filesystem::exists(part_of(file("sender"))));
    EXPECT_EQ(claimed[0].entry->id, catalogue_.find("games", "sender")->id);
    EXPECT_EQ(queue_.size(), 0U);
}

TEST_F(ClaimQueueTest, LetsHostsTakeTurnsInABatchThatIsBounded) {
    for (std::size_t i = 0; i < ClaimQueue::kMostInBatch + 1; ++i) {
        add("sender-" + std::to_string(i), "hosta");
    }
    add("receiver", "hostb");
    const auto claimed = claim_batch();
    EXPECT_EQ(claimed.size(), ClaimQueue::kMostInBatch);
    EXPECT_TRUE(std::ranges::any_of(claimed, [](const ClaimedLog& log) { return log.claim.name == "receiver"; }));
    EXPECT_EQ(queue_.find("games", "receiver"), nullptr);
    EXPECT_EQ(queue_.size(), 2U);
}

TEST_F(ClaimQueueTest, ForgetsALogWhoseWriterLeavesUnlessItIsBeingClaimed) {
    add("sender");
    queue_.leave(writer_);
    EXPECT_EQ(queue_.size(), 0U);

    add("sender");
    const auto claim = queue_.begin_batch(catalogue_, kClaimedAt);
    queue_.leave(writer_);
    claim();
    const auto claimed = queue_.end_batch();
    ASSERT_EQ(claimed.size(), 1U);
    EXPECT_EQ(claimed[0].writer, nullptr);
    EXPECT_TRUE(claimed[0].entry) << "it is in the catalogue, and its file is there";
}

TEST_F(ClaimQueueTest, MakesNoFileOfALogOfAnotherWriter) {
    add("sender", "hosta", "1");
    (void)claim_batch();
    std::filesystem::remove(part_of(file("sender")));
    add("sender", "hosta", "2");
    const auto claimed = claim_batch();
    ASSERT_EQ(claimed.size(), 1U);
    EXPECT_EQ(claimed[0].error, belongs_to_another(claimed[0].claim));
    EXPECT_EQ(files_in(folder_.path() / "games"), 0);
}

TEST_F(ClaimQueueTest, OpensNoFileThatWasNotReadToWhatIsAcknowledged) {
    add("sender");
    acknowledge(claim_batch().at(0), LogState::incomplete, 3);
    add("sender");
    EXPECT_THAT(claim_batch().at(0).error, HasSubstr("its file was changed while it was opened"));
}

TEST_F(ClaimQueueTest, NeedsNoFileOfALogThatIsComplete) {
    add("sender");
    acknowledge(claim_batch().at(0), LogState::complete, 0);
    std::filesystem::remove(part_of(file("sender")));
    add("sender");
    const auto claimed = claim_batch();
    EXPECT_EQ(claimed.at(0).error, "");
    EXPECT_FALSE(claimed.at(0).contents);
    EXPECT_EQ(files_in(folder_.path() / "games"), 0);
}

TEST_F(ClaimQueueTest, ClaimsLaterWhatABatchThatDidNotRunLeft) {
    add("sender");
    (void)queue_.begin_batch(catalogue_, kClaimedAt);
    queue_.abandon_batch();
    EXPECT_EQ(queue_.size(), 1U);
    EXPECT_EQ(claim_batch().size(), 1U);

    add("receiver");
    (void)queue_.begin_batch(catalogue_, kClaimedAt);
    queue_.abandon_batch();
    queue_.leave(writer_);
    EXPECT_EQ(queue_.size(), 0U) << "it is not being claimed any more";
}

}  // namespace
}  // namespace groma
