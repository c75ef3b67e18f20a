#include "common/os/host.hpp"

#include <sys/random.h>
#include <unistd.h>

#include <array>
#include <climits>
#include <cstdint>
#include <cstring>
#include <fstream>

#include "common/os/checked.hpp"

namespace groma {

namespace {

template <std::size_t Size>
std::array<unsigned char, Size> random_bytes() {
    std::array<unsigned char, Size> bytes{};
    checked("get random numbers from the kernel", ::getrandom(bytes.data(), bytes.size(), 0));
    return bytes;
}

}  // namespace

std::string host_name() {
    std::array<char, HOST_NAME_MAX + 1> name{};
    ::gethostname(name.data(), name.size() - 1);
    return name.data();
}

std::string boot_id() {
    std::ifstream file("/proc/sys/kernel/random/boot_id");
    std::string id;
    std::getline(file, id);
    return id;
}

std::string random_id() {
    constexpr char kDigits[] = "0123456789abcdef";
    std::string text;
    for (const unsigned char byte : random_bytes<16>()) {
        text += kDigits[byte >> 4U];
        text += kDigits[byte & 15U];
    }
    return text;
}

unsigned long long random_seed() {
    const auto bytes = random_bytes<sizeof(std::uint32_t)>();
    std::uint32_t seed = 0;
    std::memcpy(&seed, bytes.data(), sizeof seed);
    return seed;
}

}  // namespace groma
