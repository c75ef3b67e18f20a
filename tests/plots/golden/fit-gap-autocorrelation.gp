eval 'set terminal '.svg_terminal
set output 'picture.svg'
$d0 << EOD
0 -0.02 0.02
11 -0.02 0.02

EOD
$d1 << EOD
1 0.5
2 0.25
3 0.16666666666666666
4 0.125
5 0.1
6 0.08333333333333333
7 0.07142857142857142
8 0.0625
9 0.05555555555555555
10 0.05

EOD
set title 'autocorrelation of the gaps' noenhanced
set xlabel 'lag [gaps]' noenhanced offset 0,0.4
set ylabel 'autocorrelation' noenhanced
set xtics ('0' 0, '2' 2, '4' 4, '6' 6, '8' 8, '10' 10)
set xrange [0:11]
set yrange [-0.060000001:0.540000001]
set key outside bottom center horizontal height 0.6 noenhanced
plot $d0 using 1:2:3 with filledcurves linetype 305 title 'white noise, 95 %', $d1 using 1:2 with linespoints linetype 1 pointnumber 10 title 'a.pcap'
set output
