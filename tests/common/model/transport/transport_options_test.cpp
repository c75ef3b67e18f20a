#include "common/model/transport/transport_options.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <map>

#include "common/base/errors.hpp"

namespace groma {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;

const TransportOptionRow& row(std::string_view key) {
    return *std::ranges::find(transport_option_rows(), key, &TransportOptionRow::key);
}

/// A value for every option.
const std::map<std::string_view, std::string_view>& values() {
    static const std::map<std::string_view, std::string_view> all{{"source", "10.0.0.1"},
                                                                  {"source_port", "5000"},
                                                                  {"device", "eth0"},
                                                                  {"ttl", "3"},
                                                                  {"ds_byte", "184"},
                                                                  {"flow_label", "70000"},
                                                                  {"dont_fragment", "on"},
                                                                  {"priority", "6"},
                                                                  {"send_buffer", "65536"},
                                                                  {"receive_buffer", "99"},
                                                                  {"nagle", "off"},
                                                                  {"congestion", "reno"},
                                                                  {"mss", "536"},
                                                                  {"streams", "10"},
                                                                  {"ordered", "off"},
                                                                  {"lifetime", "20ms"},
                                                                  {"retransmissions", "0"},
                                                                  {"ccid", "2"},
                                                                  {"service", "7"},
                                                                  {"coverage", "8"},
                                                                  {"source_ports", "6000-6099"},
                                                                  {"ports", "5000-5099"},
                                                                  {"segmentation", "off"},
                                                                  {"own_socket", "on"},
                                                                  {"departure", "kernel:5ms"},
                                                                  {"sent_stamps", "kernel"},
                                                                  {"arrival_stamps", "hardware"},
                                                                  {"arrival_header", "on"},
                                                                  {"state_interval", "20ms"},
                                                                  {"group", "239.1.1.1"},
                                                                  {"source_specific", "on"},
                                                                  {"association", "7"},
                                                                  {"encapsulation", "9899"}};
    return all;
}

TEST(TransportOptions, GiveBackWhatWasSet) {
    for (const TransportOptionRow& each : transport_option_rows()) {
        TransportOptions options;
        EXPECT_FALSE(each.get(options)) << each.key;
        each.set(options, values().at(each.key));
        EXPECT_EQ(each.get(options), std::string(values().at(each.key))) << each.key;
        EXPECT_NE(options, TransportOptions{}) << each.key;
    }
}

TEST(TransportOptions, TakeHexadecimalNumbersAndUnits) {
    TransportOptions options;
    row("ds_byte").set(options, "0xb8");
    row("send_buffer").set(options, "64KiB");
    row("lifetime").set(options, "1.5s");
    EXPECT_EQ(options.ds_byte, 184U);
    EXPECT_EQ(options.send_buffer, Bytes{65536});
    EXPECT_EQ(options.lifetime, std::chrono::milliseconds(1500));
}

TEST(TransportOptions, SayHowLongAheadOfItsDepartureTheKernelGetsAPacket) {
    TransportOptions options;
    row("departure").set(options, "kernel");
    EXPECT_EQ(options.departure_lead, std::chrono::milliseconds(2));
    EXPECT_EQ(row("departure").get(options), "kernel");
    row("departure").set(options, "user");
    EXPECT_EQ(options.departure_lead, Nanos{0});
    EXPECT_EQ(row("departure").get(options), "user");
}

TEST(TransportOptions, RefuseWhatIsOutOfBounds) {
    TransportOptions options;
    const std::pair<std::string_view, std::string_view> bad[] = {{"ttl", "0"},
                                                                 {"ttl", "256"},
                                                                 {"ttl", "x"},
                                                                 {"ds_byte", "0x100"},
                                                                 {"flow_label", "1048576"},
                                                                 {"nagle", "yes"},
                                                                 {"source_port", ""},
                                                                 {"congestion", "a b"},
                                                                 {"device", ""},
                                                                 {"send_buffer", "0"},
                                                                 {"lifetime", "1us"},
                                                                 {"ccid", "4"},
                                                                 {"streams", "65536"},
                                                                 {"ttl", "-1"},
                                                                 {"ttl", "1 "},
                                                                 {"device", "eth0\n"},
                                                                 {"mss", "87"},
                                                                 {"send_buffer", "2GiB"},
                                                                 {"ports", "5000"},
                                                                 {"ports", "5001-5000"},
                                                                 {"ports", "0-5"},
                                                                 {"ports", "1-65536"},
                                                                 {"sent_stamps", "soft"},
                                                                 {"departure", "nic"},
                                                                 {"departure", "kernel:"},
                                                                 {"departure", "kernel:100us"},
                                                                 {"departure", "kernel:2s"},
                                                                 {"state_interval", "2h"},
                                                                 {"association", "0"}};
    for (const auto& [key, text] : bad) {
        EXPECT_THROW(row(key).set(options, text), UsageError) << key << " " << text;
    }
    EXPECT_EQ(options, TransportOptions{});
}

TEST(TransportOptions, SayWhichTransportAnOptionIsOf) {
    TransportOptions options;
    row("congestion").set(options, "reno");
    EXPECT_THAT(option_errors(options, Transport::tcp), IsEmpty());
    EXPECT_THAT(option_errors(options, Transport::mptcp), IsEmpty());
    EXPECT_THAT(option_errors(options, Transport::udp), testing::ElementsAre(HasSubstr("tcp or mptcp only")));
}

TEST(TransportOptions, KnowWhatDoesNotGoTogether) {
    TransportOptions options;
    row("lifetime").set(options, "1s");
    row("retransmissions").set(options, "1");
    EXPECT_THAT(option_errors(options, Transport::sctp), testing::ElementsAre(HasSubstr("one or the other")));
    options = {};
    row("source_port").set(options, "5000");
    EXPECT_THAT(option_errors(options, Transport::icmp), testing::ElementsAre(HasSubstr("no ports")));
    options = {};
    row("departure").set(options, "kernel");
    row("association").set(options, "1");
    EXPECT_THAT(option_errors(options, Transport::udp), testing::ElementsAre(HasSubstr("share a socket")));
    options = {};
    row("coverage").set(options, "7");
    EXPECT_THAT(option_errors(options, Transport::udplite), testing::ElementsAre(HasSubstr("8 bytes")));
}

TEST(Transports, AreListedInTheOrderOfTheEnumeration) {
    for (std::size_t i = 0; i < kTransports.size(); ++i) {
        EXPECT_EQ(static_cast<std::size_t>(kTransports[i].transport), i);
        EXPECT_EQ(parse_transport(kTransports[i].name), kTransports[i].transport);
        EXPECT_EQ(to_string(kTransports[i].transport), kTransports[i].name);
    }
    EXPECT_THROW((void)parse_transport("TCP"), UsageError);
}

}  // namespace
}  // namespace groma
