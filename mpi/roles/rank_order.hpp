// What rank 0 tells a rank to be in a run.
#pragma once

#include <cstddef>

#include <optional>
#include <string>
#include <vector>

#include "common/json/describe.hpp"
#include "common/net/socket/time_limits.hpp"
#include "common/wire/log_block.hpp"

namespace groma {

struct RankOrder {
    std::string run_id;
    std::string folder;                    ///< of the run, absolute; the same path on every host
    std::string mark;                      ///< what rank 0 wrote into the folder: who sees it there shares its disk
    std::vector<std::string> receives_at;  ///< addresses (literals) to receive at; none: does not receive
    bool sends = false;
    std::string log_server_at;                     ///< an address to take logs at; empty: is no log server
    int ships_to = -1;                             ///< the rank that takes logs over MPI; below 0: none
    std::size_t block_records = kMaxBlockRecords;  ///< in a block of its logs
    Nanos timeout = SessionTimes().silence;        ///< see TimeLimits::with_timeout()
    bool operator==(const RankOrder&) const = default;
};

template <typename Fields>
void describe(Fields& fields, As<Fields, RankOrder>& order);

}  // namespace groma
