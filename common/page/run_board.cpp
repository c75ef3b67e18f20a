#include "common/page/run_board.hpp"

#include <algorithm>
#include <array>
#include <iterator>
#include <utility>

#include "common/json/json_text.hpp"

namespace groma {

namespace {

/// Intervals that are kept in full, for readers that follow; of runs with many flows fewer.
constexpr std::size_t kRecentRows = 16;
constexpr std::size_t kRecentRowsOfMany = 4;
constexpr std::size_t kManyFlows = 100;
/// Fewer rows of a flow would be no history.
constexpr std::size_t kFewestRows = 16;

std::size_t bytes_of(const BoardEnd* end) {
    return end == nullptr ? 0 : end->report_text.size() + end->report_json.size();
}

void cut(std::string& text) {
    constexpr std::size_t kLongest = 200;
    if (text.size() > kLongest) {
        text = std::string(cut_text(text, kLongest)) + "...";
    }
}

/// A peer chooses its texts, and how many hosts there are.
void bound_texts(BoardRun& run, std::size_t most_hosts) {
    cut(run.experiment);
    run.hosts.resize(std::min(run.hosts.size(), most_hosts));
    for (BoardHost& host : run.hosts) {
        std::ranges::for_each(std::array{&host.name, &host.address}, [](std::string* text) { cut(*text); });
    }
    for (BoardFlow& flow : run.flows) {
        std::ranges::for_each(std::array{&flow.name, &flow.transport, &flow.from, &flow.to, &flow.traffic},
                              [](std::string* text) { cut(*text); });
    }
}

}  // namespace

void RunBoard::History::add(const RowFigures& row, std::size_t most) {
    sum_ = std::exchange(begun_, true) ? joined(sum_, row) : row;
    if (most == 0) {
        return;
    }
    if (not rows_.empty() and in_last_ < in_one_) {
        rows_.back() = joined(rows_.back(), row);
        ++in_last_;
        return;
    }
    if (rows_.size() >= most) {
        for (std::size_t i = 0; i < most / 2; ++i) {
            rows_[i] = joined(rows_[2 * i], rows_[2 * i + 1]);
        }
        rows_.resize(most / 2);
        in_one_ *= 2;
    }
    rows_.push_back(row);
    in_last_ = 1;
}

void RunBoard::Posted::forget_rows() {
    most_rows = 0;
    all.forget_rows();
    std::ranges::for_each(flows, [](History& flow) { flow.forget_rows(); });
    recent.clear();
}

RunBoard::Posted* RunBoard::find(RunNumber run) {
    const auto found = std::ranges::find(runs_, run, [](const Posted& posted) { return posted.entry.number; });
    return found == runs_.end() ? nullptr : &*found;
}

const RunBoard::Posted* RunBoard::find(RunNumber run) const {
    const auto found = std::ranges::find(runs_, run, [](const Posted& posted) { return posted.entry.number; });
    return found == runs_.end() ? nullptr : &*found;
}

void RunBoard::change(Posted& posted) {
    posted.entry.version = version_.load(std::memory_order_relaxed) + 1;
    version_.store(posted.entry.version, std::memory_order_release);
}

std::size_t RunBoard::room_for(std::size_t histories) {
    std::size_t reserved = 0;
    std::ranges::for_each(runs_, [&reserved](const Posted& posted) { reserved += posted.reserved(); });
    const std::size_t wanted = std::min(limits_.rows_per_flow, limits_.rows / 2 / histories);
    for (Posted& posted : runs_) {
        if (reserved + wanted * histories <= limits_.rows) {
            break;
        }
        if (posted.entry.end != nullptr) {
            reserved -= posted.reserved();
            posted.forget_rows();
        }
    }
    const std::size_t room = std::min(wanted, (limits_.rows - std::min(limits_.rows, reserved)) / histories);
    return room < kFewestRows ? 0 : room / 2 * 2;
}

void RunBoard::forget_old_ends() {
    std::size_t ended = 0;
    std::size_t bytes = 0;
    for (auto posted = runs_.end(); posted != runs_.begin();) {
        --posted;
        const BoardEnd* const end = posted->entry.end.get();
        ended += end == nullptr ? 0U : 1U;
        bytes += bytes_of(end);
        if (end != nullptr and ended > 1 and (ended > limits_.ended_runs or bytes > limits_.report_bytes)) {
            bytes -= bytes_of(end);
            posted = runs_.erase(posted);
        }
    }
}

RunNumber RunBoard::begin(BoardRun run) {
    bound_texts(run, limits_.flows);
    const std::lock_guard lock(mutex_);
    forget_old_ends();
    std::ranges::for_each(runs_, [](Posted& old) {
        if (old.entry.end != nullptr) {
            old.recent.clear();
        }
    });
    const std::size_t flows = run.flows.size();
    if (flows > limits_.flows) {
        run.flows = std::vector<BoardFlow>();
    }
    const std::size_t room = room_for(run.flows.size() + 1);
    Posted& posted = runs_.emplace_back();
    posted.most_rows = room;
    posted.flows.resize(run.flows.size());
    for (std::size_t i = 0; i < run.flows.size(); ++i) {
        posted.places.emplace(run.flows[i].id, i);
    }
    posted.entry.number = ++last_;
    posted.entry.flows = flows;
    posted.entry.run = std::make_shared<const BoardRun>(std::move(run));
    change(posted);
    return last_;
}

void RunBoard::add(RunNumber run, IntervalRow row) {
    const std::lock_guard lock(mutex_);
    Posted* const posted = find(run);
    if (posted == nullptr or posted->entry.end != nullptr) {
        return;
    }
    if (row.last) {
        row.all = without_time(row.all);
        std::ranges::for_each(row.flows, [](FlowRow& flow) { flow.figures = without_time(flow.figures); });
    }
    std::erase_if(row.flows, [posted](const FlowRow& flow) { return not posted->places.contains(flow.flow); });
    posted->all.add(row.all, posted->most_rows);
    for (FlowRow& flow : row.flows) {
        flow.name = std::string();  // the run has it
        posted->flows[posted->places[flow.flow]].add(flow.figures, posted->most_rows);
    }
    posted->entry.so_far = posted->all.sum();
    posted->entry.latest = row.all;
    ++posted->entry.rows;
    posted->recent.push_back(std::make_shared<const IntervalRow>(std::move(row)));
    if (posted->recent.size() > (posted->flows.size() > kManyFlows ? kRecentRowsOfMany : kRecentRows)) {
        posted->recent.pop_front();
    }
    version_.fetch_add(1, std::memory_order_release);
}

void RunBoard::end(RunNumber run, BoardEnd end) {
    const std::lock_guard lock(mutex_);
    Posted* const posted = find(run);
    if (posted != nullptr and posted->entry.end == nullptr) {
        posted->entry.end = std::make_shared<const BoardEnd>(std::move(end));
        change(*posted);
        forget_old_ends();
    }
}

void RunBoard::add_file(RunNumber run, BoardFile file) {
    const std::lock_guard lock(mutex_);
    Posted* const posted = find(run);
    if (posted != nullptr and posted->entry.end != nullptr) {
        BoardEnd end = *posted->entry.end;
        end.files.push_back(std::move(file));
        posted->entry.end = std::make_shared<const BoardEnd>(std::move(end));
        change(*posted);
    }
}

std::vector<BoardEntry> RunBoard::entries() const {
    const std::lock_guard lock(mutex_);
    std::vector<BoardEntry> entries;
    entries.reserve(runs_.size());
    std::transform(runs_.rbegin(), runs_.rend(), std::back_inserter(entries),
                   [](const Posted& posted) { return posted.entry; });
    return entries;
}

std::optional<BoardDetail> RunBoard::detail(RunNumber run) const {
    const std::lock_guard lock(mutex_);
    const Posted* const posted = find(run);
    if (posted == nullptr) {
        return std::nullopt;
    }
    BoardDetail detail{.entry = posted->entry};
    std::ranges::transform(posted->flows, std::back_inserter(detail.flows), &History::sum);
    return detail;
}

RowsSince RunBoard::rows_since(RunNumber run, std::uint64_t next) const {
    const std::lock_guard lock(mutex_);
    const Posted* const posted = find(run);
    if (posted == nullptr) {
        return {.gap = false, .next = next, .rows = {}};
    }
    const std::uint64_t rows = posted->entry.rows;
    const std::uint64_t first = rows - posted->recent.size();
    RowsSince since{.gap = next < first, .next = rows, .rows = {}};
    const std::uint64_t from = std::min(std::max(next, first), rows);
    since.rows.assign(posted->recent.begin() + static_cast<std::ptrdiff_t>(from - first), posted->recent.end());
    return since;
}

BoardHistory RunBoard::history(RunNumber run, FlowId flow) const {
    const std::lock_guard lock(mutex_);
    const Posted* const posted = find(run);
    if (posted == nullptr) {
        return {};
    }
    const auto place = posted->places.find(flow);
    BoardHistory history{.next = posted->entry.rows};
    if (flow.value == 0) {
        history.rows = posted->all.rows();
    } else if (place != posted->places.end()) {
        history.rows = posted->flows[place->second].rows();
    }
    return history;
}

}  // namespace groma
