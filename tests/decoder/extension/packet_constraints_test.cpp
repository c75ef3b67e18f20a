// What the module hands down to a log; SQLite would hide what it gets wrong, for it compares again.
#include "decoder/extension/packet_constraints.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <memory>
#include <string>
#include <vector>

namespace groma {
namespace {

using Constraint = sqlite3_index_info::sqlite3_index_constraint;
using Order = sqlite3_index_info::sqlite3_index_orderby;
using Usage = sqlite3_index_info::sqlite3_index_constraint_usage;

constexpr std::int64_t kLeast = std::numeric_limits<std::int64_t>::min();
constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();

Constraint compares(PacketColumn column, int op, bool usable = true) {
    Constraint constraint{};
    constraint.iColumn = static_cast<int>(column);
    constraint.op = static_cast<unsigned char>(op);
    constraint.usable = usable ? 1 : 0;
    return constraint;
}

Order by(PacketColumn column, bool descending = false) {
    Order order{};
    order.iColumn = static_cast<int>(column);
    order.desc = descending ? 1 : 0;
    return order;
}

/// A query as SQLite asks what it would cost.
class PlannedQuery {
public:
    explicit PlannedQuery(std::vector<Constraint> constraints, std::vector<Order> orders = {})
        : constraints_(std::move(constraints)), orders_(std::move(orders)), usage_(constraints_.size()) {
        info_.nConstraint = static_cast<int>(constraints_.size());
        info_.aConstraint = constraints_.data();
        info_.aConstraintUsage = usage_.data();
        info_.nOrderBy = static_cast<int>(orders_.size());
        info_.aOrderBy = orders_.data();
        status_ = choose_constraints(info_);
    }
    PlannedQuery(const PlannedQuery&) = delete;
    PlannedQuery& operator=(const PlannedQuery&) = delete;
    ~PlannedQuery() { sqlite3_free(info_.idxStr); }

    [[nodiscard]] int status() const { return status_; }
    [[nodiscard]] std::string chosen() const { return info_.idxStr; }
    [[nodiscard]] const Usage& usage(std::size_t constraint) const { return usage_[constraint]; }
    [[nodiscard]] double cost() const { return info_.estimatedCost; }
    [[nodiscard]] bool ordered() const { return info_.orderByConsumed != 0 and info_.idxNum == 1; }

private:
    std::vector<Constraint> constraints_;
    std::vector<Order> orders_;
    std::vector<Usage> usage_;
    sqlite3_index_info info_{};
    int status_ = SQLITE_ERROR;
};

const Constraint kOfAFile = compares(PacketColumn::file, SQLITE_INDEX_CONSTRAINT_EQ);

TEST(PacketConstraints, HandDownWhatALogCanAnswerInTheOrderOfItsValues) {
    const PlannedQuery query({compares(PacketColumn::flow, SQLITE_INDEX_CONSTRAINT_EQ),
                              compares(PacketColumn::size, SQLITE_INDEX_CONSTRAINT_EQ), kOfAFile,
                              compares(PacketColumn::kind, SQLITE_INDEX_CONSTRAINT_GT),
                              compares(PacketColumn::seq, SQLITE_INDEX_CONSTRAINT_LE),
                              compares(PacketColumn::at_ns, SQLITE_INDEX_CONSTRAINT_LIKE),
                              compares(PacketColumn::seq, SQLITE_INDEX_CONSTRAINT_EQ, false)});
    EXPECT_EQ(query.status(), SQLITE_OK);
    EXPECT_EQ(query.chosen(), "feFesL");
    const int places[] = {1, 0, 2, 0, 3, 0, 0};
    for (std::size_t i = 0; i < std::size(places); ++i) {
        EXPECT_EQ(query.usage(i).argvIndex, places[i]) << i;
        EXPECT_EQ(query.usage(i).omit != 0, i == 2) << i;  // SQLite compares all but the hidden columns again
    }
}

TEST(PacketConstraints, WaitForTheTableThatNamesTheFile) {
    EXPECT_EQ(PlannedQuery({compares(PacketColumn::file, SQLITE_INDEX_CONSTRAINT_EQ, false)}).status(),
              SQLITE_CONSTRAINT);
    EXPECT_EQ(PlannedQuery({kOfAFile, compares(PacketColumn::sender_file, SQLITE_INDEX_CONSTRAINT_EQ, false)}).status(),
              SQLITE_CONSTRAINT);
}

TEST(PacketConstraints, MakeAPlanCheaperAndOneWithoutAFileTheWorst) {
    const PlannedQuery all({kOfAFile});
    const PlannedQuery of_a_flow({kOfAFile, compares(PacketColumn::flow, SQLITE_INDEX_CONSTRAINT_EQ)});
    const PlannedQuery of_a_packet({kOfAFile, compares(PacketColumn::seq, SQLITE_INDEX_CONSTRAINT_EQ)});
    const PlannedQuery of_no_file({compares(PacketColumn::seq, SQLITE_INDEX_CONSTRAINT_EQ)});
    EXPECT_LT(of_a_packet.cost(), of_a_flow.cost());
    EXPECT_LT(of_a_flow.cost(), all.cost());
    EXPECT_LT(all.cost(), of_no_file.cost());
}

TEST(PacketConstraints, OrderByRisingFlowsOnly) {
    EXPECT_TRUE(PlannedQuery({kOfAFile}, {by(PacketColumn::flow)}).ordered());
    EXPECT_FALSE(PlannedQuery({kOfAFile}, {by(PacketColumn::flow, true)}).ordered());
    EXPECT_FALSE(PlannedQuery({kOfAFile}, {by(PacketColumn::seq)}).ordered());
    EXPECT_FALSE(PlannedQuery({kOfAFile}, {by(PacketColumn::flow), by(PacketColumn::seq)}).ordered());
}

/// What is handed down of comparisons with these values, which are an SQL list.
PacketArguments handed_down(const char* chosen, const std::string& values) {
    sqlite3* opened = nullptr;
    EXPECT_EQ(sqlite3_open(":memory:", &opened), SQLITE_OK);
    const std::unique_ptr<sqlite3, decltype(&sqlite3_close)> database(opened, sqlite3_close);
    sqlite3_stmt* prepared = nullptr;
    EXPECT_EQ(sqlite3_prepare_v2(opened, ("SELECT " + values).c_str(), -1, &prepared, nullptr), SQLITE_OK) << values;
    const std::unique_ptr<sqlite3_stmt, decltype(&sqlite3_finalize)> statement(prepared, sqlite3_finalize);
    EXPECT_EQ(sqlite3_step(prepared), SQLITE_ROW);
    std::vector<std::unique_ptr<sqlite3_value, decltype(&sqlite3_value_free)>> kept;
    std::vector<sqlite3_value*> pointers;
    for (int i = 0; i < sqlite3_column_count(prepared); ++i) {
        kept.emplace_back(sqlite3_value_dup(sqlite3_column_value(prepared, i)), sqlite3_value_free);
        pointers.push_back(kept.back().get());
    }
    return read_constraints({1, chosen}, static_cast<int>(pointers.size()), pointers.data());
}

TEST(PacketConstraints, OfAValueAreTheRangeThatItLeaves) {
    const struct {
        const char* chosen;
        const char* value;
        PacketRange range;
    } cases[] = {
        {"se", "5", {5, 5}},
        {"sg", "5", {6, kMost}},
        {"sG", "5", {5, kMost}},
        {"sl", "5", {kLeast, 4}},
        {"sL", "5", {kLeast, 5}},
        {"se", "2.5", {1, 0}},
        {"sg", "2.5", {3, kMost}},
        {"sG", "-2.5", {-2, kMost}},
        {"sl", "2.5", {kLeast, 2}},
        {"sL", "-2.5", {kLeast, -3}},
        {"sg", "4.0", {5, kMost}},
        {"sg", "9223372036854775807", {1, 0}},
        {"sl", "-9223372036854775808", {1, 0}},
        {"se", "NULL", {1, 0}},
        {"se", "'x'", {kLeast, kMost}},    // SQLite compares itself
        {"sl", "9.1e15", {kLeast, kMost}}  // not every whole number near it is one of these
    };
    for (const auto& [chosen, value, range] : cases) {
        EXPECT_EQ(handed_down(chosen, value).query.seq, range) << chosen << ' ' << value;
    }
}

TEST(PacketConstraints, OfSeveralComparisonsHoldTogether) {
    const PacketArguments found =
        handed_down("FesGSesLfekete", "'recv.glog', 3, 'send.glog', 7, 2, 'returned', 1700000000");
    EXPECT_EQ(found.file, "recv.glog");
    EXPECT_EQ(found.sender_file, "send.glog");
    EXPECT_EQ(found.query.seq, (PacketRange{3, 7}));
    EXPECT_EQ(found.query.flow, (PacketRange{2, 2}));
    EXPECT_EQ(found.query.at, (PacketRange{1'700'000'000, 1'700'000'000}));
    EXPECT_EQ(found.query.kind, BlockType::round_trip);
    EXPECT_TRUE(found.query.by_flow);
}

TEST(PacketConstraints, OfAKindThatThereIsNotLeaveNothing) {
    const PacketArguments unknown = handed_down("ke", "'nothing'");
    EXPECT_EQ(unknown.query.kind, std::nullopt);
    EXPECT_EQ(unknown.query.flow, (PacketRange{1, 0}));
    EXPECT_EQ(handed_down("ke", "5").query.flow, PacketRange{});  // SQLite compares itself
}

}  // namespace
}  // namespace groma
