#include "mpi/job/run_news.hpp"

#include <algorithm>

namespace groma {

namespace {

/// The time after a first failure for other ranks to report theirs.
constexpr Nanos kMoreNews = std::chrono::milliseconds(300);

}  // namespace

void RunNews::error(int rank, const std::string& what) {
    errors_.push_back(layout_.call(rank) + ": " + layout_.with_ranks_named(what));
}

void RunNews::hear_failures() {
    while (const auto failed = ranks_.take_any("failed")) {
        error(failed->first, failed->second.value("what", "failed"));
    }
    for (const char* kind : {"closed", "log_server_closed"}) {
        for (int rank = 0; rank < ranks_.size() and not ends_expected_; ++rank) {
            if (auto body = ranks_.take(rank, kind)) {
                error(rank, body->value("error", "ended before the run did"));
            }
        }
    }
}

bool RunNews::all_have_said(const std::set<int>& from, const std::string& kind) const {
    return std::ranges::all_of(from, [&](int rank) { return ranks_.has(rank, kind); });
}

bool RunNews::await_all(const std::set<int>& from, const std::string& kind, Nanos limit) {
    const bool all = ranks_.await(
        [&] {
            hear_failures();
            return not errors_.empty() or all_have_said(from, kind);
        },
        limit);
    if (not errors_.empty()) {
        await_more();
        return false;
    }
    for (const int rank : from) {
        if (not all and not ranks_.interrupted() and not ranks_.has(rank, kind)) {
            error(rank, "does not answer (waited for '" + kind + "'): is its host overloaded?");
        }
    }
    return all;
}

void RunNews::await_more() {
    ranks_.await(
        [this] {
            hear_failures();
            return false;
        },
        kMoreNews);
}

void RunNews::await_end(const std::set<int>& from, const std::string& kind, JobRanks::Patience patience) {
    ranks_.await([&] { return all_have_said(from, kind); }, patience);
    for (const int rank : from) {
        if (not ranks_.has(rank, kind) and not ranks_.interrupted()) {
            error(rank, "did not end in time (waited for '" + kind + "')");
            stuck_ = true;
        }
    }
}

}  // namespace groma
