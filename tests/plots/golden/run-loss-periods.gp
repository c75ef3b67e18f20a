eval 'set terminal '.svg_terminal
set output 'picture.svg'
$d0 << EOD
1 1
2 0.4
3 0.16000000000000003
4 0.06400000000000002

EOD
$d1 << EOD
1 1
2 0.4
3 0.16000000000000003
4 0.06400000000000002

EOD
$d2 << EOD
1 1
1 0.4666666666666667
2 0.4666666666666667
2 0.2
3 0.2
3 0.06666666666666667
5 0.06666666666666667

EOD
$d3 << EOD
1 1
1 0.4666666666666667
2 0.4666666666666667
2 0.2
3 0.2
3 0.06666666666666667
5 0.06666666666666667

EOD
set title 'loss periods, measured and by the Gilbert model' noenhanced
set xlabel 'packets lost in a row' noenhanced offset 0,0.4
set ylabel 'share of the loss periods at least as long' noenhanced
set logscale y
set xtics ('1' 1, '2' 2, '3' 3, '4' 4, '5' 5)
set ytics ('1' 1, '0.1' 0.1)
set xrange [0:6]
set yrange [0.03333333333333333:1.2]
set key outside bottom center horizontal height 0.6 noenhanced
plot $d0 using 1:2 with lines linetype 101 title 'flow 1, Gilbert, r 0.6', $d1 using 1:2 with lines linetype 102 title 'flow 2, Gilbert, r 0.6', $d2 using 1:2 with linespoints linetype 1 pointnumber 10 title 'flow 1, measured', $d3 using 1:2 with linespoints linetype 2 pointnumber 10 title 'flow 2, measured'
set output
