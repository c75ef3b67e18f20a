#include "mpi/roles/receiver_role.hpp"

#include <exception>
#include <utility>

#include "common/os/process.hpp"

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

}  // namespace groma
