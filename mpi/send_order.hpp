// What rank 0 tells a rank that sends: its flows, with the addresses and ports of the receivers, and where logs go.
#pragma once

#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>

#include "sender/options.hpp"

namespace groma {

struct SendOrder {
    Experiment experiment;  ///< with this rank's flows only
    std::string sender;     ///< what this one is called
    unsigned threads = 1;
    Nanos wait{0};
    bool local_logs = true;
    std::optional<LogServerAddress> log_server;
};

[[nodiscard]] nlohmann::json to_json(const SendOrder& order);
/// Throws: UsageError.
[[nodiscard]] SendOrder send_order_from_json(const nlohmann::json& object);

/// The same as a sender wants it. Local logs go to `logs`.
[[nodiscard]] SenderOptions sender_options(const SendOrder& order, const std::filesystem::path& logs);

}  // namespace groma
