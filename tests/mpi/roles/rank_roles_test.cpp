#include "mpi/roles/rank_roles.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <thread>

#include "common/access/drawn_key.hpp"
#include "common/model/experiment/experiment.hpp"
#include "common/os/temporary_folder.hpp"
#include "mpi/roles/job_key.hpp"
#include "tests/kernel_clock.hpp"
#include "tests/mpi/fake_mpi.hpp"

namespace groma {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

class RankRolesTest : public ::testing::Test {
protected:
    [[nodiscard]] ReceiverServerOptions receiver_options() const {
        ReceiverServerOptions options;
        options.listen = {SocketAddress::from_literal("127.0.0.1", 0)};
        options.log_dir = folder_.path();
        return options;
    }

    static std::string error_of(RankMessage sent) {
        EXPECT_EQ(sent.kind, "sent");
        return sent.body.value("error", "");
    }

    static SenderOptions sender_to(std::uint16_t port) {
        SenderOptions options;
        options.experiment = parse_experiment(
            "[[flow]]\nto = \"127.0.0.1:" + std::to_string(port) + "\"\npackets = 1\n", "test.toml", {}, 1);
        return options;
    }

    /// The next message, when it comes.
    RankMessage next() {
        while (true) {
            if (auto message = outbox_.pop()) {
                return std::move(*message);
            }
            std::this_thread::yield();
        }
    }

    TemporaryFolder folder_;
    FakeRank rank_{0, 1};
    Outbox outbox_;
};

TEST_F(RankRolesTest, AReceiverListensUntilItIsStoppedAndSaysThatItHasClosed) {
    {
        ReceiverRole receiver(receiver_options(), outbox_, kernel_clock());
        EXPECT_NE(receiver.port(), 0);
        EXPECT_FALSE(outbox_.pop().has_value());
        receiver.stop();
    }
    const auto last = outbox_.pop();
    ASSERT_TRUE(last.has_value());
    EXPECT_EQ(last->kind, "closed");
    EXPECT_FALSE(last->body.contains("error"));
    EXPECT_FALSE(outbox_.pop().has_value());
}

TEST_F(RankRolesTest, ALogServerEndsAsAReceiverDoes) {
    LogServerSettings settings;
    settings.listen = {.address = "127.0.0.1", .reach = {.open = true}, .port = 0};
    settings.directory = folder_.path();
    {
        const LogServerRole server(std::move(settings), rank_.world(), outbox_, kernel_clock());
        EXPECT_NE(server.port(), 0);
    }
    const auto last = outbox_.pop();
    ASSERT_TRUE(last.has_value());
    EXPECT_EQ(last->kind, "log_server_closed");
    EXPECT_FALSE(last->body.contains("error"));
}

TEST_F(RankRolesTest, ASenderThatCannotBeginSaysWhyInsteadOfReady) {
    std::uint16_t closed = 0;
    {
        const ReceiverRole receiver(receiver_options(), outbox_, kernel_clock());
        closed = receiver.port();
    }
    EXPECT_EQ(next().kind, "closed");
    const SenderRole sender(sender_to(closed), {.run_id = std::string(32, 'a'), .sender = "alpha"}, outbox_,
                            kernel_clock());
    const RankMessage sent = next();
    EXPECT_EQ(sent.kind, "sent");
    EXPECT_THAT(sent.body.value("error", ""), HasSubstr("127.0.0.1:" + std::to_string(closed)));
}

TEST_F(RankRolesTest, AReceiverServesSendersOfItsJobOnly) {
    const SharedKey key = draw_key();
    ReceiverServerOptions options = receiver_options();
    options.keys = asked_of_ranks(key);
    const ReceiverRole receiver(std::move(options), outbox_, kernel_clock());
    const SenderRole::Run run{.run_id = std::string(32, 'a'), .sender = "alpha"};
    {
        const SenderRole stranger(sender_to(receiver.port()), run, outbox_, kernel_clock());
        EXPECT_THAT(error_of(next()), HasSubstr("takes senders of its own job only"));
    }
    SenderOptions with_another = sender_to(receiver.port());
    with_another.offer = offered_to_ranks(draw_key());
    {
        const SenderRole of_another_job(with_another, run, outbox_, kernel_clock());
        EXPECT_THAT(error_of(next()), HasSubstr("does not take the key 'job'"));
    }
    SenderOptions with_the_key = sender_to(receiver.port());
    with_the_key.offer = offered_to_ranks(key);
    const SenderRole sender(with_the_key, run, outbox_, kernel_clock());
    EXPECT_EQ(next().kind, "ready");
}

// Rank 0 tells the errors of a run that was called off by these words from those that are its reason.
TEST_F(RankRolesTest, ASenderThatIsReadyMayBeStoppedBeforeItsStart) {
    const ReceiverRole receiver(receiver_options(), outbox_, kernel_clock());
    SenderRole sender(sender_to(receiver.port()), {.run_id = std::string(32, 'a'), .sender = "alpha"}, outbox_,
                      kernel_clock());
    const RankMessage ready = next();
    EXPECT_EQ(ready.kind, "ready");
    EXPECT_GT(ready.body.value("margin_ns", 0), 0);
    sender.stop(1);
    const RankMessage sent = next();
    EXPECT_EQ(sent.kind, "sent");
    EXPECT_THAT(sent.body.value("error", ""), StartsWith("the run was called off"));
}

}  // namespace
}  // namespace groma
