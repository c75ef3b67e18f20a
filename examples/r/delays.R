# Draws the distribution of the one-way delay of each flow, and its mean over time:
#
#   $ groma-dec run --sqlite results.sqlite --interval 100ms
#   $ Rscript delays.R results.sqlite delays.pdf
#
# Prints a table of the flows. Needs R and its package RSQLite (Debian: r-base-core, r-cran-rsqlite).
library(RSQLite)

words <- commandArgs(trailingOnly = TRUE)
if (length(words) != 2) stop("usage: Rscript delays.R RESULTS.sqlite PICTURE.pdf")
results <- dbConnect(SQLite(), words[1], flags = SQLITE_RO)
query <- function(sql, parameters = NULL) dbGetQuery(results, sql, params = parameters)

# docs/reference/sqlite-schema.md describes the tables. Of several runs, this takes the first.
flows <- query("SELECT flow, receiver, name, received_packets AS received, lost, delay_p50_ns / 1e6 AS p50_ms, delay_p99_ns / 1e6 AS p99_ms
                FROM flows WHERE run = 1 ORDER BY flow, receiver")
print(flows, row.names = FALSE)

delays <- lapply(seq_len(nrow(flows)), function(i) {
  query("SELECT high / 1e6 AS ms, count FROM histograms WHERE run = 1 AND kind = 'delay' AND flow = ? AND receiver = ? ORDER BY low",
        list(flows$flow[i], flows$receiver[i]))
})
series <- query("SELECT flow, receiver, t_s, delay_mean_ns / 1e6 AS ms FROM series WHERE run = 1 AND delay_mean_ns IS NOT NULL ORDER BY t_s")
dbDisconnect(results)

known <- which(sapply(delays, nrow) > 0)
if (length(known) == 0) stop("no flow has delays: were both hosts' logs decoded?")
pdf(words[2])
plot(range(sapply(delays[known], function(bins) range(bins$ms))), c(0, 1), type = "n", xlab = "one-way delay (ms)", ylab = "share of packets")
for (i in known) lines(delays[[i]]$ms, cumsum(delays[[i]]$count) / sum(delays[[i]]$count), type = "s", col = i)
legend("bottomright", flows$name[known], col = known, lty = 1)
plot(range(series$t_s), range(series$ms), type = "n", xlab = "time in the run (s)", ylab = "mean one-way delay (ms)")
for (i in known) {
  own <- series[series$flow == flows$flow[i] & series$receiver == flows$receiver[i], ]
  lines(own$t_s, own$ms, col = i)
}
legend("topright", flows$name[known], col = known, lty = 1)
invisible(dev.off())
