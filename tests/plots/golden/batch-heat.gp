eval 'set terminal '.svg_terminal
set output 'picture.svg'
$d0 << EOD
0 0 -0.5 0.5 -0.5 0.5 1.0999999999999999
0 1 -0.5 0.5 0.5 1.5 2.1999999999999997
0 2 -0.5 0.5 1.5 2.5 4.3999999999999995
1 0 0.5 1.5 -0.5 0.5 2.1999999999999997
1 1 0.5 1.5 0.5 1.5 4.3999999999999995
1 2 0.5 1.5 1.5 2.5 8.799999999999999
EOD
set title 'golden: mean one-way delay, means' noenhanced
set xlabel 'transport' noenhanced offset 0,0.4
set ylabel 'rate' noenhanced
set xtics ('udp' 0, 'tcp' 1)
set ytics ('1000pps' 0, '2000pps' 1, '4000pps' 2)
set xrange [-0.5:1.5]
set yrange [-0.5:2.5]
unset key
set cblabel 'mean one-way delay [ms]' noenhanced
set label '1.1' at 0,0 center front noenhanced textcolor rgb '#000000'
set label '2.2' at 0,1 center front noenhanced textcolor rgb '#000000'
set label '4.4' at 0,2 center front noenhanced textcolor rgb '#000000'
set label '2.2' at 1,0 center front noenhanced textcolor rgb '#000000'
set label '4.4' at 1,1 center front noenhanced textcolor rgb '#000000'
set label '8.8' at 1,2 center front noenhanced textcolor rgb '#ffffff'
plot $d0 using 1:2:3:4:5:6:7 with boxxyerror fill solid noborder linecolor palette notitle
set output
