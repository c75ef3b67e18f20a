#include "common/page/page_routes.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>
#include <utility>
#include <vector>

#include "common/os/temporary_folder.hpp"
#include "common/page/page_files.hpp"
#include "tests/common/page/board_samples.hpp"

namespace groma {
namespace {

using Json = nlohmann::json;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

class PageRoutes : public testing::Test {
protected:
    PageRoutes() : routes_(page_routes({}, {.program = "groma-test"}, board_)) {
        BoardRun run = sample_run();
        run.flows[1].name = "=HYPERLINK(\"x\")";
        run_ = board_.begin(std::move(run));
        board_.add(run_, sample_row(0));
        board_.add(run_, sample_row(1));
    }

    [[nodiscard]] HttpResponse get(const std::string& target) const {
        return routes_.answer({.method = "GET", .target = target, .host = "localhost"});
    }
    /// With all its pieces.
    [[nodiscard]] std::string text(const std::string& target) const {
        const HttpResponse response = get(target);
        std::string all = response.body;
        for (auto piece = response.more(); piece; piece = response.more()) {
            all += *piece;
        }
        return all;
    }
    [[nodiscard]] Json json(const std::string& target) const { return Json::parse(get(target).body); }

    static std::string field(const HttpResponse& response, const std::string& name) {
        for (const auto& [given, value] : response.fields) {
            if (given == name) {
                return value;
            }
        }
        return {};
    }

    RunBoard board_;
    HttpRoutes routes_;
    RunNumber run_ = 0;
};

TEST_F(PageRoutes, HaveThePageAndWhatItNames) {
    const std::string page = get("/").body;
    EXPECT_THAT(page, StartsWith("<!DOCTYPE html>"));
    for (const PageFile& file : page_files()) {
        const HttpResponse response = get(std::string(file.path));
        EXPECT_EQ(response.status, 200U);
        EXPECT_FALSE(response.body.empty()) << file.path;
        EXPECT_THAT(field(response, "Content-Security-Policy"), StartsWith("default-src 'none'; script-src 'self';"));
        for (const char* const elsewhere : {"http:", "https:", "innerHTML", "eval(", "style=", " onclick"}) {
            EXPECT_THAT(response.body, Not(HasSubstr(elsewhere))) << file.path;
        }
    }
    EXPECT_EQ(get("/page.css").content_type, "text/css; charset=utf-8");
    EXPECT_EQ(get("/page.js").content_type, "text/javascript; charset=utf-8");
    EXPECT_EQ(get("/").content_type, "text/html; charset=utf-8");
}

TEST_F(PageRoutes, HaveTheLibraryOfChartsOrSayWhatToInstall) {
    const TemporaryFolder folder;
    routes_ = page_routes({}, {.program = "groma-test"}, board_, folder.path());
    EXPECT_EQ(get("/dygraph.min.js").status, 404U);
    EXPECT_THAT(get("/dygraph.min.css").body, HasSubstr("apt install libjs-dygraphs"));
    std::ofstream(folder.path() / "dygraph.min.js") << "draw();";
    EXPECT_EQ(get("/dygraph.min.js").body, "draw();");
    EXPECT_EQ(get("/dygraph.min.js").content_type, "text/javascript; charset=utf-8");
    EXPECT_EQ(get("/dygraph.min.css").status, 404U);
}

TEST_F(PageRoutes, TellTheRunsAndTheFigures) {
    const Json all = json("/api/runs");
    EXPECT_EQ(all.at("program"), "groma-test");
    EXPECT_EQ(all.at("figures").at(0).at("name"), "t_s");
    EXPECT_EQ(all.at("runs").at(0).at("number"), run_);
    EXPECT_TRUE(all.at("runs").at(0).at("ended_ns").is_null());
}

TEST_F(PageRoutes, DescribeARun) {
    const Json run = json("/api/runs/1");
    EXPECT_EQ(run.at("rows"), 2);
    EXPECT_EQ(run.at("flows").at(1).at("name"), "=HYPERLINK(\"x\")");
    EXPECT_EQ(run.at("flows").at(1).at("so_far").size(), json("/api/runs").at("figures").size());
    EXPECT_EQ(run.at("hosts").at(0).at("name"), "alpha");
    EXPECT_EQ(run.at("report_json"), false);
}

TEST_F(PageRoutes, HaveTheRowsOfAFlow) {
    const Json all = json("/api/runs/1/rows.json");
    EXPECT_EQ(all.at("rows").size(), 2U);
    EXPECT_EQ(all.at("next"), 2);
    EXPECT_EQ(json("/api/runs/1/rows.json?x=1&flow=2").at("flow"), 2);
    EXPECT_EQ(json("/api/runs/1/rows.json?flow=9").at("rows").size(), 0U);
    for (const char* const flow : {"", "x", "-1", "4294967296", "1x", "99999999999999999999"}) {
        EXPECT_EQ(get(std::string("/api/runs/1/rows.json?flow=") + flow).status, 400U) << flow;
    }
}

TEST_F(PageRoutes, HaveAllRowsAsCsv) {
    const HttpResponse response = get("/api/runs/1/rows.csv");
    EXPECT_EQ(field(response, "Content-Disposition"), "attachment; filename=\"run-1.csv\"");
    std::vector<std::string> lines;
    std::istringstream in(text("/api/runs/1/rows.csv"));
    for (std::string line; std::getline(in, line);) {
        lines.push_back(line);
    }
    ASSERT_EQ(lines.size(), 7U);
    EXPECT_THAT(lines[0], StartsWith("flow,name,t_s,interval_s,sent_packets,"));
    EXPECT_THAT(lines[1], StartsWith("0,\"total\",0.0,1.0,,,,,3,300,3.0,2400.0,0,"));
    EXPECT_THAT(lines[5], StartsWith("2,\"'=HYPERLINK(\"\"x\"\")\",0.0,"));
}

TEST_F(PageRoutes, HaveAPieceOfCsvForEachFlowWithRowsOnly) {
    const RunNumber many = board_.begin(sample_run(100));
    IntervalRow row = sample_row(0, 100);
    std::erase_if(row.flows, [](const FlowRow& flow) { return flow.flow != FlowId{50}; });
    board_.add(many, row);
    const HttpResponse response = get("/api/runs/2/rows.csv");
    EXPECT_THAT(*response.more(), HasSubstr("\n0,\"total\","));
    EXPECT_THAT(*response.more(), StartsWith("50,\"flow 50\","));
    EXPECT_EQ(response.more(), std::nullopt) << "an empty piece means: not yet";
}

TEST_F(PageRoutes, HaveTheReportOnceTheRunIsOver) {
    EXPECT_EQ(get("/api/runs/1/report.json").status, 404U);
    const std::string well(200'000, 'x');
    board_.end(run_, {.end = "complete", .report_text = well, .report_json = "{\"a\": 1}\n"});
    EXPECT_EQ(text("/api/runs/1/report.json"), "{\"a\": 1}\n");
    EXPECT_EQ(text("/api/runs/1/report.txt"), well);
    EXPECT_THAT(field(get("/api/runs/1/report.txt"), "Content-Disposition"), StartsWith("attachment"));
}

TEST_F(PageRoutes, FollowARun) {
    const HttpResponse response = get("/api/events?run=1&next=1");
    EXPECT_EQ(response.content_type, "text/event-stream");
    EXPECT_THAT(response.body, HasSubstr("event: rows\ndata: {\"run\":1,\"number\":1,"));
    EXPECT_EQ(response.more(), "");
    board_.add(run_, sample_row(2));
    EXPECT_THAT(*response.more(), HasSubstr("event: rows\n"));
    EXPECT_EQ(get("/api/events?run=x").status, 400U);
    EXPECT_EQ(get("/api/events?next=-1").status, 400U);
    EXPECT_THAT(get("/api/events").body, Not(HasSubstr("event: rows\n")));
}

TEST_F(PageRoutes, WhatIsNoneOfItsPagesIsNotFound) {
    for (const char* const target :
         {"/api", "/api/", "/api/runs/", "/api/runs/2", "/api/runs/0", "/api/runs/x", "/api/runs/1/", "/api/runs/1/x",
          "/api/runs/1x/rows.json", "/api/runs/-1", "/api/runs/99999999999999999999", "/api/runs/1/report.json",
          "/api/runs//rows.json", "/api/runs/1/rows.json/", "/page.html", "/../page.js", "/dygraph.js",
          "/api/runs/?"}) {
        EXPECT_EQ(get(target).status, 404U) << target;
    }
}

}  // namespace
}  // namespace groma
