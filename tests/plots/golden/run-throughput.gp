eval 'set terminal '.svg_terminal
set output 'picture.svg'
$d0 << EOD
0.5 0.7999999999999999
1.5 0.7919999999999999
2.5 0.7839999999999999
3.5 0.7759999999999999
4.5 0.768
5.5 0.76

EOD
$d1 << EOD
0.5 1.5999999999999999
1.5 1.5839999999999999
2.5 1.5679999999999998
3.5 1.5519999999999998
4.5 1.536
5.5 1.52

EOD
set title 'throughput received (payload)' noenhanced
set xlabel 'time since the start of the run [s]' noenhanced offset 0,0.4
set ylabel 'throughput received (payload) [Mbit/s]' noenhanced
set xrange [0:6]
set yrange [0:1.68]
set key outside bottom center horizontal height 0.6 noenhanced
plot $d0 using 1:2 with linespoints linetype 1 pointnumber 10 title 'flow 1', $d1 using 1:2 with linespoints linetype 2 pointnumber 10 title 'flow 2'
set output
