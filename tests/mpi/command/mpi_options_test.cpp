#include "mpi/command/mpi_options.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "common/base/errors.hpp"
#include "common/model/experiment/requirement.hpp"
#include "common/os/temporary_folder.hpp"
#include "tests/documented.hpp"

namespace groma {
namespace {

using testing::AllOf;
using testing::HasSubstr;

class MpiOptionsTest : public testing::Test {
protected:
    MpiOptionsTest() { std::ofstream(file_) << "name = \"n\"\nseed = 3\n[[flow]]\nto = \"h\"\npackets = 1\n"; }

    const TemporaryFolder folder_;
    const std::string file_ = folder_.file("experiment.toml");
};

std::string complaint(const std::vector<std::string>& arguments) {
    try {
        (void)MpiOptions::parse(arguments, 1);
    } catch (const UsageError& error) {
        return error.what();
    }
    return {};
}

TEST_F(MpiOptionsTest, TheCommandLineWinsOverTheFile) {
    const MpiOptions options =
        MpiOptions::parse(std::vector<std::string>{file_, "--name", "other", "--seed", "9", "--duration", "3s",
                                                   "--log-transport", "udp", "--out", "there", "--plots"},
                          1);
    EXPECT_EQ(options.experiment.name, "other");
    EXPECT_EQ(options.experiment.flows.front().seed, 9U);
    EXPECT_EQ(options.experiment.flows.front().stop.duration, std::chrono::seconds(3));
    EXPECT_EQ(options.log_transport, JobLogTransport::udp);
    EXPECT_EQ(options.out, "there");
    EXPECT_TRUE(options.plots);
}

TEST_F(MpiOptionsTest, AllErrorsAreSaidTogether) {
    EXPECT_THAT(complaint({file_, "--log-transport", "pigeon", "--threads", "0", "--wait", "3min", "--quite"}),
                AllOf(HasSubstr("unknown log transport 'pigeon'"), HasSubstr("--threads"), HasSubstr("--wait"),
                      HasSubstr("did you mean --quiet?")));
}

TEST_F(MpiOptionsTest, RanksThatSendAreRunAsGromaSendIs) {
    const MpiOptions usual = MpiOptions::parse(std::vector<std::string>{file_}, 1);
    EXPECT_EQ(usual.threads, 0U);
    EXPECT_TRUE(usual.pin.empty());
    EXPECT_EQ(usual.realtime, Realtime::off);
    const MpiOptions options = MpiOptions::parse(std::vector<std::string>{file_, "--threads", "3", "--pin", "0,2-3",
                                                                          "--realtime", "on", "--require", "rate=0.1%"},
                                                 1);
    EXPECT_EQ(options.threads, 3U);
    EXPECT_EQ(options.pin, (std::vector<unsigned>{0, 2, 3}));
    EXPECT_EQ(options.realtime, Realtime::on);
    EXPECT_EQ(options.experiment.required, parse_requirements("rate=0.1%"));
}

TEST_F(MpiOptionsTest, AnExperimentIsNeeded) {
    EXPECT_THAT(complaint({"--quiet"}), HasSubstr("no experiment was named"));
}

TEST(MpiOptions, AreInTheHelpAndInTheManPage) {
    expect_documented(mpi_option_table(), GROMA_TEST_DATA);
}

TEST(MpiOptions, CompleteInShells) {
    expect_completed(
        {.table = mpi_option_table(),
         .words = {{"FIGURE=LIMIT[,...]", named_words(required_figures(), &RequiredFigureRow::word, "=")}}},
        GROMA_TEST_DATA);
}

}  // namespace
}  // namespace groma
