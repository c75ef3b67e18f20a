eval 'set terminal '.svg_terminal
set output 'picture.svg'
$d0 << EOD
0.5 0
1.5 1
2.5 2
3.5 3
4.5 4
5.5 5

EOD
$d1 << EOD
0.5 0
1.5 1
2.5 2
3.5 3
4.5 4
5.5 5

EOD
set title 'packets lost in an interval' noenhanced
set xlabel 'time since the start of the run [s]' noenhanced offset 0,0.4
set ylabel 'packets lost in an interval [packets]' noenhanced
set ytics ('0' 0, '1' 1, '2' 2, '3' 3, '4' 4, '5' 5)
set xrange [0:6]
set yrange [0:5.25]
set key outside bottom center horizontal height 0.6 noenhanced
plot $d0 using 1:2 with linespoints linetype 1 pointnumber 10 title 'flow 1', $d1 using 1:2 with linespoints linetype 2 pointnumber 10 title 'flow 2'
set output
