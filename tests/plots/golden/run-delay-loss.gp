eval 'set terminal '.svg_terminal
set output 'picture.svg'
$d0 << EOD
1 0
1.0999999999999999 1
1.2 2
1.3 3
1.4 4
1.5 5

EOD
$d1 << EOD
2 0
2.1 1
2.1999999999999997 2
2.3 3
2.4 4
2.5 5

EOD
set title 'delay against loss, by interval' noenhanced
set xlabel 'one-way delay, mean of an interval [ms]' noenhanced offset 0,0.4
set ylabel 'packets lost of those sent in it [%]' noenhanced
set xrange [0:2.5749999999999997]
set yrange [0:5.25]
set key outside bottom center horizontal height 0.6 noenhanced
plot $d0 using 1:2 with points linetype 1 pointsize 0.7 title 'flow 1', $d1 using 1:2 with points linetype 2 pointsize 0.7 title 'flow 2'
set output
