#include "common/model/distributions/distribution_text.hpp"

#include <algorithm>
#include <utility>

#include "common/base/errors.hpp"
#include "common/base/plain_text.hpp"
#include "common/model/distributions/distribution_check.hpp"
#include "common/model/families/parameters.hpp"

namespace groma {

namespace {

Distribution widen(SimpleDistribution&& simple) {
    return std::visit([](auto&& family) { return Distribution{std::forward<decltype(family)>(family)}; },
                      std::move(simple));
}

Distribution parse(std::string_view text, DrawnKind kind, const NamedFiles& files, std::string_view what) {
    constexpr std::size_t kMaxText = 65536;
    constexpr std::string_view kMixture = "mix:";
    try {
        if (text == Greedy::kName) {
            if (kind != DrawnKind::gap) {
                throw UsageError("'max' (as fast as possible) is only for inter-departure times");
            }
            return Greedy{};
        }
        if (text.empty() or text.size() > kMaxText) {
            throw UsageError(text.empty() ? "it is empty" : "it is too long");
        }
        Distribution distribution =
            text.starts_with(kMixture) or text == Mixture::kName
                ? Distribution(Mixture::parse(
                      {kind, files, Mixture::kName, text.substr(std::min(kMixture.size(), text.size()))}))
                : widen(parse_simple({kind, files, {}, text}));
        if (const std::string error = parameter_error(distribution); not error.empty()) {
            throw UsageError(error);
        }
        return distribution;
    } catch (const UsageError& error) {
        throw UsageError("cannot use '" + plain_text(text, 100) + "' as " + std::string(what) + ": " + error.what());
    }
}

std::string written(const Distribution& distribution, DrawnKind kind) {
    return std::visit([kind](const auto& d) { return text_of(d, kind); }, distribution);
}

}  // namespace

Distribution parse_idt(std::string_view text, const NamedFiles& files) {
    return parse(text, DrawnKind::gap, files, "inter-departure time");
}

Distribution parse_period(std::string_view text, const NamedFiles& files) {
    return parse_drawn_time(text, "ON or OFF period", files);
}

Distribution parse_drawn_time(std::string_view text, std::string_view what, const NamedFiles& files) {
    return parse(text, DrawnKind::period, files, what);
}

Distribution parse_size(std::string_view text, const NamedFiles& files) {
    return parse(text, DrawnKind::size, files, "payload size");
}

std::string idt_to_string(const Distribution& idt) {
    return written(idt, DrawnKind::gap);
}

std::string period_to_string(const Distribution& period) {
    return written(period, DrawnKind::period);
}

std::string size_to_string(const Distribution& size) {
    return written(size, DrawnKind::size);
}

}  // namespace groma
