#include "common/model/transport/transport_option_values.hpp"

#include <algorithm>
#include <array>
#include <charconv>

#include "common/base/errors.hpp"
#include "common/base/plain_text.hpp"
#include "common/model/text/quantity_text.hpp"
#include "common/model/transport/port_range.hpp"

namespace groma::option_value {

namespace {

constexpr std::size_t kMaxNameBytes = 64;
constexpr std::uint64_t kMaxBuffer = 1ULL << 30U;
constexpr Nanos kUsualLead = std::chrono::milliseconds(2);
constexpr std::array<std::string_view, 3> kStampSources{"user", "kernel", "hardware"};

}  // namespace

std::uint32_t number(std::string_view text, std::uint32_t least, std::uint32_t most) {
    std::string_view digits = text;
    int base = 10;
    if (digits.starts_with("0x")) {
        digits.remove_prefix(2);
        base = 16;
    }
    std::uint32_t value = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value, base);
    if (error != std::errc() or end != digits.data() + digits.size() or value < least or value > most) {
        throw UsageError("'" + plain_text(text, 40) + "' is not a whole number from " + std::to_string(least) + " to " +
                         std::to_string(most));
    }
    return value;
}

bool on_or_off(std::string_view text) {
    if (text != "on" and text != "off") {
        throw UsageError("'" + plain_text(text, 40) + "' is neither on nor off");
    }
    return text == "on";
}

std::string name(std::string_view text) {
    const bool plain = std::ranges::all_of(text, [](char c) { return c > 0x20 and c < 0x7f; });
    if (text.empty() or text.size() > kMaxNameBytes or not plain) {
        throw UsageError("'" + plain_text(text, 40) + "' is no name");
    }
    return std::string(text);
}

Bytes buffer(std::string_view text) {
    const Bytes bytes = parse_bytes(text);
    if (bytes.count == 0 or bytes.count > kMaxBuffer) {
        throw UsageError("'" + plain_text(text, 40) + "' is not a buffer size: give 1 B to 1 GiB");
    }
    return bytes;
}

Nanos lifetime(std::string_view text) {
    const Nanos span = parse_duration(text);
    if (span < std::chrono::milliseconds(1) or span > std::chrono::hours(1)) {
        throw UsageError("'" + plain_text(text, 40) + "' is not a lifetime: give 1ms to 1h");
    }
    return span;
}

StampSource stamp_source(std::string_view text) {
    const auto* const found = std::ranges::find(kStampSources, text);
    if (found == kStampSources.end()) {
        throw UsageError("'" + plain_text(text, 40) + "' is not one of user, kernel, hardware");
    }
    return static_cast<StampSource>(found - kStampSources.begin());
}

Segmentation segmentation(std::string_view text) {
    if (text != "auto" and text != "off") {
        throw UsageError("'" + plain_text(text, 40) + "' is neither auto nor off");
    }
    return text == "off" ? Segmentation::off : Segmentation::automatic;
}

Nanos departure_lead(std::string_view text) {
    if (text == "user") {
        return Nanos{0};
    }
    if (text == "kernel") {
        return kUsualLead;
    }
    constexpr std::string_view kKernel = "kernel:";
    if (not text.starts_with(kKernel)) {
        throw UsageError("'" + plain_text(text, 40) + "' is not one of user, kernel, kernel:TIME");
    }
    const Nanos lead = parse_duration(text.substr(kKernel.size()));
    if (lead < std::chrono::microseconds(200) or lead > std::chrono::seconds(1)) {
        throw UsageError("'" + plain_text(text, 40) +
                         "': packets are handed to the kernel 200us to 1s before their departure");
    }
    return lead;
}

std::optional<std::string> lead_to_string(const TransportOptions& options) {
    if (not options.departure_lead) {
        return std::nullopt;
    }
    const Nanos lead = *options.departure_lead;
    if (lead == Nanos{0}) {
        return "user";
    }
    return lead == kUsualLead ? "kernel" : "kernel:" + duration_to_string(lead);
}

Nanos state_interval(std::string_view text) {
    if (text == "0") {
        return Nanos{0};
    }
    const Nanos span = parse_duration(text);
    if (span < std::chrono::milliseconds(1) or span > std::chrono::hours(1)) {
        throw UsageError("'" + plain_text(text, 40) + "' is not an interval: give 1ms to 1h, or 0 for none");
    }
    return span;
}

std::optional<std::string> text_of(const std::optional<PortRange>& value) {
    return value ? std::optional(to_string(*value)) : std::nullopt;
}

std::optional<std::string> text_of(const std::optional<StampSource>& value) {
    return value ? std::optional(std::string(kStampSources[static_cast<std::size_t>(*value)])) : std::nullopt;
}

std::optional<std::string> text_of(const std::optional<Segmentation>& value) {
    return value ? std::optional<std::string>(*value == Segmentation::off ? "off" : "auto") : std::nullopt;
}

std::optional<std::string> text_of(const std::optional<std::uint32_t>& value) {
    return value ? std::optional(std::to_string(*value)) : std::nullopt;
}

std::optional<std::string> text_of(const std::optional<bool>& value) {
    return value ? std::optional<std::string>(*value ? "on" : "off") : std::nullopt;
}

std::optional<std::string> text_of(const std::optional<Bytes>& value) {
    return value ? std::optional(std::to_string(value->count)) : std::nullopt;
}

std::optional<std::string> text_of(const std::optional<Nanos>& value) {
    return value ? std::optional(duration_to_string(*value)) : std::nullopt;
}

std::optional<std::string> text_of(const std::string& value) {
    return value.empty() ? std::nullopt : std::optional(value);
}

}  // namespace groma::option_value
