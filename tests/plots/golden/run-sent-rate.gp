eval 'set terminal '.svg_terminal
set output 'picture.svg'
$d0 << EOD
0.5 100
1.5 100
2.5 100
3.5 100
4.5 100
5.5 100

EOD
$d1 << EOD
0.5 100
1.5 100
2.5 100
3.5 100
4.5 100
5.5 100

EOD
set title 'packet rate sent' noenhanced
set xlabel 'time since the start of the run [s]' noenhanced offset 0,0.4
set ylabel 'packet rate sent [packets/s]' noenhanced
set xrange [0:6]
set yrange [0:105]
set key outside bottom center horizontal height 0.6 noenhanced
plot $d0 using 1:2 with linespoints linetype 1 pointnumber 10 title 'flow 1', $d1 using 1:2 with linespoints linetype 2 pointnumber 10 title 'flow 2'
set output
