#include "common/http/web_access.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <openssl/ssl.h>

#include <boost/asio/post.hpp>
#include <boost/asio/read.hpp>
#include <boost/asio/ssl/stream.hpp>
#include <filesystem>
#include <list>
#include <mutex>
#include <thread>

#include "common/access/random_secret.hpp"
#include "common/control/endpoint.hpp"
#include "common/http/http_server.hpp"
#include "common/http/metrics_server.hpp"
#include "common/time/manual_clock.hpp"
#include "tests/common/http/http_client.hpp"
#include "tests/kernel_clock.hpp"
#include "tests/made_certificate.hpp"

namespace groma {
namespace {

namespace asio = boost::asio;
using ::testing::AllOf;
using ::testing::Contains;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

/// The files of a host, with tokens.
class WebHost {
public:
    std::string add_token(const std::string& name, WebScopes scopes = {}, std::optional<Day> last_day = {}) {
        std::string digits = digits_of_token(random_secret());
        (void)certificate_.write(
            name + ".token",
            text_of(WebToken{.name = name, .scopes = scopes, .last_day = last_day, .hash = hash_of_token(digits)}));
        return digits;
    }
    void remove_token(const std::string& name) { std::filesystem::remove(certificate_.folder() / (name + ".token")); }
    [[nodiscard]] WebFiles files() const {
        return {.certificate = certificate_.certificate(), .key = certificate_.key(), .tokens = certificate_.folder()};
    }

private:
    MadeCertificate certificate_{"DNS:beta.example,IP:10.0.0.2"};
};

HttpRequest asked(const std::string& target = "/page", const std::string& host = "beta.example:9100") {
    HttpRequest request{.method = "GET", .target = target, .host = host};
    request.peer = SocketAddress::from_literal("10.0.0.9", 4711);
    request.local = SocketAddress::from_literal("10.0.0.3", 9100);
    return request;
}

HttpRequest with_token(const std::string& digits) {
    HttpRequest request = asked();
    request.authorization = "Bearer " + digits;
    return request;
}

HttpRequest form_with(const std::string& body) {
    HttpRequest request = asked("/login");
    request.method = "POST";
    request.origin = "https://beta.example:9100";
    request.body = body;
    return request;
}

std::string field_of(const HttpResponse& response, const std::string& name) {
    for (const auto& [field, value] : response.fields) {
        if (field == name) {
            return value;
        }
    }
    return "";
}

class WebAccessTest : public ::testing::Test {
protected:
    WebAccess& access() {
        if (not access_) {
            access_.emplace(
                host.files(), clock, [this](const std::string& line) { said.push_back(line); },
                [this](const AuditEvent& event) { audited.push_back(audit_line(event, "test", clock.wall_now())); });
        }
        return *access_;
    }
    unsigned status(const HttpRequest& request, WebScope scope = WebScope::page) {
        const WebVerdict verdict = access().judge(request, scope);
        return verdict.instead ? verdict.instead->status : 200;
    }
    /// The cookie that a token is exchanged for.
    std::string logged_in(const std::string& digits) {
        const WebVerdict verdict = access().judge(form_with("token=" + digits), WebScope::page);
        EXPECT_TRUE(verdict.instead);
        const std::string cookie = verdict.instead ? field_of(*verdict.instead, "Set-Cookie") : "";
        return cookie.substr(0, cookie.find(';'));
    }
    unsigned status_with(const std::string& cookie) {
        HttpRequest request = asked();
        request.cookie = cookie;
        return status(request);
    }

    ManualClock clock;
    WebHost host;
    std::vector<std::string> said;
    std::vector<std::string> audited;

private:
    std::optional<WebAccess> access_;
};

TEST_F(WebAccessTest, ATokenIsGoodForWhatItIsMadeFor) {
    const std::string both = host.add_token("both");
    const std::string metrics = host.add_token("monitor", {.metrics = true, .page = false});
    EXPECT_EQ(status(with_token(both), WebScope::page), 200U);
    EXPECT_EQ(status(with_token(both), WebScope::metrics), 200U);
    EXPECT_EQ(status(with_token(metrics), WebScope::metrics), 200U);
    EXPECT_EQ(status(with_token(metrics), WebScope::page), 403U);
    HttpRequest lower = with_token(both);
    lower.authorization.replace(0, 6, "bearer");
    EXPECT_EQ(status(lower), 200U);
}

TEST_F(WebAccessTest, WhoHasNoneIsToldSoAndOneThatIsWrongStandsInNoLine) {
    const std::string token = host.add_token("monitor");
    EXPECT_EQ(status(asked()), 401U);
    EXPECT_TRUE(audited.empty()) << "a browser asks so first";
    std::string wrong = token;
    wrong.front() = wrong.front() == '0' ? '1' : '0';
    for (const std::string& digits :
         {wrong, token + "0", token.substr(1), token + " ", std::string(), std::string("x")}) {
        const WebVerdict verdict = access().judge(with_token(digits), WebScope::metrics);
        ASSERT_TRUE(verdict.instead) << digits;
        EXPECT_EQ(verdict.instead->status, 401U);
        EXPECT_EQ(field_of(*verdict.instead, "WWW-Authenticate"), "Bearer");
        EXPECT_TRUE(verdict.last);
    }
    EXPECT_THAT(said,
                Contains("10.0.0.9: turned away: its token is none of those here (SIGHUP has new ones read)").Times(1))
        << "one a second";
    EXPECT_EQ(audited.size(), 6U);
    for (const std::string& line : audited) {
        EXPECT_THAT(line, AllOf(HasSubstr("\"refused\""), Not(HasSubstr(wrong)), Not(HasSubstr(token))));
    }
    for (const char* const field : {"Basic", "Bearer", "", "Bearer,Bearer"}) {
        HttpRequest request = asked();
        request.authorization = std::string(field) + (*field == 'B' and field[1] == 'a' ? " " + token : "");
        EXPECT_EQ(status(request), 401U) << field;
    }
}

TEST_F(WebAccessTest, ATokenEndsWithItsDayAndWithItsFile) {
    const std::string token = host.add_token("day", {},
                                             Day{std::chrono::year_month_day(std::chrono::floor<std::chrono::days>(
                                                 std::chrono::sys_time<Nanos>(clock.wall_now().time_since_epoch())))});
    const std::string other = host.add_token("other");
    const std::string cookie = logged_in(token);
    const std::string other_cookie = logged_in(other);
    EXPECT_EQ(status(with_token(token)), 200U);
    EXPECT_EQ(status_with(cookie), 200U);
    host.remove_token("other");
    EXPECT_EQ(status(with_token(other)), 200U) << "not read again yet";
    access().read_again();
    EXPECT_THAT(said, Contains(HasSubstr("has read the certificate and the tokens again: 1 token in ")));
    EXPECT_EQ(status(with_token(other)), 401U);
    EXPECT_EQ(status_with(other_cookie), 401U);
    EXPECT_EQ(status(with_token(token)), 200U);
    clock.step_wall(std::chrono::hours(25));
    EXPECT_EQ(status(with_token(token)), 401U);
    EXPECT_EQ(status_with(cookie), 401U);
}

TEST_F(WebAccessTest, FilesThatCannotBeReadAgainChangeNothing) {
    const std::string token = host.add_token("monitor");
    EXPECT_EQ(status(with_token(token)), 200U);
    std::filesystem::remove(host.files().certificate);
    host.remove_token("monitor");
    access().read_again();
    EXPECT_THAT(said.back(), AllOf(HasSubstr("stay as they were"), HasSubstr("cert.pem")));
    EXPECT_EQ(status(with_token(token)), 200U);
}

TEST_F(WebAccessTest, AFormGivesACookieThatIsNotTheToken) {
    const std::string token = host.add_token("monitor");
    HttpRequest browser = asked();
    browser.accept = "text/html,*/*";
    const WebVerdict first = access().judge(browser, WebScope::page);
    ASSERT_TRUE(first.instead);
    EXPECT_EQ(first.instead->status, 401U);
    EXPECT_THAT(first.instead->body, HasSubstr("<form method=\"post\" action=\"/login\">"));
    EXPECT_THAT(field_of(*first.instead, "Content-Security-Policy"), HasSubstr("default-src 'none'"));
    const WebVerdict verdict = access().judge(form_with("token=++" + token + "+"), WebScope::page);
    ASSERT_TRUE(verdict.instead);
    EXPECT_EQ(verdict.instead->status, 303U);
    EXPECT_EQ(verdict.token, "monitor");
    EXPECT_EQ(field_of(*verdict.instead, "Location"), "/");
    const std::string cookie = field_of(*verdict.instead, "Set-Cookie");
    EXPECT_THAT(cookie, AllOf(StartsWith("__Host-groma-9100="), Not(HasSubstr(token)),
                              EndsWith("; Path=/; Secure; HttpOnly; SameSite=Strict; Max-Age=43200")));
    const std::string pair = cookie.substr(0, cookie.find(';'));
    EXPECT_EQ(status_with(pair), 200U);
    EXPECT_EQ(status_with("a=b; " + pair + ";c=d"), 200U);
    for (const std::string& wrong : {pair.substr(0, pair.size() - 1), pair + "0", "x" + pair, std::string(";;=; ;"),
                                     "__Host-groma-9101" + pair.substr(pair.find('=')), "__Host-groma-9100=" + token}) {
        EXPECT_EQ(status_with(wrong), 401U) << wrong;
    }
    clock.advance(kWebSession);
    EXPECT_EQ(status_with(pair), 401U);
}

TEST_F(WebAccessTest, ASessionEndsWhenItIsAskedTo) {
    const std::string pair = logged_in(host.add_token("monitor"));
    HttpRequest request = asked("/logout");
    request.cookie = pair;
    EXPECT_EQ(status(request), 405U);
    EXPECT_EQ(status_with(pair), 200U);
    request.method = "POST";
    EXPECT_EQ(status(request), 303U);
    EXPECT_EQ(status_with(pair), 401U);
}

TEST_F(WebAccessTest, FormsWithoutAGoodTokenGiveNothing) {
    const std::string token = host.add_token("monitor");
    for (const std::string& body :
         {std::string(), std::string("token="), "Token=" + token, "token=" + token + "&x=1", "x=1&token=" + token,
          token, std::string("token=+"), std::string(1000, '+'), "token=" + std::string(64, '\0')}) {
        const WebVerdict verdict = access().judge(form_with(body), WebScope::page);
        ASSERT_TRUE(verdict.instead) << body;
        EXPECT_EQ(verdict.instead->status, 401U) << body;
        EXPECT_EQ(field_of(*verdict.instead, "Set-Cookie"), "");
    }
}

TEST_F(WebAccessTest, TheOldestOfManySessionsMakesRoom) {
    std::vector<std::string> tokens;
    for (int i = 0; i < 5; ++i) {
        tokens.push_back(host.add_token("monitor-" + std::to_string(i)));
    }
    std::vector<std::string> cookies;
    for (int i = 0; i < 65; ++i) {
        cookies.push_back(logged_in(tokens[static_cast<std::size_t>(i) % 5]));
    }
    EXPECT_EQ(status_with(cookies[0]), 401U);
    EXPECT_EQ(status_with(cookies[1]), 200U);
    EXPECT_EQ(status_with(cookies[64]), 200U);
}

TEST_F(WebAccessTest, ManySessionsOfOneTokenEndThoseOfNoOther) {
    const std::string patient = logged_in(host.add_token("patient"));
    const std::string busy = host.add_token("busy");
    const std::string first = logged_in(busy);
    for (int i = 0; i < 100; ++i) {
        static_cast<void>(logged_in(busy));
    }
    EXPECT_EQ(status_with(patient), 200U);
    EXPECT_EQ(status_with(first), 401U);
}

TEST_F(WebAccessTest, ATokenForMetricsLogsInToNoPage) {
    const std::string token = host.add_token("scraper", parse_web_scopes("metrics"));
    const WebVerdict verdict = access().judge(form_with("token=" + token), WebScope::page);
    ASSERT_TRUE(verdict.instead);
    EXPECT_EQ(verdict.instead->status, 403U);
    EXPECT_EQ(field_of(*verdict.instead, "Set-Cookie"), "");
    EXPECT_THAT(verdict.instead->body, HasSubstr("--for page"));
}

TEST_F(WebAccessTest, ThisHostIsAskedForByNamesOfItsCertificateOrItsAddress) {
    const std::string token = host.add_token("monitor");
    const auto asked_by = [&](const std::string& name) {
        HttpRequest request = with_token(token);
        request.host = name;
        return status(request);
    };
    for (const char* const name : {"beta.example", "BETA.example:9100", "10.0.0.2", "10.0.0.3:9100"}) {
        EXPECT_EQ(asked_by(name), 200U) << name;
    }
    for (const char* const name :
         {"localhost", "127.0.0.1", "rebound.example", "10.0.0.4", "beta.example:x", ":", "[]"}) {
        EXPECT_EQ(asked_by(name), 421U) << name;
    }
    EXPECT_EQ(asked_by(""), 400U);
}

TEST_F(WebAccessTest, PagesOfOtherSitesGetNothing) {
    const std::string token = host.add_token("monitor");
    for (const char* const origin :
         {"https://evil.example", "null", "http://beta.example:9100", "https://beta.example"}) {
        HttpRequest request = form_with("token=" + token);
        request.origin = origin;
        EXPECT_EQ(status(request), 403U) << origin;
        request = with_token(token);
        request.origin = origin;
        EXPECT_EQ(status(request), 403U) << origin;
    }
}

TEST_F(WebAccessTest, SaysWhatClientsWillNotTake) {
    EXPECT_TRUE(access().tls() != nullptr);
    EXPECT_THAT(said,
                Contains(AllOf(HasSubstr("no file *.token is in"), HasSubstr("groma-key token NAME --keys DIR"))));
    MadeCertificate old("DNS:beta", -3, -1);
    std::vector<std::string> lines;
    const WebAccess expired({.certificate = old.certificate(), .key = old.key(), .tokens = old.folder()},
                            kernel_clock(), [&lines](const std::string& line) { lines.push_back(line); });
    EXPECT_THAT(lines, Contains(AllOf(HasSubstr("clients will refuse the certificate"), HasSubstr("it has expired"))));
}

/// A server under TLS on a thread. It listens on all addresses of IPv4, as other hosts could reach it.
class GuardedPages {
public:
    explicit GuardedPages(const HttpLimits& limits = {.request = std::chrono::minutes(10),
                                                      .idle = std::chrono::minutes(10),
                                                      .farewell = std::chrono::minutes(10)})
        : token(host.add_token("monitor")), access_(host.files(), kernel_clock(), [this](const std::string& line) {
              const std::lock_guard lock(mutex_);
              said_.push_back(line);
          }) {
        HttpRoutes routes;
        routes.add("/page", [](const HttpRequest&) { return HttpResponse{.body = "it is here"}; });
        routes.add("/events", [](const HttpRequest&) {
            HttpResponse events{.body = "the first event"};
            events.more = [] { return std::optional<std::string>(""); };
            return events;
        });
        server_.emplace(io_,
                        HttpServerOptions{.listen = {SocketAddress::from_literal("0.0.0.0", 0)},
                                          .advice = "",
                                          .routes = routes,
                                          .limits = limits,
                                          .access = &access_,
                                          .scope = WebScope::page},
                        kernel_clock());
        server_->start();
        thread_ = std::thread([this] { io_.run(); });
    }
    GuardedPages(const GuardedPages&) = delete;
    GuardedPages& operator=(const GuardedPages&) = delete;
    ~GuardedPages() {
        asio::post(io_, [this] { server_->stop(); });
        thread_.join();
    }
    [[nodiscard]] SocketAddress address() const {
        return SocketAddress::from_literal("127.0.0.1", server_->addresses().front().port());
    }
    [[nodiscard]] std::string get(const std::string& path = "/page") const {
        return "GET " + path + " HTTP/1.1\r\nHost: beta.example\r\nAuthorization: Bearer " + token + "\r\n\r\n";
    }
    [[nodiscard]] std::vector<std::string> said() {
        const std::lock_guard lock(mutex_);
        return said_;
    }
    void take_back_token() {
        host.remove_token("monitor");
        access_.read_again();
    }

private:
    WebHost host;

public:
    const std::string token;

private:
    std::mutex mutex_;
    std::vector<std::string> said_;
    WebAccess access_;
    asio::io_context io_{1};
    std::optional<HttpServer> server_;
    std::thread thread_;
};

/// A client that takes any certificate.
class TlsClient {
public:
    explicit TlsClient(const SocketAddress& server, int highest = TLS1_3_VERSION) {
        SSL_CTX_set_security_level(context_.native_handle(), 0);
        SSL_CTX_set_min_proto_version(context_.native_handle(), TLS1_VERSION);
        SSL_CTX_set_max_proto_version(context_.native_handle(), highest);
        stream_.emplace(io_, context_);
        stream_->next_layer().connect(to_endpoint(server));
        stream_->handshake(asio::ssl::stream_base::client, error);
    }
    void write(const std::string& text) {
        boost::system::error_code ignored;
        asio::write(*stream_, asio::buffer(text), ignored);
    }
    [[nodiscard]] std::string read_response() {
        boost::system::error_code ended;
        const std::size_t header = asio::read_until(*stream_, asio::dynamic_buffer(came_), "\r\n\r\n", ended);
        if (ended) {
            return {};
        }
        const std::string field = "\r\nContent-Length: ";
        const std::size_t size = header + std::stoul(came_.substr(came_.find(field) + field.size()));
        if (came_.size() < size) {
            asio::read(*stream_, asio::dynamic_buffer(came_), asio::transfer_exactly(size - came_.size()), ended);
        }
        std::string response = came_.substr(0, size);
        came_.erase(0, size);
        return response;
    }
    void read_to(const std::string& text) {
        boost::system::error_code ended;
        asio::read_until(*stream_, asio::dynamic_buffer(came_), text, ended);
        EXPECT_FALSE(ended) << ended.message();
    }
    /// Until the server says that it is the end.
    [[nodiscard]] boost::system::error_code end() {
        boost::system::error_code ended;
        asio::read(*stream_, asio::dynamic_buffer(came_), ended);
        return ended;
    }
    [[nodiscard]] std::string version() { return SSL_get_version(stream_->native_handle()); }

    boost::system::error_code error;

private:
    asio::io_context io_;
    asio::ssl::context context_{asio::ssl::context::tls_client};
    std::optional<asio::ssl::stream<asio::ip::tcp::socket>> stream_;
    std::string came_;
};

TEST(GuardedPages, AreAnsweredUnderTls) {
    const GuardedPages pages;
    for (const int version : {TLS1_3_VERSION, TLS1_2_VERSION}) {
        TlsClient client(pages.address(), version);
        ASSERT_FALSE(client.error) << client.error.message();
        EXPECT_EQ(client.version(), version == TLS1_3_VERSION ? "TLSv1.3" : "TLSv1.2");
        for (int i = 0; i < 20; ++i) {
            client.write(pages.get());
            EXPECT_THAT(client.read_response(), AllOf(StartsWith("HTTP/1.1 200 "), EndsWith("it is here")));
        }
        client.write(pages.get() + pages.get() + pages.get());  // in one record: the socket has nothing after it
        for (int i = 0; i < 3; ++i) {
            EXPECT_THAT(client.read_response(), EndsWith("it is here"));
        }
        client.write("GET /page HTTP/1.1\r\nHost: beta.example\r\nConnection: close\r\n\r\n");
        EXPECT_THAT(client.read_response(), StartsWith("HTTP/1.1 401 "));
        EXPECT_EQ(client.end(), asio::error::eof) << "it says that this is all";
    }
}

TEST(GuardedPages, AFormIsPostedAndItsCookieCounts) {
    const GuardedPages pages;
    TlsClient client(pages.address());
    const std::string body = "token=" + pages.token;
    client.write("POST /login HTTP/1.1\r\nHost: beta.example\r\nOrigin: https://beta.example\r\nContent-Length: " +
                 std::to_string(body.size()) + "\r\n\r\n" + body);
    const std::string response = client.read_response();
    EXPECT_THAT(response, AllOf(StartsWith("HTTP/1.1 303 "), Not(HasSubstr(pages.token))));
    const std::size_t at = response.find("Set-Cookie: ") + 12;
    const std::string cookie = response.substr(at, response.find(';', at) - at);
    client.write("GET /page HTTP/1.1\r\nHost: beta.example\r\nCookie: " + cookie + "\r\n\r\n");
    EXPECT_THAT(client.read_response(), EndsWith("it is here"));
}

TEST(GuardedPages, MetricsAreAskedForOnTheThreadThatHasThem) {
    WebHost host;
    const std::string token = host.add_token("scraper");
    WebAccess access(host.files(), kernel_clock(), [](const std::string&) {});
    asio::io_context io{1};
    std::thread::id asked_on;
    MetricsServer server(io,
                         {.listen = {SocketAddress::from_literal("0.0.0.0", 0)},
                          .program = "groma-test",
                          .access = &access,
                          .give = [&](Exposition&) { asked_on = std::this_thread::get_id(); }},
                         kernel_clock());
    server.start();
    const auto busy = asio::make_work_guard(io);
    std::thread control([&io] { io.run(); });
    const auto control_id = control.get_id();
    TlsClient client(SocketAddress::from_literal("127.0.0.1", server.addresses().front().port()));
    const std::string get =
        "GET /metrics HTTP/1.1\r\nHost: beta.example\r\nAuthorization: Bearer " + token + "\r\n\r\n";
    client.write(get);
    EXPECT_THAT(client.read_response(), StartsWith("HTTP/1.1 200 "));
    EXPECT_EQ(asked_on, control_id);
    io.stop();
    control.join();
    client.write(get);  // nobody is there to give them
    server.stop();
    EXPECT_TRUE(client.end());
}

TEST(GuardedPages, AnAnswerInPiecesEndsWithItsToken) {
    GuardedPages pages;
    TlsClient client(pages.address());
    client.write(pages.get("/events"));
    client.read_to("the first event");
    pages.take_back_token();
    EXPECT_NE(client.end(), asio::error::eof) << "it is cut off";
    EXPECT_THAT(pages.said(), Contains(HasSubstr("its token is none of those here")));
}

TEST(GuardedPages, OtherBodiesAndLargeOnesAreRefused) {
    const GuardedPages pages;
    for (const char* const request :
         {"POST /login HTTP/1.1\r\nHost: beta.example\r\nContent-Length: 1025\r\n\r\n",
          "POST /login HTTP/1.1\r\nHost: beta.example\r\nContent-Length: 99999999999\r\n\r\n",
          "POST /page HTTP/1.1\r\nHost: beta.example\r\nContent-Length: 1\r\n\r\nx",
          "GET /login HTTP/1.1\r\nHost: beta.example\r\nContent-Length: 1\r\n\r\nx"}) {
        TlsClient client(pages.address());
        client.write(request);
        EXPECT_THAT(client.read_response(), StartsWith("HTTP/1.1 413 ")) << request;
    }
    TlsClient chunks(pages.address());
    chunks.write("POST /login HTTP/1.1\r\nHost: beta.example\r\nTransfer-Encoding: chunked\r\n\r\n800\r\n" +
                 std::string(0x800, 'x') + "\r\n0\r\n\r\n");
    EXPECT_THAT(chunks.read_response(), StartsWith("HTTP/1.1 413 "));
}

TEST(GuardedPages, NoOlderTlsIsSpoken) {
    GuardedPages pages;
    const TlsClient client(pages.address(), TLS1_1_VERSION);
    EXPECT_TRUE(client.error);
    TlsClient after(pages.address());
    EXPECT_FALSE(after.error);
    EXPECT_THAT(pages.said(), Contains(HasSubstr("127.0.0.1: turned away: its TLS does not go with that")));
}

TEST(GuardedPages, WhoAsksInClearIsToldSo) {
    const GuardedPages pages;
    HttpClient client(pages.address());
    client.write(pages.get());
    EXPECT_THAT(client.read_response(), AllOf(StartsWith("HTTP/1.1 400 "), HasSubstr("https://")));
}

TEST(GuardedPages, StrangersMakeRoomForOneAnotherAndNotForThoseWithATokenProved) {
    HttpLimits limits{.connections = 2, .strangers = 3};
    limits.request = std::chrono::minutes(10);
    limits.idle = std::chrono::minutes(10);
    const GuardedPages pages(limits);
    std::list<TlsClient> proved;
    for (int i = 0; i < 2; ++i) {
        proved.emplace_back(pages.address()).write(pages.get());
        EXPECT_THAT(proved.back().read_response(), StartsWith("HTTP/1.1 200 "));
    }
    std::list<HttpClient> crowd;
    for (int i = 0; i < 50; ++i) {
        crowd.emplace_back(pages.address());
        crowd.back().write(i % 2 == 0 ? std::string("\x16\x03\x01\x02\x00\x01", 6) : std::string());
    }
    for (int i = 0; i < 47; ++i) {
        EXPECT_EQ(crowd.front().read_to_the_end(), "") << "it was there longest";
        crowd.pop_front();
    }
    for (TlsClient& client : proved) {
        client.write(pages.get());
        EXPECT_THAT(client.read_response(), StartsWith("HTTP/1.1 200 "));
    }
    TlsClient another(pages.address());
    another.write(pages.get());
    EXPECT_THAT(another.read_response(), StartsWith("HTTP/1.1 200 "));
    EXPECT_TRUE(proved.front().end()) << "it was idle longest of those that proved a token";
}

TEST(GuardedPages, WhoDoesNotFinishTheHandshakeIsLeft) {
    HttpLimits limits;
    limits.request = std::chrono::milliseconds(4);
    const GuardedPages pages(limits);
    for (const std::string& begin : {std::string(), std::string("\x16\x03\x01\x02\x00\x01", 6)}) {
        HttpClient client(pages.address());
        client.write(begin);
        EXPECT_EQ(client.read_to_the_end(), "");
    }
}

}  // namespace
}  // namespace groma
