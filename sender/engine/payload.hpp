// The payload of packets after the header: noise, zeros, a pattern, the bytes of a file, or the payloads of a capture.
// Built once before the run; flows with the same payload share it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "common/model/flow/flow_spec.hpp"

namespace groma {

/// A period of bytes that repeats, and the places where packets begin in it.
class Payload {
public:
    /// `text`: as FlowSpec::payload; `largest`: bytes of the largest packet. Reads a file or a capture immediately.
    /// Throws: RunError if it is unreadable, empty or larger than kMostBytes.
    Payload(std::string_view text, std::size_t largest);

    static constexpr std::size_t kMostBytes = std::size_t{64} << 20U;

private:
    friend class PayloadCursor;

    /// Where the next packet begins.
    enum class Step : std::uint8_t {
        still,      ///< where this packet began
        onward,     ///< after this packet's bytes
        by_packet,  ///< at the next entry of `starts_`
    };

    void repeat(std::size_t largest);

    std::vector<std::byte> bytes_;  ///< one period, plus the part of the next that the largest packet needs
    std::size_t period_ = 0;
    std::vector<std::size_t> starts_;
    Step step_ = Step::still;
};

/// A flow's position in its payload. A value: copy it to look ahead.
class PayloadCursor {
public:
    /// The payload outlives the cursor.
    explicit PayloadCursor(const Payload& payload) noexcept : payload_(&payload) {}

    /// The `size` bytes of the flow's next packet; the packet's header later overwrites the first ones.
    /// Requires: `size` is at most the payload's largest. Packet path.
    [[nodiscard]] std::span<const std::byte> next(std::size_t size) noexcept;

private:
    const Payload* payload_;
    std::size_t place_ = 0;  ///< index in the period or in the starts
};

/// The payloads of a run, by text.
class Payloads {
public:
    /// Throws: as Payload.
    explicit Payloads(const std::vector<FlowSpec>& flows);

    /// Requires: the constructor got the flow.
    [[nodiscard]] const Payload& of(const FlowSpec& flow) const { return by_text_.at(flow.payload); }

private:
    std::map<std::string, Payload, std::less<>> by_text_;
};

}  // namespace groma
