#include "decoder/files/base64.hpp"

#include <boost/archive/iterators/base64_from_binary.hpp>
#include <boost/archive/iterators/transform_width.hpp>

namespace groma {

std::string base64(std::span<const std::byte> bytes) {
    using boost::archive::iterators::base64_from_binary, boost::archive::iterators::transform_width;
    using Digits = base64_from_binary<transform_width<const char*, 6, 8>>;
    const auto* const begin = reinterpret_cast<const char*>(bytes.data());
    std::string text(Digits(begin), Digits(begin + bytes.size()));
    return text.append((3 - bytes.size() % 3) % 3, '=');
}

}  // namespace groma
