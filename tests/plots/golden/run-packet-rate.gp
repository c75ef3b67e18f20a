eval 'set terminal '.svg_terminal
set output 'picture.svg'
$d0 << EOD
0.5 100
1.5 99
2.5 98
3.5 97
4.5 96
5.5 95

EOD
$d1 << EOD
0.5 100
1.5 99
2.5 98
3.5 97
4.5 96
5.5 95

EOD
set title 'packet rate received' noenhanced
set xlabel 'time since the start of the run [s]' noenhanced offset 0,0.4
set ylabel 'packet rate received [packets/s]' noenhanced
set xrange [0:6]
set yrange [0:105]
set key outside bottom center horizontal height 0.6 noenhanced
plot $d0 using 1:2 with linespoints linetype 1 pointnumber 10 title 'flow 1', $d1 using 1:2 with linespoints linetype 2 pointnumber 10 title 'flow 2'
set output
