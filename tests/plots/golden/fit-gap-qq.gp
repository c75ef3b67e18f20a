eval 'set terminal '.svg_terminal
set output 'picture.svg'
$d0 << EOD
0 0
1.1500000000000001 1.1500000000000001

EOD
$d1 << EOD
0.09999999999999999 0.11000000000000001
0.19999999999999998 0.22000000000000003
0.3 0.33
0.39999999999999997 0.44000000000000006
0.5 0.55
0.6 0.66
0.7 0.7700000000000001
0.7999999999999999 0.8800000000000001
0.8999999999999999 0.9900000000000001
1 1.1

EOD
set title 'a.pcap: quantiles of the gaps against the family that fits best' noenhanced
set xlabel 'quantile of the family [ms]' noenhanced offset 0,0.4
set ylabel 'quantile observed [ms]' noenhanced
set xrange [0:1.1500000000000001]
set yrange [0:1.1500000000000001]
set key outside bottom center horizontal height 0.6 noenhanced
plot $d0 using 1:2 with lines linetype 105 title 'equal', $d1 using 1:2 with points linetype 1 pointsize 0.7 title 'exp:1000pps, λ² 0.002'
set output
