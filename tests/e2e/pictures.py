"""The visible contents of groma-plot's pictures: pixels of PNG and PDF pictures, and their words."""
from __future__ import annotations

import pathlib
import re
import struct
import subprocess
import xml.etree.ElementTree
import zlib

import numpy

WIDTH, HEIGHT = 1280, 720  # of a PNG picture; the others are rendered in this size
SVG = "{http://www.w3.org/2000/svg}"


def unfiltered(row, kind: int, above):
    """A row of 8-bit RGB before PNG's filter (PNG specification, 9.2)."""
    if kind in (0, 2):
        return row + above * (kind == 2)
    if kind == 1:
        return numpy.cumsum(row.reshape(-1, 3), axis=0, dtype=numpy.uint8).ravel()
    left, up = [0, 0, 0], [0, 0, 0, *above.tolist()]
    for i, byte in enumerate(row.tolist()):
        a, b, c = left[i], up[i + 3], up[i]
        if kind == 3:
            guess = (a + b) // 2
        else:
            distance = abs(b - c), abs(a - c), abs(a + b - 2 * c)
            guess = (a, b, c)[distance.index(min(distance))]
        left.append((byte + guess) & 255)
    return numpy.array(left[3:], numpy.uint8)


def of_png(file: pathlib.Path):
    data, at, packed = file.read_bytes(), 8, b""
    width, height, depth, colours, *_, interlaced = struct.unpack(">IIBBBBB", data[16:29])
    assert (depth, colours, interlaced) == (8, 2, 0), file
    while at < len(data):
        length, kind = struct.unpack(">I4s", data[at:at + 8])
        packed += data[at + 8:at + 8 + length] if kind == b"IDAT" else b""
        at += 12 + length
    filtered = numpy.frombuffer(zlib.decompress(packed), numpy.uint8).reshape(height, 1 + 3 * width)
    row, rows = numpy.zeros(3 * width, numpy.uint8), []
    for line in filtered:
        row = unfiltered(line[1:], line[0], row)
        rows.append(row)
    return numpy.array(rows).reshape(height, width, 3)


def of_pdf(file: pathlib.Path):
    """Its only page."""
    ppm = subprocess.run(["pdftoppm", "-scale-to-x", str(WIDTH), "-scale-to-y", str(HEIGHT), file], capture_output=True, check=True).stdout
    header = f"P6\n{WIDTH} {HEIGHT}\n255\n".encode()
    assert ppm.startswith(header) and len(ppm) == len(header) + 3 * WIDTH * HEIGHT, f"{file} has more than one page"
    return numpy.frombuffer(ppm, numpy.uint8, offset=len(header)).reshape(HEIGHT, WIDTH, 3)


def ink(pixels) -> float:
    """Share of the pixels that are not white."""
    return float(numpy.mean(numpy.any(pixels < 250, axis=2)))


def colours(pixels, at_least: int) -> set:
    """Colours of lines and areas: the hues (sixths of the circle) of at least this number of pixels that are not
    grey."""
    values = pixels.reshape(-1, 3).astype(int)
    values = values[values.max(axis=1) - values.min(axis=1) > 60]
    red, green, blue = values.T
    hue = numpy.degrees(numpy.arctan2(numpy.sqrt(3) * (green - blue), 2 * red - green - blue)) % 360
    count = numpy.bincount((hue // 60).astype(int), minlength=6)
    return set(numpy.flatnonzero(count >= at_least).tolist())


def words_of_svg(file: pathlib.Path) -> set:
    texts = xml.etree.ElementTree.parse(file).iter(SVG + "text")
    return set(re.findall(r"[A-Za-z][\w-]+", " ".join("".join(text.itertext()) for text in texts)))


def words_of_pdf(file: pathlib.Path) -> set:
    said = subprocess.run(["pdftotext", "-raw", file, "-"], capture_output=True, check=True, text=True).stdout
    return set(re.findall(r"[A-Za-z][\w-]+", said))


def page_of_pdf(file: pathlib.Path):
    """Pages, width and height in mm."""
    about = subprocess.run(["pdfinfo", file], capture_output=True, check=True, text=True).stdout
    pages = int(re.search(r"^Pages: +(\d+)", about, re.MULTILINE)[1])
    width, height = map(float, re.search(r"^Page size: +([\d.]+) x ([\d.]+) pts", about, re.MULTILINE).groups())
    return pages, width * 25.4 / 72, height * 25.4 / 72
