eval 'set terminal '.svg_terminal
set output 'picture.svg'
$d0 << EOD
2 4.2
7 7.2

EOD
$d1 << EOD
1 3.6
2 4.2
3 4.8
4 5.4
5 6
6 6.6
7 7.2
8 7.8

EOD
$d2 << EOD
1 2.6 4.6
2 3.2 5.2
3 3.8 5.8
4 4.4 6.4
5 5 7
6 5.6 7.6
7 6.2 8.2
8 6.8 8.8
EOD
set title 'logscale diagram (slope 2H - 1)' noenhanced
set xlabel 'octave of time' noenhanced offset 0,0.4
set ylabel 'log2 of the mean energy of the wavelet coefficients' noenhanced
set xtics ('1' 1, '2' 2, '3' 3, '4' 4, '5' 5, '6' 6, '7' 7, '8' 8)
set xrange [0.5:8.5]
set yrange [1.79:9.610000000000001]
set key outside bottom center horizontal height 0.6 noenhanced
plot $d0 using 1:2 with lines linetype 101 title 'slope 0.60', $d1 using 1:2 with linespoints linetype 1 pointnumber 10 title 'a.pcap, H 0.80', $d2 using 1:2:(0):($3-$2) with vectors heads size screen 0.004,90 fixed linetype 201 dashtype 1 notitle
set output
