eval 'set terminal '.svg_terminal
set output 'picture.svg'
$d0 << EOD
0.5 2
1.5 2.1
2.5 2.1999999999999997
3.5 2.3
4.5 2.4
5.5 2.5

EOD
$d1 << EOD
0.5 4
1.5 4.1
2.5 4.2
3.5 4.3
4.5 4.3999999999999995
5.5 4.5

EOD
set title 'round-trip time, mean' noenhanced
set xlabel 'time since the start of the run [s]' noenhanced offset 0,0.4
set ylabel 'round-trip time, mean [ms]' noenhanced
set xrange [0:6]
set yrange [0:4.625]
set key outside bottom center horizontal height 0.6 noenhanced
plot $d0 using 1:2 with linespoints linetype 1 pointnumber 10 title 'flow 1', $d1 using 1:2 with linespoints linetype 2 pointnumber 10 title 'flow 2'
set output
