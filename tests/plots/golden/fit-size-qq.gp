eval 'set terminal '.svg_terminal
set output 'picture.svg'
$d0 << EOD
0 0
1150.0000000000002 1150.0000000000002

EOD
$d1 << EOD
100 110.00000000000001
200 220.00000000000003
300 330.00000000000006
400 440.00000000000006
500 550.0000000000001
600 660.0000000000001
700 770.0000000000001
800 880.0000000000001
900 990.0000000000001
1000 1100.0000000000002

EOD
set title 'a.pcap: quantiles of the sizes against the family that fits best' noenhanced
set xlabel 'quantile of the family [bytes]' noenhanced offset 0,0.4
set ylabel 'quantile observed [bytes]' noenhanced
set xrange [0:1150.0000000000002]
set yrange [0:1150.0000000000002]
set key outside bottom center horizontal height 0.6 noenhanced
plot $d0 using 1:2 with lines linetype 105 title 'equal', $d1 using 1:2 with points linetype 1 pointsize 0.7 title 'exp:512, λ² 0.002'
set output
