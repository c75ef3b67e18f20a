#include "common/os/signal_line.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <stdlib.h>

#include <fstream>

#include "common/base/errors.hpp"

namespace groma {
namespace {

std::string refusal(const std::string& text) {
    try {
        const SignalLine line(text);
    } catch (const std::exception& error) {
        return error.what();
    }
    return "accepted";
}

TEST(SignalLine, OfNoPortIsRefusedWithItsName) {
    const std::string why = refusal("/dev/no-such-port");
    EXPECT_NE(why.find("/dev/no-such-port"), std::string::npos) << why;
    EXPECT_NE(why.find("/dev/ttyS0"), std::string::npos) << why;
}

TEST(SignalLine, OfAnotherNameIsRefusedWithThoseThatThereAre) {
    EXPECT_NE(refusal("/dev/ttyS0:cts").find("DEVICE:rts"), std::string::npos);
}

TEST(SignalLine, OfWhatHasNoSuchLinesIsRefused) {
    EXPECT_NE(refusal("/dev/null").find("it takes a serial port"), std::string::npos) << refusal("/dev/null");
    const FileDescriptor master(::posix_openpt(O_RDWR | O_NOCTTY));
    ASSERT_TRUE(master.valid());
    ASSERT_EQ(::grantpt(master.get()), 0);
    ASSERT_EQ(::unlockpt(master.get()), 0);
    const std::string slave = ::ptsname(master.get());
    EXPECT_NE(refusal(slave).find("it takes a serial port"), std::string::npos) << "a pseudo-terminal has none";
}

}  // namespace
}  // namespace groma
