#include "decoder/fit_sqlite.hpp"

#include <SQLiteCpp/SQLiteCpp.h>

#include <cmath>
#include <string_view>

#include "common/model/flow_text.hpp"
#include "decoder/fit_schema.hpp"
#include "decoder/sqlite_file.hpp"
#include "decoder/sqlite_inserter.hpp"

namespace groma {

namespace {

std::optional<double> finite(double value) {
    return std::isfinite(value) ? std::optional(value) : std::nullopt;
}

/// The rows of all tables.
class FitWriter {
public:
    explicit FitWriter(SQLite::Database& database)
        : traffic_(database, "traffic", 10),
          families_(database, "families", 11),
          quantiles_(database, "quantiles", 5),
          densities_(database, "densities", 6),
          autocorrelation_(database, "autocorrelation", 5),
          dispersion_(database, "dispersion", 3),
          variance_time_(database, "variance_time", 3),
          wavelet_(database, "wavelet", 6),
          hurst_(database, "hurst", 6) {}

    void write(const TrafficFit& fit) {
        id_ = fit.number;
        traffic_ << id_ << fit.source << fit.name << to_string(fit.transport) << fit.packets << fit.bytes
                 << fit.first_ns << fit.duration_s << fit.packet_rate_pps << fit.bit_rate_bps;
        traffic_.end_row();
        write("gap", fit.gaps);
        write("size", fit.sizes);
        write(fit.counts);
    }

private:
    void write(std::string_view what, const ProcessFit& process) {
        std::uint32_t rank = 0;
        for (const FamilyFit& family : process.families) {
            families_ << id_ << what << ++rank << family_name(family.distribution)
                      << (what == "gap" ? idt_to_string(family.distribution) : size_to_string(family.distribution))
                      << std::uint32_t{family.parameters} << finite(family.log_likelihood) << family.lambda2
                      << family.lambda2_error << family.ks << family.a2;
            families_.end_row();
        }
        for (const QuantilePoint& point : process.quantiles) {
            quantiles_ << id_ << what << point.probability << point.observed << point.model;
            quantiles_.end_row();
        }
        for (const DensityBin& bin : process.densities) {
            densities_ << id_ << what << bin.low << bin.high << bin.count << bin.expected;
            densities_.end_row();
        }
        std::uint32_t lag = 0;
        for (const double value : process.autocorrelation) {
            autocorrelation_ << id_ << what << ++lag << value << process.band;
            autocorrelation_.end_row();
        }
    }

    void write(const CountFigures& counts) {
        for (const CountScale& scale : counts.scales) {
            dispersion_ << id_ << scale.scale_s << scale.dispersion;
            dispersion_.end_row();
            const double first = counts.scales.front().rate_variance;
            variance_time_ << id_ << scale.scale_s << (first > 0 ? finite(scale.rate_variance / first) : std::nullopt);
            variance_time_.end_row();
        }
        constexpr double kTwoSided95 = 1.959963984540054;
        std::uint32_t number = 0;
        for (const CountOctave& octave : counts.octaves) {
            const double apart = kTwoSided95 * octave.energy.error;
            const double energy = octave.energy.log2_energy;
            wavelet_ << id_ << ++number << octave.scale_s << energy << energy - apart << energy + apart;
            wavelet_.end_row();
        }
        if (counts.variance_time) {
            const HurstEstimate& it = *counts.variance_time;
            write("variance-time", it, counts.scales[it.first].scale_s, counts.scales[it.last].scale_s);
        }
        if (counts.wavelet) {
            const HurstEstimate& it = *counts.wavelet;
            write("wavelet", it, counts.octaves[it.first].scale_s, counts.octaves[it.last].scale_s);
        }
    }

    void write(std::string_view method, const HurstEstimate& it, double from, double to) {
        hurst_ << id_ << method << it.value << it.error << from << to;
        hurst_.end_row();
    }

    std::uint32_t id_ = 0;
    Inserter traffic_;
    Inserter families_;
    Inserter quantiles_;
    Inserter densities_;
    Inserter autocorrelation_;
    Inserter dispersion_;
    Inserter variance_time_;
    Inserter wavelet_;
    Inserter hurst_;
};

}  // namespace

void write_fit_sqlite(const FitResults& results, const std::filesystem::path& file) {
    write_sqlite_file(file, {kFitApplicationId, kFitVersion, kFitSchema}, [&results](SQLite::Database& database) {
        FitWriter writer(database);
        for (const TrafficFit& fit : results.traffic) {
            writer.write(fit);
        }
    });
}

}  // namespace groma
