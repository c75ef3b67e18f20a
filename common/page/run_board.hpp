// What a live page shows of a program's runs: what they are, their rows so far, and how they ended. Programs write it,
// the threads of pages read it. Memory is bounded: rows of long runs are joined in pairs, and ended runs are forgotten,
// the oldest first.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <list>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "common/base/ids.hpp"
#include "common/figures/interval_row.hpp"
#include "common/time/instant.hpp"

namespace groma {

/// A run on one board: 1, 2, 3, ... in the order in which they began. Part of URLs, as names of runs are not.
using RunNumber = std::uint64_t;

/// Of rows, unless somebody asks for others.
inline constexpr Nanos kBoardInterval = std::chrono::seconds(1);

/// A host that takes part.
struct BoardHost {
    std::string role;  ///< "sender", "receiver", "log server"
    std::string name;
    std::string address{};
};

struct BoardFlow {
    FlowId id;  ///< not 0
    std::string name;
    std::string transport;
    std::string from{};     ///< host or address
    std::string to{};       ///< host or address
    std::string traffic{};  ///< what it sends, in words; empty: unknown
};

/// What is known of a run when it begins. Texts may come from other hosts: pages show them as text.
struct BoardRun {
    std::string run_id{};      ///< 32 hex digits; empty: none
    std::string experiment{};  ///< its name
    WallTime began{};
    std::vector<BoardHost> hosts{};
    std::vector<BoardFlow> flows{};
    std::string note{};  ///< a sentence on its figures, such as whose clocks delays are by; empty: none
};

/// Something to fetch that belongs to a run: a log, a report, a picture.
struct BoardFile {
    std::string name;  ///< for people
    std::string path;  ///< of its URL, percent-encoded: "/files/3/sender.glog"
    bool picture = false;
    std::optional<std::uint64_t> bytes{};
};

/// How a run ended. A line and a word for each verdict, as in the report; empty: none.
struct BoardEnd {
    WallTime at{};
    std::string end;  ///< "complete", "interrupted", "peer lost: ..."
    std::string verdict{};
    std::string verdict_text{};
    std::string network{};
    std::string network_text{};
    std::string report_text{};
    std::string report_json{};
    std::vector<BoardFile> files{};
};

struct BoardLimits {
    std::size_t ended_runs = 32;
    std::size_t rows = 200'000;           ///< of all runs and flows, each some 250 bytes
    std::size_t rows_per_flow = 1024;     ///< and of all flows of a run together
    std::size_t flows = 1000;             ///< of a run: with more, it has rows of all together only
    std::size_t report_bytes = 64 << 20;  ///< of all reports
};

/// One run, without its rows. What it points to does not change.
struct BoardEntry {
    RunNumber number = 0;
    std::shared_ptr<const BoardRun> run;  ///< without its flows, if they are too many
    std::size_t flows = 0;                ///< all
    std::shared_ptr<const BoardEnd> end;  ///< null: it goes on
    std::uint64_t rows = 0;               ///< intervals so far
    RowFigures so_far{};                  ///< all flows, all intervals
    RowFigures latest{};                  ///< all flows
    std::uint64_t version = 0;            ///< grows with each change but rows
};

/// One run, with the sums of its flows.
struct BoardDetail {
    BoardEntry entry;
    std::vector<RowFigures>
        flows{};  ///< all intervals so far as one, in the order of the run; empty: they are too many
};

/// Rows from the start of a run: intervals of any length, in order.
struct BoardHistory {
    std::uint64_t next = 0;  ///< the number of the first interval after these
    std::vector<RowFigures> rows{};
};

/// Rows of a run after a place that the reader knows.
struct RowsSince {
    bool gap = false;  ///< some before these are only in the history
    std::uint64_t next = 0;
    std::vector<std::shared_ptr<const IntervalRow>> rows;
};

/// Thread: any. Not for the packet path: it locks and allocates.
class RunBoard {
public:
    explicit RunBoard(const BoardLimits& limits = {}) : limits_(limits) {}

    // For programs.

    [[nodiscard]] RunNumber begin(BoardRun run);
    /// The next row. Flows that the run did not begin with are left out, and so is the time of a last row. Does nothing
    /// when the run is over or forgotten.
    void add(RunNumber run, IntervalRow row);
    /// Does nothing when it is over.
    void end(RunNumber run, BoardEnd end);
    /// Something more to fetch of a run that is over.
    void add_file(RunNumber run, BoardFile file);

    // For pages.

    /// Grows with every change of the board. Does not lock.
    [[nodiscard]] std::uint64_t version() const { return version_.load(std::memory_order_acquire); }
    /// All, the latest first.
    [[nodiscard]] std::vector<BoardEntry> entries() const;
    /// Empty: the board has no such run, or has forgotten it.
    [[nodiscard]] std::optional<BoardDetail> detail(RunNumber run) const;
    /// Rows number `next`, `next` + 1 and so on, counted from 0, as far as they are kept in full.
    [[nodiscard]] RowsSince rows_since(RunNumber run, std::uint64_t next) const;
    /// Of a flow, or with FlowId{0} of all together. Empty: the board has none.
    [[nodiscard]] BoardHistory history(RunNumber run, FlowId flow) const;

private:
    /// Rows of one flow, at most a number of them: when there are too many, each two become one.
    class History {
    public:
        void add(const RowFigures& row, std::size_t most);
        [[nodiscard]] const std::vector<RowFigures>& rows() const { return rows_; }
        [[nodiscard]] const RowFigures& sum() const { return sum_; }
        void forget_rows() { rows_ = std::vector<RowFigures>(); }

    private:
        std::vector<RowFigures> rows_;
        std::uint64_t in_one_ = 1;   ///< intervals that are joined in one row
        std::uint64_t in_last_ = 0;  ///< intervals in the last row
        RowFigures sum_{};
        bool begun_ = false;
    };

    struct Posted {
        BoardEntry entry;
        std::unordered_map<FlowId, std::size_t> places;
        std::size_t most_rows = 0;  ///< of each history, even; 0: none is kept
        History all;
        std::vector<History> flows;
        std::deque<std::shared_ptr<const IntervalRow>> recent;

        [[nodiscard]] std::size_t reserved() const { return most_rows * (flows.size() + 1); }
        void forget_rows();
    };

    [[nodiscard]] Posted* find(RunNumber run);
    [[nodiscard]] const Posted* find(RunNumber run) const;
    void change(Posted& posted);
    /// How many rows each history of a new run may have.
    [[nodiscard]] std::size_t room_for(std::size_t histories);
    void forget_old_ends();

    const BoardLimits limits_;
    std::atomic<std::uint64_t> version_{0};
    mutable std::mutex mutex_;
    std::list<Posted> runs_;  ///< the latest last
    RunNumber last_ = 0;
};

}  // namespace groma
