#include "common/http/http_routes.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

namespace groma {
namespace {

using ::testing::HasSubstr;

HttpRoutes routes() {
    HttpRoutes made;
    made.add("/page", [](const HttpRequest& request) { return HttpResponse{.body = "for " + request.accept}; });
    return made;
}

HttpResponse answer(const std::string& method, const std::string& target, const std::string& host = "localhost") {
    return routes().answer({.method = method, .target = target, .host = host, .accept = "all"});
}

TEST(HttpRoutes, APageIsReadWithGetAndHead) {
    for (const char* const method : {"GET", "HEAD"}) {
        for (const char* const target : {"/page", "/page?", "/page?x=1&y=/other"}) {
            const HttpResponse response = answer(method, target);
            EXPECT_EQ(response.status, 200U) << method << target;
            EXPECT_EQ(response.body, "for all");
        }
    }
}

TEST(HttpRoutes, NoOtherMethodIsAllowed) {
    for (const char* const method : {"POST", "PUT", "DELETE", "OPTIONS", "TRACE", "CONNECT", "get", "", "G\1T"}) {
        const HttpResponse response = answer(method, "/page");
        EXPECT_EQ(response.status, 405U) << method;
        EXPECT_EQ(response.allow, "GET, HEAD");
    }
}

TEST(HttpRoutes, WhatIsNoPageIsNotFound) {
    for (const char* const target : {"/", "/pages", "/page/", "/PAGE", "//page", "/../page", "/%70age", "", "?", "*",
                                     "http://localhost/page", "/page#x", "/page\r\nX: y"}) {
        EXPECT_EQ(answer("GET", target).status, 404U) << target;
    }
}

std::optional<HttpResponse> refusal_here(const std::string& host, const std::string& origin = "") {
    HttpRequest request{.method = "GET", .target = "/page", .host = host};
    request.origin = origin;
    return refusal_beyond_this_host(request);
}

TEST(HttpRoutes, WhoAsksForAnotherHostIsRefused) {
    const auto response = refusal_here("rebound.example");
    ASSERT_TRUE(response);
    EXPECT_EQ(response->status, 421U);
    EXPECT_THAT(response->body, HasSubstr("localhost"));
    EXPECT_EQ(refusal_here("")->status, 400U);
    EXPECT_FALSE(refusal_here("localhost"));
}

TEST(HttpRoutes, PagesOfOtherSitesAreRefused) {
    EXPECT_FALSE(refusal_here("localhost:9100", "http://localhost:9100"));
    EXPECT_FALSE(refusal_here("localhost:9100", "HTTP://LocalHost:9100"));
    for (const char* const origin : {"null", "http://localhost", "http://localhost:9101", "https://localhost:9100",
                                     "http://example.com", "http://localhost:9100 http://example.com", "x"}) {
        ASSERT_TRUE(refusal_here("localhost:9100", origin)) << origin;
        EXPECT_EQ(refusal_here("localhost:9100", origin)->status, 403U) << origin;
    }
}

TEST(HttpRoutes, WhatABrowserAsksForAnotherSiteIsRefused) {
    HttpRequest request{.method = "GET", .target = "/api/runs", .host = "localhost:9100"};
    for (const char* const own : {"", "none", "same-origin"}) {
        request.fetch_site = own;
        EXPECT_FALSE(refusal_beyond_this_host(request)) << own;
    }
    for (const char* const other : {"cross-site", "same-site"}) {
        request.fetch_site = other;
        for (const char* const mode : {"no-cors", "cors", "navigate"}) {
            request.fetch_mode = mode;
            ASSERT_TRUE(refusal_beyond_this_host(request)) << other << mode;
            EXPECT_EQ(refusal_beyond_this_host(request)->status, 403U);
        }
    }
    request.target = "/";
    EXPECT_FALSE(refusal_beyond_this_host(request)) << "a link to the page";
    request.fetch_mode = "no-cors";
    EXPECT_TRUE(refusal_beyond_this_host(request));
}

TEST(HttpRoutes, AHandlerMayHaveAllPathsBelowItsOwn) {
    HttpRoutes made;
    const auto says = [](const char* text) {
        return [text](const HttpRequest&) { return HttpResponse{.body = text}; };
    };
    made.add("/runs/here", says("exactly"));
    made.add_below("/runs/", says("runs"));
    made.add_below("/runs/old/", says("old runs"));
    const auto at = [&made](const char* target) {
        return made.answer({.method = "GET", .target = target, .host = "localhost"});
    };
    EXPECT_EQ(at("/runs/here").body, "exactly");
    EXPECT_EQ(at("/runs/here/x").body, "runs");
    EXPECT_EQ(at("/runs/12?x=/runs/old/").body, "runs");
    EXPECT_EQ(at("/runs/old/1").body, "old runs");
    EXPECT_EQ(at("/runs/zzz").body, "runs");
    for (const char* const target : {"/runs", "/run", "/", "/a", "/zzz"}) {
        EXPECT_EQ(at(target).status, 404U) << target;
    }
}

TEST(NamesThisHost, ByTheNameOrAnAddressOfLoopback) {
    for (const char* const host : {"localhost", "localhost:9100", "LocalHost:1", "127.0.0.1", "127.0.0.1:65535",
                                   "127.0.0.2:9100", "[::1]", "[::1]:9100", "[0:0:0:0:0:0:0:1]:80", "localhost:"}) {
        EXPECT_TRUE(names_this_host(host)) << host;
    }
}

TEST(NamesThisHost, NotByWhatAPageOfTheWebMayHave) {
    for (const char* const host : {"",
                                   "example.com",
                                   "localhost.example.com",
                                   "localhost.",
                                   "localhost@evil",
                                   "localhost:80@evil",
                                   "localhost:9100x",
                                   "localhost:123456",
                                   "localhost :80",
                                   " localhost",
                                   "127.0.0.1.example.com",
                                   "127.0.0.1:9100:9100",
                                   "10.0.0.1",
                                   "0.0.0.0",
                                   "[::]",
                                   "[::1",
                                   "::1",
                                   "[::1]x",
                                   "[127.0.0.1]",
                                   "[]",
                                   "[",
                                   "]",
                                   ":",
                                   ":80",
                                   "127.1",
                                   "2130706433",
                                   "0x7f.1",
                                   "[fe80::1%lo]",
                                   "[::1]:9100]"}) {
        EXPECT_FALSE(names_this_host(host)) << host;
    }
}

}  // namespace
}  // namespace groma
