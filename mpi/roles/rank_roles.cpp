#include "mpi/roles/rank_roles.hpp"

#include <algorithm>
#include <exception>
#include <utility>

#include "common/base/errors.hpp"
#include "common/json/json_record.hpp"
#include "common/os/process.hpp"
#include "sender/report/report_codec.hpp"

namespace groma {

ReceiverRole::ReceiverRole(ReceiverServerOptions options, Outbox& outbox, Clock& clock)
    : server_(std::move(options), clock), outbox_(outbox), thread_([this] {
          set_thread_name("groma-receiver");
          nlohmann::json body = nlohmann::json::object();
          try {
              server_.run();
          } catch (const std::exception& error) {
              body["error"] = error.what();
          }
          outbox_.push({"closed", std::move(body)});
      }) {}

ReceiverRole::~ReceiverRole() {
    server_.stop();
    thread_.join();
}

LogServerRole::LogServerRole(LogServerSettings settings, MpiWorld& world, Outbox& outbox, Clock& clock)
    : server_(std::move(settings), clock),
      carrier_({.world = world, .io = server_.io(), .host = server_.host(), .clock = clock}),
      outbox_(outbox),
      thread_([this] {
          server_.add_carrier([this] { carrier_.stop(); });
          set_thread_name("groma-logs");
          nlohmann::json body = nlohmann::json::object();
          try {
              server_.run();
          } catch (const std::exception& error) {
              body["error"] = error.what();
          }
          outbox_.push({"log_server_closed", std::move(body)});
      }) {}

LogServerRole::~LogServerRole() {
    server_.stop();
    thread_.join();
}

SenderRole::SenderRole(SenderOptions options, Run run, Outbox& outbox, Clock& clock)
    : options_(std::move(options)), run_(std::move(run)), outbox_(outbox), clock_(clock), thread_([this] {
          this->run();
      }) {}

SenderRole::~SenderRole() {
    stop(2);
    thread_.join();
}

void SenderRole::start_at(MonoTime start) {
    start_.give(start);
}

void SenderRole::stop(unsigned level) {
    stop_requests_ = std::max(stop_requests_.load(), level);
    start_.call_off();
}

void SenderRole::run() noexcept {
    set_thread_name("groma-sender");
    RunSurroundings around{
        .clock = clock_,
        .stop_requests = [this] { return stop_requests_.load(); },
        .show_progress =
            [this](const std::string& line) {
                outbox_.push({"progress", {{"sender", run_.sender}, {"line", line}}});
            },
        .shared =
            SharedRun{.run_id = run_.run_id, .sender = run_.sender, .agree_on_start = {}, .counted = {}, .so_far = {}},
        .shipper = run_.shipper};
    around.shared->agree_on_start = [this](Nanos margin) {
        outbox_.push({"ready", {{"margin_ns", margin.count()}}});
        return start_.wait();
    };
    around.shared->counted = [this](const SendReport& report) {
        outbox_.push({"counted", {{"report", to_json(report)}}});
    };
    around.shared->so_far = [this](const SendReport& report) {
        outbox_.push({"so_far", {{"report", to_json(report)}}});
    };
    try {
        const SendReport report = send_run(options_, std::move(around));
        outbox_.push({"sent", {{"report", to_json(report)}}});
    } catch (const std::exception& error) {
        outbox_.push({"sent", {{"error", error.what()}}});
    }
}

}  // namespace groma
