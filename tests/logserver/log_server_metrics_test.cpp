#include "logserver/log_server_metrics.hpp"

#include <gmock/gmock.h>

#include "tests/logserver/log_conversation_fixture.hpp"
#include "tests/metric_page.hpp"

namespace groma {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

std::string exposed(const WatchedLogServer& server) {
    Exposition exposition(ExpositionFormat::open_metrics);
    exposition.add(log_server_metrics(), server);
    return exposition.take();
}

TEST(LogServerMetrics, AreOnThePage) {
    expect_on_page("groma-log", log_server_metrics(), GROMA_TEST_DATA);
}

TEST(LogServerMetrics, TellOfUdpWhereItIsServed) {
    EXPECT_THAT(exposed({}), Not(HasSubstr("groma_log_server_udp_dropped_datagrams_total{")));
    const UdpCarrierCounts udp{.opening = {.accepted = 2, .bad_tokens = 3}, .strangers = 4, .kernel_drops = 5};
    EXPECT_THAT(exposed({.udp = udp}),
                AllOf(HasSubstr("groma_log_server_udp_openings_total 2\n"),
                      HasSubstr("groma_log_server_udp_refused_openings_total{cause=\"token\"} 3\n"),
                      HasSubstr("groma_log_server_udp_dropped_datagrams_total{cause=\"stranger\"} 4\n"),
                      HasSubstr("groma_log_server_udp_dropped_datagrams_total{cause=\"kernel\"} 5\n")));
}

using WatchedConversationTest = LogConversationTest;

TEST_F(WatchedConversationTest, AreThoseOfItsLogs) {
    settings_.max_disk = 100;
    const Shipper shipper(core(), clock_);
    shipper.greet();
    shipper.open(7, "sender");
    shipper.piece(0, "header");
    EXPECT_THAT(
        exposed(core().watched(clock_.now())),
        AllOf(HasSubstr("groma_log_server_connections_total 1\n"), HasSubstr("groma_log_server_open_connections 1\n"),
              HasSubstr("groma_log_server_open_logs 1\n"), HasSubstr("groma_log_server_received_bytes_total 6\n"),
              HasSubstr("groma_log_server_not_durable_bytes 6\n"), HasSubstr("groma_log_server_kept_bytes 6\n"),
              HasSubstr("groma_log_server_room_bytes 94\n"),
              HasSubstr("groma_log_server_catalogue_logs{state=\"writing\"} 1\n"),
              HasSubstr("groma_log_server_catalogue_logs{state=\"complete\"} 0\n")));
    shipper.say(totals_of(7, "header", 1));
    pass(std::chrono::seconds(2));
    EXPECT_THAT(exposed(core().watched(clock_.now())),
                AllOf(HasSubstr("groma_log_server_completed_logs_total 1\n"),
                      HasSubstr("groma_log_server_not_durable_bytes 0\n"),
                      HasSubstr("groma_log_server_catalogue_logs{state=\"complete\"} 1\n")));
}

TEST_F(WatchedConversationTest, SayWhyShippersAreToWait) {
    settings_.max_disk = 10;
    const Shipper shipper(core(), clock_);
    shipper.greet();
    shipper.open();
    shipper.piece(0, "more than ten bytes");
    EXPECT_THAT(exposed(core().watched(clock_.now())),
                AllOf(HasSubstr("groma_log_server_holds_total 1\n"),
                      HasSubstr("groma_log_server_dropped_pieces_total{cause=\"held\"} 1\n"),
                      HasSubstr("groma_log_server_current_holds{cause=\"room\"} 1\n"),
                      HasSubstr("groma_log_server_current_holds{cause=\"failure\"} 0\n"),
                      HasSubstr("groma_log_server_current_holds{cause=\"key\"} 0\n")));
}

}  // namespace
}  // namespace groma
