eval 'set terminal '.svg_terminal
set output 'picture.svg'
$d0 << EOD
979.84 1.0999999999999999
1979.84 2.1999999999999997
3979.84 4.3999999999999995

EOD
$d1 << EOD
1020.16 2.1999999999999997
2020.16 4.3999999999999995
4020.16 8.799999999999999

EOD
$d2 << EOD
979.84 0.8999999999999999 1.3
1979.84 1.7999999999999998 2.6
3979.84 3.5999999999999996 5.2
EOD
$d3 << EOD
1020.16 1.7999999999999998 2.6
2020.16 3.5999999999999996 5.2
4020.16 7.199999999999999 10.4
EOD
set title 'golden: mean one-way delay by rate, bars: 95 % confidence' noenhanced
set xlabel 'rate [pps]' noenhanced offset 0,0.4
set ylabel 'mean one-way delay [ms]' noenhanced
set xtics ('1000' 1000, '2000' 2000, '4000' 4000)
set xrange [820:4180]
set yrange [0:10.875]
set key outside bottom center horizontal height 0.6 noenhanced
plot $d0 using 1:2 with linespoints linetype 1 pointnumber 10 title 'transport udp', $d1 using 1:2 with linespoints linetype 2 pointnumber 10 title 'transport tcp', $d2 using 1:2:(0):($3-$2) with vectors heads size screen 0.004,90 fixed linetype 201 dashtype 1 notitle, $d3 using 1:2:(0):($3-$2) with vectors heads size screen 0.004,90 fixed linetype 202 dashtype 1 notitle
set output
