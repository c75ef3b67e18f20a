// One rank's side of the conversation between rank 0 and all ranks. Never blocks. One thread.
#pragma once

#include <chrono>
#include <optional>
#include <utility>

#include "mpi/mpi_post.hpp"
#include "mpi/rank_message.hpp"

namespace groma {

class RankLine {
public:
    explicit RankLine(MpiWorld& world);

    /// Throws: RunError.
    void say(int to, const RankMessage& message);

    /// The rank that said it, and what. Throws: RunError, ProtocolError.
    [[nodiscard]] std::optional<std::pair<int, RankMessage>> hear();

    /// Waits until everything that was said is on its way, or `limit` is over.
    void flush(std::chrono::milliseconds limit);

private:
    MpiPost post_;
};

}  // namespace groma
