eval 'set terminal '.svg_terminal
set output 'picture.svg'
$d0 << EOD
1000 0.001
10000 0.001
100000 0.001

EOD
$d1 << EOD
1000 0.001
10000 0.001
100000 0.001

EOD
set title 'alpha to beta: packets sent that did not arrive' noenhanced
set xlabel 'packets asked for per second' noenhanced offset 0,0.4
set ylabel 'share of the packets sent' noenhanced
set logscale x
set xtics ('1000' 1000, '2000' 2000, '5000' 5000, '10 k' 10000, '20 k' 20000, '50 k' 50000, '100 k' 100000)
set xrange [869.5652173913044:114999.99999999999]
set yrange [0:0.0010500000000000002]
set key outside bottom center horizontal height 0.6 noenhanced
plot $d0 using 1:2 with linespoints linetype 1 pointnumber 10 title '64 bytes', $d1 using 1:2 with linespoints linetype 2 pointnumber 10 title '1472 bytes'
set output
