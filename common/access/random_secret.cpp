#include "common/access/random_secret.hpp"

#include <openssl/crypto.h>
#include <sys/random.h>

#include <array>

#include "common/os/checked.hpp"

namespace groma {

Secret random_secret() {
    std::array<std::byte, Secret::kBytes> random{};
    const ssize_t bytes =
        checked("get random numbers from the kernel", ::getrandom(random.data(), random.size(), 0), "try again");
    check(static_cast<std::size_t>(bytes) == random.size(), "up to 256 bytes come at once (getrandom(2))");
    const Secret secret(random);
    OPENSSL_cleanse(random.data(), random.size());
    return secret;
}

}  // namespace groma
