eval 'set terminal '.svg_terminal
set output 'picture.svg'
$d0 << EOD
0.5 10
1.5 20
2.5 30
3.5 40
4.5 50
5.5 60

EOD
$d1 << EOD
0.5 20
1.5 40
2.5 60
3.5 80
4.5 100
5.5 120

EOD
set title 'jitter, mean' noenhanced
set xlabel 'time since the start of the run [s]' noenhanced offset 0,0.4
set ylabel 'jitter, mean [us]' noenhanced
set xrange [0:6]
set yrange [0:125.5]
set key outside bottom center horizontal height 0.6 noenhanced
plot $d0 using 1:2 with linespoints linetype 1 pointnumber 10 title 'flow 1', $d1 using 1:2 with linespoints linetype 2 pointnumber 10 title 'flow 2'
set output
