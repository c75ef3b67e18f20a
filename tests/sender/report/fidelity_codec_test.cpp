#include "sender/report/fidelity_codec.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <nlohmann/json.hpp>

#include "common/base/errors.hpp"
#include "common/json/json_record.hpp"
#include "common/model/flow/flow_spec.hpp"

namespace groma {
namespace {

nlohmann::json json_of(const Fidelity& fidelity) {
    JsonWriter fields(JsonForm::object);
    describe_fidelity(fields, fidelity, nullptr);
    return nlohmann::json::parse(fields.take().dump());
}

Fidelity fidelity_in(const nlohmann::json& json, std::shared_ptr<const GapModel> asked) {
    Fidelity fidelity;
    JsonReader fields(json, JsonForm::object);
    describe_fidelity(fields, fidelity, std::move(asked));
    return fidelity;
}

std::shared_ptr<const GapModel> exponential_gaps() {
    FlowSpec spec;
    spec.idt = Exponential{1e6};
    return GapModels().of(spec).model;
}

nlohmann::json one_gap_in(std::size_t cell) {
    return nlohmann::json::array({nlohmann::json::array({cell, 1})});
}

LogHistogram histogram_in(const nlohmann::json& json) {
    return from_json<LogHistogram>(json);
}

TEST(FidelityCodec, AHistogramKeepsItsCountsMinimumAndMaximum) {
    LogHistogram histogram;
    for (const std::int64_t value : {-1'000'003, 7, 1'000'003, 1'000'003, 1'003'500}) {
        histogram.add(value, 3);
    }
    const LogHistogram carried = histogram_in(to_json(histogram));
    EXPECT_EQ(carried.bins(), histogram.bins());
    EXPECT_EQ(carried.count(), 15U);
    EXPECT_EQ(carried.min(), -1'000'003);
    EXPECT_EQ(carried.max(), 1'003'500);
    LogHistogram one;
    one.add(1'000'003);
    EXPECT_EQ(histogram_in(to_json(one)).min(), 1'000'003);
    EXPECT_EQ(histogram_in(to_json(one)).max(), 1'000'003);
    EXPECT_EQ(histogram_in(to_json(LogHistogram())).count(), 0U);
}

TEST(FidelityCodec, TheValuesOfAHistogramAreWithinItsMinimumAndMaximumWhateverIsSaid) {
    const LogHistogram read = histogram_in({{"min", 50}, {"max", -50}, {"bins", {{-999, 2}, {999, 2}}}});
    EXPECT_EQ(read.count(), 4U);
    EXPECT_EQ(read.min(), -50);
    EXPECT_EQ(read.max(), 50);
}

TEST(FidelityCodec, CountsThatTogetherAreTooManyAreRefused) {
    const std::uint64_t half = std::uint64_t{1} << 45U;
    const auto with_third = [half](std::uint64_t count) {
        return nlohmann::json{{"min", 0}, {"max", 9}, {"bins", {{1, half}, {2, half}, {3, count}}}};
    };
    EXPECT_EQ(histogram_in(with_third(0)).count(), 2 * half);
    EXPECT_THROW((void)histogram_in(with_third(1)), UsageError);
    EXPECT_THROW((void)histogram_in(with_third(std::numeric_limits<std::uint64_t>::max())), UsageError);
}

TEST(FidelityCodec, GapsComeBackWithTheFitThatTheyHadWhereTheyWereCounted) {
    Fidelity fidelity;
    fidelity.gap_counts = GapCounts(exponential_gaps());
    for (std::int64_t i = 0; i < 100; ++i) {
        fidelity.gap_counts.add(i * 20'011);
    }
    PooledGaps pooled;
    pooled.add(fidelity.gap_counts);
    ASSERT_TRUE(pooled.fit().has_value());
    const Fidelity read = fidelity_in(json_of(fidelity), exponential_gaps());
    EXPECT_EQ(read.gap_counts.cells(), fidelity.gap_counts.cells());
    EXPECT_EQ(read.fit, pooled.fit());
}

TEST(FidelityCodec, TheBatchesOfManyGapsComeBack) {
    Fidelity fidelity;
    fidelity.gap_counts = GapCounts(exponential_gaps());
    for (std::int64_t i = 0; i < 5000; ++i) {
        fidelity.gap_counts.add(i / 50 * 20'011);
    }
    PooledGaps pooled;
    pooled.add(fidelity.gap_counts);
    const nlohmann::json json = json_of(fidelity);
    const Fidelity read = fidelity_in(json, exponential_gaps());
    EXPECT_EQ(read.gap_counts.cells(), fidelity.gap_counts.cells());
    EXPECT_EQ(read.fit, pooled.fit());
    EXPECT_TRUE(read.fit.has_value());
    nlohmann::json without_cells = json;
    without_cells["gap_cells"] = nlohmann::json::array();
    EXPECT_THROW((void)fidelity_in(without_cells, nullptr), UsageError);
    nlohmann::json one_too_many = json;
    one_too_many["gap_batches"][0][0] = GapBatches::kMost;
    EXPECT_THROW((void)fidelity_in(one_too_many, exponential_gaps()), UsageError);
}

TEST(FidelityCodec, RefusesGapsOfAFlowWithoutAModelAndCellsThatThereAreNot) {
    Fidelity fidelity;
    fidelity.gap_counts = GapCounts(exponential_gaps());
    nlohmann::json json = json_of(fidelity);
    EXPECT_FALSE(fidelity_in(json, nullptr).gap_counts.has_model()) << "nothing was counted";
    json["gap_cells"] = one_gap_in(GapModel::kCells - 1);
    EXPECT_EQ(fidelity_in(json, exponential_gaps()).gap_counts.cells().back(), 1U);
    EXPECT_THROW((void)fidelity_in(json, nullptr), UsageError);
    json["gap_cells"] = one_gap_in(GapModel::kCells);
    EXPECT_THROW((void)fidelity_in(json, exponential_gaps()), UsageError);
}

}  // namespace
}  // namespace groma
