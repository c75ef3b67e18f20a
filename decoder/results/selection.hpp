// Which packets of a run count: those that left within some time, those of some size.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "common/time/instant.hpp"

namespace groma {

/// Payload sizes, both ends included.
struct SizeRange {
    std::uint32_t least = 0;
    std::uint32_t most = 0;
    bool operator==(const SizeRange&) const = default;
};

/// "64..512", "64.." or "512". Throws: UsageError.
[[nodiscard]] SizeRange parse_size_range(std::string_view text);

/// Departures in [from, until) after the start of the run, on the sender's clock.
struct Selection {
    std::optional<Nanos> from{};
    std::optional<Nanos> until{};
    std::optional<SizeRange> sizes{};

    [[nodiscard]] bool by_time() const { return from.has_value() or until.has_value(); }
    [[nodiscard]] bool any() const { return by_time() or sizes.has_value(); }
    [[nodiscard]] bool takes_time(Nanos since_start) const {
        return (not from or since_start >= *from) and (not until or since_start < *until);
    }
    [[nodiscard]] bool takes_size(std::uint32_t size) const {
        return not sizes or (size >= sizes->least and size <= sizes->most);
    }
    bool operator==(const Selection&) const = default;
};

/// The user's selection, before the run is known.
struct Cut {
    std::optional<Nanos> from{};
    std::optional<Nanos> until{};
    std::optional<Nanos> skip_end{};  ///< before the last departure of the run; not with `until`
    std::optional<SizeRange> sizes{};

    /// `last`: the last departure of the run, from its start; needed with skip_end.
    [[nodiscard]] Selection selection(std::optional<Nanos> last) const;
    bool operator==(const Cut&) const = default;
};

/// "packets that left from 2 s to 58 s, of 64 to 512 bytes"; empty when it takes all.
[[nodiscard]] std::string describe(const Selection& selection);

}  // namespace groma
