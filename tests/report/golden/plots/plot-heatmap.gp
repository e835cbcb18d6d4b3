# Made by netcost-report plot. gnuplot FILE >PICTURE draws it.
set encoding utf8
set terminal svg size 1060,380 name 'netcost_heatmap' enhanced font 'sans-serif,12' background '#ffffff'
set multiplot
set lmargin at screen 0
set rmargin at screen 1
set bmargin at screen 0
set tmargin at screen 1
unset border
unset tics
unset key
set xrange [0:1060]
set yrange [380:0]
set label '{/:Bold Packet latency over time}' at 20.00,18.00 left enhanced font 'sans-serif,15.6' textcolor rgb '#222222'
set label 'latency.nct: 1.00 s on 2 CPUs' at 20.00,40.00 left noenhanced font 'sans-serif,12' textcolor rgb '#222222'
set label 'Linux 6.1.0-test x86_64, Test CPU at 1.00GHz; exact: entry; samples 1000 Hz' at 20.00,57.00 left noenhanced font 'sans-serif,12' textcolor rgb '#666666'
set label '{/:Bold udp-socket-read}' at 62.00,100.00 left enhanced font 'sans-serif,12' textcolor rgb '#222222'
set label 'from entry to the read from a UDP socket; p50 50.2 us, p99 99.4 us, 6004 packets; darkest: 510' at 1040.00,100.00 right noenhanced font 'sans-serif,12' textcolor rgb '#666666'
set label 'seconds' at 551.00,343.00 center noenhanced font 'sans-serif,12' textcolor rgb '#222222'
$heat << EOD
0.25 0.896 0 0.5 0.896 1.024 0.551
0.25 1.792 0 0.5 1.792 2.048 0.551
0.25 2.56 0 0.5 2.56 3.072 0.551
0.25 3.584 0 0.5 3.584 4.096 0.551
0.25 4.096 0 0.5 4.096 5.12 0.551
0.25 5.12 0 0.5 5.12 6.144 0.551
0.25 6.144 0 0.5 6.144 7.168 0.551
0.25 7.168 0 0.5 7.168 8.192 0.551
0.25 8.192 0 0.5 8.192 10.24 0.659
0.25 10.24 0 0.5 10.24 12.288 0.659
0.25 12.288 0 0.5 12.288 14.336 0.659
0.25 14.336 0 0.5 14.336 16.384 0.659
0.25 16.384 0 0.5 16.384 20.48 0.769
0.25 20.48 0 0.5 20.48 24.576 0.769
0.25 24.576 0 0.5 24.576 28.672 0.769
0.25 28.672 0 0.5 28.672 32.768 0.769
0.25 32.768 0 0.5 32.768 40.96 0.879
0.25 40.96 0 0.5 40.96 49.152 0.898
0.25 49.152 0 0.5 49.152 57.344 0.879
0.25 57.344 0 0.5 57.344 65.536 0.879
0.25 65.536 0 0.5 65.536 81.92 0.990
0.25 81.92 0 0.5 81.92 98.304 1.000
0.25 98.304 0 0.5 98.304 114.688 0.659
0.25 4194.3 0 0.5 4194.3 5242.88 0.176
0.75 0.896 0.5 1 0.896 1.024 0.551
0.75 1.792 0.5 1 1.792 2.048 0.551
0.75 2.56 0.5 1 2.56 3.072 0.551
0.75 3.584 0.5 1 3.584 4.096 0.551
0.75 4.096 0.5 1 4.096 5.12 0.551
0.75 5.12 0.5 1 5.12 6.144 0.551
0.75 6.144 0.5 1 6.144 7.168 0.551
0.75 7.168 0.5 1 7.168 8.192 0.551
0.75 8.192 0.5 1 8.192 10.24 0.659
0.75 10.24 0.5 1 10.24 12.288 0.659
0.75 12.288 0.5 1 12.288 14.336 0.659
0.75 14.336 0.5 1 14.336 16.384 0.659
0.75 16.384 0.5 1 16.384 20.48 0.769
0.75 20.48 0.5 1 20.48 24.576 0.769
0.75 24.576 0.5 1 24.576 28.672 0.769
0.75 28.672 0.5 1 28.672 32.768 0.769
0.75 32.768 0.5 1 32.768 40.96 0.879
0.75 40.96 0.5 1 40.96 49.152 0.898
0.75 49.152 0.5 1 49.152 57.344 0.879
0.75 57.344 0.5 1 57.344 65.536 0.879
0.75 65.536 0.5 1 65.536 81.92 0.990
0.75 81.92 0.5 1 81.92 98.304 1.000
0.75 98.304 0.5 1 98.304 114.688 0.659
0.75 4194.3 0.5 1 4194.3 5242.88 0.176
EOD
plot NaN notitle
unset object
unset label
set lmargin at screen 0.0585
set rmargin at screen 0.9811
set tmargin at screen 0.7000
set bmargin at screen 0.2000
unset arrow
set border 3 linecolor rgb '#888888'
set format '%g'
set tics scale 0.6
set xtics out nomirror textcolor rgb '#222222'
set ytics out nomirror textcolor rgb '#222222'
set yrange [1:2]
set logscale y
set yrange [0.689231:6815.74]
set xrange [0:1]
set xtics autofreq
set ytics ('1 ns' 1e-3, '10 ns' 1e-2, '100 ns' 1e-1, '1 us' 1e0, '10 us' 1e1, '100 us' 1e2, '1 ms' 1e3, '10 ms' 1e4, '100 ms' 1e5, '1 s' 1e6, '10 s' 1e7, '100 s' 1e8, '1 ks' 1e9)
set palette defined (0 '#dbe9f6', 0.5 '#4b97c9', 1 '#08306b')
set cbrange [0:1]
unset colorbox
plot $heat using 1:2:3:4:5:6:7 with boxxyerror fillstyle solid noborder linecolor palette notitle
unset logscale
unset multiplot
status: 0
