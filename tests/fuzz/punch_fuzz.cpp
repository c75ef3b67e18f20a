// Bytes at a port that awaits a receiver that dials, and tokens of control messages: a punch or token that was read
// gives the same bytes when it is written, and no other bytes are read as one.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "common/base/errors.hpp"
#include "common/wire/punch.hpp"

namespace {

using namespace groma;  // a program of one file

void check_datagram(std::span<const std::byte> bytes) {
    const auto token = parse_punch(bytes);
    if (not token) {
        return;
    }
    check(std::ranges::equal(serialize_punch(*token), bytes), "a punch was read as what it is not");
    check(token_from_hex(to_hex(*token)) == *token, "a token is lost in its digits");
    PunchToken other = *token;
    other.back() ^= std::byte{1};
    check(same_token(*token, *token) and not same_token(*token, other), "tokens are not told apart");
}

void check_text(const std::string& text) {
    PunchToken token{};
    try {
        token = token_from_hex(text);
    } catch (const UsageError&) {
        return;
    }
    check(to_hex(token) == text, "digits were read as a token that they are not");
    check(parse_punch(serialize_punch(token)) == token, "a punch does not bring its token");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const auto bytes = std::as_bytes(std::span(data, size));
    check_datagram(bytes);
    check_datagram(bytes.first(std::min(size, kPunchBytes)));
    check_text(std::string(reinterpret_cast<const char*>(data), size));
    return 0;
}
