#include "common/http/metrics_server.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <thread>

#include "common/base/errors.hpp"
#include "common/http/metrics_thread.hpp"
#include "tests/common/http/http_client.hpp"
#include "tests/kernel_clock.hpp"

namespace groma {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::StartsWith;

std::string refusal(std::string_view text) {
    try {
        (void)parse_metrics_address(text);
        return "none";
    } catch (const UsageError& error) {
        return error.what();
    }
}

TEST(MetricsAddress, IsThisHostUnlessItSaysOtherwise) {
    const auto at = [](const char* host, std::uint16_t port) { return SocketAddress::from_literal(host, port); };
    EXPECT_THAT(parse_metrics_address("9100"), ElementsAre(at("127.0.0.1", 9100), at("::1", 9100)));
    EXPECT_THAT(parse_metrics_address("0"), ElementsAre(at("127.0.0.1", 0), at("::1", 0)));
    EXPECT_THAT(parse_metrics_address("localhost:9100"), ElementsAre(at("127.0.0.1", 9100)));
    EXPECT_THAT(parse_metrics_address("127.0.0.3:9100"), ElementsAre(at("127.0.0.3", 9100)));
    EXPECT_THAT(parse_metrics_address("[::1]:65535"), ElementsAre(at("::1", 65535)));
}

TEST(MetricsAddress, OfOtherHostsTakesACertificateAndTokens) {
    for (const char* const text : {"192.0.2.1:9100", "0.0.0.0:9100", "[::]:9100", "[2001:db8::1]:9100"}) {
        const std::vector<SocketAddress> listen = parse_metrics_address(text);
        const auto error = [&listen](const WebFiles& files) { return web_error(files, {{"--metrics", listen}}); };
        EXPECT_THAT(error({}), AllOf(HasSubstr(text), HasSubstr("other hosts"), HasSubstr("--web-cert"),
                                     HasSubstr("ssh -L 9100"), HasSubstr("agent")));
        EXPECT_NE(error({.certificate = "cert.pem"}), "");
        EXPECT_NE(error({.key = "key.pem", .tokens = "keys"}), "");
        EXPECT_THAT(error({.certificate = "cert.pem", .key = "key.pem"}), HasSubstr("--web-tokens DIR"));
        EXPECT_EQ(error({.certificate = "cert.pem", .key = "key.pem", .tokens = "keys"}), "");
    }
    const std::vector<SocketAddress> own = parse_metrics_address("9100");
    EXPECT_EQ(web_error({.tokens = "keys"}, {{"--metrics", own}}), "");
    EXPECT_THAT(web_error({.certificate = "cert.pem"}, {{"--metrics", own}}), HasSubstr("leave them out"));
    EXPECT_THAT(web_error({.key = "key.pem"}, {{"--metrics", {}}}), HasSubstr("leave them out"));
}

TEST(MetricsAddress, OfNothingIsRefused) {
    for (const char* const text : {"", ":", ":9100", "65536", "-1", "9100x", "9100 ", "localhost:", "localhost",
                                   "127.0.0.1", "host.example:9100", "::1", "[::1]", "[::1]9100", "1e3", "+80"}) {
        EXPECT_NE(refusal(text), "none") << text;
    }
    EXPECT_THAT(refusal("x\x1b[2Jy"), testing::Not(HasSubstr("\x1b")));
}

struct Kettle {
    std::uint64_t cups = 0;
};

constexpr auto kKettleRows = std::to_array<MetricRow<Kettle>>({
    {{"groma_test_cups", MetricType::counter, "", "Cups."},
     [](const Kettle& kettle, MetricSamples& samples) { samples.add(kettle.cups); }},
});

MetricsPage page_of(std::uint64_t& cups) {
    return {
        .listen = {SocketAddress::from_literal("127.0.0.1", 0)},
        .program = "groma-test",
        .give = [&cups](Exposition& to) { to.add(std::span<const MetricRow<Kettle>>(kKettleRows), {.cups = ++cups}); }};
}

std::string scrape(const MetricsThread& server, const std::string& path, const std::string& more = "") {
    HttpClient client(server.addresses().front());
    client.write("GET " + path + " HTTP/1.1\r\nHost: localhost\r\n" + more + "\r\n");
    return client.read_response();
}

TEST(MetricsServer, GivesTheFormatThatIsAskedFor) {
    std::uint64_t cups = 0;
    const MetricsThread server(page_of(cups), kernel_clock());
    EXPECT_THAT(scrape(server, "/metrics", "Accept: application/openmetrics-text\r\n"),
                AllOf(HasSubstr("\r\nContent-Type: application/openmetrics-text; version=1.0.0; charset=utf-8\r\n"),
                      HasSubstr("\r\n\r\n# TYPE groma_build info\n"), HasSubstr("{program=\"groma-test\",version="),
                      EndsWith("groma_test_cups_total 1\n# EOF\n")));
    EXPECT_THAT(scrape(server, "/metrics"),
                AllOf(HasSubstr("\r\nContent-Type: text/plain; version=0.0.4; charset=utf-8\r\n"),
                      EndsWith("# TYPE groma_test_cups_total counter\n"
                               "# HELP groma_test_cups_total Cups.\ngroma_test_cups_total 2\n")));
}

TEST(MetricsServer, SaysWhereThePageIs) {
    std::uint64_t cups = 0;
    MetricsPage page = page_of(cups);
    std::string said;
    page.say = [&said](const std::string& line) { said = line; };
    const MetricsThread server(page, kernel_clock());
    EXPECT_EQ(said, "metrics are at http://" + server.addresses().front().to_string() + "/metrics");
    EXPECT_THAT(scrape(server, "/"), HasSubstr("/metrics\n"));
    EXPECT_THAT(scrape(server, "/other"), StartsWith("HTTP/1.1 404 "));
}

TEST(MetricsServer, APortThatIsTakenIsNamed) {
    std::uint64_t cups = 0;
    const MetricsThread first(page_of(cups), kernel_clock());
    MetricsPage second = page_of(cups);
    second.listen = {first.addresses().front()};
    try {
        const MetricsThread server(second, kernel_clock());
        ADD_FAILURE() << "two servers on one port";
    } catch (const SystemError& error) {
        EXPECT_THAT(error.what(), AllOf(HasSubstr(first.addresses().front().to_string()), HasSubstr("--metrics PORT")));
    }
}

}  // namespace
}  // namespace groma
