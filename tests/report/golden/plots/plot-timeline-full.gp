# Made by netcost-report plot. gnuplot FILE >PICTURE draws it.
set encoding utf8
set terminal svg size 1060,890 name 'netcost_timeline' enhanced font 'sans-serif,12' background '#ffffff'
set multiplot
set lmargin at screen 0
set rmargin at screen 1
set bmargin at screen 0
set tmargin at screen 1
unset border
unset tics
unset key
set xrange [0:1060]
set yrange [890:0]
set label '{/:Bold CPU time over time}' at 20.00,18.00 left enhanced font 'sans-serif,15.6' textcolor rgb '#222222'
set label 'full.nct: 1.00 s on 2 CPUs' at 20.00,40.00 left noenhanced font 'sans-serif,12' textcolor rgb '#222222'
set label 'Linux 6.1.0-test x86_64, Test CPU at 1.00GHz; exact: entry; samples 1000 Hz' at 20.00,57.00 left noenhanced font 'sans-serif,12' textcolor rgb '#666666'
set label 'here' at 70.00,78.00 left noenhanced font 'sans-serif,12' textcolor rgb '#222222'
set label '{/:Bold CPU time, %}' at 20.00,102.00 left enhanced font 'sans-serif,12' textcolor rgb '#222222'
set label 'mean, %' at 1040.00,102.00 right noenhanced font 'sans-serif,12' textcolor rgb '#666666'
set object rectangle from 796.00,117.00 to 808.00,129.00 fillcolor rgb '#f2f2f2' fillstyle solid border linecolor rgb '#888888' linewidth 0.5
set label 'idle' at 816.00,123.00 left noenhanced font 'sans-serif,12' textcolor rgb '#222222'
set label '74.0' at 1040.00,123.00 right noenhanced font 'sans-serif,12' textcolor rgb '#222222'
set object rectangle from 796.00,136.00 to 808.00,148.00 fillcolor rgb '#7fb2d9' fillstyle solid border linecolor rgb '#888888' linewidth 0.5
set label 'user' at 816.00,142.00 left noenhanced font 'sans-serif,12' textcolor rgb '#222222'
set label '10.5' at 1040.00,142.00 right noenhanced font 'sans-serif,12' textcolor rgb '#222222'
set object rectangle from 796.00,155.00 to 808.00,167.00 fillcolor rgb '#c4c4c4' fillstyle solid border linecolor rgb '#888888' linewidth 0.5
set label 'user + other kernel' at 816.00,161.00 left noenhanced font 'sans-serif,12' textcolor rgb '#222222'
set label '0.50' at 1040.00,161.00 right noenhanced font 'sans-serif,12' textcolor rgb '#222222'
set object rectangle from 796.00,174.00 to 808.00,186.00 fillcolor rgb '#c4c4c4' fillstyle solid border linecolor rgb '#888888' linewidth 0.5
set label 'other kernel' at 816.00,180.00 left noenhanced font 'sans-serif,12' textcolor rgb '#222222'
set label '4.50' at 1040.00,180.00 right noenhanced font 'sans-serif,12' textcolor rgb '#222222'
set object rectangle from 796.00,193.00 to 808.00,205.00 fillcolor rgb '#c9b28f' fillstyle solid border linecolor rgb '#888888' linewidth 0.5
set label 'local sockets' at 816.00,199.00 left noenhanced font 'sans-serif,12' textcolor rgb '#222222'
set label '1.00' at 1040.00,199.00 right noenhanced font 'sans-serif,12' textcolor rgb '#222222'
set object rectangle from 796.00,212.00 to 808.00,224.00 fillcolor rgb '#f2c879' fillstyle solid border linecolor rgb '#888888' linewidth 0.5
set label 'network' at 816.00,218.00 left noenhanced font 'sans-serif,12' textcolor rgb '#222222'
set label '10.0' at 1040.00,218.00 right noenhanced font 'sans-serif,12' textcolor rgb '#222222'
set label '{/:Bold Network, % of CPU time}' at 20.00,288.00 left enhanced font 'sans-serif,12' textcolor rgb '#222222'
set label 'mean, %' at 1040.00,288.00 right noenhanced font 'sans-serif,12' textcolor rgb '#666666'
set object rectangle from 796.00,303.00 to 808.00,315.00 fillcolor rgb '#f0e442' fillstyle solid border linecolor rgb '#888888' linewidth 0.5
set label 'other network' at 816.00,309.00 left noenhanced font 'sans-serif,12' textcolor rgb '#222222'
set label '1.00' at 1040.00,309.00 right noenhanced font 'sans-serif,12' textcolor rgb '#222222'
set object rectangle from 796.00,322.00 to 808.00,334.00 fillcolor rgb '#2fbf8f' fillstyle solid border linecolor rgb '#888888' linewidth 0.5
set label 'RX softirq' at 816.00,328.00 left noenhanced font 'sans-serif,12' textcolor rgb '#222222'
set label '3.00' at 1040.00,328.00 right noenhanced font 'sans-serif,12' textcolor rgb '#222222'
set object rectangle from 796.00,341.00 to 808.00,353.00 fillcolor rgb '#56b4e9' fillstyle solid border linecolor rgb '#888888' linewidth 0.5
set label 'socket receive' at 816.00,347.00 left noenhanced font 'sans-serif,12' textcolor rgb '#222222'
set label '2.00' at 1040.00,347.00 right noenhanced font 'sans-serif,12' textcolor rgb '#222222'
set object rectangle from 796.00,360.00 to 808.00,372.00 fillcolor rgb '#e69f00' fillstyle solid border linecolor rgb '#888888' linewidth 0.5
set label 'socket send' at 816.00,366.00 left noenhanced font 'sans-serif,12' textcolor rgb '#222222'
set label '4.00' at 1040.00,366.00 right noenhanced font 'sans-serif,12' textcolor rgb '#222222'
set label '{/:Bold RX softirq, by samples, % of CPU time}' at 20.00,474.00 left enhanced font 'sans-serif,12' textcolor rgb '#222222'
set label 'mean, %' at 1040.00,474.00 right noenhanced font 'sans-serif,12' textcolor rgb '#666666'
set object rectangle from 796.00,489.00 to 808.00,501.00 fillcolor rgb '#888888' fillstyle pattern 4 border linecolor rgb '#888888' linewidth 0.5
set label 'not separated' at 816.00,495.00 left noenhanced font 'sans-serif,12' textcolor rgb '#222222'
set label '1.50' at 1040.00,495.00 right noenhanced font 'sans-serif,12' textcolor rgb '#222222'
set object rectangle from 796.00,508.00 to 808.00,520.00 fillcolor rgb '#d4d4d4' fillstyle solid border linecolor rgb '#888888' linewidth 0.5
set label 'self' at 816.00,514.00 left noenhanced font 'sans-serif,12' textcolor rgb '#222222'
set label '1.50' at 1040.00,514.00 right noenhanced font 'sans-serif,12' textcolor rgb '#222222'
set label '{/:Bold Power of packages and memory, W}' at 20.00,660.00 left enhanced font 'sans-serif,12' textcolor rgb '#222222'
set label 'mean, W' at 1040.00,660.00 right noenhanced font 'sans-serif,12' textcolor rgb '#666666'
set object rectangle from 796.00,675.00 to 808.00,687.00 fillcolor rgb '#222222' fillstyle solid border linecolor rgb '#888888' linewidth 0.5
set label 'total' at 816.00,681.00 left noenhanced font 'sans-serif,12' textcolor rgb '#222222'
set label '4.00' at 1040.00,681.00 right noenhanced font 'sans-serif,12' textcolor rgb '#222222'
set object rectangle from 796.00,694.00 to 808.00,706.00 fillcolor rgb '#f2c879' fillstyle solid border linecolor rgb '#888888' linewidth 0.5
set label 'network’s share' at 816.00,700.00 left noenhanced font 'sans-serif,12' textcolor rgb '#222222'
set label '0.39' at 1040.00,700.00 right noenhanced font 'sans-serif,12' textcolor rgb '#222222'
set label 'seconds since the start of the recording' at 420.00,847.00 center noenhanced font 'sans-serif,12' textcolor rgb '#222222'
set label '' at 20.00,872.00 left noenhanced font 'sans-serif,12' textcolor rgb '#666666'
$data0 << EOD
0.0000 9.000 10.000 10.000 11.000 26.000 100.000
0.5000 9.000 10.000 10.000 11.000 26.000 100.000
0.5000 10.493 11.493 17.963 17.963 26.000 100.000
1.0000 10.493 11.493 17.963 17.963 26.000 100.000
EOD
plot NaN notitle
unset object
unset label
set lmargin at screen 0.0660
set rmargin at screen 0.7264
set tmargin at screen 0.8697
set bmargin at screen 0.7236
unset arrow
set border 3 linecolor rgb '#888888'
set format '%g'
set tics scale 0.6
set xtics out nomirror textcolor rgb '#222222'
set ytics out nomirror textcolor rgb '#222222'
set xrange [0.0000:1.0000]
set yrange [0:100]
set ytics 20
set arrow from 0.0000,graph 0 to 0.0000,graph 1 nohead front linecolor rgb '#222222' dashtype 3
plot $data0 using 1:7 with filledcurves y1=0 linecolor rgb '#f2f2f2' fillstyle solid noborder title 'idle' noenhanced, \
	$data0 using 1:6 with filledcurves y1=0 linecolor rgb '#7fb2d9' fillstyle solid noborder title 'user' noenhanced, \
	$data0 using 1:5 with filledcurves y1=0 linecolor rgb '#c4c4c4' fillstyle solid noborder title 'user + other kernel' noenhanced, \
	$data0 using 1:4 with filledcurves y1=0 linecolor rgb '#c4c4c4' fillstyle solid noborder title 'other kernel' noenhanced, \
	$data0 using 1:3 with filledcurves y1=0 linecolor rgb '#c9b28f' fillstyle solid noborder title 'local sockets' noenhanced, \
	$data0 using 1:2 with filledcurves y1=0 linecolor rgb '#f2c879' fillstyle solid noborder title 'network' noenhanced
$data1 << EOD
0.0000 4.000 6.000 9.000 9.000
0.5000 4.000 6.000 9.000 9.000
0.5000 4.000 6.000 9.000 10.493
1.0000 4.000 6.000 9.000 10.493
EOD
set lmargin at screen 0.0660
set rmargin at screen 0.7264
set tmargin at screen 0.6607
set bmargin at screen 0.5146
unset arrow
set border 3 linecolor rgb '#888888'
set format '%g'
set tics scale 0.6
set xtics out nomirror textcolor rgb '#222222'
set ytics out nomirror textcolor rgb '#222222'
set xrange [0.0000:1.0000]
set yrange [0:11.3319]
set ytics 2
set arrow from 0.0000,graph 0 to 0.0000,graph 1 nohead front linecolor rgb '#222222' dashtype 3
plot $data1 using 1:5 with filledcurves y1=0 linecolor rgb '#f0e442' fillstyle solid noborder title 'other network' noenhanced, \
	$data1 using 1:4 with filledcurves y1=0 linecolor rgb '#2fbf8f' fillstyle solid noborder title 'RX softirq' noenhanced, \
	$data1 using 1:3 with filledcurves y1=0 linecolor rgb '#56b4e9' fillstyle solid noborder title 'socket receive' noenhanced, \
	$data1 using 1:2 with filledcurves y1=0 linecolor rgb '#e69f00' fillstyle solid noborder title 'socket send' noenhanced
$data2 << EOD
0.0000 0.000 3.000
0.5000 0.000 3.000
0.5000 3.000 3.000
1.0000 3.000 3.000
EOD
set lmargin at screen 0.0660
set rmargin at screen 0.7264
set tmargin at screen 0.4517
set bmargin at screen 0.3056
unset arrow
set border 3 linecolor rgb '#888888'
set format '%g'
set tics scale 0.6
set xtics out nomirror textcolor rgb '#222222'
set ytics out nomirror textcolor rgb '#222222'
set xrange [0.0000:1.0000]
set yrange [0:3.24]
set ytics 1
set arrow from 0.0000,graph 0 to 0.0000,graph 1 nohead front linecolor rgb '#222222' dashtype 3
plot $data2 using 1:3 with filledcurves y1=0 linecolor rgb '#888888' fillstyle pattern 4 title 'not separated' noenhanced, \
	$data2 using 1:2 with filledcurves y1=0 linecolor rgb '#d4d4d4' fillstyle solid noborder title 'self' noenhanced
$data3 << EOD
0.0000 0.360 4.000
0.5000 0.360 4.000
0.5000 0.420 4.000
1.0000 0.420 4.000
EOD
set lmargin at screen 0.0660
set rmargin at screen 0.7264
set tmargin at screen 0.2427
set bmargin at screen 0.0966
unset arrow
set border 3 linecolor rgb '#888888'
set format '%g'
set tics scale 0.6
set xtics out nomirror textcolor rgb '#222222'
set ytics out nomirror textcolor rgb '#222222'
set xrange [0.0000:1.0000]
set yrange [0:4.32]
set ytics 1
set arrow from 0.0000,graph 0 to 0.0000,graph 1 nohead front linecolor rgb '#222222' dashtype 3
plot $data3 using 1:2 with filledcurves y1=0 linecolor rgb '#f2c879' fillstyle solid noborder title 'network’s share' noenhanced, \
	$data3 using 1:3 with lines linecolor rgb '#222222' linewidth 1.5 title 'total' noenhanced
unset multiplot
status: 0
