#include "common/wire/optional_column.hpp"

namespace groma {

Bitmap read_bitmap(ByteReader& in, unsigned presence, std::size_t count) noexcept {
    if (presence > static_cast<unsigned>(Presence::some)) {
        in.fail();
    }
    const auto kind = static_cast<Presence>(presence);
    const Bitmap bitmap{kind, kind == Presence::some ? in.bytes((count + 7) / 8) : std::span<const std::byte>{}};
    return in.failed() ? Bitmap{} : bitmap;
}

std::size_t present_count(const Bitmap& bitmap, std::size_t count) noexcept {
    switch (bitmap.presence) {
        case Presence::all:
            return count;
        case Presence::none:
            return 0;
        case Presence::some:
            break;
    }
    std::size_t present = 0;
    for (std::size_t i = 0; i < count; ++i) {
        present += bitmap.has(i) ? 1 : 0;
    }
    return present;
}

}  // namespace groma
