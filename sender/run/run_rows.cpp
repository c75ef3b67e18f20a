#include "sender/run/run_rows.hpp"

#include <algorithm>
#include <utility>

namespace groma {

RunRows::RunRows(RowsWanted wanted, RowQuestions questions, const std::vector<FlowSpec>& flows)
    : wanted_(std::move(wanted)), questions_(std::move(questions)), rows_(flows) {}

void RunRows::ask(Nanos at, std::vector<FlowProgress> sent) {
    pending_ = Pending{.number = ++asked_, .at = at, .sent = std::move(sent)};
    questions_.ask({.number = asked_, .each_flow = rows_.each_flow()});
}

void RunRows::give_out(bool waits_no_longer) {
    if (not pending_) {
        return;
    }
    std::optional<std::vector<ProgressReply>> told = questions_.answers();
    std::uint32_t latest = used_;
    bool all_new = told.has_value();
    bool all_here = told.has_value();
    for (const ProgressReply& reply : told.value_or(std::vector<ProgressReply>{})) {
        all_new = all_new and reply.number > used_;
        all_here = all_here and reply.number == pending_->number;
        latest = std::max(latest, reply.number);
    }
    if (not all_here and not waits_no_longer) {
        return;
    }
    if (all_new) {
        used_ = latest;
    } else {
        told.reset();
    }
    const Pending pending = *std::exchange(pending_, std::nullopt);
    if (pending.at > Nanos{0}) {
        wanted_.take(rows_.next(pending.at, pending.sent, told));
    } else if (told) {
        rows_.begin(*told);
    }
}

void RunRows::look(MonoTime now, const std::function<std::vector<FlowProgress>()>& sent) {
    const bool is_due = now >= next_;
    give_out(is_due);
    if (not is_due) {
        return;
    }
    const bool first = asked_ == 0;
    ask(first ? Nanos{0} : now - start_, first ? std::vector<FlowProgress>{} : sent());
    const auto intervals = (now - start_) / wanted_.interval;
    next_ = start_ + (intervals + 1) * wanted_.interval;
}

void RunRows::end(MonoTime now, std::vector<FlowProgress> sent) {
    pending_.reset();  // the row that waits becomes part of this one
    ask(now - start_, std::move(sent));
}

void RunRows::last(MonoTime now, const SendReport& report) {
    give_out(true);
    wanted_.take(rows_.last(now - start_, report));
}

}  // namespace groma
