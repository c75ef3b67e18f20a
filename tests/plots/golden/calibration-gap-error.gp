eval 'set terminal '.svg_terminal
set output 'picture.svg'
$d0 << EOD
914.3658551912926 500
9143.658551912928 500
91436.5855191292 500

EOD
$d1 << EOD
970.5993586333789 500
9705.9935863338 500
97059.93586333793 500

EOD
$d2 << EOD
1030.2912227430454 5000
10302.912227430466 5000
103029.12227430458 5000

EOD
$d3 << EOD
1093.654136714009 5000
10936.541367140111 5000
109365.41367140104 5000

EOD
$d4 << EOD
914.3658551912926 400 600
9143.658551912928 400 600
91436.5855191292 400 600
EOD
$d5 << EOD
970.5993586333789 400 600
9705.9935863338 400 600
97059.93586333793 400 600
EOD
$d6 << EOD
1030.2912227430454 4000 6000
10302.912227430466 4000 6000
103029.12227430458 4000 6000
EOD
$d7 << EOD
1093.654136714009 4000 6000
10936.541367140111 4000 6000
109365.41367140104 4000 6000
EOD
set title 'alpha to beta: error of the gaps' noenhanced
set xlabel 'packets asked for per second' noenhanced offset 0,0.4
set ylabel 'error of the gaps' noenhanced
set logscale x
set logscale y
set xtics ('1000' 1000, '2000' 2000, '5000' 5000, '10 k' 10000, '20 k' 20000, '50 k' 50000, '100 k' 100000)
set ytics ('500 ns' 500, '1 us' 1000, '2 us' 2000, '5 us' 5000)
set xrange [831.763771102671:120226.44346174129]
set yrange [347.82608695652175:6899.999999999999]
set key outside bottom center horizontal height 0.6 noenhanced
plot $d0 using 1:2 with lines linetype 201 title '64 bytes: half of the gaps', $d1 using 1:2 with lines linetype 202 title '1472 bytes: half of the gaps', $d2 using 1:2 with linespoints linetype 1 pointnumber 10 title '64 bytes: 99 %', $d3 using 1:2 with linespoints linetype 2 pointnumber 10 title '1472 bytes: 99 %', $d4 using 1:2:(0):($3-$2) with vectors heads size screen 0.004,90 fixed linetype 201 dashtype 1 notitle, $d5 using 1:2:(0):($3-$2) with vectors heads size screen 0.004,90 fixed linetype 202 dashtype 1 notitle, $d6 using 1:2:(0):($3-$2) with vectors heads size screen 0.004,90 fixed linetype 201 dashtype 1 notitle, $d7 using 1:2:(0):($3-$2) with vectors heads size screen 0.004,90 fixed linetype 202 dashtype 1 notitle
set output
