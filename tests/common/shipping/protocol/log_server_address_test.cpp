#include "common/shipping/protocol/log_server_address.hpp"

#include <gtest/gtest.h>

#include "common/base/errors.hpp"

namespace groma {
namespace {

TEST(ParseLogServer, ReadsHostsAndPorts) {
    EXPECT_EQ(parse_log_server("hostc"), (LogServerAddress{"hostc", 9001}));
    EXPECT_EQ(parse_log_server("10.0.0.3:99"), (LogServerAddress{"10.0.0.3", 99}));
    EXPECT_EQ(parse_log_server("[fd00::1]:99"), (LogServerAddress{"fd00::1", 99}));
    EXPECT_EQ(parse_log_server("[fd00::1]"), (LogServerAddress{"fd00::1", 9001}));
    EXPECT_EQ(parse_log_server("fd00::1"), (LogServerAddress{"fd00::1", 9001}));
}

TEST(ParseLogServer, RefusesWhatIsNone) {
    for (const char* bad : {"", ":9001", "h:", "h:0", "h:65536", "h:x", "[::1", "[]:5", "[::1]9001", "[::1]x:1"}) {
        EXPECT_THROW((void)parse_log_server(bad), UsageError) << bad;
    }
}

}  // namespace
}  // namespace groma
