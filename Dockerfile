# The programs of Groma, without the tools that build them (docs/guide/packages.md).
#   docker build -t groma .
#   docker run --rm --network host groma groma-recv --open-to-anyone
FROM debian:12 AS build
COPY . /groma
RUN /groma/scripts/package /packages

FROM debian:12-slim
COPY --from=build /packages /packages
RUN apt-get update && apt-get install -y --no-install-recommends /packages/groma*.deb fonts-dejavu-core gnuplot-nox libjs-dygraphs && rm -rf /packages /var/lib/apt/lists/*
WORKDIR /data
CMD ["groma-recv", "--help"]
