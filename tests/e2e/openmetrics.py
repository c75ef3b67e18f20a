"""Reads metrics as strictly as the specification of OpenMetrics 1.0 has them, for the families that Groma has."""
import math
import re

NAME = r"[a-zA-Z_:][a-zA-Z0-9_:]*"
SAMPLE = re.compile(rf'({NAME})(?:\{{((?:[a-z_]+="(?:[^"\\\n]|\\[\\"n])*",?)*)\}})? (\S+)')
LABEL = re.compile(r'([a-z_]+)="((?:[^"\\\n]|\\[\\"n])*)"')
SUFFIXES = {"counter": ("_total",), "gauge": ("",), "info": ("_info",), "histogram": ("_bucket", "_sum", "_count")}


class Metrics:
    """`metrics["groma_x_total"]`, `metrics["groma_y_total", "cause", "room"]`."""

    def __init__(self, text: str):
        lines = text.split("\n")
        assert lines[-2:] == ["# EOF", ""], f"ends with {lines[-2:]}"
        self.types: dict[str, str] = {}
        self.values: dict[tuple, float] = {}
        family, units = "", {}
        for line in lines[:-2]:
            if line.startswith("# "):
                _, what, name, rest = line.split(" ", 3)
                if what == "TYPE":
                    assert name not in self.types, f"{name} is there twice"
                    family, self.types[name] = name, rest
                assert name == family and what in ("TYPE", "UNIT", "HELP"), line
                if what == "UNIT":
                    units[name] = rest
                    assert name.endswith(f"_{rest}"), line
            else:
                self._take(line, family)
        for name, kind in self.types.items():
            if kind == "histogram":
                self._check_histogram(name)
            assert units.get(name) or not name.endswith(("_seconds", "_bytes")), f"{name} has no unit"

    def __getitem__(self, key) -> float:
        return self.values[key if isinstance(key, tuple) else (key,)]

    def _take(self, line: str, family: str):
        found = SAMPLE.fullmatch(line)
        assert found, f"this is no sample: {line}"
        name, labels, value = found.groups()
        kind = self.types[family]
        assert name in [family + suffix for suffix in SUFFIXES[kind]], f"{name} is not of {family}"
        key = (name, *(word for pair in LABEL.findall(labels or "") for word in pair))
        assert key not in self.values, f"{key} is there twice"
        self.values[key] = float(value)
        assert kind in ("gauge", "histogram") or self.values[key] >= 0, line
        assert kind != "info" or self.values[key] == 1, line

    def _check_histogram(self, name: str):
        buckets = [(math.inf if key[2] == "+Inf" else float(key[2]), value) for key, value in self.values.items() if key[0] == f"{name}_bucket"]
        assert buckets == sorted(buckets) and len({bound for bound, _ in buckets}) == len(buckets), buckets
        assert [value for _, value in buckets] == sorted(value for _, value in buckets), buckets
        assert buckets[-1] == (math.inf, self[f"{name}_count"]), buckets
        assert buckets[0][0] == 1e-6 and buckets[-2][0] == 10, buckets
