#include "common/log/file_sink.hpp"

#include <gmock/gmock.h>

#include <sys/stat.h>

#include <algorithm>
#include <barrier>
#include <cerrno>
#include <fstream>
#include <thread>
#include <vector>

#include "common/base/errors.hpp"
#include "common/log/tee_sink.hpp"
#include "common/os/temporary_folder.hpp"
#include "common/wire/log_block.hpp"
#include "tests/files.hpp"

namespace groma {
namespace {

namespace fs = std::filesystem;

std::span<const std::byte> bytes_of(std::string_view text) {
    return std::as_bytes(std::span(text));
}

/// The beginning of an earlier run's log.
std::string log_of(std::string_view text) {
    std::string log;
    for (const std::byte byte : kLogMagic) {
        log += static_cast<char>(byte);
    }
    return log.append(text);
}

constexpr EarlierLog kReplaced{.replaced = true};

class FileSink : public testing::Test {
protected:
    [[nodiscard]] fs::path file() const { return folder_.path() / "send.glog"; }
    [[nodiscard]] fs::path part() const { return folder_.path() / "send.glog.part"; }

    TemporaryFolder folder_;
};

TEST_F(FileSink, ALogHasItsNameOnlyWhenItIsWhole) {
    const auto sink = open_file_sink(file());
    sink->append(bytes_of("one "));
    EXPECT_FALSE(fs::exists(file()));
    sink->append(bytes_of("two"));
    sink->close();
    EXPECT_EQ(content_of(file()), "one two");
    EXPECT_FALSE(fs::exists(part()));
}

TEST_F(FileSink, WhoReadsAlongSeesEveryPieceAtOnce) {
    const auto sink = open_file_sink(file());
    sink->append(bytes_of("one "));
    EXPECT_EQ(content_of(part()), "one ");
}

TEST_F(FileSink, ALogThatIsNeverClosedStaysAPart) {
    open_file_sink(file())->append(bytes_of("half"));
    EXPECT_FALSE(fs::exists(file()));
    EXPECT_EQ(content_of(part()), "half");
}

TEST_F(FileSink, AnOlderLogIsKeptUntilTheNewOneIsWhole) {
    std::ofstream(file()) << log_of("old");
    const auto sink = open_file_sink(file(), kReplaced);
    sink->append(bytes_of("new"));
    EXPECT_EQ(content_of(file()), log_of("old"));
    sink->close();
    EXPECT_EQ(content_of(file()), "new");
}

TEST_F(FileSink, AnOlderPartIsWrittenAnew) {
    std::ofstream(part()) << log_of("a long part of an older run");
    const auto sink = open_file_sink(file(), kReplaced);
    sink->append(bytes_of("new"));
    sink->close();
    EXPECT_EQ(content_of(file()), "new");
}

TEST_F(FileSink, AnOlderLogOfEitherNameIsNotReplacedUnasked) {
    for (const fs::path& taken : {file(), part()}) {
        std::ofstream(taken) << log_of("old");
        try {
            static_cast<void>(open_file_sink(file(), {.replaced = false, .advice = "or replace it"}));
            ADD_FAILURE() << "opened beside " << taken;
        } catch (const UsageError& error) {
            EXPECT_THAT(error.what(),
                        testing::HasSubstr("cannot write the log " + taken.string() + ": it is there already"));
            EXPECT_THAT(error.what(), testing::EndsWith("give another name, or replace it"));
        }
        EXPECT_EQ(content_of(taken), log_of("old"));
        EXPECT_EQ(files_in(folder_.path()), 1);
        fs::remove(taken);
    }
}

TEST_F(FileSink, AnEmptyFileMayBecomeALog) {
    std::ofstream(file()).close();
    std::ofstream(part()).close();
    const auto sink = open_file_sink(file());
    sink->append(bytes_of("new"));
    sink->close();
    EXPECT_EQ(content_of(file()), "new");
}

TEST_F(FileSink, ANameThatWasTakenDuringTheRunStaysAnothers) {
    for (const EarlierLog earlier : {EarlierLog{}, kReplaced}) {
        const std::string other = earlier.replaced ? "a text" : log_of("another run's");
        const auto sink = open_file_sink(file(), earlier);
        sink->append(bytes_of(log_of("new")));
        std::ofstream(file()) << other;
        EXPECT_THROW(sink->close(), RunError);
        EXPECT_EQ(content_of(file()), other);
        EXPECT_EQ(content_of(part()), log_of("new"));
        fs::remove(file());
    }
}

TEST_F(FileSink, OfRunsThatWantOneNameAtOnceOneGetsIt) {
    constexpr int kRuns = 6;
    for (int round = 0; round < 100; ++round) {
        const EarlierLog earlier{.replaced = round % 2 == 0};
        if (earlier.replaced) {
            std::ofstream(part()) << log_of("old");
        }
        std::barrier together(kRuns);
        std::vector<std::unique_ptr<LogSink>> sinks(kRuns);
        {
            std::vector<std::jthread> runs;
            for (auto& sink : sinks) {
                runs.emplace_back([&] {
                    together.arrive_and_wait();
                    try {
                        sink = open_file_sink(file(), earlier);
                    } catch (const std::runtime_error&) {  // another run has the name
                    }
                });
            }
        }
        const auto got_it = [](const auto& sink) { return sink != nullptr; };
        ASSERT_EQ(std::ranges::count_if(sinks, got_it), 1) << "round " << round;
        (*std::ranges::find_if(sinks, got_it))->append(bytes_of("new"));
        EXPECT_EQ(content_of(part()), "new");
        sinks.clear();
        fs::remove(part());
    }
}

TEST_F(FileSink, WhatIsNoLogIsNeverReplacedUnderEitherName) {
    for (const fs::path& taken : {file(), part()}) {
        std::ofstream(taken) << "a text";
        EXPECT_THROW(static_cast<void>(open_file_sink(file(), kReplaced)), UsageError) << taken;
        EXPECT_EQ(content_of(taken), "a text");
        fs::remove(taken);
        fs::create_directory(taken);
        EXPECT_THROW(static_cast<void>(open_file_sink(file(), kReplaced)), UsageError) << taken;
        fs::remove(taken);
    }
    EXPECT_EQ(files_in(folder_.path()), 0);
}

TEST_F(FileSink, ALinkInPlaceOfThePartIsNotFollowed) {
    const fs::path other = folder_.path() / "other.glog";
    std::ofstream(other) << log_of("another run's");
    fs::create_symlink(other, part());
    EXPECT_THROW(static_cast<void>(open_file_sink(file(), kReplaced)), UsageError);
    fs::remove(part());
    fs::create_symlink(folder_.path() / "not there", part());
    EXPECT_THROW(static_cast<void>(open_file_sink(file(), kReplaced)), UsageError);
    EXPECT_EQ(content_of(other), log_of("another run's"));
    EXPECT_FALSE(fs::exists(folder_.path() / "not there"));
}

TEST_F(FileSink, AFileThatIsTheOlderPartUnderAnotherNameAsWellStaysAsItIs) {
    const fs::path other = folder_.path() / "other.glog";
    std::ofstream(other) << log_of("another run's");
    fs::create_hard_link(other, part());
    const auto sink = open_file_sink(file(), kReplaced);
    sink->append(bytes_of("new"));
    sink->close();
    EXPECT_EQ(content_of(other), log_of("another run's"));
    EXPECT_EQ(content_of(file()), "new");
}

TEST_F(FileSink, AFifoInPlaceOfThePartHoldsNothingUp) {
    ASSERT_EQ(::mkfifo(part().c_str(), 0600), 0);
    EXPECT_THROW(static_cast<void>(open_file_sink(file())), UsageError);
}

TEST_F(FileSink, ALogThatWasNeverBegunLeavesNothing) {
    static_cast<void>(open_file_sink(file()));
    EXPECT_EQ(files_in(folder_.path()), 0);
}

TEST_F(FileSink, ALogThatIsNotWantedAnyMoreIsRemoved) {
    std::vector<std::unique_ptr<LogSink>> sinks;
    sinks.push_back(open_file_sink(file()));
    const auto sink = tee(std::move(sinks));
    sink->append(bytes_of("begun"));
    sink->abandon();
    EXPECT_EQ(files_in(folder_.path()), 0);
}

TEST_F(FileSink, ALogThatIsNotToBeKeptReplacesNothingAndLeavesNothing) {
    std::ofstream(file()) << log_of("kept");
    const auto sink = open_discarded_file_sink(file());
    sink->append(bytes_of("not kept"));
    const auto other = open_discarded_file_sink(file());
    sink->close();
    EXPECT_EQ(files_in(folder_.path()), 1);
    EXPECT_EQ(content_of(file()), log_of("kept"));
}

TEST_F(FileSink, OnlyAFileWithANameTakesANameFromElsewhere) {
    ASSERT_EQ(::mkfifo(file().c_str(), 0600), 0);
    EXPECT_THROW(static_cast<void>(open_named_file_sink(file())), UsageError);
    EXPECT_THROW(static_cast<void>(open_named_file_sink("/dev/null")), UsageError);
}

TEST_F(FileSink, TwoRunsCannotWriteTheSameLog) {
    const auto first = open_file_sink(file());
    first->append(bytes_of("first"));
    EXPECT_THROW(static_cast<void>(open_file_sink(file(), kReplaced)), RunError);
    first->close();
    EXPECT_EQ(content_of(file()), "first");
}

TEST_F(FileSink, ALogThatIsBeingWrittenIsNotReplacedUnderAnotherNameOfIt) {
    const auto first = open_file_sink(file());
    first->append(bytes_of(log_of("first")));
    fs::create_hard_link(part(), folder_.path() / "SEND~1.PAR");  // as where the file system takes two names for one
    EXPECT_THROW(static_cast<void>(open_file_sink(folder_.path() / "SEND~1.PAR", kReplaced)), RunError);
}

TEST_F(FileSink, ALogIsNotCalledAsThePartOfAnother) {
    for (const char* name : {"send.glog.part", "send.glog.PART", ".part"}) {
        EXPECT_THROW(static_cast<void>(open_file_sink(folder_.path() / name)), UsageError) << name;
    }
}

TEST_F(FileSink, RecordsOfAnotherDoNotGetTheNameOfALog) {
    const auto sink = open_file_sink(file());
    sink->append(bytes_of("honest"));
    std::ofstream(folder_.path() / "other") << log_of("another's");
    fs::rename(folder_.path() / "other", part());
    EXPECT_THROW(sink->close(), RunError);
    EXPECT_FALSE(fs::exists(file()));
    EXPECT_EQ(content_of(part()), log_of("another's"));
}

TEST_F(FileSink, AFolderThatIsMissingIsSaidBeforeTheRun) {
    try {
        static_cast<void>(open_file_sink(folder_.path() / "no" / "send.glog"));
        FAIL() << "opened a log in a folder that is not there";
    } catch (const SystemError& error) {
        EXPECT_EQ(error.errno_value(), ENOENT);
        EXPECT_THAT(error.what(), testing::HasSubstr("/no/send.glog"));
    }
}

TEST_F(FileSink, AFolderIsNotALog) {
    EXPECT_THROW(static_cast<void>(open_file_sink(folder_.path())), UsageError);
}

TEST_F(FileSink, AFullDiskIsSaidWithTheNameOfTheLog) {
    const auto sink = open_file_sink("/dev/full");
    try {
        sink->append(bytes_of("x"));
        FAIL() << "wrote to a full disk";
    } catch (const SystemError& error) {
        EXPECT_EQ(error.errno_value(), ENOSPC);
        EXPECT_THAT(error.what(), testing::HasSubstr("cannot write /dev/full: No space left"));
    }
}

TEST_F(FileSink, AnErrorIsNotForgottenAtTheEnd) {
    const auto sink = open_file_sink("/dev/full");
    EXPECT_THROW(sink->append(bytes_of("x")), SystemError);
    EXPECT_THROW(sink->append(bytes_of("x")), SystemError);
    EXPECT_THROW(sink->close(), SystemError);
}

TEST_F(FileSink, ADeviceIsWrittenUnderItsOwnName) {
    const auto sink = open_file_sink("/dev/null");
    sink->append(bytes_of("x"));
    sink->close();
    EXPECT_FALSE(fs::exists("/dev/null.part"));
    EXPECT_TRUE(fs::is_character_file("/dev/null"));
}

TEST_F(FileSink, SaysWhichLogItIs) {
    EXPECT_EQ(open_file_sink(file())->describe(), file().string());
}

}  // namespace
}  // namespace groma
