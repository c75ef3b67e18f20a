#include "common/shipping/spool/spool.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <algorithm>
#include <fstream>
#include <limits>

#include "common/base/errors.hpp"
#include "common/os/temporary_folder.hpp"
#include "common/shipping/spool/spool_folders.hpp"
#include "tests/files.hpp"

namespace groma {
namespace {

constexpr MonoTime kNow{Nanos{1}};

namespace fs = std::filesystem;

std::vector<std::byte> piece(std::uint64_t number, std::size_t bytes = 100) {
    std::vector<std::byte> content(bytes);
    for (std::size_t i = 0; i < bytes; ++i) {
        content[i] = static_cast<std::byte>((number * 31 + i) & 0xffU);
    }
    return content;
}

class SpoolTest : public testing::Test {
protected:
    SpoolDescription description(char token = 'a') const {
        return {.server = "10.0.0.3:9001",
                .transport = LogTransport::tcp,
                .experiment = "voip-1a2b3c4d",
                .name = "sender",
                .token = token_from_hex(std::string(32, token)),
                .program = "groma-send 0.1.0",
                .started = wall_time_from_ns(1'700'000'000'000'000'000)};
    }
    std::unique_ptr<Spool> create(char token = 'a') { return Spool::create(parent(), description(token), budget_); }
    fs::path parent() const { return directory_.path() / "state" / "spool"; }
    fs::path folder(char token = 'a') const { return parent() / std::string(32, token); }
    /// With pieces 0 to count-1, as a program that died leaves it.
    void leave(std::uint64_t count, bool sealed, std::size_t bytes = 100) {
        const auto spool = create();
        for (std::uint64_t i = 0; i < count; ++i) {
            ASSERT_TRUE(spool->append(i, piece(i, bytes)));
        }
        if (sealed) {
            ASSERT_TRUE(spool->seal(CloseLog{0, count, count * bytes, 42}));
        }
    }
    std::vector<fs::path> segments() const {
        std::vector<fs::path> found;
        for (const auto& entry : fs::directory_iterator(folder())) {
            if (entry.path().extension() == ".pieces") {
                found.push_back(entry.path());
            }
        }
        std::ranges::sort(found);
        return found;
    }

    TemporaryFolder directory_;
    SpoolBudget budget_{1U << 30U};
};

TEST_F(SpoolTest, WhatIsLeftOnTheDiskCountsUntilItIsDelivered) {
    SpoolBudget budget(20'000);
    const std::vector<std::byte> piece(12'000);
    {
        const auto left = Spool::create(parent(), description('a'), budget);
        EXPECT_TRUE(left->append(0, piece));
    }
    EXPECT_EQ(budget.used(), 0U);
    const auto spool = Spool::create(parent(), description('b'), budget);
    EXPECT_FALSE(spool->append(0, piece));
    budget.measured(bytes_on_disk(spools_in(parent())), kNow);
    EXPECT_FALSE(spool->append(0, piece));
    Spool::open(parent() / std::string(32, 'a'))->discard();
    budget.measured(bytes_on_disk(spools_in(parent())), kNow);
    EXPECT_TRUE(spool->append(0, piece));
    EXPECT_EQ(bytes_on_disk(spools_in(parent())), (SpooledBytes{{"", budget.used()}}));
}

TEST_F(SpoolTest, WhatAProgramLeftIsAllThere) {
    leave(5, true);
    const auto spool = Spool::open(folder());
    ASSERT_NE(spool, nullptr);
    EXPECT_EQ(spool->description(), description());
    EXPECT_EQ(spool->first(), 0U);
    EXPECT_EQ(spool->end(), 5U);
    EXPECT_EQ(spool->damage(), "");
    EXPECT_EQ(spool->totals(), (CloseLog{0, 5, 500, 42}));
    std::vector<std::byte> bytes;
    for (const std::uint64_t number : {0U, 1U, 2U, 4U, 1U, 3U}) {
        spool->read(number, bytes);
        EXPECT_EQ(bytes, piece(number));
    }
    EXPECT_THROW(spool->read(5, bytes), RunError);
}

TEST_F(SpoolTest, IsReadWhileItIsWritten) {
    const auto spool = create();
    std::vector<std::byte> bytes;
    for (std::uint64_t i = 0; i < 100; ++i) {
        ASSERT_TRUE(spool->append(i, piece(i)));
        spool->read(i / 2, bytes);
        EXPECT_EQ(bytes, piece(i / 2));
    }
}

TEST_F(SpoolTest, IsNobodyElsesWhileItsProgramLives) {
    const auto spool = create();
    EXPECT_EQ(Spool::open(folder()), nullptr);
}

TEST_F(SpoolTest, OthersCannotLookIntoIt) {
    const auto spool = create();
    for (const fs::path& path : {folder(), parent()}) {
        struct stat about {};
        ASSERT_EQ(::stat(path.c_str(), &about), 0);
        EXPECT_EQ(about.st_mode & 0777U, 0700U) << path;
    }
}

TEST_F(SpoolTest, IsGoneWhenItsLogIsDelivered) {
    create()->discard();
    EXPECT_FALSE(fs::exists(folder()));
    EXPECT_EQ(files_in(parent()), 0);
}

TEST_F(SpoolTest, WhatIsLeftOfOneThatWasDeliveredIsNoSpoolAndGoes) {
    leave(3, true);
    // As left by a program that ended while it removed the folder.
    fs::rename(folder(), parent() / ('.' + std::string(32, 'a') + ".delivered"));
    EXPECT_TRUE(spools_in(parent()).empty());
    const auto living = create('b');
    const std::vector<std::string> of_the_user{"notes.delivered", ".delivered", "delivered",
                                               std::string(32, 'a') + ".delivered",
                                               '.' + std::string(31, 'a') + ".delivered"};
    for (const std::string& name : of_the_user) {
        fs::create_directory(parent() / name);
    }
    remove_delivered(parent());
    EXPECT_EQ(files_in(parent()), 1 + std::ssize(of_the_user));
    EXPECT_EQ(spools_in(parent()), std::vector<fs::path>{folder('b')});
}

TEST_F(SpoolTest, KeepsOnlyTheSegmentsThatAreStillNeeded) {
    SpoolBudget budget(64 * 1024);  // segments of 8 KiB
    const auto spool = Spool::create(parent(), description(), budget);
    for (std::uint64_t i = 0; i < 30; ++i) {
        ASSERT_TRUE(spool->append(i, piece(i, 1000)));
    }
    const std::size_t all = segments().size();
    EXPECT_GE(all, 3U);
    const std::uint64_t used = budget.used();
    spool->forget(20);
    EXPECT_LT(segments().size(), all);
    EXPECT_LT(budget.used(), used);
    EXPECT_LE(spool->first(), 20U);
    std::vector<std::byte> bytes;
    spool->read(20, bytes);
    EXPECT_EQ(bytes, piece(20, 1000));
    spool->forget(30);
    ASSERT_TRUE(spool->append(30, piece(30, 1000)));
    EXPECT_EQ(segments().size(), 1U);
}

TEST_F(SpoolTest, SaysThatItIsFullAndTakesMoreWhenThereIsRoomAgain) {
    SpoolBudget budget(20'000);
    const auto spool = Spool::create(parent(), description(), budget);
    std::uint64_t taken = 0;
    while (spool->append(taken, piece(taken, 1000))) {
        ++taken;
    }
    EXPECT_GT(taken, 10U);
    EXPECT_NE(spool->error().find("--spool-limit"), std::string::npos) << spool->error();
    EXPECT_LE(budget.used(), 20'000U);
    spool->forget(taken);
    EXPECT_TRUE(spool->append(taken, piece(taken, 1000)));
}

TEST_F(SpoolTest, PiecesThatTheServerHasMayBeMissing) {
    {
        const auto spool = create();
        ASSERT_TRUE(spool->append(0, piece(0)));
        ASSERT_TRUE(spool->append(1, piece(1)));
        ASSERT_TRUE(spool->append(7, piece(7)));
        ASSERT_TRUE(spool->append(8, piece(8)));
    }
    const auto spool = Spool::open(folder());
    EXPECT_EQ(spool->first(), 7U);
    EXPECT_EQ(spool->end(), 9U);
    std::vector<std::byte> bytes;
    spool->read(8, bytes);
    EXPECT_EQ(bytes, piece(8));
}

TEST_F(SpoolTest, ATornTailIsAShortSpoolWhereverItIsTorn) {
    leave(3, true);
    const auto files = segments();
    ASSERT_EQ(files.size(), 1U);
    const std::string whole = content_of(files[0]);
    const std::size_t record = 24 + 100;
    for (std::size_t cut = whole.size(); cut-- > 0;) {
        fs::resize_file(files[0], cut);
        const auto spool = Spool::open(folder());
        ASSERT_NE(spool, nullptr);
        ASSERT_EQ(spool->end(), std::min<std::uint64_t>(3, cut / record)) << cut;
        EXPECT_EQ(spool->damage(), "");
        EXPECT_FALSE(spool->totals().has_value()) << cut;
        std::vector<std::byte> bytes;
        for (std::uint64_t i = 0; i < spool->end(); ++i) {
            spool->read(i, bytes);
            EXPECT_EQ(bytes, piece(i));
        }
    }
}

TEST_F(SpoolTest, DamageIsNeverTakenForAPieceWhateverByteItIs) {
    leave(3, true);
    const auto file = segments().at(0);
    const std::string whole = content_of(file);
    for (std::size_t at = 0; at < whole.size(); ++at) {
        std::string damaged = whole;
        damaged[at] = static_cast<char>(damaged[at] ^ 0x55);
        std::ofstream(file, std::ios::binary) << damaged;
        const auto spool = Spool::open(folder());
        const std::uint64_t intact = std::min<std::uint64_t>(3, at / (24 + 100));
        ASSERT_EQ(spool->end(), intact) << at;
        EXPECT_FALSE(spool->totals().has_value()) << at;
        std::vector<std::byte> bytes;
        for (std::uint64_t i = 0; i < intact; ++i) {
            spool->read(i, bytes);
            EXPECT_EQ(bytes, piece(i));
        }
    }
}

TEST_F(SpoolTest, ADamagedRecordIsNamed) {
    leave(3, true);
    const auto file = segments().at(0);
    std::string content = content_of(file);
    content[150] = static_cast<char>(content[150] ^ 1);
    std::ofstream(file, std::ios::binary) << content;
    EXPECT_NE(Spool::open(folder())->damage().find("at byte 124"), std::string::npos)
        << Spool::open(folder())->damage();
}

void append_record(const fs::path& file, std::uint64_t number) {
    const auto bytes = piece(number);
    const auto header = spool_header(SpoolRecordKind::piece, number, bytes);
    std::ofstream out(file, std::ios::binary | std::ios::app);
    out.write(reinterpret_cast<const char*>(header.data()), header.size());
    out.write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
}

TEST_F(SpoolTest, APieceBehindTheTotalsIsNoneOfTheLog) {
    leave(2, true);
    append_record(segments().back(), 2);
    const auto spool = Spool::open(folder());
    EXPECT_EQ(spool->end(), 2U);
    EXPECT_EQ(spool->totals(), (CloseLog{0, 2, 200, 42}));
    EXPECT_NE(spool->damage(), "");
}

TEST_F(SpoolTest, NumbersOfPiecesDoNotBeginAnew) {
    create();
    constexpr std::uint64_t kLast = std::numeric_limits<std::uint64_t>::max();
    for (const std::uint64_t number : {kLast - 1, kLast}) {
        append_record(folder() / (std::to_string(kLast - 1) + ".pieces"), number);
    }
    const auto spool = Spool::open(folder());
    EXPECT_EQ(spool->first(), kLast - 1);
    EXPECT_EQ(spool->end(), kLast);
    EXPECT_NE(spool->damage(), "");
}

TEST_F(SpoolTest, ADescriptionThatCannotBeUnderstoodIsNamed) {
    leave(1, false);
    for (const char* bad : {"", "{", "[]", "{\"protocol\": 2}", R"({"protocol": 99, "server": "h:1"})"}) {
        std::ofstream(folder() / "log.json") << bad;
        try {
            (void)Spool::open(folder());
            FAIL() << bad;
        } catch (const RunError& error) {
            EXPECT_NE(std::string(error.what()).find("log.json"), std::string::npos);
        }
    }
}

TEST_F(SpoolTest, OnlyFoldersThatLookLikeSpoolsAreSpools) {
    EXPECT_TRUE(spools_in(parent()).empty());
    leave(1, false);
    fs::create_directories(parent() / "photographs");
    fs::create_directories(parent() / ('.' + std::string(32, 'b')));
    std::ofstream(parent() / std::string(32, 'c')) << "a file";
    EXPECT_EQ(spools_in(parent()), std::vector{folder()});
}

TEST(SpoolDescription, ComesBackAsItWas) {
    const SpoolDescription description{.server = "[fd99::3]:9001",
                                       .transport = LogTransport::udp,
                                       .experiment =
                                           "\xc3\xbc"
                                           "bung-1a2b3c4d",
                                       .name = "receiver-b",
                                       .token = token_from_hex("00112233445566778899aabbccddeeff"),
                                       .program = "groma-recv 0.1.0",
                                       .started = wall_time_from_ns(123)};
    EXPECT_EQ(parse_spool_description(to_json(description)), description);
}

TEST(SpoolDescription, ItsNamesAreNoPaths) {
    SpoolDescription description{.server = "c", .experiment = "../etc", .name = "a", .token = {}, .program = "p"};
    EXPECT_THROW((void)parse_spool_description(to_json(description)), RunError);
    description.experiment = "e";
    description.name = "a/b";
    EXPECT_THROW((void)parse_spool_description(to_json(description)), RunError);
}

}  // namespace
}  // namespace groma
