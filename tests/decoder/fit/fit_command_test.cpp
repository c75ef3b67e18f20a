#include "decoder/fit/fit_command.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "common/base/errors.hpp"
#include "common/cli/run_main.hpp"
#include "common/model/experiment/experiment.hpp"
#include "common/os/temporary_folder.hpp"
#include "tests/common/wire/sample_frames.hpp"
#include "tests/files.hpp"

namespace groma {
namespace {

using testing::HasSubstr;

/// A capture of five packets of one flow.
class FitCommand : public testing::Test {
protected:
    FitCommand() { write_capture(capture_, std::vector(5, udp_packet("abc")), 101); }

    [[nodiscard]] int fit(const std::vector<std::string>& options) const {
        std::vector<std::string> arguments{capture_, "--quiet"};
        arguments.insert(arguments.end(), options.begin(), options.end());
        return fit_command(arguments);
    }
    /// Why it is refused.
    [[nodiscard]] std::string refusal_of(const std::vector<std::string>& options) const {
        try {
            static_cast<void>(fit(options));
        } catch (const UsageError& error) {
            return error.what();
        }
        return "accepted";
    }

    const TemporaryFolder folder_;
    const std::string capture_ = folder_.file("sample.pcap");
    const std::string profile_ = folder_.file("profile.toml");
    const std::string json_ = folder_.file("fit.json");
};

TEST_F(FitCommand, WritesEveryFileThatWasAskedForAndSucceeds) {
    EXPECT_EQ(fit({"--fewest", "5", "--profile=" + profile_, "--json=" + json_}), kExitOk);
    const Experiment experiment = parse_experiment(content_of(profile_), "profile", {}, 1);
    ASSERT_EQ(experiment.flows.size(), 1U);
    EXPECT_EQ(experiment.flows.front().size, Distribution(Constant{3}));
    EXPECT_THAT(content_of(json_), HasSubstr("10.0.0.1:5000 > 10.0.0.2:5001"));
}

TEST_F(FitCommand, FailsOnADamagedCaptureAndStillWritesWhatItGives) {
    std::filesystem::resize_file(capture_, std::filesystem::file_size(capture_) - 1);
    testing::internal::CaptureStderr();
    EXPECT_EQ(fit({"--fewest", "4", "--profile=" + profile_}), kExitFailed);
    EXPECT_THAT(testing::internal::GetCapturedStderr(), HasSubstr("groma-dec fit: warning: "));
    EXPECT_EQ(parse_experiment(content_of(profile_), "profile", {}, 1).flows.size(), 1U);
}

TEST_F(FitCommand, FailsWhereNoFlowHasEnoughPackets) {
    testing::internal::CaptureStderr();
    EXPECT_EQ(fit({"--fewest", "6", "--json=" + json_}), kExitFailed);
    EXPECT_THAT(testing::internal::GetCapturedStderr(), HasSubstr("no flow has 6 packets"));
}

TEST_F(FitCommand, NeverWritesOverAFileThatItReads) {
    const std::string before = content_of(capture_);
    const std::string link = folder_.file("link.pcap");
    std::filesystem::create_hard_link(capture_, link);
    for (const char* option : {"--json=", "--profile="}) {
        EXPECT_THAT(refusal_of({"--fewest", "5", "--force", option + link}),
                    HasSubstr("cannot write results to " + link + ": it is one of the files to be read"));
    }
    EXPECT_THAT(refusal_of({"--fewest", "5", "--force", "--sqlite", link}), HasSubstr("one of the files to be read"));
    EXPECT_EQ(content_of(capture_), before);
}

TEST_F(FitCommand, ReplacesAFileOnlyWhenItIsForced) {
    std::ofstream(json_) << "old";
    EXPECT_THAT(refusal_of({"--fewest", "5", "--json=" + json_}), HasSubstr("or --force to replace it"));
    EXPECT_EQ(content_of(json_), "old");
    EXPECT_EQ(fit({"--fewest", "5", "--force", "--json=" + json_}), kExitOk);
    EXPECT_THAT(content_of(json_), HasSubstr("10.0.0.1:5000"));
}

}  // namespace
}  // namespace groma
