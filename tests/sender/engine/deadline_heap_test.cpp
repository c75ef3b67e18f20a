#include "sender/engine/deadline_heap.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

namespace groma {
namespace {

MonoTime at(std::int64_t ns) {
    return MonoTime{Nanos{ns}};
}

std::vector<std::uint32_t> drained(DeadlineHeap& heap) {
    std::vector<std::uint32_t> flows;
    while (not heap.empty()) {
        flows.push_back(heap.top().flow);
        heap.pop_top();
    }
    return flows;
}

TEST(DeadlineHeap, GivesFlowsInOrderOfTheirDeadlines) {
    std::mt19937 random(7);
    DeadlineHeap heap(1000);
    std::vector<std::int64_t> deadlines(1000);
    for (std::uint32_t flow = 0; flow < 1000; ++flow) {
        deadlines[flow] = static_cast<std::int64_t>(random() % 500);
        heap.push({at(deadlines[flow]), flow});
    }
    std::vector<std::uint32_t> expected(1000);
    for (std::uint32_t flow = 0; flow < 1000; ++flow) {
        expected[flow] = flow;
    }
    std::stable_sort(expected.begin(), expected.end(),
                     [&](std::uint32_t a, std::uint32_t b) { return deadlines[a] < deadlines[b]; });
    EXPECT_EQ(drained(heap), expected);
}

TEST(DeadlineHeap, OfEqualDeadlinesTheFirstFlowComesFirst) {
    DeadlineHeap heap(3);
    heap.push({at(5), 2});
    heap.push({at(5), 0});
    heap.push({at(5), 1});
    EXPECT_EQ(drained(heap), (std::vector<std::uint32_t>{0, 1, 2}));
}

TEST(DeadlineHeap, AMovedFlowTakesItsNewPlace) {
    DeadlineHeap heap(3);
    heap.push({at(1), 0});
    heap.push({at(2), 1});
    heap.push({at(3), 2});
    heap.move_top(at(4));
    EXPECT_EQ(drained(heap), (std::vector<std::uint32_t>{1, 2, 0}));
}

TEST(DeadlineHeap, StaysInOrderWhereverAFlowIsTakenOut) {
    for (std::uint32_t victim = 0; victim < 20; ++victim) {
        std::mt19937 random(victim);
        DeadlineHeap heap(20);
        std::vector<std::pair<std::int64_t, std::uint32_t>> others;
        for (std::uint32_t flow = 0; flow < 20; ++flow) {
            const auto deadline = static_cast<std::int64_t>(random() % 100);
            heap.push({at(deadline), flow});
            if (flow != victim) {
                others.emplace_back(deadline, flow);
            }
        }
        heap.remove_if([victim](std::uint32_t flow) { return flow == victim; });
        std::sort(others.begin(), others.end());
        std::vector<std::uint32_t> expected;
        for (const auto& other : others) {
            expected.push_back(other.second);
        }
        EXPECT_EQ(drained(heap), expected) << "without " << victim;
    }
}

TEST(DeadlineHeap, TakingOutAFlowThatIsNotThereChangesNothing) {
    DeadlineHeap heap(2);
    heap.push({at(1), 0});
    heap.remove_if([](std::uint32_t flow) { return flow == 9; });
    EXPECT_EQ(heap.size(), 1U);
}

}  // namespace
}  // namespace groma
