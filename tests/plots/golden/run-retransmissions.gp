eval 'set terminal '.svg_terminal
set output 'picture.svg'
$d0 << EOD
0.3 0
1.3 0
2.3 1
3.3 1
4.3 2
5.3 2

EOD
$d1 << EOD
0.3 0
1.3 0
2.3 1
3.3 1
4.3 2
5.3 2

EOD
set title 'retransmitted since the start' noenhanced
set xlabel 'time since the start of the run [s]' noenhanced offset 0,0.4
set ylabel 'retransmitted since the start [segments]' noenhanced
set ytics ('0' 0, '1' 1, '2' 2)
set xrange [0:5.8]
set yrange [0:2.1]
set key outside bottom center horizontal height 0.6 noenhanced
plot $d0 using 1:2 with linespoints linetype 1 pointnumber 10 title 'flow 1', $d1 using 1:2 with linespoints linetype 2 pointnumber 10 title 'flow 2'
set output
