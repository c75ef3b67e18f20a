eval 'set terminal '.svg_terminal
set output 'picture.svg'
$d0 << EOD
970.5993586333789 0.01
9705.9935863338 0.01
97059.93586333793 0.01

EOD
$d1 << EOD
1030.2912227430454 0.01
10302.912227430466 0.01
103029.12227430458 0.01

EOD
$d2 << EOD
970.5993586333789 0.005 0.02
9705.9935863338 0.005 0.02
97059.93586333793 0.005 0.02
EOD
$d3 << EOD
1030.2912227430454 0.005 0.02
10302.912227430466 0.005 0.02
103029.12227430458 0.005 0.02
EOD
set title 'alpha to beta: lambda squared of the gaps (0.0001 and below on the lower edge)' noenhanced
set xlabel 'packets asked for per second' noenhanced offset 0,0.4
set ylabel 'lambda squared of the gaps' noenhanced
set logscale x
set logscale y
set xtics ('1000' 1000, '2000' 2000, '5000' 5000, '10 k' 10000, '20 k' 20000, '50 k' 50000, '100 k' 100000)
set ytics ('0.005' 0.005, '0.01' 0.01, '0.02' 0.02)
set xrange [831.763771102671:120226.44346174129]
set yrange [0.004347826086956522:0.023]
set key outside bottom center horizontal height 0.6 noenhanced
plot $d0 using 1:2 with linespoints linetype 1 pointnumber 10 title 'exp', $d1 using 1:2 with linespoints linetype 2 pointnumber 10 title 'const', $d2 using 1:2:(0):($3-$2) with vectors heads size screen 0.004,90 fixed linetype 201 dashtype 1 notitle, $d3 using 1:2:(0):($3-$2) with vectors heads size screen 0.004,90 fixed linetype 202 dashtype 1 notitle
set output
