eval 'set terminal '.svg_terminal
set output 'picture.svg'
$d0 << EOD
0.3 400
1.3 410
2.3 420
3.3 430
4.3 440
5.3 450

EOD
$d1 << EOD
0.3 410
1.3 420
2.3 430
3.3 440
4.3 450
5.3 460

EOD
set title 'smoothed round-trip time of the connection' noenhanced
set xlabel 'time since the start of the run [s]' noenhanced offset 0,0.4
set ylabel 'smoothed round-trip time of the connection [us]' noenhanced
set xrange [0:5.8]
set yrange [397:463]
set key outside bottom center horizontal height 0.6 noenhanced
plot $d0 using 1:2 with linespoints linetype 1 pointnumber 10 title 'flow 1', $d1 using 1:2 with linespoints linetype 2 pointnumber 10 title 'flow 2'
set output
