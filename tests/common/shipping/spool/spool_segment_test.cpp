#include "common/shipping/spool/spool_segment.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>

#include <fstream>
#include <string_view>

#include "common/os/temporary_folder.hpp"

namespace groma {
namespace {

class SpoolSegmentTest : public testing::Test {
protected:
    void write(SpoolRecordKind kind, std::uint64_t number, std::span<const std::byte> bytes) const {
        std::ofstream out(file_, std::ios::binary | std::ios::app);
        const auto header = spool_header(kind, number, bytes);
        out.write(reinterpret_cast<const char*>(header.data()), header.size());
        out.write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
    }
    void write_piece(std::uint64_t number, std::string_view text) const {
        write(SpoolRecordKind::piece, number, std::as_bytes(std::span(text)));
    }
    void write_totals(const CloseLog& totals) const {
        write(SpoolRecordKind::totals, totals.pieces, spool_totals(totals));
    }
    [[nodiscard]] ScannedSegment scan() const {
        return scan_spool_segment(FileDescriptor(::open(file_.c_str(), O_RDONLY | O_CLOEXEC)), 7);
    }
    SpoolRead read(std::uint64_t number) {
        const SpoolRead result = reader_.read(number, bytes_);
        text_ = {reinterpret_cast<const char*>(bytes_.data()), bytes_.size()};
        return result;
    }

    TemporaryFolder folder_;
    std::filesystem::path file_ = segment_file(folder_.path(), 7);
    SegmentReader reader_;
    std::vector<std::byte> bytes_;
    std::string text_;
};

TEST_F(SpoolSegmentTest, ItsNameIsTheNumberOfItsFirstPiece) {
    EXPECT_EQ(file_.filename(), "00000000000000000007.pieces");
    EXPECT_EQ(first_of_segment(file_), 7U);
    for (const char* name :
         {"7.piece", "x7.pieces", "7x.pieces", ".pieces", "-7.pieces", "99999999999999999999.pieces"}) {
        EXPECT_FALSE(first_of_segment(name)) << name;
    }
}

TEST_F(SpoolSegmentTest, HasThePiecesThatFollowEachOtherAndTheTotalsBehindThem) {
    write_piece(7, "abc");
    write_piece(8, "de");
    const CloseLog totals{0, 9, 5, 42};
    write_totals(totals);
    const ScannedSegment whole = scan();
    EXPECT_EQ(whole.segment.end, 9U);
    EXPECT_EQ(whole.segment.bytes, std::filesystem::file_size(file_));
    EXPECT_EQ(whole.totals, totals);
    EXPECT_FALSE(whole.damaged);
    write_totals(totals);
    EXPECT_TRUE(scan().damaged) << "nothing follows the totals";
}

TEST_F(SpoolSegmentTest, APieceThatDoesNotFollowIsDamageAndATornOneIsNot) {
    write_piece(7, "abc");
    const auto before = std::filesystem::file_size(file_);
    write_piece(9, "de");
    EXPECT_TRUE(scan().damaged);
    EXPECT_EQ(scan().segment.end, 8U);
    EXPECT_EQ(scan().segment.bytes, before);
    std::filesystem::resize_file(file_, before + 1);
    EXPECT_FALSE(scan().damaged);
    EXPECT_EQ(scan().segment.bytes, before);
}

TEST_F(SpoolSegmentTest, IsReadOnWhileItIsWritten) {
    EXPECT_EQ(read(7), SpoolRead::missing) << "of no file";
    write_piece(7, "abc");
    write_piece(8, "de");
    reader_ = SegmentReader(file_, 7);
    EXPECT_TRUE(reader_.is_before(7, 8));
    EXPECT_EQ(read(8), SpoolRead::piece);
    EXPECT_EQ(text_, "de");
    EXPECT_FALSE(reader_.is_before(7, 8)) << "it does not go back";
    EXPECT_FALSE(reader_.is_before(6, 9));
    EXPECT_EQ(read(9), SpoolRead::missing);
    write_piece(9, "f");
    EXPECT_EQ(read(9), SpoolRead::piece);
    EXPECT_EQ(text_, "f");
    write_totals({0, 10, 6, 42});
    EXPECT_EQ(read(10), SpoolRead::missing);
}

TEST_F(SpoolSegmentTest, APieceThatDoesNotFollowIsNotGiven) {
    write_piece(7, "abc");
    write_piece(9, "de");
    reader_ = SegmentReader(file_, 7);
    EXPECT_EQ(read(9), SpoolRead::missing);
}

TEST_F(SpoolSegmentTest, ADamagedPieceIsNotGiven) {
    write_piece(7, "abc");
    std::fstream(file_, std::ios::binary | std::ios::in | std::ios::out).seekp(kSpoolHeaderBytes) << 'x';
    reader_ = SegmentReader(file_, 7);
    EXPECT_EQ(read(7), SpoolRead::damaged);
}

}  // namespace
}  // namespace groma
