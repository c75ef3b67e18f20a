eval 'set terminal '.svg_terminal
set output 'picture.svg'
$d0 << EOD
0.5 3 23
1.5 3.0999999999999996 23.099999999999998
2.5 3.1999999999999997 23.2
3.5 3.3 23.3
4.5 3.4 23.4
5.5 3.5 23.5

EOD
$d1 << EOD
0.5 25
1.5 25.099999999999998
2.5 25.2
3.5 25.299999999999997
4.5 25.4
5.5 25.5

EOD
$d2 << EOD
0.5 13
1.5 13.1
2.5 13.2
3.5 13.299999999999999
4.5 13.399999999999999
5.5 13.5

EOD
$d3 << EOD
0.5 1
1.5 1.0999999999999999
2.5 1.2
3.5 1.3
4.5 1.4
5.5 1.5

EOD
$d4 << EOD
0.5 13
1.5 13.1
2.5 13.2
3.5 13.299999999999999
4.5 13.399999999999999
5.5 13.5

EOD
set title 'one-way delay, mean' noenhanced
set xlabel 'time since the start of the run [s]' noenhanced offset 0,0.4
set ylabel 'one-way delay, mean [ms]' noenhanced
set xrange [0:6]
set yrange [0:26.725]
set key outside bottom center horizontal height 0.6 noenhanced
plot $d0 using 1:2:3 with filledcurves linetype 301 title '10 % to 90 % of the flows', $d1 using 1:2 with lines linetype 202 title 'highest flow', $d2 using 1:2 with linespoints linetype 1 pointnumber 10 title 'median flow', $d3 using 1:2 with lines linetype 203 title 'lowest flow', $d4 using 1:2 with linespoints linetype 5 pointnumber 10 title 'mean flow'
set output
