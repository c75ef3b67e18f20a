#include "common/log/log_name.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace groma {
namespace {

TEST(LogName, AcceptsNamesAndNoPaths) {
    for (const char* good : {"sender", "receiver-b", "a b", "x.y", "Messung-\xc3\xbc", "r\xe2\x82\xac", "1"}) {
        EXPECT_EQ(log_name_error(good), "") << good;
    }
    const std::vector<std::string> bad = {"",
                                          ".",
                                          "..",
                                          ".hidden",
                                          "a/b",
                                          "../x",
                                          "/etc",
                                          "a\\b",
                                          "a\nb",
                                          "a\x7f",
                                          "a\xc2\x9b",
                                          "a\xe2\x80\xae",
                                          "\xff",
                                          "a\xc3",
                                          "a\xc0\xaf",
                                          std::string("a\0b", 3),
                                          std::string(101, 'a')};
    for (const std::string& name : bad) {
        EXPECT_NE(log_name_error(name), "") << name;
    }
    EXPECT_EQ(log_name_error(std::string(100, 'a')), "");
}

TEST(ExperimentFolder, IsTheNameAndTheBeginningOfTheRunId) {
    EXPECT_EQ(experiment_folder("voip", "1a2b3c4d5e6f70819203a4b5c6d7e8f9"), "voip-1a2b3c4d");
}

TEST(ExperimentFolder, IsAlwaysANameThatAServerTakes) {
    for (const std::string& name :
         {std::string(), std::string("../../etc/passwd"), std::string(".x"), std::string(300, 'n'),
          std::string("\xff\xfe"), std::string("a\nb"), std::string("...") + std::string(300, 'n')}) {
        const std::string folder = experiment_folder(name, "1a2b3c4d5e6f70819203a4b5c6d7e8f9");
        EXPECT_EQ(log_name_error(folder), "") << folder;
        EXPECT_TRUE(folder.ends_with("-1a2b3c4d")) << folder;
    }
}

}  // namespace
}  // namespace groma
