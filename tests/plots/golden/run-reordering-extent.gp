eval 'set terminal '.svg_terminal
set output 'picture.svg'
$d0 << EOD
1 1
1 0.4444444444444444
2 0.4444444444444444
2 0.1111111111111111
7 0.1111111111111111

EOD
$d1 << EOD
1 1
1 0.4444444444444444
2 0.4444444444444444
2 0.1111111111111111
7 0.1111111111111111

EOD
set title 'extent of reordering' noenhanced
set xlabel 'extent [packets]' noenhanced offset 0,0.4
set ylabel 'share of the reordered packets with it or more' noenhanced
set logscale y
set xtics ('1' 1, '2' 2, '3' 3, '4' 4, '5' 5, '6' 6, '7' 7)
set ytics ('1' 1, '0.1' 0.1)
set xrange [0:8]
set yrange [0.05:1.2]
set key outside bottom center horizontal height 0.6 noenhanced
plot $d0 using 1:2 with linespoints linetype 1 pointnumber 10 title 'flow 1', $d1 using 1:2 with linespoints linetype 2 pointnumber 10 title 'flow 2'
set output
