eval 'set terminal '.svg_terminal
set output 'picture.svg'
$d0 << EOD
0.02 1.02
0.04 1.04
0.08 1.08
0.16 1.16
0.32 1.32
0.64 1.6400000000000001
1.28 2.2800000000000002
2.56 3.56

EOD
$d1 << EOD
0.016666666666666666 1
3.072 1

EOD
set title 'index of dispersion for counts (1: as a Poisson process)' noenhanced
set xlabel 'scale of time' noenhanced offset 0,0.4
set ylabel 'variance / mean of the packets in a window' noenhanced
set logscale x
set logscale y
set xtics ('20 ms' 0.02, '50 ms' 0.05, '100 ms' 0.1, '200 ms' 0.2, '500 ms' 0.5, '1 s' 1, '2 s' 2)
set ytics ('1' 1, '2' 2, '5' 5)
set xrange [0.016666666666666666:3.072]
set yrange [0.68:5.34]
set key outside bottom center horizontal height 0.6 noenhanced
plot $d0 using 1:2 with linespoints linetype 1 pointnumber 10 title 'a.pcap', $d1 using 1:2 with lines linetype 205 title 'Poisson'
set output
