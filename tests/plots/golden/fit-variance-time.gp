eval 'set terminal '.svg_terminal
set output 'picture.svg'
$d0 << EOD
0.020000000000000004 478.17624989501854
1.28 90.59745795971199

EOD
$d1 << EOD
0.02 478.17624989501854
0.04 362.3898318388478
0.08 274.64013582652944
0.16 208.13830185046828
0.32 157.7393361200483
0.64 119.54406247375462
1.28 90.59745795971193
2.56 68.66003395663236

EOD
set title 'variance-time plot (slope 2H - 2)' noenhanced
set xlabel 'scale of time' noenhanced offset 0,0.4
set ylabel 'variance of the mean rate in a window, relative' noenhanced
set logscale x
set logscale y
set xtics ('20 ms' 0.02, '50 ms' 0.05, '100 ms' 0.1, '200 ms' 0.2, '500 ms' 0.5, '1 s' 1, '2 s' 2)
set ytics ('50' 50, '100' 100, '200' 200, '500' 500)
set xrange [0.016666666666666666:3.072]
set yrange [45.77335597108824:717.2643748425278]
set key outside bottom center horizontal height 0.6 noenhanced
plot $d0 using 1:2 with lines linetype 101 title 'slope -0.40', $d1 using 1:2 with linespoints linetype 1 pointnumber 10 title 'a.pcap, H 0.80'
set output
