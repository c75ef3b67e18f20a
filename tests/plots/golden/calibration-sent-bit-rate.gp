eval 'set terminal '.svg_terminal
set output 'picture.svg'
$d0 << EOD
512000 512000
1177600000 1177600000

EOD
$d1 << EOD
512000 511488
5120000 5068800
51200000 46080000

EOD
$d2 << EOD
11776000 11764224
117760000 116582400
1177600000 1059840000

EOD
set title 'alpha to beta: bits of payload sent per second' noenhanced
set xlabel 'bits of payload asked for per second' noenhanced offset 0,0.4
set ylabel 'bits of payload sent per second' noenhanced
set logscale x
set logscale y
set xtics ('500 k' 500000, '1 M' 1000000, '2 M' 2000000, '5 M' 5000000, '10 M' 10000000, '20 M' 20000000, '50 M' 50000000, '100 M' 100000000, '200 M' 200000000, '500 M' 500000000, '1 G' 1000000000)
set ytics ('500 k' 500000, '1 M' 1000000, '2 M' 2000000, '5 M' 5000000, '10 M' 10000000, '20 M' 20000000, '50 M' 50000000, '100 M' 100000000, '200 M' 200000000, '500 M' 500000000, '1 G' 1000000000)
set xrange [375665.09773235215:1604969968.3029025]
set yrange [375274.4138470462:1605034200.5077279]
set key outside bottom center horizontal height 0.6 noenhanced
plot $d0 using 1:2 with lines linetype 105 title 'as asked', $d1 using 1:2 with linespoints linetype 1 pointnumber 10 title '64 bytes', $d2 using 1:2 with linespoints linetype 2 pointnumber 10 title '1472 bytes'
set output
