#include "common/control/message_frame.hpp"

#include "common/base/errors.hpp"
#include "common/control/messages.hpp"

namespace groma {

std::string message_frame(const std::string& text, std::string_view what) {
    if (text.size() > kMaxMessageBytes) {
        throw RunError("cannot send the control message '" + std::string(what) + "': it has " +
                       std::to_string(text.size()) + " bytes, more than " + std::to_string(kMaxMessageBytes) +
                       " (use fewer flows for each receiver, or shorter lists of values)");
    }
    const std::size_t length = text.size();
    std::string frame{static_cast<char>(length >> 24U), static_cast<char>(length >> 16U),
                      static_cast<char>(length >> 8U), static_cast<char>(length)};
    return frame += text;
}

std::size_t parse_message_length(const std::array<char, kMessageLengthBytes>& bytes) {
    std::size_t length = 0;
    for (const char byte : bytes) {
        length = length << 8U | static_cast<unsigned char>(byte);
    }
    return length;
}

}  // namespace groma
