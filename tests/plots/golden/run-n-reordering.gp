eval 'set terminal '.svg_terminal
set output 'picture.svg'
$d0 << EOD
1 0.009
2 0.004
3 0.001

EOD
$d1 << EOD
1 0.009
2 0.004
3 0.001

EOD
set title 'n-reordering' noenhanced
set xlabel 'n: packets right before it that were sent later' noenhanced offset 0,0.4
set ylabel 'share of the packets that are n-reordered' noenhanced
set logscale y
set xtics ('1' 1, '2' 2, '3' 3)
set ytics ('1' 1, '0.1' 0.1, '0.01' 0.01, '0.001' 0.001)
set xrange [0:4]
set yrange [0.00045:0.010799999999999999]
set key outside bottom center horizontal height 0.6 noenhanced
plot $d0 using 1:2 with linespoints linetype 1 pointnumber 10 title 'flow 1', $d1 using 1:2 with linespoints linetype 2 pointnumber 10 title 'flow 2'
set output
