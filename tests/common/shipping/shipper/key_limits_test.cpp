#include "common/shipping/shipper/key_limits.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "common/log/tee_sink.hpp"

namespace groma {
namespace {

using testing::HasSubstr;

std::optional<Grant> key_with(std::string_view limits) {
    return Grant{.name = "lab", .limits = parse_limits(limits)};
}

TEST(KeyLimitsOfLogs, AFileWithoutALimitIsLeftAsItIs) {
    for (const auto& key : {std::optional<Grant>(), key_with("flows=1,spool-bytes=1")}) {
        auto file = null_sink();
        const LogSink* const before = file.get();
        EXPECT_EQ(within_limits(std::move(file), key).get(), before);
    }
    const std::vector<std::byte> piece(11);
    EXPECT_ANY_THROW(within_limits(null_sink(), key_with("log-bytes=10"))->append(piece));
}

TEST(KeyLimitsOfLogs, ASpoolHasItsOwn) {
    EXPECT_FALSE(spool_limit(std::nullopt));
    EXPECT_FALSE(spool_limit(key_with("log-bytes=1")));
    const auto limit = spool_limit(key_with("spool-bytes=1MB"));
    ASSERT_TRUE(limit);
    EXPECT_EQ(limit->bytes, 1'000'000U);
    EXPECT_THAT(limit->why, HasSubstr("the key 'lab' allows at most 1 MB of a log in the spool (spool-bytes=1MB): "
                                      "whoever keeps the folder of keys there"));
}

}  // namespace
}  // namespace groma
