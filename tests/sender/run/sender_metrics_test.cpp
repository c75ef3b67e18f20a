#include "sender/run/sender_metrics.hpp"

#include "tests/metric_page.hpp"

namespace groma {
namespace {

TEST(SenderMetrics, AreOnThePage) {
    expect_on_page("groma-send", sender_metrics(), GROMA_TEST_DATA);
}

TEST(SenderMetrics, AreWhatWasSent) {
    Exposition exposition(ExpositionFormat::open_metrics);
    exposition.add(sender_metrics(), {.open_flows = 2, .packets = 30, .bytes = 4000, .returned = 5});
    const std::string text = exposition.take();
    for (const char* const line :
         {"groma_sender_open_flows 2\n", "groma_sender_packets_total 30\n", "groma_sender_payload_bytes_total 4000\n",
          "groma_sender_returned_packets_total 5\n"}) {
        EXPECT_THAT(text, testing::HasSubstr(line));
    }
}

}  // namespace
}  // namespace groma
