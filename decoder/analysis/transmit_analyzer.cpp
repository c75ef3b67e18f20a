#include "decoder/analysis/transmit_analyzer.hpp"

#include <algorithm>

#include "common/time/difference.hpp"

namespace groma {

void TransmitAnalyzer::add(const TransmitRecord& record) {
    ++packets_;
    stamps_.push_back(record);
}

void TransmitAnalyzer::finish() {
    std::ranges::stable_sort(stamps_, {}, &TransmitRecord::seq);
    for (const TransmitRecord& stamp : stamps_) {
        if (const auto sent_at = sent_.find(stamp.seq)) {
            stack_.add(difference(stamp.transmitted_at, *sent_at).count());
        } else if (only_of_sent_) {
            --packets_;
        } else {
            ++unmatched_;
        }
    }
}

void TransmitAnalyzer::add_arrival(const ReceivedRecord& record, const ClockState& clock) {
    if (source_ == StampSource::hardware or not clock.absolute() or record.seq == ReceivedRecord::kNoSeq) {
        return;
    }
    const auto stamp = std::ranges::lower_bound(stamps_, record.seq, {}, &TransmitRecord::seq);
    if (stamp != stamps_.end() and stamp->seq == record.seq) {
        if (const auto delay = clock.delay(record.received_at, stamp->transmitted_at)) {
            delay_.add(delay->count());
        }
    }
}

TransmitFigures TransmitAnalyzer::figures(bool arrivals_related) const {
    TransmitFigures figures;
    figures.stamps = source_ == StampSource::hardware ? "hardware" : "kernel";
    figures.packets = packets_;
    figures.unmatched = unmatched_;
    figures.stack_ns = source_ == StampSource::hardware ? unknown_spread() : spread_of(stack_);
    figures.delay_ns = source_ == StampSource::hardware or not arrivals_related ? unknown_spread() : spread_of(delay_);
    return figures;
}

}  // namespace groma
