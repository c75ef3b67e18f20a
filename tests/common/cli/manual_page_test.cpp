#include "common/cli/manual_page.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>

#include "common/base/errors.hpp"

namespace groma {
namespace {

constexpr std::array kManualRows{
    OptionRow{"--log", ValueKind::required, "FILE", "Logs", "keep the log in FILE", "It is long."},
    OptionRow{"--json", ValueKind::optional, "FILE", "Output", "print JSON"},
};
constexpr std::array kManualGroups{GroupRow{"Logs", "of this host", "There are others."}};
constexpr std::array kManualCommands{CommandRow{"show", "[DIR]", "show one", 0, 1, {}, "DIR is a folder."}};
constexpr CommandTable kManualTable{.program = "tool",
                                    .summary = "Does a thing.",
                                    .usage = "[OPTIONS]",
                                    .rows = kManualRows,
                                    .commands = kManualCommands,
                                    .groups = kManualGroups};

constexpr std::string_view kPage = R"(.SH SYNOPSIS
.\" begin synopsis (made from the option table)
.\" end synopsis
.SH COMMANDS
.\" begin commands (made from the option table)
old
.\" end commands
.SH OPTIONS
By hand.
.\" begin options (made from the option table)
old
.\" end options
.SH SEE ALSO
)";

constexpr std::string_view kMade = R"(.SH SYNOPSIS
.\" begin synopsis (made from the option table)
\fBtool\fR [\fIOPTIONS\fR]
.br
\fBtool\fR \fBshow\fR [\fIDIR\fR]
.\" end synopsis
.SH COMMANDS
.\" begin commands (made from the option table)
.TP
\fBshow\fR [\fIDIR\fR]
Show one.
\fIDIR\fR is a folder.
.\" end commands
.SH OPTIONS
By hand.
.\" begin options (made from the option table)
.SS Logs
Of this host.
There are others.
.TP
\fB\-\-log\fR \fIFILE\fR
Keep the log in \fIFILE\fR.
It is long.
.SS Output
.TP
\fB\-\-json\fR[=\fIFILE\fR]
Print JSON.
.SS Other
.TP
\fB\-\-help\fR
Print a summary of the options and exit.
It can be written \fB\-h\fR.
.TP
\fB\-\-version\fR
Print the program\(aqs version and exit.
.\" end options
.SH SEE ALSO
)";

TEST(ManualPage, HasUsageCommandsAndOptionsOfTheTable) {
    EXPECT_EQ(manual_page(kManualTable, kPage), kMade);
}

TEST(ManualPage, StaysWhenItIsMadeAgain) {
    EXPECT_EQ(manual_page(kManualTable, kMade), kMade);
}

TEST(ManualPage, WithoutAMarkerIsRefused) {
    for (const std::string_view marker : {"begin options", "end synopsis", "begin commands"}) {
        std::string page(kPage);
        page.erase(page.find(marker), marker.size());
        EXPECT_THROW(static_cast<void>(manual_page(kManualTable, page)), UsageError) << marker;
    }
}

}  // namespace
}  // namespace groma
