#include "common/base/base64.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <utility>

namespace groma {

namespace {

constexpr std::string_view kBase64Digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
constexpr std::uint8_t kNoDigit = 64;

constexpr std::array<std::uint8_t, 256> values_of_digits() {
    std::array<std::uint8_t, 256> values{};
    values.fill(kNoDigit);
    for (std::size_t i = 0; i < kBase64Digits.size(); ++i) {
        values[static_cast<unsigned char>(kBase64Digits[i])] = static_cast<std::uint8_t>(i);
    }
    return values;
}

}  // namespace

std::string base64(std::span<const std::byte> bytes) {
    std::string text;
    text.reserve((bytes.size() + 2) / 3 * 4);
    for (; not bytes.empty(); bytes = bytes.subspan(std::min<std::size_t>(3, bytes.size()))) {
        const auto at = [&](std::size_t i) { return i < bytes.size() ? std::to_integer<std::uint32_t>(bytes[i]) : 0; };
        const std::uint32_t group = at(0) << 16U | at(1) << 8U | at(2);
        text += kBase64Digits[group >> 18U];
        text += kBase64Digits[group >> 12U & 63U];
        text += bytes.size() > 1 ? kBase64Digits[group >> 6U & 63U] : '=';
        text += bytes.size() > 2 ? kBase64Digits[group & 63U] : '=';
    }
    return text;
}

std::optional<std::vector<std::byte>> bytes_of_base64(std::string_view text) {
    static constexpr auto kValues = values_of_digits();
    if (text.size() % 4 != 0) {
        return std::nullopt;
    }
    const std::size_t filled = text.ends_with("==") ? 2 : text.ends_with('=') ? 1 : 0;
    std::vector<std::byte> bytes;
    bytes.reserve(text.size() / 4 * 3);
    std::uint32_t group = 0;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const bool filler = i >= text.size() - filled;
        const std::uint8_t value = filler ? 0 : kValues[static_cast<unsigned char>(text[i])];
        if (value == kNoDigit) {
            return std::nullopt;
        }
        group = group << 6U | value;
        if (i % 4 == 3) {
            for (const unsigned shift : {16U, 8U, 0U}) {
                bytes.push_back(static_cast<std::byte>(group >> shift));
            }
            group = 0;
        }
    }
    const bool exact = filled == 0 or bytes[bytes.size() - filled] == std::byte{0};
    bytes.resize(bytes.size() - filled);
    return exact ? std::optional(std::move(bytes)) : std::nullopt;
}

}  // namespace groma
