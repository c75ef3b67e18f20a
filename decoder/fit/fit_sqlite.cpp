#include "decoder/fit/fit_sqlite.hpp"

#include <SQLiteCpp/SQLiteCpp.h>

#include <cmath>
#include <string_view>

#include "common/model/distributions/distribution_text.hpp"
#include "common/model/flow/flow_text.hpp"
#include "common/sqlite/figure_rows.hpp"
#include "common/stats/histograms/confidence.hpp"
#include "decoder/files/sqlite_file.hpp"
#include "decoder/fit/fit_schema.hpp"

namespace groma {

namespace {

std::optional<double> finite(double value) {
    return std::isfinite(value) ? std::optional(value) : std::nullopt;
}

/// The rows of all tables.
class FitWriter {
public:
    explicit FitWriter(SQLite::Database& database)
        : traffic_(database, "traffic",
                   {"id", "source", "name", "transport", "packets", "bytes", "first_ns", "duration_s",
                    "packet_rate_pps", "bit_rate_bps"}),
          families_(database, "families",
                    {"traffic", "what", "rank", "family", "text", "parameters", "log_likelihood", "lambda2",
                     "lambda2_error", "ks", "a2", "mean_ratio"}),
          quantiles_(database, "quantiles", {"traffic", "what", "probability", "observed", "model"}),
          densities_(database, "densities", {"traffic", "what", "low", "high", "count", "model"}),
          autocorrelation_(database, "autocorrelation", {"traffic", "what", "lag", "value", "band"}),
          dispersion_(database, "dispersion", {"traffic", "scale_s", "idc"}),
          variance_time_(database, "variance_time", {"traffic", "scale_s", "variance"}),
          wavelet_(database, "wavelet", {"traffic", "octave", "scale_s", "log2_energy", "low", "high"}),
          hurst_(database, "hurst", {"traffic", "method", "value", "error", "from_s", "to_s"}) {}

    void write(const TrafficFit& fit) {
        id_ = fit.number;
        traffic_.add(id_, fit.source, fit.name, to_string(fit.transport), fit.packets, fit.bytes, fit.first_ns,
                     fit.duration_s, fit.packet_rate_pps, fit.bit_rate_bps);
        write("gap", fit.gaps);
        write("size", fit.sizes);
        write(fit.counts);
    }

private:
    void write(std::string_view what, const ProcessFit& process) {
        std::uint32_t rank = 0;
        for (const FamilyFit& family : process.families) {
            families_.add(id_, what, ++rank, family_name(family.distribution),
                          (what == "gap" ? idt_to_string(family.distribution) : size_to_string(family.distribution)),
                          std::uint32_t{family.parameters}, finite(family.log_likelihood), family.lambda2,
                          family.lambda2_error, family.ks, family.a2, family.mean_ratio);
        }
        for (const QuantilePoint& point : process.quantiles) {
            quantiles_.add(id_, what, point.probability, point.observed, point.model);
        }
        for (const DensityBin& bin : process.densities) {
            densities_.add(id_, what, bin.low, bin.high, bin.count, bin.expected);
        }
        std::uint32_t lag = 0;
        for (const double value : process.autocorrelation) {
            autocorrelation_.add(id_, what, ++lag, value, process.band);
        }
    }

    void write(const CountFigures& counts) {
        for (const CountScale& scale : counts.scales) {
            dispersion_.add(id_, scale.scale_s, scale.dispersion);
            const double first = counts.scales.front().rate_variance;
            variance_time_.add(id_, scale.scale_s, first > 0 ? finite(scale.rate_variance / first) : std::nullopt);
        }
        std::uint32_t number = 0;
        for (const CountOctave& octave : counts.octaves) {
            const double apart = kTwoSided95 * octave.energy.error;
            const double energy = octave.energy.log2_energy;
            wavelet_.add(id_, ++number, octave.scale_s, energy, energy - apart, energy + apart);
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
        hurst_.add(id_, method, it.value, it.error, from, to);
    }

    std::uint32_t id_ = 0;
    TableRows traffic_;
    TableRows families_;
    TableRows quantiles_;
    TableRows densities_;
    TableRows autocorrelation_;
    TableRows dispersion_;
    TableRows variance_time_;
    TableRows wavelet_;
    TableRows hurst_;
};

}  // namespace

void write_fit_sqlite(const FitResults& results, const std::filesystem::path& file) {
    write_sqlite_file(file, kFitDatabase, kFitSchema, [&results](SQLite::Database& database) {
        FitWriter writer(database);
        for (const TrafficFit& fit : results.traffic) {
            writer.write(fit);
        }
    });
}

}  // namespace groma
