#include "decoder/patterns.hpp"

namespace groma {

namespace {

std::optional<double> share(std::uint64_t part, std::uint64_t whole) {
    return whole == 0 ? std::nullopt : std::optional(static_cast<double>(part) / static_cast<double>(whole));
}

}  // namespace

std::optional<double> Patterns::copied_ratio() const {
    return share(copied, unique);
}

std::optional<double> Patterns::reordered_ratio() const {
    return share(reordered, unique);
}

std::optional<Patterns> patterns_of(const FlowResult& flow) {
    if (not flow.received) {
        return std::nullopt;
    }
    const ReceivedFigures& it = *flow.received;
    return Patterns{.unique = it.unique,
                    .duplicates = it.duplicates,
                    .copied = it.copied,
                    .reordered = it.reordered,
                    .reordering = &it.reordering,
                    .pdv_ns = &it.pdv_ns,
                    .ipdv_ns = &it.ipdv_ns,
                    .ipdv_missed = it.ipdv_missed};
}

std::optional<Patterns> patterns_of(const TotalResult& total) {
    if (not total.reordering) {
        return std::nullopt;
    }
    return Patterns{.unique = *total.unique,
                    .duplicates = *total.duplicates,
                    .copied = *total.copied,
                    .reordered = *total.reordered,
                    .reordering = &*total.reordering,
                    .pdv_ns = &total.pdv_ns,
                    .ipdv_ns = &total.ipdv_ns,
                    .ipdv_missed = total.ipdv_missed};
}

}  // namespace groma
