eval 'set terminal '.svg_terminal
set output 'picture.svg'
$d0 << EOD
1000 1000
100000 100000

EOD
$d1 << EOD
970.5993586333789 999
9705.9935863338 9900
97059.93586333793 90000

EOD
$d2 << EOD
1030.2912227430454 999
10302.912227430466 9900
103029.12227430458 90000

EOD
$d3 << EOD
970.5993586333789 989.01 999
9705.9935863338 9801 9900
97059.93586333793 89100 90000
EOD
$d4 << EOD
1030.2912227430454 989.01 999
10302.912227430466 9801 9900
103029.12227430458 89100 90000
EOD
set title 'alpha to beta: packets sent per second' noenhanced
set xlabel 'packets asked for per second' noenhanced offset 0,0.4
set ylabel 'packets sent per second' noenhanced
set logscale x
set logscale y
set xtics ('1000' 1000, '2000' 2000, '5000' 5000, '10 k' 10000, '20 k' 20000, '50 k' 50000, '100 k' 100000)
set ytics ('1000' 1000, '2000' 2000, '5000' 5000, '10 k' 10000, '20 k' 20000, '50 k' 50000, '100 k' 100000)
set xrange [831.763771102671:120226.44346174129]
set yrange [822.2591408715767:120279.59931849112]
set key outside bottom center horizontal height 0.6 noenhanced
plot $d0 using 1:2 with lines linetype 105 title 'as asked', $d1 using 1:2 with linespoints linetype 1 pointnumber 10 title '64 bytes', $d2 using 1:2 with linespoints linetype 2 pointnumber 10 title '1472 bytes', $d3 using 1:2:(0):($3-$2) with vectors heads size screen 0.004,90 fixed linetype 201 dashtype 1 notitle, $d4 using 1:2:(0):($3-$2) with vectors heads size screen 0.004,90 fixed linetype 202 dashtype 1 notitle
set output
