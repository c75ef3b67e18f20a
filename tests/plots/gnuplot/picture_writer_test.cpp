#include "plots/gnuplot/picture_writer.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <set>
#include <sstream>

#include "common/base/errors.hpp"
#include "common/os/temporary_folder.hpp"
#include "plots/gnuplot/style.hpp"

namespace groma {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;

class PictureWriterTest : public testing::Test {
protected:
    PictureWriterTest() {
        picture_.stem = "delay";
        picture_.x_range = {0, 4};
        picture_.y_range = {0, 5};
        picture_.curves = {{"c", 0, Stroke::solid, true, {{{1, 2}, {3, 4}}}}};
    }
    void write(std::vector<PictureFormat> formats, const std::string& style = std::string(built_in_style())) {
        PictureWriter(directory_, std::move(formats), style, out_).write(picture_);
    }
    /// Also those that are hidden.
    [[nodiscard]] std::set<std::string> files() const {
        std::set<std::string> names;
        for (const auto& entry : std::filesystem::recursive_directory_iterator(folder_.path())) {
            if (entry.is_regular_file()) {
                names.insert(std::filesystem::relative(entry.path(), folder_.path()).string());
            }
        }
        return names;
    }
    [[nodiscard]] std::string content(const std::string& name) const {
        std::ifstream file(directory_ / name, std::ios::binary);
        return {std::istreambuf_iterator<char>(file), {}};
    }

    TemporaryFolder folder_;
    std::filesystem::path directory_ = folder_.path() / "new" / "pictures";
    Picture picture_;
    std::ostringstream out_;
};

TEST_F(PictureWriterTest, WritesEveryFormatAndPrintsItsPath) {
    write({PictureFormat::png, PictureFormat::svg});
    EXPECT_THAT(files(), ElementsAre("new/pictures/delay.png", "new/pictures/delay.svg"));
    EXPECT_EQ(out_.str(), (directory_ / "delay.png").string() + "\n" + (directory_ / "delay.svg").string() + "\n");
    EXPECT_EQ(content("delay.png").substr(0, 8), "\x89PNG\r\n\x1a\n");
    EXPECT_THAT(content("delay.svg"), HasSubstr("</svg>"));
}

TEST_F(PictureWriterTest, KeepsAPictureInItsDirectoryWhateverItsStemSays) {
    picture_.stem = "../../etc/a b\n;'\xc3\xbc";
    write({PictureFormat::svg});
    EXPECT_THAT(files(), ElementsAre("new/pictures/.._.._etc_a_b_____.svg"));
}

TEST_F(PictureWriterTest, LeavesTheOldPictureWhereGnuplotFails) {
    std::filesystem::create_directories(directory_);
    std::ofstream(directory_ / "delay.svg") << "old";
    try {
        write({PictureFormat::svg}, "set nonsense\n");
        FAIL() << "drawn";
    } catch (const RunError& error) {
        EXPECT_THAT(error.what(), AllOf(HasSubstr("gnuplot could not draw " + (directory_ / "delay.svg").string()),
                                        HasSubstr("set nonsense")));
    }
    EXPECT_THAT(files(), ElementsAre("new/pictures/delay.svg"));
    EXPECT_EQ(content("delay.svg"), "old");
    EXPECT_EQ(out_.str(), "");
}

TEST_F(PictureWriterTest, NamesTheDirectoryThatCannotBeMade) {
    directory_ = folder_.path() / "file" / "pictures";
    std::ofstream(folder_.path() / "file") << "in the way";
    try {
        write({PictureFormat::svg});
        FAIL() << "made";
    } catch (const SystemError& error) {
        EXPECT_THAT(error.what(), HasSubstr("make the directory " + directory_.string()));
    }
}

}  // namespace
}  // namespace groma
