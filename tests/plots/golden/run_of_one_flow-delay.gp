eval 'set terminal '.svg_terminal
set output 'picture.svg'
$d0 << EOD
0.5 0.5 3
1.5 0.5 3
2.5 0.5 3
3.5 0.5 3
4.5 0.5 3
5.5 0.5 3

EOD
$d1 << EOD
0.5 1
1.5 1.0999999999999999
2.5 1.2
3.5 1.3
4.5 1.4
5.5 1.5

EOD
set title 'one-way delay, mean' noenhanced
set xlabel 'time since the start of the run [s]' noenhanced offset 0,0.4
set ylabel 'one-way delay, mean [ms]' noenhanced
set xrange [0:6]
set yrange [0:3.125]
set key outside bottom center horizontal height 0.6 noenhanced
plot $d0 using 1:2:3 with filledcurves linetype 301 title 'smallest to largest', $d1 using 1:2 with linespoints linetype 1 pointnumber 10 title 'flow 1'
set output
