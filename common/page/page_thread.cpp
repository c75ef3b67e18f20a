#include "common/page/page_thread.hpp"

#include <algorithm>
#include <boost/asio/post.hpp>
#include <filesystem>
#include <utility>

#include "common/os/process.hpp"
#include "common/page/page_files.hpp"
#include "common/page/page_routes.hpp"

namespace groma {

namespace {

constexpr std::string_view kTaken = "--web PORT takes another port";
/// A browser has up to six connections to a host, and one of them is a stream.
constexpr HttpLimits kPageLimits{.connections = 64, .streams = 24};

bool has_charts() {
    return std::ranges::all_of(chart_files(), [](const ChartFile& file) {
        std::error_code ignored;
        return std::filesystem::exists(chart_file(kChartFolder, file), ignored);
    });
}

HttpServerOptions server_options(PageOptions options, const RunBoard& board, Clock& clock) {
    const PageFacts facts{.program = std::string(options.program), .started = clock.wall_now(), .charts = has_charts()};
    return {.listen = std::move(options.listen),
            .advice = kTaken,
            .routes = page_routes(std::move(options.routes), facts, board),
            .limits = kPageLimits,
            .access = options.access,
            .scope = WebScope::page,
            .say = [say = options.say](const std::string& line) { say("page: " + line); }};
}

}  // namespace

PageThread::PageThread(PageOptions options, const RunBoard& board, Clock& clock)
    : server_(io_, server_options(options, board, clock), clock) {
    const std::string scheme = is_beyond_this_host(addresses()) ? "https://" : "http://";
    std::string places;
    for (const SocketAddress& address : addresses()) {
        places += (places.empty() ? "" : ", ") + scheme + address.to_string() + '/';
    }
    options.say("the page is at " + places);
    server_.start();
    thread_ = std::thread([this] {
        set_thread_name("groma-web");
        io_.run();
    });
}

PageThread::~PageThread() {
    boost::asio::post(io_, [this] { server_.stop(); });
    thread_.join();
}

}  // namespace groma
