#include "mpi/roles/rank_worker.hpp"

#include <gmock/gmock.h>

#include <boost/asio/buffer.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/read.hpp>
#include <boost/asio/write.hpp>

#include "common/access/drawn_key.hpp"
#include "common/base/errors.hpp"
#include "common/json/json_record.hpp"
#include "common/os/temporary_folder.hpp"
#include "common/shipping/links/link_openers.hpp"
#include "mpi/roles/job_key.hpp"
#include "tests/kernel_clock.hpp"
#include "tests/mpi/fake_mpi.hpp"

namespace groma {
namespace {

using testing::HasSubstr;

class RankWorkerTest : public ::testing::Test {
protected:
    /// The answer of the rank when it was told to receive and to keep logs.
    nlohmann::json prepared(const RankOrder& order) {
        worker_.on_message({"prepare", to_json(order)});
        const std::optional<RankMessage> answer = worker_.next();
        EXPECT_TRUE(answer.has_value() and answer->kind == "prepared");
        return answer->body;
    }

    [[nodiscard]] RankOrder order() const {
        return {.run_id = std::string(32, 'a'),
                .folder = folder_.path() / "run",
                .mark = "mark",
                .key = draw_key(),
                .receives_at = {"127.0.0.1"},
                .log_server_at = "127.0.0.1"};
    }

    /// What the port of this answer says to a program that has no key.
    static std::string said_in_clear(const nlohmann::json& answer, const char* port) {
        boost::asio::io_context io;
        boost::asio::ip::tcp::socket socket(io);
        socket.connect({boost::asio::ip::address_v4::loopback(), json_field<std::uint16_t>(answer, port)});
        boost::asio::write(socket, boost::asio::buffer("\0\0\0\2{}", 6));
        std::string said;
        boost::system::error_code end;
        boost::asio::read(socket, boost::asio::dynamic_buffer(said), end);
        return said;
    }

    TemporaryFolder folder_;
    RunFolder run_folder_ = RunFolder::make(folder_.path() / "run", "mark");
    FakeRank rank_{0, 1};
    RankWorker worker_{rank_.world(), kernel_clock()};
};

TEST_F(RankWorkerTest, ServesNoProgramWithoutTheKeyOfTheRun) {
    const nlohmann::json answer = prepared(order());
    EXPECT_THAT(said_in_clear(answer, "receiver_port"), HasSubstr("takes senders of its own job only"));
    EXPECT_THAT(said_in_clear(answer, "log_server_port"), HasSubstr("takes senders and receivers of its own job only"));
}

TEST_F(RankWorkerTest, TakesNoLogsOverUdpWithoutTheKeyOfTheRun) {
    const RankOrder asked = order();
    const SocketAddress server =
        SocketAddress::from_literal("127.0.0.1", json_field<std::uint16_t>(prepared(asked), "log_server_port"));
    const auto opened = [&server](const std::optional<OfferedKey>& key) -> std::string {
        try {
            (void)udp_link(server, "log server", key, std::nullopt, ShippingTimes())(kernel_clock());
        } catch (const RunError& error) {
            return error.what();
        }
        return "opened";
    };
    EXPECT_EQ(opened(offered_to_ranks(asked.key)("127.0.0.1", server)), "opened");
    EXPECT_THAT(opened(std::nullopt), HasSubstr("takes shippers that have a key"));
}

}  // namespace
}  // namespace groma
