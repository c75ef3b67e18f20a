#include "logserver/page/log_page.hpp"

#include <utility>

namespace groma {

namespace {

constexpr std::size_t kMostEnded = 1000;

PageOptions page_options(const LogPageOptions& options, const ExperimentFiles& files) {
    HttpRoutes routes;
    routes.add_below(std::string(ExperimentFiles::kPath),
                     [&files](const HttpRequest& request) { return files.answer(request); });
    return {.listen = options.listen,
            .program = "groma-log",
            .access = options.access,
            .routes = std::move(routes),
            .say = options.say};
}

}  // namespace

LogPage::LogPage(const LogPageOptions& options, Clock& clock)
    : board_({.ended_runs = kMostEnded}),
      page_(page_options(options, files_), board_, clock),
      watch_(options.directory, board_, files_, clock, options.say) {}

}  // namespace groma
