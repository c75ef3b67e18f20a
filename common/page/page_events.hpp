// What happens on a board, as server-sent events for one reader (docs/guide/page.md; HTML Living Standard, 9.2). Pure
// but for the board's lock. Keeps places, not texts: a slow reader costs no memory, and hears that it missed rows.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "common/page/page_json.hpp"
#include "common/page/run_board.hpp"

namespace groma {

class PageEvents {
public:
    /// A comment that readers pass over.
    static constexpr std::string_view kHeartbeat = ":\n\n";

    /// `run`: whose rows and changes are told; 0: none's. `next`: the first row to tell. The board outlives this.
    PageEvents(const RunBoard& board, PageFacts facts, RunNumber run, std::uint64_t next);

    /// The first events: who tells, and which runs there are.
    [[nodiscard]] std::string begin();
    /// The events since the last call; empty: none.
    [[nodiscard]] std::string next();

private:
    [[nodiscard]] std::string runs();
    [[nodiscard]] std::string run();

    const RunBoard& board_;
    PageFacts facts_;
    RunNumber run_;
    std::uint64_t next_;
    // What the reader knows of the board, of its runs, and of the run.
    std::optional<std::uint64_t> version_{};
    std::optional<std::uint64_t> runs_version_{};
    std::uint64_t run_version_ = 0;
    bool gone_ = false;  ///< the board has forgotten the run
};

}  // namespace groma
