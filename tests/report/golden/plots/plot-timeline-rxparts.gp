# Made by netcost-report plot. gnuplot FILE >PICTURE draws it.
set encoding utf8
set terminal svg size 1060,783 name 'netcost_timeline' enhanced font 'sans-serif,12' background '#ffffff'
set multiplot
set lmargin at screen 0
set rmargin at screen 1
set bmargin at screen 0
set tmargin at screen 1
unset border
unset tics
unset key
set xrange [0:1060]
set yrange [783:0]
set label '{/:Bold CPU time over time}' at 20.00,18.00 left enhanced font 'sans-serif,15.6' textcolor rgb '#222222'
set label 'rxparts.nct: 1.00 s on 2 CPUs' at 20.00,40.00 left noenhanced font 'sans-serif,12' textcolor rgb '#222222'
set label 'Linux 6.1.0-test x86_64, Test CPU at 1.00GHz; exact: full; samples 1000 Hz' at 20.00,57.00 left noenhanced font 'sans-serif,12' textcolor rgb '#666666'
set label 'half' at 420.00,78.00 left noenhanced font 'sans-serif,12' textcolor rgb '#222222'
set label '{/:Bold CPU time, %}' at 20.00,102.00 left enhanced font 'sans-serif,12' textcolor rgb '#222222'
set label 'mean, %' at 1040.00,102.00 right noenhanced font 'sans-serif,12' textcolor rgb '#666666'
set object rectangle from 796.00,117.00 to 808.00,129.00 fillcolor rgb '#f2f2f2' fillstyle solid border linecolor rgb '#888888' linewidth 0.5
set label 'idle' at 816.00,123.00 left noenhanced font 'sans-serif,12' textcolor rgb '#222222'
set label '74.0' at 1040.00,123.00 right noenhanced font 'sans-serif,12' textcolor rgb '#222222'
set object rectangle from 796.00,136.00 to 808.00,148.00 fillcolor rgb '#7fb2d9' fillstyle solid border linecolor rgb '#888888' linewidth 0.5
set label 'user' at 816.00,142.00 left noenhanced font 'sans-serif,12' textcolor rgb '#222222'
set label 'at least 8.38' at 1040.00,142.00 right noenhanced font 'sans-serif,12' textcolor rgb '#222222'
set object rectangle from 796.00,155.00 to 808.00,167.00 fillcolor rgb '#c4c4c4' fillstyle solid border linecolor rgb '#888888' linewidth 0.5
set label 'user + other kernel' at 816.00,161.00 left noenhanced font 'sans-serif,12' textcolor rgb '#222222'
set label '4.50' at 1040.00,161.00 right noenhanced font 'sans-serif,12' textcolor rgb '#222222'
set object rectangle from 796.00,174.00 to 808.00,186.00 fillcolor rgb '#c4c4c4' fillstyle solid border linecolor rgb '#888888' linewidth 0.5
set label 'other kernel' at 816.00,180.00 left noenhanced font 'sans-serif,12' textcolor rgb '#222222'
set label 'at least 2.53' at 1040.00,180.00 right noenhanced font 'sans-serif,12' textcolor rgb '#222222'
set object rectangle from 796.00,193.00 to 808.00,205.00 fillcolor rgb '#c9b28f' fillstyle solid border linecolor rgb '#888888' linewidth 0.5
set label 'local sockets' at 816.00,199.00 left noenhanced font 'sans-serif,12' textcolor rgb '#222222'
set label '1.00' at 1040.00,199.00 right noenhanced font 'sans-serif,12' textcolor rgb '#222222'
set object rectangle from 796.00,212.00 to 808.00,224.00 fillcolor rgb '#f2c879' fillstyle solid border linecolor rgb '#888888' linewidth 0.5
set label 'network' at 816.00,218.00 left noenhanced font 'sans-serif,12' textcolor rgb '#222222'
set label 'at least 9.60' at 1040.00,218.00 right noenhanced font 'sans-serif,12' textcolor rgb '#222222'
set label '{/:Bold Network, % of CPU time}' at 20.00,288.00 left enhanced font 'sans-serif,12' textcolor rgb '#222222'
set label 'mean, %' at 1040.00,288.00 right noenhanced font 'sans-serif,12' textcolor rgb '#666666'
set object rectangle from 796.00,303.00 to 808.00,315.00 fillcolor rgb '#f0e442' fillstyle solid border linecolor rgb '#888888' linewidth 0.5
set label 'other network' at 816.00,309.00 left noenhanced font 'sans-serif,12' textcolor rgb '#222222'
set label 'at least 0.60' at 1040.00,309.00 right noenhanced font 'sans-serif,12' textcolor rgb '#222222'
set object rectangle from 796.00,322.00 to 808.00,334.00 fillcolor rgb '#2fbf8f' fillstyle solid border linecolor rgb '#888888' linewidth 0.5
set label 'RX softirq' at 816.00,328.00 left noenhanced font 'sans-serif,12' textcolor rgb '#222222'
set label '3.00' at 1040.00,328.00 right noenhanced font 'sans-serif,12' textcolor rgb '#222222'
set object rectangle from 796.00,341.00 to 808.00,353.00 fillcolor rgb '#56b4e9' fillstyle solid border linecolor rgb '#888888' linewidth 0.5
set label 'socket receive' at 816.00,347.00 left noenhanced font 'sans-serif,12' textcolor rgb '#222222'
set label '2.00' at 1040.00,347.00 right noenhanced font 'sans-serif,12' textcolor rgb '#222222'
set object rectangle from 796.00,360.00 to 808.00,372.00 fillcolor rgb '#e69f00' fillstyle solid border linecolor rgb '#888888' linewidth 0.5
set label 'socket send' at 816.00,366.00 left noenhanced font 'sans-serif,12' textcolor rgb '#222222'
set label '4.00' at 1040.00,366.00 right noenhanced font 'sans-serif,12' textcolor rgb '#222222'
set label '{/:Bold RX softirq, exact, % of CPU time}' at 20.00,474.00 left enhanced font 'sans-serif,12' textcolor rgb '#222222'
set label 'mean, %' at 1040.00,474.00 right noenhanced font 'sans-serif,12' textcolor rgb '#666666'
set object rectangle from 796.00,489.00 to 808.00,501.00 fillcolor rgb '#c2d8f0' fillstyle solid border linecolor rgb '#888888' linewidth 0.5
set label 'local delivery v6' at 816.00,495.00 left noenhanced font 'sans-serif,12' textcolor rgb '#222222'
set label '0.05' at 1040.00,495.00 right noenhanced font 'sans-serif,12' textcolor rgb '#222222'
set object rectangle from 796.00,508.00 to 808.00,520.00 fillcolor rgb '#c8a078' fillstyle solid border linecolor rgb '#888888' linewidth 0.5
set label 'NF ingress' at 816.00,514.00 left noenhanced font 'sans-serif,12' textcolor rgb '#222222'
set label '0.05' at 1040.00,514.00 right noenhanced font 'sans-serif,12' textcolor rgb '#222222'
set object rectangle from 796.00,527.00 to 808.00,539.00 fillcolor rgb '#ffaabb' fillstyle solid border linecolor rgb '#888888' linewidth 0.5
set label 'TC classify' at 816.00,533.00 left noenhanced font 'sans-serif,12' textcolor rgb '#222222'
set label '0.10' at 1040.00,533.00 right noenhanced font 'sans-serif,12' textcolor rgb '#222222'
set object rectangle from 796.00,546.00 to 808.00,558.00 fillcolor rgb '#bbcc33' fillstyle solid border linecolor rgb '#888888' linewidth 0.5
set label 'NF prerouting v4' at 816.00,552.00 left noenhanced font 'sans-serif,12' textcolor rgb '#222222'
set label '0.15' at 1040.00,552.00 right noenhanced font 'sans-serif,12' textcolor rgb '#222222'
set object rectangle from 796.00,565.00 to 808.00,577.00 fillcolor rgb '#ee8866' fillstyle solid border linecolor rgb '#888888' linewidth 0.5
set label 'GRO' at 816.00,571.00 left noenhanced font 'sans-serif,12' textcolor rgb '#222222'
set label '0.15' at 1040.00,571.00 right noenhanced font 'sans-serif,12' textcolor rgb '#222222'
set object rectangle from 796.00,584.00 to 808.00,596.00 fillcolor rgb '#eedd88' fillstyle solid border linecolor rgb '#888888' linewidth 0.5
set label 'receive core' at 816.00,590.00 left noenhanced font 'sans-serif,12' textcolor rgb '#222222'
set label '0.20' at 1040.00,590.00 right noenhanced font 'sans-serif,12' textcolor rgb '#222222'
set object rectangle from 796.00,603.00 to 808.00,615.00 fillcolor rgb '#d4d4d4' fillstyle solid border linecolor rgb '#888888' linewidth 0.5
set label 'self' at 816.00,609.00 left noenhanced font 'sans-serif,12' textcolor rgb '#222222'
set label '0.25' at 1040.00,609.00 right noenhanced font 'sans-serif,12' textcolor rgb '#222222'
set object rectangle from 796.00,622.00 to 808.00,634.00 fillcolor rgb '#b48ac6' fillstyle solid border linecolor rgb '#888888' linewidth 0.5
set label 'driver poll' at 816.00,628.00 left noenhanced font 'sans-serif,12' textcolor rgb '#222222'
set label '0.25' at 1040.00,628.00 right noenhanced font 'sans-serif,12' textcolor rgb '#222222'
set object rectangle from 796.00,641.00 to 808.00,653.00 fillcolor rgb '#55c8c0' fillstyle solid border linecolor rgb '#888888' linewidth 0.5
set label 'conntrack' at 816.00,647.00 left noenhanced font 'sans-serif,12' textcolor rgb '#222222'
set label '0.30' at 1040.00,647.00 right noenhanced font 'sans-serif,12' textcolor rgb '#222222'
set object rectangle from 796.00,660.00 to 808.00,672.00 fillcolor rgb '#cc7788' fillstyle solid border linecolor rgb '#888888' linewidth 0.5
set label 'forwarding v4' at 816.00,666.00 left noenhanced font 'sans-serif,12' textcolor rgb '#222222'
set label '0.50' at 1040.00,666.00 right noenhanced font 'sans-serif,12' textcolor rgb '#222222'
set object rectangle from 796.00,679.00 to 808.00,691.00 fillcolor rgb '#77aadd' fillstyle solid border linecolor rgb '#888888' linewidth 0.5
set label 'local delivery v4' at 816.00,685.00 left noenhanced font 'sans-serif,12' textcolor rgb '#222222'
set label '1.00' at 1040.00,685.00 right noenhanced font 'sans-serif,12' textcolor rgb '#222222'
set label 'seconds since the start of the recording' at 420.00,740.00 center noenhanced font 'sans-serif,12' textcolor rgb '#222222'
set label 'Power was not measured.' at 20.00,765.00 left noenhanced font 'sans-serif,12' textcolor rgb '#666666'
$data0 << EOD
0.0000 9.000 10.000 10.000 26.000 26.000 100.000
0.2500 9.000 10.000 10.000 26.000 26.000 100.000
0.2500 9.000 10.000 10.000 11.000 26.000 100.000
0.5000 9.000 10.000 10.000 11.000 26.000 100.000
0.5000 6.000 7.000 7.000 8.000 26.000 100.000
0.7500 6.000 7.000 7.000 8.000 26.000 100.000
0.7500 14.400 15.400 25.500 25.500 26.000 100.000
1.0000 14.400 15.400 25.500 25.500 26.000 100.000
EOD
plot NaN notitle
unset object
unset label
set lmargin at screen 0.0660
set rmargin at screen 0.7264
set tmargin at screen 0.8519
set bmargin at screen 0.6858
unset arrow
set border 3 linecolor rgb '#888888'
set format '%g'
set tics scale 0.6
set xtics out nomirror textcolor rgb '#222222'
set ytics out nomirror textcolor rgb '#222222'
set xrange [0.0000:1.0000]
set yrange [0:100]
set ytics 20
set arrow from 0.5000,graph 0 to 0.5000,graph 1 nohead front linecolor rgb '#222222' dashtype 3
plot $data0 using 1:7 with filledcurves y1=0 linecolor rgb '#f2f2f2' fillstyle solid noborder title 'idle' noenhanced, \
	$data0 using 1:6 with filledcurves y1=0 linecolor rgb '#7fb2d9' fillstyle solid noborder title 'user' noenhanced, \
	$data0 using 1:5 with filledcurves y1=0 linecolor rgb '#c4c4c4' fillstyle solid noborder title 'user + other kernel' noenhanced, \
	$data0 using 1:4 with filledcurves y1=0 linecolor rgb '#c4c4c4' fillstyle solid noborder title 'other kernel' noenhanced, \
	$data0 using 1:3 with filledcurves y1=0 linecolor rgb '#c9b28f' fillstyle solid noborder title 'local sockets' noenhanced, \
	$data0 using 1:2 with filledcurves y1=0 linecolor rgb '#f2c879' fillstyle solid noborder title 'network' noenhanced
$data1 << EOD
0.0000 4.000 6.000 9.000 9.000
0.2500 4.000 6.000 9.000 9.000
0.2500 4.000 6.000 9.000 9.000
0.5000 4.000 6.000 9.000 9.000
0.5000 4.000 6.000 6.000 6.000
0.7500 4.000 6.000 6.000 6.000
0.7500 4.000 6.000 12.000 14.400
1.0000 4.000 6.000 12.000 14.400
EOD
set lmargin at screen 0.0660
set rmargin at screen 0.7264
set tmargin at screen 0.6143
set bmargin at screen 0.4483
unset arrow
set border 3 linecolor rgb '#888888'
set format '%g'
set tics scale 0.6
set xtics out nomirror textcolor rgb '#222222'
set ytics out nomirror textcolor rgb '#222222'
set xrange [0.0000:1.0000]
set yrange [0:15.552]
set ytics 5
set arrow from 0.5000,graph 0 to 0.5000,graph 1 nohead front linecolor rgb '#222222' dashtype 3
plot $data1 using 1:5 with filledcurves y1=0 linecolor rgb '#f0e442' fillstyle solid noborder title 'other network' noenhanced, \
	$data1 using 1:4 with filledcurves y1=0 linecolor rgb '#2fbf8f' fillstyle solid noborder title 'RX softirq' noenhanced, \
	$data1 using 1:3 with filledcurves y1=0 linecolor rgb '#56b4e9' fillstyle solid noborder title 'socket receive' noenhanced, \
	$data1 using 1:2 with filledcurves y1=0 linecolor rgb '#e69f00' fillstyle solid noborder title 'socket send' noenhanced
$data2 << EOD
0.0000 1.000 1.500 1.800 2.050 2.300 2.500 2.650 2.800 2.900 2.950 3.000
0.2500 1.000 1.500 1.800 2.050 2.300 2.500 2.650 2.800 2.900 2.950 3.000
0.2500 1.000 1.500 1.800 2.050 2.300 2.500 2.650 2.800 2.900 2.950 3.000
0.5000 1.000 1.500 1.800 2.050 2.300 2.500 2.650 2.800 2.900 2.950 3.000
0.5000 0.000 0.000 0.000 0.000 0.000 0.000 0.000 0.000 0.000 0.000 0.000
0.7500 0.000 0.000 0.000 0.000 0.000 0.000 0.000 0.000 0.000 0.000 0.000
0.7500 2.000 3.000 3.600 4.100 4.600 5.000 5.300 5.600 5.800 5.900 6.000
1.0000 2.000 3.000 3.600 4.100 4.600 5.000 5.300 5.600 5.800 5.900 6.000
EOD
set lmargin at screen 0.0660
set rmargin at screen 0.7264
set tmargin at screen 0.3768
set bmargin at screen 0.1098
unset arrow
set border 3 linecolor rgb '#888888'
set format '%g'
set tics scale 0.6
set xtics out nomirror textcolor rgb '#222222'
set ytics out nomirror textcolor rgb '#222222'
set xrange [0.0000:1.0000]
set yrange [0:6.48]
set ytics 2
set arrow from 0.5000,graph 0 to 0.5000,graph 1 nohead front linecolor rgb '#222222' dashtype 3
plot $data2 using 1:12 with filledcurves y1=0 linecolor rgb '#c2d8f0' fillstyle solid noborder title 'local delivery v6' noenhanced, \
	$data2 using 1:11 with filledcurves y1=0 linecolor rgb '#c8a078' fillstyle solid noborder title 'NF ingress' noenhanced, \
	$data2 using 1:10 with filledcurves y1=0 linecolor rgb '#ffaabb' fillstyle solid noborder title 'TC classify' noenhanced, \
	$data2 using 1:9 with filledcurves y1=0 linecolor rgb '#bbcc33' fillstyle solid noborder title 'NF prerouting v4' noenhanced, \
	$data2 using 1:8 with filledcurves y1=0 linecolor rgb '#ee8866' fillstyle solid noborder title 'GRO' noenhanced, \
	$data2 using 1:7 with filledcurves y1=0 linecolor rgb '#eedd88' fillstyle solid noborder title 'receive core' noenhanced, \
	$data2 using 1:6 with filledcurves y1=0 linecolor rgb '#d4d4d4' fillstyle solid noborder title 'self' noenhanced, \
	$data2 using 1:5 with filledcurves y1=0 linecolor rgb '#b48ac6' fillstyle solid noborder title 'driver poll' noenhanced, \
	$data2 using 1:4 with filledcurves y1=0 linecolor rgb '#55c8c0' fillstyle solid noborder title 'conntrack' noenhanced, \
	$data2 using 1:3 with filledcurves y1=0 linecolor rgb '#cc7788' fillstyle solid noborder title 'forwarding v4' noenhanced, \
	$data2 using 1:2 with filledcurves y1=0 linecolor rgb '#77aadd' fillstyle solid noborder title 'local delivery v4' noenhanced
unset multiplot
status: 0
