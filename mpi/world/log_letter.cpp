#include "mpi/world/log_letter.hpp"

#include <algorithm>

#include "common/base/errors.hpp"
#include "common/wire/big_endian.hpp"

namespace groma {

namespace {

constexpr std::size_t kLengthField = 4;

}  // namespace

std::vector<std::byte> serialize(const LogLetter& letter) {
    std::vector<std::byte> bytes(kLogLetterHeader + letter.frame.size());
    store_big_endian(std::span(bytes), letter.connection);
    bytes[4] = static_cast<std::byte>(letter.kind);
    std::ranges::copy(letter.frame, std::span(bytes).subspan(kLogLetterHeader).begin());
    return bytes;
}

LogLetter parse_log_letter(std::span<const std::byte> bytes, const std::string& peer) {
    if (bytes.size() < kLogLetterHeader or bytes[4] > static_cast<std::byte>(LogLetter::Kind::end)) {
        throw ProtocolError(peer, "sent something that is not a letter of the log protocol");
    }
    return {load_big_endian<std::uint32_t>(bytes), static_cast<LogLetter::Kind>(bytes[4]),
            bytes.subspan(kLogLetterHeader)};
}

LogFrame frame_of(const LogLetter& letter, std::size_t longest, const std::string& peer) {
    if (letter.frame.size() < kLengthField or letter.frame.size() - kLengthField > longest or
        load_big_endian<std::uint32_t>(letter.frame) != letter.frame.size() - kLengthField) {
        throw ProtocolError(peer, "sent a frame of the wrong length");
    }
    return parse_log_frame(letter.frame.subspan(kLengthField), peer);
}

}  // namespace groma
