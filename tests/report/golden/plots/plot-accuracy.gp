# Made by netcost-report plot. gnuplot FILE >PICTURE draws it.
set encoding utf8
set terminal svg size 1090,454 name 'netcost_accuracy' enhanced font 'sans-serif,12' background '#ffffff'
set multiplot
set lmargin at screen 0
set rmargin at screen 1
set bmargin at screen 0
set tmargin at screen 1
unset border
unset tics
unset key
set xrange [0:1090]
set yrange [454:0]
set label '{/:Bold Exact times against samples}' at 20.00,18.00 left enhanced font 'sans-serif,15.6' textcolor rgb '#222222'
set label 'random.nct: 4.83 s on 3 CPUs' at 20.00,40.00 left noenhanced font 'sans-serif,12' textcolor rgb '#222222'
set label 'Linux 6.1.0-test x86_64, Test CPU at 1.00GHz; exact: full; samples 4000 Hz' at 20.00,57.00 left noenhanced font 'sans-serif,12' textcolor rgb '#666666'
set label '{/:Bold At 4000 Hz, by cell}' at 20.00,90.00 left enhanced font 'sans-serif,12' textcolor rgb '#222222'
set label 'socket send' at 188.00,131.14 right noenhanced font 'sans-serif,12' textcolor rgb '#222222'
set label 'socket receive' at 188.00,165.43 right noenhanced font 'sans-serif,12' textcolor rgb '#222222'
set label 'RX softirq' at 188.00,199.71 right noenhanced font 'sans-serif,12' textcolor rgb '#222222'
set label 'user + other kernel' at 188.00,234.00 right noenhanced font 'sans-serif,12' textcolor rgb '#222222'
set label 'driver poll' at 188.00,268.29 right noenhanced font 'sans-serif,12' textcolor rgb '#222222'
set label 'receive core' at 188.00,302.57 right noenhanced font 'sans-serif,12' textcolor rgb '#222222'
set label 'local delivery v4' at 188.00,336.86 right noenhanced font 'sans-serif,12' textcolor rgb '#222222'
set label 'samples minus exact, percentage points' at 360.00,394.00 center noenhanced font 'sans-serif,12' textcolor rgb '#222222'
set label '{/:Bold By rate: root mean square error, points}' at 576.00,90.00 left enhanced font 'sans-serif,12' textcolor rgb '#222222'
set object rectangle from 910.00,116.00 to 922.00,128.00 fillcolor rgb '#e69f00' fillstyle solid border linecolor rgb '#888888' linewidth 0.5
set label 'socket send' at 930.00,122.00 left noenhanced font 'sans-serif,12' textcolor rgb '#222222'
set object rectangle from 910.00,135.00 to 922.00,147.00 fillcolor rgb '#56b4e9' fillstyle solid border linecolor rgb '#888888' linewidth 0.5
set label 'socket receive' at 930.00,141.00 left noenhanced font 'sans-serif,12' textcolor rgb '#222222'
set object rectangle from 910.00,154.00 to 922.00,166.00 fillcolor rgb '#2fbf8f' fillstyle solid border linecolor rgb '#888888' linewidth 0.5
set label 'RX softirq' at 930.00,160.00 left noenhanced font 'sans-serif,12' textcolor rgb '#222222'
set object rectangle from 910.00,173.00 to 922.00,185.00 fillcolor rgb '#c4c4c4' fillstyle solid border linecolor rgb '#888888' linewidth 0.5
set label 'user + other kernel' at 930.00,179.00 left noenhanced font 'sans-serif,12' textcolor rgb '#222222'
set label 'lines: by theory' at 910.00,198.00 left noenhanced font 'sans-serif,12' textcolor rgb '#666666'
set label 'samples per second' at 755.00,394.00 center noenhanced font 'sans-serif,12' textcolor rgb '#222222'
set label 'Dots: mean error; lines: standard deviation; grey: standard deviation by theory. A cell is one CPU for 0.24 s; there are 49.' at 20.00,416.00 left noenhanced font 'sans-serif,12' textcolor rgb '#666666'
set label 'Theory ignores late samples, and the time of BPF programs inside events.' at 20.00,434.00 left noenhanced font 'sans-serif,12' textcolor rgb '#666666'
$left << EOD
0.500 -0.1335 1.3785 1.0102
1.500 0.0445 0.5991 0.6473
2.500 0.0081 1.2417 1.0224
3.500 0.0810 1.1872 0.9341
4.500 0.0196 1.1680 0.9760
5.500 0.0163 1.1204 0.9156
6.500 0.0267 0.9338 0.8233
EOD
plot NaN notitle
unset object
unset label
set lmargin at screen 0.1835
set rmargin at screen 0.4771
set tmargin at screen 0.7489
set bmargin at screen 0.2203
unset arrow
set border 3 linecolor rgb '#888888'
set format '%g'
set tics scale 0.6
set xtics out nomirror textcolor rgb '#222222'
set ytics out nomirror textcolor rgb '#222222'
set xrange [-1.63296:1.63296]
set yrange [7:0]
unset ytics
set arrow from 0,graph 0 to 0,graph 1 nohead back linecolor rgb '#888888'
plot $left using (0):1:(-$4):4:($1-0.320):($1+0.320) with boxxyerror linecolor rgb '#dddddd' fillstyle solid noborder title 'by theory', \
	$left using 2:1:3 with xerrorbars pointtype 7 pointsize 0.7 linewidth 1.5 linecolor rgb '#222222' title 'bias, standard deviation'
$rate0 << EOD
4000.0000 1.38491 1.01018
2000.0000 1.85506 1.29941
800.0000 2.94678 1.97439
400.0000 4.05793 2.73962
200.0000 4.73749 3.89835
80.0000 6.41431 6.46400
40.0000 9.18628 9.56721
EOD
$rate1 << EOD
4000.0000 0.60077 0.64731
2000.0000 0.75038 0.83050
800.0000 1.27700 1.26125
400.0000 1.80708 1.75193
200.0000 2.55763 2.49006
80.0000 3.69786 4.13579
40.0000 5.87580 6.10055
EOD
$rate2 << EOD
4000.0000 1.24169 1.02239
2000.0000 2.15902 1.30817
800.0000 4.38483 1.98192
400.0000 6.38460 2.74775
200.0000 7.14165 3.90604
80.0000 8.74463 6.49552
40.0000 12.59185 9.60618
EOD
$rate3 << EOD
4000.0000 1.18996 0.93409
2000.0000 1.44833 1.19923
800.0000 2.26025 1.82128
400.0000 3.02101 2.52723
200.0000 4.24731 3.59460
80.0000 5.86848 5.96555
40.0000 8.07989 8.81915
EOD
set lmargin at screen 0.5688
set rmargin at screen 0.8165
set tmargin at screen 0.7489
set bmargin at screen 0.2203
unset arrow
set border 3 linecolor rgb '#888888'
set format '%g'
set tics scale 0.6
set xtics out nomirror textcolor rgb '#222222'
set ytics out nomirror textcolor rgb '#222222'
set xrange [30.7692:5200]
set yrange [1:2]
set logscale xy
set yrange [*:*]
set ytics autofreq
set xtics (40, 400, 4000)
plot $rate0 using 1:3 with lines linewidth 1.2 linecolor rgb '#e69f00' title 'socket send, by theory', \
	$rate0 using 1:2 with points pointtype 7 pointsize 0.8 linecolor rgb '#e69f00' title 'socket send', \
	$rate1 using 1:3 with lines linewidth 1.2 linecolor rgb '#56b4e9' title 'socket receive, by theory', \
	$rate1 using 1:2 with points pointtype 7 pointsize 0.8 linecolor rgb '#56b4e9' title 'socket receive', \
	$rate2 using 1:3 with lines linewidth 1.2 linecolor rgb '#2fbf8f' title 'RX softirq, by theory', \
	$rate2 using 1:2 with points pointtype 7 pointsize 0.8 linecolor rgb '#2fbf8f' title 'RX softirq', \
	$rate3 using 1:3 with lines linewidth 1.2 linecolor rgb '#c4c4c4' title 'user + other kernel, by theory', \
	$rate3 using 1:2 with points pointtype 7 pointsize 0.8 linecolor rgb '#c4c4c4' title 'user + other kernel'
unset logscale
unset multiplot
status: 0
