#include "common/os/machine.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>

namespace groma {
namespace {

TEST(Machine, HasAKernelAndCores) {
    const Machine machine = this_machine();
    EXPECT_THAT(machine.kernel, testing::StartsWith("Linux "));
    EXPECT_GE(std::atoi(machine.cores.c_str()), 1);
    EXPECT_EQ(machine.clock_source.find('\n'), std::string::npos);
}

}  // namespace
}  // namespace groma
