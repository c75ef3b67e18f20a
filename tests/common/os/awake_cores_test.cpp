#include "common/os/awake_cores.hpp"

#include <gmock/gmock.h>
#include <unistd.h>

namespace groma {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;

TEST(AwakeCores, AreHadByWhoMayWriteToTheDeviceAndOthersAreToldWhatToDo) {
    const bool allowed = ::access("/dev/cpu_dma_latency", W_OK) == 0;
    const AwakeCores awake;
    if (allowed) {
        EXPECT_THAT(awake.refusal(), IsEmpty());
    } else {
        EXPECT_THAT(awake.refusal(), HasSubstr("/dev/cpu_dma_latency"));
    }
}

}  // namespace
}  // namespace groma
