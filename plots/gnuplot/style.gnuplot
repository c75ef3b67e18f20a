# How Groma's pictures look: the one place for sizes, fonts, colours, dashes and marks. groma-plot has it built in;
# groma-plot --style FILE runs FILE behind it, so that FILE needs to hold only what is to be different.
set encoding utf8
svg_terminal = "svg size 960,540 dynamic background rgb 'white' font 'sans-serif,13' noenhanced"
png_terminal = "pngcairo size 1280,720 font 'sans,13' noenhanced"
pdf_terminal = "pdfcairo size 17cm,9.6cm font 'sans,9' noenhanced"

# Okabe and Ito 2008: told apart by all common kinds of colour vision; in an order of falling contrast to white. Numbers of
# colours, dashes and marks have no common divisor where it matters: 35 curves differ in print without colour.
colours = "0072B2 D55E00 009E73 CC79A7 000000 E69F00 56B4E9"
dashes = "1 2 4 5 3"
marks = "7 4 8 2 12 6 1"
do for [i = 0:34] {
    colour = word(colours, 1 + i % words(colours))
    dash = word(dashes, 1 + i % words(dashes)) + 0
    mark = word(marks, 1 + i % words(marks)) + 0
    # Curves.
    set linetype (i + 1) linecolor rgb "#".colour dashtype dash pointtype mark linewidth 1.6 pointsize 0.8
    # What was asked for, wide and pale: half transparent, so that a curve on top of it is seen with and without colour.
    set linetype (i + 101) linecolor rgb "#A0".colour dashtype 1 linewidth 7
    # Extremes, thin.
    set linetype (i + 201) linecolor rgb "#".colour dashtype dash linewidth 1
    # Areas.
    set linetype (i + 301) linecolor rgb "#C0".colour
}
# Values as colours: after cividis (Nunez, Anderton, Renslow 2018), which falls in lightness only one way.
set palette defined (0 "#FFEA46", 0.25 "#BCAF6F", 0.5 "#7C7B78", 0.75 "#414D6B", 1 "#00204D")

set border 3 linecolor rgb "#444444"
set tics nomirror out scale 0.6
# As gnuplot writes numbers, less the space in front, which moves labels beside their ticks.
set format '%h'
set grid linecolor rgb "#dddddd" linetype 1 dashtype 1 linewidth 0.7
set style fill solid noborder
set boxwidth 0.5
