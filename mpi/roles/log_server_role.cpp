#include "mpi/roles/log_server_role.hpp"

#include <exception>
#include <utility>

#include "common/os/process.hpp"

namespace groma {

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

}  // namespace groma
