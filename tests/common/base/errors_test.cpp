#include "common/base/errors.hpp"

#include <gtest/gtest.h>

#include <cerrno>

namespace groma {
namespace {

TEST(ParseError, ListsEveryErrorWithItsPlace) {
    const ParseError error("x.toml", {{3, 7, "no such key 'ratee'"}, {0, 0, "no flows"}});
    EXPECT_STREQ(error.what(), "x.toml:3:7: no such key 'ratee'\nx.toml: no flows");
}

TEST(SystemError, SaysWhatWasTriedWhyItFailedAndWhatToDo) {
    const SystemError error("bind 10.0.0.1:8999", EADDRINUSE, "choose another --port");
    EXPECT_STREQ(error.what(), "cannot bind 10.0.0.1:8999: Address already in use (choose another --port)");
}

TEST(CheckDeathTest, StopsTheProgramAtABugOfOurs) {
    EXPECT_DEATH(check(false, "the queue is empty"), "internal error: the queue is empty");
}

}  // namespace
}  // namespace groma
