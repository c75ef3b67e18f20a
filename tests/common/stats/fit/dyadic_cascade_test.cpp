#include "common/stats/fit/dyadic_cascade.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <random>
#include <vector>

namespace groma {
namespace {

std::vector<double> noise_of(std::size_t count, unsigned seed) {
    std::mt19937 noise(seed);
    std::normal_distribution<double> normal;
    std::vector<double> values(count);
    for (double& value : values) {
        value = normal(noise);
    }
    return values;
}

template <typename Stage>
DyadicCascade<Stage> cascade_of(const std::vector<double>& values) {
    DyadicCascade<Stage> cascade;
    for (const double value : values) {
        cascade.add(value);
    }
    return cascade;
}

TEST(DyadicCascade, BlocksAreSumsOfTwoFourAndSoOn) {
    const auto values = noise_of(1001, 1);
    const auto cascade = cascade_of<BlockSums>(values);
    std::vector<double> blocks = values;
    for (std::size_t stage = 0; stage < cascade.stages().size(); ++stage) {
        double sum = 0;
        double squares = 0;
        for (const double block : blocks) {
            sum += block;
        }
        const double n = static_cast<double>(blocks.size());
        for (const double block : blocks) {
            squares += (block - sum / n) * (block - sum / n);
        }
        EXPECT_EQ(cascade.stages()[stage].blocks(), blocks.size());
        EXPECT_NEAR(cascade.stages()[stage].mean(), sum / n, 1e-10);
        EXPECT_NEAR(cascade.stages()[stage].variance(), blocks.size() < 2 ? 0 : squares / (n - 1), 1e-9);
        std::vector<double> next;
        for (std::size_t i = 0; i + 1 < blocks.size(); i += 2) {
            next.push_back(blocks[i] + blocks[i + 1]);
        }
        blocks = next;
    }
    EXPECT_EQ(cascade.stages().size(), 10U);  // 2^9 = 512 is the last that fits
}

/// Mallat's algorithm with the taps from their closed form, without borders.
struct Octave {
    std::vector<double> approximations;
    std::vector<double> details;
};

Octave next_octave(const std::vector<double>& values) {
    const double s = std::sqrt(3.0);
    const double d = 4 * std::sqrt(2.0);
    const std::array<double, 4> low{(1 + s) / d, (3 + s) / d, (3 - s) / d, (1 - s) / d};
    Octave octave;
    for (std::size_t i = 0; i + 4 <= values.size(); i += 2) {
        double a = 0;
        double detail = 0;
        for (std::size_t k = 0; k < 4; ++k) {
            a += low[k] * values[i + k];
            detail += (k % 2 == 0 ? 1 : -1) * low[3 - k] * values[i + k];
        }
        octave.approximations.push_back(a);
        octave.details.push_back(detail);
    }
    return octave;
}

TEST(DyadicCascade, DetailsAreThoseOfMallatsAlgorithm) {
    std::vector<double> values = noise_of(777, 2);
    const auto cascade = cascade_of<DaubechiesDetails>(values);
    for (const DaubechiesDetails& stage : cascade.stages()) {
        const Octave octave = next_octave(values);
        double squares = 0;
        double fourths = 0;
        for (const double detail : octave.details) {
            squares += detail * detail;
            fourths += detail * detail * detail * detail;
        }
        const double n = static_cast<double>(octave.details.size());
        ASSERT_EQ(stage.details(), octave.details.size());
        if (n > 0) {
            EXPECT_NEAR(stage.energy(), squares / n, 1e-9);
            EXPECT_NEAR(stage.fourth_moment(), fourths / n, 1e-9);
        }
        values = octave.approximations;
    }
}

TEST(DyadicCascade, ALineLeavesNoDetails) {
    std::vector<double> line(1000);
    for (std::size_t i = 0; i < line.size(); ++i) {
        line[i] = 5 + 3 * static_cast<double>(i);
    }
    const auto cascade = cascade_of<DaubechiesDetails>(line);
    for (const DaubechiesDetails& stage : cascade.stages()) {
        EXPECT_NEAR(stage.energy(), 0, 1e-12);
    }
}

template <typename Stage>
void expect_same(const DyadicCascade<Stage>& one, const DyadicCascade<Stage>& other) {
    ASSERT_EQ(one.stages().size(), other.stages().size());
    for (std::size_t i = 0; i < one.stages().size(); ++i) {
        if constexpr (std::is_same_v<Stage, BlockSums>) {
            EXPECT_EQ(one.stages()[i].blocks(), other.stages()[i].blocks()) << i;
            EXPECT_NEAR(one.stages()[i].variance(), other.stages()[i].variance(), 1e-9) << i;
        } else {
            EXPECT_EQ(one.stages()[i].details(), other.stages()[i].details()) << i;
            EXPECT_NEAR(one.stages()[i].energy(), other.stages()[i].energy(), 1e-9) << i;
        }
    }
}

template <typename Stage>
void expect_runs_of_zeros_to_be_zeros() {
    std::mt19937 noise(3);
    DyadicCascade<Stage> quick;
    DyadicCascade<Stage> slow;
    for (int round = 0; round < 300; ++round) {
        const double value = static_cast<double>(noise() % 5);
        const std::uint64_t zeros = noise() % 3 == 0 ? noise() % 200 : noise() % 4;
        quick.add(value);
        quick.add_zeros(zeros);
        slow.add(value);
        for (std::uint64_t i = 0; i < zeros; ++i) {
            slow.add(0);
        }
    }
    expect_same(quick, slow);
}

TEST(DyadicCascade, ARunOfZerosIsAsManyZeros) {
    expect_runs_of_zeros_to_be_zeros<BlockSums>();
    expect_runs_of_zeros_to_be_zeros<DaubechiesDetails>();
}

TEST(DyadicCascade, ManyYearsOfZerosArePassedAtOnce) {
    DyadicCascade<BlockSums> sums;
    DyadicCascade<DaubechiesDetails> details;
    for (int i = 0; i < 1000; ++i) {
        sums.add(1);
        details.add(1);
        sums.add_zeros(std::uint64_t{1} << 50U);
        details.add_zeros(std::uint64_t{1} << 50U);
    }
    EXPECT_EQ(sums.stages().front().blocks(), 1000 + (1000ULL << 50U));
    EXPECT_GT(details.stages().size(), 50U);
}

}  // namespace
}  // namespace groma
