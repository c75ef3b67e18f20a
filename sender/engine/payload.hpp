// What packets carry behind their headers: noise, zeros, a pattern, the bytes of a file, or the payloads of a capture.
// Made once before the run and shared by all flows that ask for the same.
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

/// Bytes that repeat, and where packets begin in them.
class Payload {
public:
    /// The text of FlowSpec::payload, for packets of at most `largest` bytes. A file and a capture are read now.
    /// Throws: RunError when they cannot be, are empty or larger than kMostBytes.
    Payload(std::string_view text, std::size_t largest);

    static constexpr std::size_t kMostBytes = std::size_t{64} << 20U;

private:
    friend class PayloadCursor;

    /// Where the next packet begins.
    enum class Step : std::uint8_t {
        still,      ///< where this one did
        onward,     ///< behind this one's bytes
        by_packet,  ///< at the next of `starts_`
    };

    void repeat(std::size_t largest);

    std::vector<std::byte> bytes_;  ///< one period, and of the next as much as the largest packet takes
    std::size_t period_ = 0;
    std::vector<std::size_t> starts_;
    Step step_ = Step::still;
};

/// Where a flow is in its payload. A value: whoever looks ahead takes a copy.
class PayloadCursor {
public:
    /// The payload outlives the cursor.
    explicit PayloadCursor(const Payload& payload) noexcept : payload_(&payload) {}

    /// The bytes of the flow's next packet, all `size` of them: the packet's header is written over the first ones.
    /// Requires: `size` is at most the payload's largest. Packet path.
    [[nodiscard]] std::span<const std::byte> next(std::size_t size) noexcept;

private:
    const Payload* payload_;
    std::size_t place_ = 0;  ///< in the period, or in the starts
};

/// The payloads of a run by their text.
class Payloads {
public:
    /// Throws: as Payload.
    explicit Payloads(const std::vector<FlowSpec>& flows);

    /// Requires: the flow was among those given.
    [[nodiscard]] const Payload& of(const FlowSpec& flow) const { return by_text_.at(flow.payload); }

private:
    std::map<std::string, Payload, std::less<>> by_text_;
};

}  // namespace groma
