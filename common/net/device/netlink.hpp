// Questions to the kernel's tables of routes and queues (rtnetlink(7)), and its answers taken apart. What is damaged or
// cut short in an answer is left out.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

namespace groma {

/// Looks into the answer, which outlives it.
struct NetlinkMessage {
    std::uint16_t type = 0;  ///< RTM_NEWQDISC, ...
    std::span<const std::byte> body{};
};

struct NetlinkAttribute {
    std::uint16_t type = 0;  ///< without the flags of its highest bits
    std::span<const std::byte> value{};
};

[[nodiscard]] std::vector<NetlinkMessage> messages_in(std::span<const std::byte> answer);
[[nodiscard]] std::vector<NetlinkAttribute> attributes_in(std::span<const std::byte> bytes);

/// What stands at the beginning of these bytes; nothing if they are too few.
template <typename Value>
[[nodiscard]] std::optional<Value> value_in(std::span<const std::byte> bytes) noexcept {
    static_assert(std::is_trivially_copyable_v<Value>);
    Value value{};
    if (bytes.size() < sizeof value) {
        return std::nullopt;
    }
    std::memcpy(&value, bytes.data(), sizeof value);
    return value;
}

/// A name, which may end with a zero byte.
[[nodiscard]] std::string text_in(std::span<const std::byte> bytes);

/// One question, as its bytes stand in memory: a header, the body of its kind, attributes.
class NetlinkRequest {
public:
    /// `flags` beside NLM_F_REQUEST.
    template <typename Body>
    NetlinkRequest(std::uint16_t type, std::uint16_t flags, const Body& body) {
        static_assert(std::is_trivially_copyable_v<Body>);
        begin(type, flags);
        append(&body, sizeof body);
    }

    void add(std::uint16_t type, std::span<const std::byte> value);
    void add(std::uint16_t type, std::uint32_t value);

    /// Asks the kernel. Returns: all messages of its answer. Throws: SystemError "ask the kernel for its ...".
    [[nodiscard]] std::vector<std::byte> answer() const;

private:
    void begin(std::uint16_t type, std::uint16_t flags);
    void append(const void* bytes, std::size_t size);

    std::vector<std::byte> bytes_;
    bool many_ = false;  ///< the answer ends with a message that says so
};

}  // namespace groma
