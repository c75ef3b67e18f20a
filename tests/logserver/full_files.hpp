// Files without room, as on a full disk: writes of this process beyond some bytes of any file fail.
#pragma once

#include <gtest/gtest.h>
#include <sys/resource.h>

#include <csignal>
#include <cstdint>

namespace groma {

class FullFiles {
public:
    explicit FullFiles(std::uint64_t bytes) {
        EXPECT_EQ(::getrlimit(RLIMIT_FSIZE, &before_), 0);
        const rlimit few{bytes, before_.rlim_max};
        EXPECT_EQ(::setrlimit(RLIMIT_FSIZE, &few), 0);
    }
    FullFiles(const FullFiles&) = delete;
    FullFiles& operator=(const FullFiles&) = delete;
    ~FullFiles() {
        EXPECT_EQ(::setrlimit(RLIMIT_FSIZE, &before_), 0);
        std::signal(SIGXFSZ, signal_before_);  // NOLINT(cert-err33-c)
    }

private:
    rlimit before_{};
    // Writers then get an error and are not killed.
    void (*signal_before_)(int) = std::signal(SIGXFSZ, SIG_IGN);
};

}  // namespace groma
