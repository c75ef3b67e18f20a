#include "sender/calibration/calibration_folder.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <optional>

#include "common/os/temporary_folder.hpp"

namespace groma {
namespace {

using testing::HasSubstr;

template <typename Error, typename Action>
std::string error_from(const Action& action) {
    try {
        action();
    } catch (const Error& error) {
        return error.what();
    }
    return "accepted";
}

TEST(CalibrationFolder, IsMadeAndBelongsToOneAtATime) {
    const TemporaryFolder parent;
    const std::filesystem::path folder = parent.path() / "one" / "sheet";
    std::optional<OwnFolder> first(folder);
    EXPECT_TRUE(std::filesystem::is_directory(folder));
    EXPECT_THAT(error_from<RunError>([&] { const OwnFolder second(folder); }),
                HasSubstr("another groma-send --calibrate writes to " + folder.string()));
    const OwnFolder other(parent.path() / "two");
    first.reset();
    const OwnFolder again(folder);
}

TEST(CalibrationFolder, CannotBeMadeBelowAFile) {
    const TemporaryFolder parent;
    std::ofstream(parent.path() / "file") << "a file";
    EXPECT_THAT(error_from<SystemError>([&] { const OwnFolder folder(parent.path() / "file" / "sheet"); }),
                HasSubstr("make the folder " + (parent.path() / "file" / "sheet").string()));
}

TEST(CalibrationFolder, OfAnotherCalibrationIsRefusedWithAllReasons) {
    EXPECT_NO_THROW(refuse_other("sheet", {}));
    EXPECT_EQ(error_from<OtherCalibration>([] {
                  refuse_other("sheet", {"its seed is 7", "its \x1b host is b"});
              }),
              "sheet holds another calibration: its seed is 7; its \\x1b host is b. Name another folder with --out, or "
              "remove this one");
}

TEST(CalibrationFolder, OfAnotherHostOrAnotherKernelIsRefused) {
    const Facts kept{{"host", "alpha"}, {"kernel", "6.1"}, {"load", "low"}};
    EXPECT_NO_THROW(refuse_other_host("sheet", "sender", {}, kept));
    EXPECT_NO_THROW(
        refuse_other_host("sheet", "sender", kept, {{"host", "alpha"}, {"kernel", "6.1"}, {"load", "high"}}));
    EXPECT_THROW(refuse_other_host("sheet", "sender", kept, {{"host", "beta"}, {"kernel", "6.1"}, {"load", "low"}}),
                 OtherCalibration);
    EXPECT_THAT(error_from<OtherCalibration>([&] {
                    refuse_other_host("sheet", "sender", kept, {{"host", "alpha"}, {"kernel", "6.2"}, {"load", "low"}});
                }),
                HasSubstr("the sender's kernel is '6.2' now and was '6.1'"));
}

}  // namespace
}  // namespace groma
