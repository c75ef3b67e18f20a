// The tables of a file of fits (docs/guide/fit.md): a contract with readers of such files.
#pragma once

namespace groma {

inline constexpr const char* kFitSchema = R"sql(
CREATE TABLE traffic(id INTEGER PRIMARY KEY, source TEXT, name TEXT, transport TEXT, packets INTEGER, bytes INTEGER,
    first_ns INTEGER, duration_s REAL, packet_rate_pps REAL, bit_rate_bps REAL);
CREATE TABLE families(traffic INTEGER, what TEXT, rank INTEGER, family TEXT, text TEXT, parameters INTEGER,
    log_likelihood REAL, lambda2 REAL, lambda2_error REAL, ks REAL, a2 REAL, mean_ratio REAL);
CREATE TABLE quantiles(traffic INTEGER, what TEXT, probability REAL, observed REAL, model REAL);
CREATE TABLE densities(traffic INTEGER, what TEXT, low REAL, high REAL, count INTEGER, model REAL);
CREATE TABLE autocorrelation(traffic INTEGER, what TEXT, lag INTEGER, value REAL, band REAL);
CREATE TABLE dispersion(traffic INTEGER, scale_s REAL, idc REAL);
CREATE TABLE variance_time(traffic INTEGER, scale_s REAL, variance REAL);
CREATE TABLE wavelet(traffic INTEGER, octave INTEGER, scale_s REAL, log2_energy REAL, low REAL, high REAL);
CREATE TABLE hurst(traffic INTEGER, method TEXT, value REAL, error REAL, from_s REAL, to_s REAL);
CREATE INDEX families_by_traffic ON families(traffic, what, rank);
CREATE INDEX quantiles_by_traffic ON quantiles(traffic, what, probability);
CREATE INDEX densities_by_traffic ON densities(traffic, what, low);
CREATE INDEX autocorrelation_by_traffic ON autocorrelation(traffic, what, lag);
)sql";

}  // namespace groma
