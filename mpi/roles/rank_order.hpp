// Rank 0's order to a rank: its roles in a run.
#pragma once

#include <cstddef>

#include <optional>
#include <string>
#include <vector>

#include "common/access/access_key.hpp"
#include "common/json/describe.hpp"
#include "common/net/socket/time_limits.hpp"
#include "common/wire/log_block.hpp"

namespace groma {

struct RankOrder {
    std::string run_id;
    std::string folder;                    ///< the run's folder, absolute; the same path on every host
    std::string mark;                      ///< rank 0 writes it into the folder; a rank that finds it shares the disk
    SharedKey key{};                       ///< of the job's run (job_key.hpp)
    std::vector<std::string> receives_at;  ///< addresses (literals) to receive at; empty: not a receiver
    bool sends = false;
    std::string log_server_at;                     ///< address to take logs at; empty: not a log server
    int ships_to = -1;                             ///< the rank that takes logs over MPI; negative: none
    std::size_t block_records = kMaxBlockRecords;  ///< records per block of a log
    Nanos timeout = SessionTimes().silence;        ///< see TimeLimits::with_timeout()
    bool operator==(const RankOrder&) const = default;
};

template <typename Fields>
void describe(Fields& fields, As<Fields, RankOrder>& order);

}  // namespace groma
