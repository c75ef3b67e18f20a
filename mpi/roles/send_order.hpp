// What rank 0 tells a rank that sends: its flows, with the addresses and ports of the receivers, and where logs go.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "common/json/describe.hpp"
#include "mpi/roles/run_folder.hpp"
#include "sender/options/sender_options.hpp"

namespace groma {

struct SendOrder {
    Experiment experiment;  ///< with this rank's flows only
    std::string sender;     ///< what this one is called
    unsigned threads = 0;   ///< these three as in SenderOptions
    std::vector<unsigned> pin{};
    bool realtime = false;
    Nanos wait{0};
    bool local_logs = true;
    std::optional<LogServerAddress> log_server;  ///< over tcp or udp
    std::optional<LogTransport> log_transport;   ///< nothing: logs are not shipped
};

template <typename Fields>
void describe(Fields& fields, As<Fields, SendOrder>& order);

/// The same as a sender wants it. Local logs and spools go to the folder.
[[nodiscard]] SenderOptions sender_options(const SendOrder& order, const RunFolder& folder);

}  // namespace groma
