// A series at dyadic scales, computed as it arrives, in memory for the scales. Each stage takes the output of the one
// below it, and gives one value for two. Runs of zeros of any length take a few steps.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace groma {

/// `Stage` has
///     std::optional<double> push(double value);         its next output, if there is one
///     bool quiet() const;                               it remembers only zeros: zeros in give zeros out
///     std::uint64_t skip_zeros(std::uint64_t count);    takes zeros when quiet; returns the number of zeros out
template <typename Stage>
class DyadicCascade {
public:
    void add(double value) {
        Run run;
        run.head[0] = value;
        run.size = 1;
        pass(run);
    }

    void add_zeros(std::uint64_t count) {
        Run run;
        run.zeros = count;
        pass(run);
    }

    /// From the finest on.
    [[nodiscard]] const std::vector<Stage>& stages() const { return stages_; }

private:
    /// A series of more than 2^60 values gets no further stage.
    static constexpr std::size_t kMostStages = 60;

    /// Some values, then zeros.
    struct Run {
        std::array<double, 8> head{};
        std::size_t size = 0;
        std::uint64_t zeros = 0;

        void put(const std::optional<double>& value) {
            if (value) {
                head[size++] = *value;
            }
        }
    };

    /// Halves the head and the zeros that make a stage quiet: a head never has more than 4 values.
    void pass(Run run) {
        for (std::size_t level = 0; level < kMostStages and (run.size > 0 or run.zeros > 0); ++level) {
            if (level == stages_.size()) {
                stages_.emplace_back();
            }
            Stage& stage = stages_[level];
            Run out;
            for (std::size_t i = 0; i < run.size; ++i) {
                out.put(stage.push(run.head[i]));
            }
            for (; run.zeros > 0 and not stage.quiet(); --run.zeros) {
                out.put(stage.push(0));
            }
            out.zeros = run.zeros > 0 ? stage.skip_zeros(run.zeros) : 0;
            run = out;
        }
    }

    std::vector<Stage> stages_;
};

/// Sums of two, four, ... values: for each scale the number of blocks, their sum and sum of squares.
class BlockSums {
public:
    std::optional<double> push(double value) {
        count_ += 1;
        sum_ += value;
        squares_ += value * value;
        if (count_ % 2 == 1) {
            half_ = value;
            return std::nullopt;
        }
        const double whole = half_ + value;
        half_ = 0;
        return whole;
    }
    [[nodiscard]] bool quiet() const { return half_ == 0; }
    std::uint64_t skip_zeros(std::uint64_t count) {
        const std::uint64_t before = count_;
        count_ += count;
        return count_ / 2 - before / 2;
    }

    [[nodiscard]] std::uint64_t blocks() const { return count_; }
    [[nodiscard]] double mean() const { return count_ == 0 ? 0 : sum_ / static_cast<double>(count_); }
    /// n - 1; 0 below two blocks.
    [[nodiscard]] double variance() const;

private:
    std::uint64_t count_ = 0;
    double sum_ = 0;
    double squares_ = 0;
    double half_ = 0;
};

/// The wavelet transform with Daubechies' wavelet of two vanishing moments (4 taps) [Daubechies 1988; Mallat 1989]: a
/// linear trend does not affect the details. For each octave the number of details and the moments of their squares.
/// Omits outputs whose taps would need values before the series.
class DaubechiesDetails {
public:
    std::optional<double> push(double value);
    [[nodiscard]] bool quiet() const;
    std::uint64_t skip_zeros(std::uint64_t count);

    [[nodiscard]] std::uint64_t details() const { return details_; }
    /// The mean of their squares.
    [[nodiscard]] double energy() const;
    /// The mean of their fourth powers.
    [[nodiscard]] double fourth_moment() const;

private:
    std::array<double, 4> last_{};  ///< oldest first
    std::uint64_t taken_ = 0;
    std::uint64_t details_ = 0;
    double squares_ = 0;
    double fourths_ = 0;
};

}  // namespace groma
