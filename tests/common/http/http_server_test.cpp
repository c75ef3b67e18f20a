#include "common/http/http_server.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <boost/asio/post.hpp>
#include <list>
#include <stdexcept>
#include <thread>

#include "tests/common/http/http_client.hpp"
#include "tests/kernel_clock.hpp"

namespace groma {
namespace {

using ::testing::AllOf;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

const std::string kGet = "GET /page HTTP/1.1\r\nHost: localhost\r\n\r\n";

HttpLimits patient() {
    return {
        .request = std::chrono::minutes(10), .idle = std::chrono::minutes(10), .farewell = std::chrono::minutes(10)};
}

/// A server on a thread.
class ServedPages {
public:
    explicit ServedPages(const HttpLimits& limits = patient())
        : server_(io_,
                  {.listen = {SocketAddress::from_literal("127.0.0.1", 0)},
                   .advice = "",
                   .routes = routes(),
                   .limits = limits},
                  kernel_clock()) {
        server_.start();
        thread_ = std::thread([this] { io_.run(); });
    }
    ServedPages(const ServedPages&) = delete;
    ServedPages& operator=(const ServedPages&) = delete;
    ~ServedPages() { stop(); }

    void stop() {
        boost::asio::post(io_, [this] { server_.stop(); });
        if (thread_.joinable()) {
            thread_.join();
        }
    }
    [[nodiscard]] const SocketAddress& address() const { return server_.addresses().front(); }
    [[nodiscard]] HttpClient client() const { return HttpClient(address()); }

    /// The answer to one request over a connection of its own.
    [[nodiscard]] std::string answer(const std::string& request) const {
        HttpClient client(address());
        client.write(request);
        return client.read_response();
    }

    /// The same, once there is room for it.
    [[nodiscard]] std::string first_answer(const std::string& request) const {
        std::string first;
        while (first.empty()) {
            first = answer(request);
        }
        return first;
    }

private:
    static HttpRoutes routes() {
        HttpRoutes made;
        made.add("/page",
                 [](const HttpRequest& request) { return HttpResponse{.body = "it is here " + request.accept}; });
        made.add("/large", [](const HttpRequest&) { return HttpResponse{.body = std::string(3'000'000, 'x')}; });
        made.add("/news", [](const HttpRequest&) {
            HttpResponse news{.content_type = "text/event-stream", .body = "begin,", .fields = {{"X-Kind", "news"}}};
            news.more = [n = 0]() mutable -> std::optional<std::string> {
                ++n;
                return n == 5 ? std::nullopt : std::optional(n % 2 == 0 ? "" : std::to_string(n) + ",");
            };
            return news;
        });
        made.add("/pieces", [](const HttpRequest&) {
            HttpResponse pieces;
            pieces.more = [n = 0]() mutable { return n++ == 0 ? std::optional<std::string>("one,") : std::nullopt; };
            return pieces;
        });
        made.add("/silence", [](const HttpRequest&) {
            HttpResponse news{.body = "begin,"};
            news.more = [] { return std::optional<std::string>(""); };
            news.heartbeat = "beat,";
            return news;
        });
        made.add("/flood", [](const HttpRequest&) {
            HttpResponse news;
            news.more = [] { return std::optional(std::string(1'000'000, 'x')); };
            return news;
        });
        made.add("/broken", [](const HttpRequest&) -> HttpResponse { throw std::runtime_error("no paper"); });
        return made;
    }

    boost::asio::io_context io_{1};
    HttpServer server_;
    std::thread thread_;
};

TEST(HttpServer, AnswersRequests) {
    const ServedPages pages;
    EXPECT_THAT(pages.answer(kGet),
                AllOf(StartsWith("HTTP/1.1 200 OK\r\n"), HasSubstr("\r\nContent-Length: 11\r\n"),
                      HasSubstr("\r\nCache-Control: no-store\r\n"), EndsWith("\r\n\r\nit is here ")));
    EXPECT_THAT(pages.answer("GET /page HTTP/1.1\r\nHost: localhost\r\nAccept: a\r\nAccept: b;q=1\r\n\r\n"),
                EndsWith("\r\n\r\nit is here a,b;q=1"));
    EXPECT_THAT(pages.answer("GET /none HTTP/1.1\r\nHost: localhost\r\n\r\n"), StartsWith("HTTP/1.1 404 "));
    EXPECT_THAT(pages.answer("PUT /page HTTP/1.1\r\nHost: localhost\r\n\r\n"),
                AllOf(StartsWith("HTTP/1.1 405 "), HasSubstr("\r\nAllow: GET, HEAD\r\n")));
    EXPECT_THAT(pages.answer("GET /page HTTP/1.1\r\nHost: evil.example\r\n\r\n"), StartsWith("HTTP/1.1 421 "));
    EXPECT_THAT(pages.answer("GET /page HTTP/1.1\r\n\r\n"), StartsWith("HTTP/1.1 400 "));
    EXPECT_THAT(pages.answer("GET /page HTTP/1.1\r\nHost: localhost\r\nHost: localhost\r\n\r\n"),
                StartsWith("HTTP/1.1 400 "));
}

TEST(HttpServer, AConnectionHasManyRequests) {
    const ServedPages pages;
    HttpClient client = pages.client();
    for (int i = 0; i < 50; ++i) {
        client.write(kGet);
        EXPECT_THAT(client.read_response(), StartsWith("HTTP/1.1 200 "));
    }
    client.write(kGet + kGet + kGet);  // before the first is answered
    for (int i = 0; i < 3; ++i) {
        EXPECT_THAT(client.read_response(), EndsWith("it is here "));
    }
    client.write("GET /page HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n" + kGet);
    EXPECT_THAT(client.read_response(), HasSubstr("\r\nConnection: close\r\n"));
    client.write_no_more();
    EXPECT_EQ(client.read_to_the_end(), "");
}

TEST(HttpServer, HeadHasNoBody) {
    const ServedPages pages;
    HttpClient client = pages.client();
    client.write("HEAD /large HTTP/1.1\r\nHost: localhost\r\n\r\n" + kGet);
    EXPECT_THAT(client.read_response(false), HasSubstr("\r\nContent-Length: 3000000\r\n"));
    EXPECT_THAT(client.read_response(), EndsWith("it is here "));
}

TEST(HttpServer, WritesLargePages) {
    const ServedPages pages;
    EXPECT_THAT(pages.answer("GET /large HTTP/1.0\r\nHost: localhost\r\n\r\n"), EndsWith(std::string(3'000'000, 'x')));
}

TEST(HttpServer, APageThatCannotBeMadeEndsNothing) {
    const ServedPages pages;
    EXPECT_THAT(pages.answer("GET /broken HTTP/1.1\r\nHost: localhost\r\n\r\n"),
                AllOf(StartsWith("HTTP/1.1 500 "), Not(HasSubstr("no paper"))));
    EXPECT_THAT(pages.answer(kGet), StartsWith("HTTP/1.1 200 "));
}

TEST(HttpServer, WhatIsTooLongIsRefused) {
    const ServedPages pages;
    const std::string much(100'000, 'a');
    EXPECT_THAT(pages.answer("GET /" + much + " HTTP/1.1\r\nHost: localhost\r\n\r\n"), StartsWith("HTTP/1.1 431 "));
    EXPECT_THAT(pages.answer("GET /page HTTP/1.1\r\nHost: localhost\r\nX: " + much + "\r\n\r\n"),
                StartsWith("HTTP/1.1 431 "));
}

TEST(HttpServer, ABodyIsRefusedBeforeItComes) {
    const ServedPages pages;
    for (const char* const field : {"Content-Length: 5", "Content-Length: 18446744073709551615",
                                    "Transfer-Encoding: chunked", "Expect: 100-continue\r\nContent-Length: 1"}) {
        for (const char* const body : {"", "hello", "5\r\nhello\r\n0\r\n\r\n"}) {
            EXPECT_THAT(
                pages.answer("POST /page HTTP/1.1\r\nHost: localhost\r\n" + std::string(field) + "\r\n\r\n" + body),
                StartsWith("HTTP/1.1 413 "))
                << field << body;
        }
    }
    const std::string compressed = "GET /page HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: gzip\r\n\r\n";
    EXPECT_THAT(pages.answer(compressed + kGet), StartsWith("HTTP/1.1 400 ")) << "what follows is its body";
    EXPECT_THAT(pages.answer("GET /page HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\n\r\n"),
                StartsWith("HTTP/1.1 200 "));
}

TEST(HttpServer, WhatIsNoRequestIsRefused) {
    const ServedPages pages;
    for (const std::string& rubbish :
         {std::string("\0\0\0\x20{\"type\":\"hello\"}\r\n\r\n", 24),
          std::string("\x16\x03\x01\x02\x00\x01", 6) + "\r\n\r\n", std::string("GET\r\n\r\n"),
          std::string("GET /page HTTP/9.9\r\n\r\n"), std::string("GET /page HTTP/1.1\r\nno field\r\n\r\n"),
          std::string("GET /page HTTP/1.1\r\nHost: a\r\n b\r\nContent-Length: x\r\n\r\n"),
          std::string("GET /pa\x01ge HTTP/1.1\r\nHost: localhost\r\n\r\n")}) {
        EXPECT_THAT(pages.answer(rubbish), StartsWith("HTTP/1.1 400 ")) << rubbish;
    }
    EXPECT_THAT(pages.answer(kGet), StartsWith("HTTP/1.1 200 "));
}

TEST(HttpServer, ARequestThatIsCutAnywhereHurtsNothing) {
    const ServedPages pages;
    for (std::size_t length = 0; length < kGet.size(); ++length) {
        HttpClient client = pages.client();
        client.write(kGet.substr(0, length));
        client.write_no_more();
        EXPECT_EQ(client.read_to_the_end(), "") << length;
    }
    EXPECT_THAT(pages.answer(kGet), StartsWith("HTTP/1.1 200 "));
}

TEST(HttpServer, ARequestThatIsChangedAnywhereHurtsNothing) {
    const ServedPages pages;
    for (std::size_t at = 0; at < kGet.size(); ++at) {
        for (const char byte : {'\0', '\r', '\n', ' ', '\x7f', '\xff', ':'}) {
            std::string changed = kGet;
            changed[at] = byte;
            HttpClient client = pages.client();
            client.write(changed);
            client.write_no_more();
            EXPECT_THAT(client.read_to_the_end(), testing::AnyOf("", StartsWith("HTTP/1.1 "))) << at;
        }
    }
    EXPECT_THAT(pages.answer(kGet), StartsWith("HTTP/1.1 200 "));
}

TEST(HttpServer, WhoDoesNotFinishARequestIsLeft) {
    HttpLimits limits = patient();
    limits.request = std::chrono::milliseconds(4);
    const ServedPages pages(limits);
    HttpClient client = pages.client();
    client.write("GET /page HTTP/1.1\r\n");
    EXPECT_EQ(client.read_to_the_end(), "");
}

TEST(HttpServer, WhoSaysNothingIsLeft) {
    HttpLimits limits = patient();
    limits.idle = std::chrono::milliseconds(4);
    const ServedPages pages(limits);
    HttpClient client = pages.client();
    EXPECT_EQ(client.read_to_the_end(), "");
}

TEST(HttpServer, WhoIsIdleMakesRoomForOthers) {
    HttpLimits limits = patient();
    limits.connections = 3;
    const ServedPages pages(limits);
    std::list<HttpClient> clients;
    for (int i = 0; i < 3; ++i) {
        clients.emplace_back(pages.address());
        clients.back().write(kGet);
        EXPECT_THAT(clients.back().read_response(), StartsWith("HTTP/1.1 200 "));
    }
    clients.front().write(kGet);
    EXPECT_THAT(clients.front().read_response(), StartsWith("HTTP/1.1 200 "));
    EXPECT_THAT(pages.answer(kGet), StartsWith("HTTP/1.1 200 "));
    EXPECT_EQ(std::next(clients.begin())->read_to_the_end(), "") << "it was idle longest";
    clients.front().write(kGet);
    EXPECT_THAT(clients.front().read_response(), StartsWith("HTTP/1.1 200 "));
}

TEST(HttpServer, ThereIsNoRoomBesideConnectionsThatAreBusy) {
    HttpLimits limits = patient();
    limits.connections = 2;
    const ServedPages pages(limits);
    std::list<HttpClient> clients;
    for (int i = 0; i < 2; ++i) {
        clients.emplace_back(pages.address());
        clients.back().write(kGet + "GET /page HT");
        EXPECT_THAT(clients.back().read_response(), StartsWith("HTTP/1.1 200 "));
    }
    HttpClient late = pages.client();
    EXPECT_EQ(late.read_to_the_end(), "");
    clients.front().write("TP/1.1\r\nHost: localhost\r\n\r\n");
    EXPECT_THAT(clients.front().read_response(), StartsWith("HTTP/1.1 200 "));
}

HttpLimits quick_streams() {
    HttpLimits limits = patient();
    limits.stream_pause = std::chrono::milliseconds(1);
    limits.heartbeat = std::chrono::milliseconds(1);
    return limits;
}

const std::string kSilence = "GET /silence HTTP/1.1\r\nHost: localhost\r\n\r\n";

TEST(HttpServer, WritesAnAnswerInPiecesUntilItsEnd) {
    const ServedPages pages(quick_streams());
    HttpClient client = pages.client();
    client.write("GET /news HTTP/1.1\r\nHost: localhost\r\n\r\n" + kGet);
    EXPECT_THAT(client.read_to_the_end(),
                AllOf(StartsWith("HTTP/1.1 200 OK\r\n"), HasSubstr("\r\nContent-Type: text/event-stream\r\n"),
                      HasSubstr("\r\nX-Kind: news\r\n"), HasSubstr("\r\nConnection: close\r\n"),
                      HasSubstr("\r\nTransfer-Encoding: chunked\r\n"), Not(HasSubstr("Content-Length")),
                      EndsWith("\r\n\r\n6\r\nbegin,\r\n2\r\n1,\r\n2\r\n3,\r\n0\r\n\r\n")));
    HttpClient whole = pages.client();
    whole.write("GET /pieces HTTP/1.1\r\nHost: localhost\r\n\r\n");
    EXPECT_THAT(whole.read_to_the_end(), EndsWith("\r\n\r\n4\r\none,\r\n0\r\n\r\n")) << "nothing is there at once";
    HttpClient head = pages.client();
    head.write("HEAD /news HTTP/1.1\r\nHost: localhost\r\n\r\n");
    EXPECT_THAT(head.read_to_the_end(), EndsWith("\r\n\r\n"));
}

TEST(HttpServer, ShowsALifeSignWhereThereIsNothingNew) {
    const ServedPages pages(quick_streams());
    HttpClient client = pages.client();
    client.write(kSilence);
    EXPECT_TRUE(client.read_until("begin,\r\n5\r\nbeat,\r\n5\r\nbeat,"));
}

TEST(HttpServer, AnotherStreamEndsTheOldest) {
    HttpLimits limits = quick_streams();
    limits.streams = 2;
    const ServedPages pages(limits);
    std::list<HttpClient> clients;
    for (int i = 0; i < 3; ++i) {
        clients.emplace_back(pages.address());
        clients.back().write(kSilence);
        EXPECT_TRUE(clients.back().read_until("begin,\r\n5\r\nbeat,"));
    }
    EXPECT_THAT(clients.front().read_to_the_end(), EndsWith("beat,\r\n")) << "it does not look like the end";
    EXPECT_TRUE(clients.back().read_until("beat,\r\n5\r\nbeat,"));
    EXPECT_THAT(pages.answer(kGet), StartsWith("HTTP/1.1 200 "));
}

TEST(HttpServer, WhoReadsNoPieceIsLeft) {
    HttpLimits limits = quick_streams();
    limits.request = std::chrono::milliseconds(50);
    limits.connections = 1;
    const ServedPages pages(limits);
    HttpClient client = pages.client();
    client.write("GET /flood HTTP/1.1\r\nHost: localhost\r\n\r\n");
    EXPECT_THAT(pages.first_answer(kGet), StartsWith("HTTP/1.1 200 "));
}

TEST(HttpServer, AStreamEndsWithItsReader) {
    HttpLimits limits = quick_streams();
    limits.heartbeat = std::chrono::hours(1);
    limits.connections = 1;
    const ServedPages pages(limits);
    {
        HttpClient client = pages.client();
        client.write(kSilence);
        EXPECT_TRUE(client.read_until("begin,"));
    }
    EXPECT_THAT(pages.first_answer(kGet), StartsWith("HTTP/1.1 200 "));
}

TEST(HttpServer, EndsStreamsWhenItStops) {
    ServedPages pages(quick_streams());
    HttpClient client = pages.client();
    client.write(kSilence);
    EXPECT_TRUE(client.read_until("begin,"));
    pages.stop();
    EXPECT_THAT(client.read_to_the_end(), EndsWith(",\r\n"));
}

TEST(HttpServer, EndsAllConnectionsWhenItStops) {
    ServedPages pages;
    HttpClient idle = pages.client();
    HttpClient busy = pages.client();
    busy.write("GET /page");
    pages.stop();
    EXPECT_EQ(idle.read_to_the_end(), "");
    EXPECT_EQ(busy.read_to_the_end(), "");
}

}  // namespace
}  // namespace groma
