#include "common/model/families/sample.hpp"

#include <gtest/gtest.h>

namespace groma {
namespace {

TEST(Sample, HasEachValueOnceWithHowOftenItWasSeen) {
    const Sample sample = make_sample({5, 3, 5, 9, 3, 5});
    EXPECT_EQ(sample.values, (std::vector<double>{3, 5, 9}));
    EXPECT_EQ(sample.counts, (std::vector<std::uint64_t>{2, 3, 1}));
    EXPECT_EQ(sample.total, 6U);
    EXPECT_EQ(sample.mean(), 5);
    EXPECT_EQ(sample.quantile(0.33), 3);
    EXPECT_EQ(sample.quantile(0.34), 5);
    EXPECT_EQ(sample.quantile(0.84), 9);
    EXPECT_EQ(sample.quantile(1), 9);
}

}  // namespace
}  // namespace groma
