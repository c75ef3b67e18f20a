eval 'set terminal '.svg_terminal
set output 'picture.svg'
$d0 << EOD
1 1 1.05 1.0999999999999999 1.15 1.2
2 2 2.1 2.1999999999999997 2.3 2.4
3 4 4.2 4.3999999999999995 4.6 4.8
4 2 2.1 2.1999999999999997 2.3 2.4
5 4 4.2 4.3999999999999995 4.6 4.8
6 8 8.4 8.799999999999999 9.2 9.6
EOD
$d1 << EOD
1 1
1 1.0999999999999999
1 1.2
2 2
2 2.1999999999999997
2 2.4
3 4
3 4.3999999999999995
3 4.8
4 2
4 2.1999999999999997
4 2.4
5 4
5 4.3999999999999995
5 4.8
6 8
6 8.799999999999999
6 9.6

EOD
set title 'golden: mean one-way delay, repetitions' noenhanced
set xlabel 'transport, rate' noenhanced offset 0,0.4
set ylabel 'mean one-way delay [ms]' noenhanced
set xtics ('udp, 1000pps' 1, 'udp, 2000pps' 2, 'udp, 4000pps' 3, 'tcp, 1000pps' 4, 'tcp, 2000pps' 5, 'tcp, 4000pps' 6)
set xrange [0.4:6.6]
set yrange [0:10.03]
set key outside bottom center horizontal height 0.6 noenhanced
plot $d0 using 1:3:2:6:5 notitle with candlesticks whiskerbars 0.5 linetype 1 dashtype 1 linewidth 1.2 fill solid 0.25 border, $d0 using 1:4:4:4:4 with candlesticks linetype 1 linewidth 3 notitle, $d1 using 1:2 with points linetype 2 pointsize 0.7 title 'a run each'
set output
