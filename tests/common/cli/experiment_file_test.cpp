#include "common/cli/experiment_file.hpp"

#include <gmock/gmock.h>

#include <fstream>
#include <functional>

#include "common/base/errors.hpp"
#include "common/model/distributions/distribution_text.hpp"
#include "common/os/temporary_folder.hpp"

namespace groma {
namespace {

using ::testing::HasSubstr;

std::string refusal(const std::function<void()>& attempt) {
    try {
        attempt();
    } catch (const SystemError& error) {
        return error.what();
    }
    return "accepted";
}

class ExperimentFile : public testing::Test {
protected:
    void write(const std::string& name, const std::string& text) { std::ofstream(folder_.path() / name) << text; }

    TemporaryFolder folder_;
    const NamedFiles files_ = named_files_in(folder_.path());
};

TEST_F(ExperimentFile, ThatCannotBeReadIsAnError) {
    EXPECT_THAT(refusal([] { static_cast<void>(load_experiment("/nonexistent/a.toml", 1)); }),
                HasSubstr("cannot read the experiment /nonexistent/a.toml: No such file"));
    EXPECT_THAT(refusal([] { static_cast<void>(load_experiment("/", 1)); }),
                HasSubstr("cannot read the experiment /: Is a directory"));
}

TEST_F(ExperimentFile, OfTheExamplesIsWithoutErrors) {
    const std::filesystem::path examples = std::filesystem::path(GROMA_TEST_DATA).parent_path() / "examples";
    EXPECT_EQ(load_experiment(examples / "thirty-flows.toml", 1).flows.size(), 30U);
    EXPECT_GE(load_experiment(examples / "loopback.toml", 1).flows.size(), 5U);
}

TEST_F(ExperimentFile, NamesFilesThatLieBesideIt) {
    write("gaps.txt", "1ms\n2ms");
    write("run.toml", "[[flow]]\nto = \"127.0.0.1\"\nidt = \"file:gaps.txt\"\npackets = 3\n");
    const Experiment experiment = load_experiment(folder_.path() / "run.toml", 1);
    EXPECT_EQ(experiment.name, "run");
    EXPECT_EQ(experiment.flows.at(0).idt, Distribution(FromFile{"gaps.txt", {1e6, 2e6}}));
}

TEST_F(ExperimentFile, OfValuesThatCannotBeReadIsAnErrorThatNamesIt) {
    EXPECT_THAT(refusal([&] { static_cast<void>(parse_idt("file:missing.txt", files_)); }),
                HasSubstr("cannot read the values in " + folder_.file("missing.txt") + ": No such file"));
    EXPECT_THAT(refusal([&] { static_cast<void>(parse_idt("file:.", files_)); }), HasSubstr("Is a directory"));
}

TEST_F(ExperimentFile, OfValuesIsReadNoFurtherThanALineThatIsTooLong) {
    EXPECT_THROW(static_cast<void>(parse_idt("file:/dev/zero", files_)), UsageError);
}

}  // namespace
}  // namespace groma
