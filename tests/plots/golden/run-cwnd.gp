eval 'set terminal '.svg_terminal
set output 'picture.svg'
$d0 << EOD
0.3 14.48
1.3 28.96
2.3 43.44
3.3 57.92
4.3 72.4
5.3 86.88

EOD
$d1 << EOD
0.3 28.96
1.3 43.44
2.3 57.92
3.3 72.4
4.3 86.88
5.3 101.36

EOD
set title 'congestion window' noenhanced
set xlabel 'time since the start of the run [s]' noenhanced offset 0,0.4
set ylabel 'congestion window [kB]' noenhanced
set xrange [0:5.8]
set yrange [0:106.428]
set key outside bottom center horizontal height 0.6 noenhanced
plot $d0 using 1:2 with linespoints linetype 1 pointnumber 10 title 'flow 1', $d1 using 1:2 with linespoints linetype 2 pointnumber 10 title 'flow 2'
set output
