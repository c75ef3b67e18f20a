#include "receiver/run_log.hpp"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <utility>

#include "common/base/errors.hpp"
#include "common/log/cpu_counters.hpp"
#include "common/os/host.hpp"
#include "receiver/run_record.hpp"

namespace groma {

namespace asio = boost::asio;

namespace {

/// Runs `function`, which may block, on another thread; the coroutine goes on on its own when it has returned.
template <typename Function>
asio::awaitable<void> on_thread(asio::thread_pool& thread, Function function) {
    co_await asio::co_spawn(
        thread,
        [&function]() -> asio::awaitable<void> {
            function();
            co_return;
        },
        asio::use_awaitable);
}

}  // namespace

asio::awaitable<void> RunLog::open(const LogTarget& target, const RunMetadata& metadata, std::size_t block_records) {
    thread_ = std::make_unique<asio::thread_pool>(1);
    co_await on_thread(*thread_, [&] {
        OpenedLog opened = open_log_target(target, shippers_);
        if (target.offered) {
            offered_ = std::make_unique<OfferedLog>(target.file, target.key ? target.key->name : "");
            token_ = token_from_hex(random_id());
        }
        log_ = std::make_unique<SessionLog>(std::move(opened.sink), metadata, clock_, block_records);
        shipped_ = opened.shipped;
    });
}

void RunLog::run() {
    asio::post(*thread_, [log = log_.get()] { log->run(); });
}

void RunLog::stop() noexcept {
    if (log_) {
        log_->stop();
    }
}

asio::awaitable<void> RunLog::close(const std::string& end, std::vector<LogEvent>& events, ReceiverResults& results) {
    // Behind run(), which has taken the last record then.
    co_await on_thread(*thread_, [&] { complete(end, events, results); });
    results.log_error = log_->error();
    fetchable_ = log_->error().empty();
}

asio::awaitable<Message> RunLog::section(std::uint64_t offset) {
    check(offered_ != nullptr, "only a log that is offered is fetched");
    if (not fetchable_) {
        throw RunError("the log is not whole, and stays here");
    }
    Message found;
    co_await on_thread(*thread_, [&] { found = offered_->section(offset); });
    co_return found;
}

asio::awaitable<Message> RunLog::remove() {
    check(offered_ != nullptr, "only a log that is offered is removed");
    co_await on_thread(*thread_, [this] { offered_->remove(); });
    fetchable_ = false;
    co_return LogRemoved{};
}

bool RunLog::leave(LeftLogs& left, const std::string& peer, MonoTime now) {
    const bool wanted = offered_ and fetchable_ and not offered_->given();
    if (wanted) {
        left.leave(token_, std::move(offered_), peer, now);
    }
    log_.reset();
    return wanted;
}

bool RunLog::resume(LeftLogs& left, const Token& token, const std::optional<Grant>& grant, MonoTime now) {
    offered_ = left.take(token, grant, now);
    token_ = token;
    fetchable_ = offered_ != nullptr;
    thread_ = std::make_unique<asio::thread_pool>(1);
    return fetchable_;
}

asio::awaitable<void> RunLog::abandon() {
    co_await on_thread(*thread_, [this] { log_->abandon(); });
}

void RunLog::complete(const std::string& end, std::vector<LogEvent>& events, ReceiverResults& results) {
    for (ReceivedFlow& flow : results.flows) {
        flow.records_lost = log_->records_lost(flow.flow, flow.packets);
    }
    const WallTime now = clock_.wall_now();
    if (log_->samples_lost() > 0) {
        events.push_back(samples_lost(log_->samples_lost(), now));
    }
    const std::vector<LogEvent> last = closing_events(end, results.flows, now);
    events.insert(events.end(), last.begin(), last.end());
    LogTotals totals = closing_totals(end, results.flows, now);
    add_cpu_usage(totals, results.usage.value_or(CpuUsage{}));
    log_->close(events, totals);
    if (shipped_ != nullptr) {
        results.shipment = shipment_of(*shipped_);
    }
}

}  // namespace groma
