// Rank 0's order to a sending rank: its flows, the receivers' addresses and ports, and the target of logs.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "common/json/describe.hpp"
#include "common/os/scheduling.hpp"
#include "mpi/roles/run_folder.hpp"
#include "sender/options/sender_options.hpp"

namespace groma {

struct SendOrder {
    Experiment experiment;  ///< with this rank's flows only
    std::string sender;     ///< this sender's name
    unsigned threads = 0;   ///< these three as in SenderOptions
    std::vector<unsigned> pin{};
    Realtime realtime = Realtime::off;
    Nanos wait{0};
    bool local_logs = true;
    std::optional<LogServerAddress> log_server;  ///< over tcp or udp
    std::optional<LogTransport> log_transport;   ///< empty: logs are not shipped
};

template <typename Fields>
void describe(Fields& fields, As<Fields, SendOrder>& order);

/// Converts the order to options of a sender. Local logs and spools go to the folder.
[[nodiscard]] SenderOptions sender_options(const SendOrder& order, const RunFolder& folder);

}  // namespace groma
