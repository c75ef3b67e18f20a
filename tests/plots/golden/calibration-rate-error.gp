eval 'set terminal '.svg_terminal
set output 'picture.svg'
$d0 << EOD
970.5993586333789 0.001
9705.9935863338 0.01
97059.93586333793 0.09999999999999999

EOD
$d1 << EOD
1030.2912227430454 0.001
10302.912227430466 0.01
103029.12227430458 0.09999999999999999

EOD
$d2 << EOD
970.5993586333789 0.0005 0.002
9705.9935863338 0.005 0.02
97059.93586333793 0.049999999999999996 0.19999999999999998
EOD
$d3 << EOD
1030.2912227430454 0.0005 0.002
10302.912227430466 0.005 0.02
103029.12227430458 0.049999999999999996 0.19999999999999998
EOD
set title 'alpha to beta: error of the rate' noenhanced
set xlabel 'packets asked for per second' noenhanced offset 0,0.4
set ylabel 'error of the rate' noenhanced
set logscale x
set logscale y
set xtics ('1000' 1000, '2000' 2000, '5000' 5000, '10 k' 10000, '20 k' 20000, '50 k' 50000, '100 k' 100000)
set ytics ('0.0005' 0.0005, '0.001' 0.001, '0.002' 0.002, '0.005' 0.005, '0.01' 0.01, '0.02' 0.02, '0.05' 0.05, '0.1' 0.1, '0.2' 0.2)
set xrange [831.763771102671:120226.44346174129]
set yrange [0.00039344823796050006:0.2541630393831867]
set key outside bottom center horizontal height 0.6 noenhanced
plot $d0 using 1:2 with linespoints linetype 1 pointnumber 10 title '64 bytes', $d1 using 1:2 with linespoints linetype 2 pointnumber 10 title '1472 bytes', $d2 using 1:2:(0):($3-$2) with vectors heads size screen 0.004,90 fixed linetype 201 dashtype 1 notitle, $d3 using 1:2:(0):($3-$2) with vectors heads size screen 0.004,90 fixed linetype 202 dashtype 1 notitle
set output
