#include "common/page/page_thread.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <thread>

#include "common/base/errors.hpp"
#include "tests/common/http/http_client.hpp"
#include "tests/common/page/board_samples.hpp"
#include "tests/kernel_clock.hpp"

namespace groma {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

PageOptions options_of(std::string& said) {
    PageOptions options{.listen = {SocketAddress::from_literal("127.0.0.1", 0)}, .program = "groma-test"};
    options.routes.add("/files/1/log", [](const HttpRequest&) { return HttpResponse{.body = "a log"}; });
    options.say = [&said](const std::string& line) { said = line; };
    return options;
}

std::string got(const PageThread& page, const std::string& path) {
    HttpClient client(page.addresses().front());
    client.write("GET " + path + " HTTP/1.1\r\nHost: localhost\r\n\r\n");
    return client.read_response();
}

TEST(PageThread, SaysWhereThePageIsAndServesIt) {
    std::string said;
    RunBoard board;
    const PageThread page(options_of(said), board, kernel_clock());
    EXPECT_EQ(said, "the page is at http://" + page.addresses().front().to_string() + "/");
    EXPECT_THAT(got(page, "/"), HasSubstr("<!DOCTYPE html>"));
    EXPECT_THAT(got(page, "/files/1/log"), HasSubstr("\r\n\r\na log"));
    EXPECT_THAT(got(page, "/files/2/log"), StartsWith("HTTP/1.1 404 "));
}

TEST(PageThread, ABrowserSeesARunWhileItGoesOn) {
    std::string said;
    RunBoard board;
    const PageThread page(options_of(said), board, kernel_clock());
    HttpClient client(page.addresses().front());
    client.write("GET /api/events?run=1 HTTP/1.1\r\nHost: localhost\r\n\r\n");
    EXPECT_TRUE(client.read_until("event: gone\n"));
    const RunNumber run = board.begin(sample_run());
    EXPECT_TRUE(client.read_until("event: runs\n"));
    HttpClient later(page.addresses().front());
    later.write("GET /api/events?run=1 HTTP/1.1\r\nHost: localhost\r\n\r\n");
    EXPECT_TRUE(later.read_until("event: run\n"));
    board.add(run, sample_row(0));
    EXPECT_TRUE(later.read_until("event: rows\n"));
    board.end(run, {.end = "complete"});
    EXPECT_TRUE(later.read_until("\"end\":\"complete\""));
}

TEST(PageThread, APortThatIsTakenIsNamed) {
    std::string said;
    RunBoard board;
    const PageThread first(options_of(said), board, kernel_clock());
    PageOptions second = options_of(said);
    second.listen = {first.addresses().front()};
    EXPECT_THAT([&] { const PageThread page(second, board, kernel_clock()); },
                testing::ThrowsMessage<SystemError>(HasSubstr("--web PORT")));
}

}  // namespace
}  // namespace groma
