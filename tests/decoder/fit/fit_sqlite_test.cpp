#include "decoder/fit/fit_sqlite.hpp"

#include <SQLiteCpp/SQLiteCpp.h>
#include <gtest/gtest.h>

#include <cstdlib>

#include "common/base/errors.hpp"
#include "common/os/temporary_folder.hpp"
#include "decoder/fit/fit_schema.hpp"
#include "tests/decoder/fit_samples.hpp"
#include "tests/files.hpp"

namespace groma {
namespace {

class FitSqlite : public testing::Test {
protected:
    FitSqlite() { write_fit_sqlite(results_, file_); }

    double number(const std::string& query) { return database().execAndGet(query).getDouble(); }
    std::string text(const std::string& query) { return database().execAndGet(query).getString(); }

    const TemporaryFolder folder_;
    const std::string file_ = folder_.file("fit.sqlite");
    const FitResults results_ = fitted({{},
                                        {.name = "bulk",
                                         .transport = Transport::tcp,
                                         .gaps = Constant{2e6},
                                         .sizes = Normal{800, 100},
                                         .packets = 3000}});

private:
    SQLite::Database& database() {
        if (not database_) {
            database_.emplace(file_);
        }
        return *database_;
    }
    std::optional<SQLite::Database> database_;
};

TEST_F(FitSqlite, SaysWhatItIs) {
    EXPECT_EQ(number("PRAGMA application_id"), 0x67726f66);
    EXPECT_EQ(number("PRAGMA user_version"), 1);
    EXPECT_EQ(files_in(folder_.path()), 1);
}

TEST_F(FitSqlite, HasARowForEachFlowWithItsRates) {
    EXPECT_EQ(number("SELECT count(*) FROM traffic"), 2);
    EXPECT_EQ(text("SELECT source || ' ' || name || ' ' || transport FROM traffic WHERE id = 2"),
              "sample.pcap bulk tcp");
    EXPECT_EQ(number("SELECT packets FROM traffic WHERE id = 1"), 5000);
    EXPECT_EQ(number("SELECT first_ns FROM traffic WHERE id = 1"), 1.7e18);
    EXPECT_NEAR(number("SELECT packet_rate_pps FROM traffic WHERE id = 2"), 500, 1e-6);
    EXPECT_NEAR(number("SELECT bit_rate_bps / packet_rate_pps FROM traffic WHERE id = 2"), 6400, 100);
}

TEST_F(FitSqlite, HasTheFamiliesInTheirOrderAsGromaSendReadsThem) {
    EXPECT_EQ(text("SELECT family FROM families WHERE traffic = 1 AND what = 'gap' AND rank = 1"), "exp");
    EXPECT_EQ(text("SELECT text FROM families WHERE traffic = 1 AND what = 'size' AND rank = 1"), "unif:99.5:319.5");
    EXPECT_EQ(text("SELECT text FROM families WHERE traffic = 2 AND what = 'gap' AND rank = 1"), "const:500pps");
    EXPECT_EQ(text("SELECT family FROM families WHERE traffic = 2 AND what = 'size' AND rank = 1"), "normal");
    EXPECT_EQ(number("SELECT parameters FROM families WHERE traffic = 1 AND what = 'gap' AND rank = 1"), 1);
    EXPECT_LT(
        number("SELECT abs(lambda2) / lambda2_error FROM families WHERE traffic = 1 AND what = 'gap' AND rank = 1"), 4);
    EXPECT_EQ(
        number("SELECT count(*) FROM families WHERE traffic = 2 AND what = 'gap' AND lambda2 IS NULL AND rank = 1"), 1);
    EXPECT_EQ(number("SELECT count(DISTINCT rank) = max(rank) FROM families WHERE traffic = 1 AND what = 'gap'"), 1);
}

TEST_F(FitSqlite, HasWhatPicturesAreMadeOf) {
    EXPECT_GT(number("SELECT count(*) FROM quantiles WHERE traffic = 1 AND what = 'gap'"), 150);
    EXPECT_EQ(number("SELECT sum(count) FROM densities WHERE traffic = 1 AND what = 'gap'"), 4999);
    EXPECT_NEAR(number("SELECT sum(model) FROM densities WHERE traffic = 1 AND what = 'gap'"), 4999, 50);
    EXPECT_EQ(number("SELECT count(*) FROM autocorrelation WHERE traffic = 1 AND what = 'size'"), 100);
    EXPECT_EQ(number("SELECT count(*) FROM autocorrelation WHERE traffic = 2 AND what = 'gap'"), 0)
        << "a constant has none";
    EXPECT_NEAR(number("SELECT band FROM autocorrelation WHERE traffic = 1 AND what = 'gap' LIMIT 1"), 0.0277, 0.0001);
    EXPECT_GT(number("SELECT count(*) FROM dispersion WHERE traffic = 1"), 5);
    EXPECT_EQ(number("SELECT variance FROM variance_time WHERE traffic = 1 ORDER BY scale_s LIMIT 1"), 1);
    EXPECT_EQ(number("SELECT min(octave) FROM wavelet WHERE traffic = 1"), 1);
    EXPECT_EQ(number("SELECT count(*) FROM wavelet WHERE traffic = 1 AND low < log2_energy AND high > log2_energy"),
              number("SELECT count(*) FROM wavelet WHERE traffic = 1"));
    EXPECT_EQ(number("SELECT count(*) FROM hurst WHERE traffic = 1 AND from_s < to_s AND error > 0"), 2);
    EXPECT_NEAR(number("SELECT value FROM hurst WHERE traffic = 1 AND method = 'wavelet'"), 0.5, 0.25);
}

TEST_F(FitSqlite, CannotBeWrittenIsSaid) {
    EXPECT_THROW(write_fit_sqlite(results_, "/nonexistent/fit.sqlite"), RunError);
}

}  // namespace
}  // namespace groma
