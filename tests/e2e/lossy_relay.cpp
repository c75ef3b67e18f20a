// lossy_relay LISTEN PORT SERVER PORT LOSS DOUBLED LATE SEED: a bad path for UDP between shippers and a log server,
// until it is killed. The shares are of 1.
#include <cstdio>
#include <string>
#include <vector>

#include "tests/logserver/lossy_relay.hpp"

int main(int argc, char** argv) {
    const std::vector<std::string> words(argv + 1, argv + argc);
    if (words.size() != 8) {
        std::fputs("usage: lossy_relay LISTEN PORT SERVER PORT LOSS DOUBLED LATE SEED\n", stderr);
        return 2;
    }
    const auto address = [&](std::size_t at) {
        return groma::SocketAddress::from_literal(words[at], static_cast<std::uint16_t>(std::stoul(words[at + 1])));
    };
    groma::LossyRelay relay(address(0), address(2),
                            {.loss = std::stod(words[4]),
                             .doubled = std::stod(words[5]),
                             .late = std::stod(words[6]),
                             .seed = std::stoull(words[7])});
    std::puts("relaying");
    std::fflush(stdout);
    relay.run();
}
