#include "decoder/sent_analyzer.hpp"

#include <algorithm>
#include <utility>

#include "common/time/difference.hpp"
#include "common/wire/packet_header.hpp"

namespace groma {

namespace {

constexpr std::size_t kSeqAndTime = 12;      // bytes of header with a time in them
constexpr std::uint32_t kLongestVarint = 5;  // before the header of a frame on a stream

}  // namespace

std::optional<std::uint64_t> SentFigures::counter(std::string_view name) const {
    const auto found = std::ranges::find(counters, name, &std::pair<std::string, std::uint64_t>::first);
    return found == counters.end() ? std::nullopt : std::optional(found->second);
}

SentAnalyzer::SentAnalyzer(const FlowSpec& spec, WallTime start, bool keep_times, TimeSeries& series,
                           std::shared_ptr<const GapModel> asked)
    : transport_(spec.transport),
      header_(spec.header),
      start_(start),
      keep_times_(keep_times),
      series_(series),
      fidelity_(std::move(asked)) {}

bool SentAnalyzer::carries_time(std::uint32_t size) const {
    const std::uint32_t framing = is_stream(transport_) ? std::min(size, kLongestVarint) : 0;
    return header_size(size - framing, header_) >= kSeqAndTime;
}

void SentAnalyzer::add(const SentRecord& record) {
    ++packets_;
    bytes_ += record.size;
    fidelity_.add(record);
    sizes_.add(record.size);
    if (not before_) {
        first_ = record.sent_at;
        first_seq_ = record.seq;
    } else if (record.seq == before_->seq + 1) {
        gaps_.add(difference(record.sent_at, before_->sent_at).count());
    } else if (record.seq > before_->seq) {
        holes_.add(before_->seq + 1, record.seq - before_->seq - 1);
    } else {
        holes_.give_up();
    }
    before_ = record;
    ++series_.at(difference(record.sent_at, start_)).sent_packets;
    if (keep_times_ and not carries_time(record.size)) {
        times_.add(record.seq, record.sent_at);
    }
}

SentFigures SentAnalyzer::figures(const FlowTotals* totals) const {
    SentFigures figures;
    figures.packets = packets_;
    figures.bytes = bytes_;
    if (totals != nullptr) {
        figures.whole = true;
        figures.packets = std::max(totals->packets, packets_);
        figures.bytes = std::max(totals->bytes, bytes_);
        figures.records_missing = figures.packets - packets_;
        figures.counters = totals->counters;
    }
    if (before_) {
        figures.first_seq = first_seq_;
        figures.end_seq = before_->seq + 1;
    }
    if (packets_ >= 2) {
        figures.duration = difference(before_->sent_at, first_);
    }
    figures.fidelity = fidelity_.result();
    figures.fidelity.count_unmetered(figures.packets, figures.bytes);
    figures.fidelity.count_unsent(figures.counter("unsent_between").value_or(0));
    figures.lateness_ns = spread_of(figures.fidelity.lateness_ns);
    figures.gaps_ns = spread_of(gaps_);
    figures.sizes = spread_of(sizes_);
    return figures;
}

}  // namespace groma
