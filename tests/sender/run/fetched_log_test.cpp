#include "sender/run/fetched_log.hpp"

#include <gmock/gmock.h>

#include <functional>
#include <vector>

#include "common/base/errors.hpp"

namespace groma {
namespace {

using ::testing::HasSubstr;

constexpr std::uint64_t kLongest = 100'000'000;

struct KeepingSink : LogSink {
    explicit KeepingSink(std::vector<std::byte>& kept) : kept_(kept) {}
    void append(std::span<const std::byte> piece) override { kept_.insert(kept_.end(), piece.begin(), piece.end()); }
    void close() override {}
    [[nodiscard]] std::string describe() const override { return "recv.glog"; }

private:
    std::vector<std::byte>& kept_;
};

class FetchedLogTest : public ::testing::Test {
protected:
    FetchedLogTest() {
        for (std::size_t i = 0; i < log_.size(); ++i) {
            log_[i] = static_cast<std::byte>(i * i >> 3U);
        }
    }

    /// What an honest receiver answers.
    [[nodiscard]] LogSection section(std::size_t offset) const {
        const auto bytes = std::span(log_).subspan(offset, std::min(kLogSectionBytes, log_.size() - offset));
        RunningHash hash;
        hash.add(std::span(log_).first(offset + bytes.size()));
        return {.offset = offset,
                .log_bytes = log_.size(),
                .hash = hash.value(),
                .bytes = std::vector(bytes.begin(), bytes.end())};
    }

    /// Why a section is not taken.
    std::string refusal(const LogSection& section, std::uint64_t longest = kLongest) {
        const std::size_t before = kept_.size();
        try {
            fetched_.take(section, longest);
        } catch (const RunError& error) {
            EXPECT_EQ(kept_.size(), before) << "written before it was checked";
            return error.what();
        }
        return "taken";
    }

    std::vector<std::byte> log_ = std::vector<std::byte>(2 * kLogSectionBytes + 5);
    std::vector<std::byte> kept_;
    FetchedLog fetched_{std::make_unique<KeepingSink>(kept_)};
};

TEST_F(FetchedLogTest, IsWholeWhenItsLastSectionHasCome) {
    while (not fetched_.whole()) {
        fetched_.take(section(fetched_.bytes()), kLongest);
        EXPECT_EQ(fetched_.expected(), log_.size());
    }
    EXPECT_EQ(kept_, log_);
    EXPECT_EQ(refusal(section(0)), "its host sent another section of the log than the next one");
}

TEST_F(FetchedLogTest, TakesNothingThatAReceiverMakesUp) {
    const std::vector<std::pair<std::function<void(LogSection&)>, const char*>> lies{
        {[](LogSection& it) { it.bytes[7] ^= std::byte{1}; }, "does not have the hash"},
        {[](LogSection& it) { it.hash += 1; }, "does not have the hash"},
        {[](LogSection& it) { it.bytes.pop_back(); }, "another section"},
        {[](LogSection& it) { it.bytes.clear(); }, "another section"},
        {[](LogSection& it) { it.bytes.push_back({}); }, "another section"},
        {[](LogSection& it) { it.offset = 0; }, "another section"},
        {[](LogSection& it) { it.offset += kLogSectionBytes; }, "another section"},
        {[](LogSection& it) { it.log_bytes += 1; }, "which cannot be: it said 1048581 bytes before"},
        {[](LogSection& it) { it.log_bytes = 0; }, "which cannot be"},
        {[](LogSection& it) { it.log_bytes = kLogSectionBytes; }, "which cannot be"},
    };
    for (const auto& [tell, why] : lies) {
        kept_.clear();
        fetched_ = FetchedLog(std::make_unique<KeepingSink>(kept_));
        fetched_.take(section(0), kLongest);
        LogSection lie = section(kLogSectionBytes);
        tell(lie);
        EXPECT_THAT(refusal(lie), HasSubstr(why));
    }
}

TEST_F(FetchedLogTest, CannotFillTheDisk) {
    EXPECT_THAT(refusal(section(0), log_.size() - 1), HasSubstr("such a run makes at most 1048580 bytes"));
    EXPECT_EQ(refusal(section(0), log_.size()), "taken");
}

TEST(LongestReceiverLog, GrowsWithPacketsFlowsAndTime) {
    const std::uint64_t least = longest_receiver_log(1, 0, Nanos{0});
    EXPECT_GE(least, 64U << 20U);
    EXPECT_GE(longest_receiver_log(1, 1'000'000, Nanos{0}) - least, 100'000'000U);
    EXPECT_GT(longest_receiver_log(2, 0, Nanos{0}), least);
    EXPECT_GT(longest_receiver_log(1, 0, std::chrono::hours(24)), least + (1U << 30U));
}

}  // namespace
}  // namespace groma
