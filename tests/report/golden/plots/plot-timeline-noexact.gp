# Made by netcost-report plot. gnuplot FILE >PICTURE draws it.
set encoding utf8
set terminal svg size 1060,688 name 'netcost_timeline' enhanced font 'sans-serif,12' background '#ffffff'
set multiplot
set lmargin at screen 0
set rmargin at screen 1
set bmargin at screen 0
set tmargin at screen 1
unset border
unset tics
unset key
set xrange [0:1060]
set yrange [688:0]
set label '{/:Bold CPU time over time}' at 20.00,18.00 left enhanced font 'sans-serif,15.6' textcolor rgb '#222222'
set label 'noexact.nct: 1.00 s on 2 CPUs' at 20.00,40.00 left noenhanced font 'sans-serif,12' textcolor rgb '#222222'
set label 'Linux 6.1.0-test x86_64, Test CPU at 1.00GHz; exact: off; samples 1000 Hz' at 20.00,57.00 left noenhanced font 'sans-serif,12' textcolor rgb '#666666'
set label '{/:Bold CPU time, %}' at 20.00,86.00 left enhanced font 'sans-serif,12' textcolor rgb '#222222'
set label 'mean, %' at 1040.00,86.00 right noenhanced font 'sans-serif,12' textcolor rgb '#666666'
set object rectangle from 796.00,101.00 to 808.00,113.00 fillcolor rgb '#f2f2f2' fillstyle solid border linecolor rgb '#888888' linewidth 0.5
set label 'idle' at 816.00,107.00 left noenhanced font 'sans-serif,12' textcolor rgb '#222222'
set label '73.8' at 1040.00,107.00 right noenhanced font 'sans-serif,12' textcolor rgb '#222222'
set object rectangle from 796.00,120.00 to 808.00,132.00 fillcolor rgb '#7fb2d9' fillstyle solid border linecolor rgb '#888888' linewidth 0.5
set label 'user' at 816.00,126.00 left noenhanced font 'sans-serif,12' textcolor rgb '#222222'
set label '10.5' at 1040.00,126.00 right noenhanced font 'sans-serif,12' textcolor rgb '#222222'
set object rectangle from 796.00,139.00 to 808.00,151.00 fillcolor rgb '#c4c4c4' fillstyle solid border linecolor rgb '#888888' linewidth 0.5
set label 'other kernel' at 816.00,145.00 left noenhanced font 'sans-serif,12' textcolor rgb '#222222'
set label '4.37' at 1040.00,145.00 right noenhanced font 'sans-serif,12' textcolor rgb '#222222'
set object rectangle from 796.00,158.00 to 808.00,170.00 fillcolor rgb '#c9b28f' fillstyle solid border linecolor rgb '#888888' linewidth 0.5
set label 'local sockets' at 816.00,164.00 left noenhanced font 'sans-serif,12' textcolor rgb '#222222'
set label '0.51' at 1040.00,164.00 right noenhanced font 'sans-serif,12' textcolor rgb '#222222'
set object rectangle from 796.00,177.00 to 808.00,189.00 fillcolor rgb '#f2c879' fillstyle solid border linecolor rgb '#888888' linewidth 0.5
set label 'network' at 816.00,183.00 left noenhanced font 'sans-serif,12' textcolor rgb '#222222'
set label '10.8' at 1040.00,183.00 right noenhanced font 'sans-serif,12' textcolor rgb '#222222'
set label '{/:Bold Network, % of CPU time}' at 20.00,272.00 left enhanced font 'sans-serif,12' textcolor rgb '#222222'
set label 'mean, %' at 1040.00,272.00 right noenhanced font 'sans-serif,12' textcolor rgb '#666666'
set object rectangle from 796.00,287.00 to 808.00,299.00 fillcolor rgb '#f0e442' fillstyle solid border linecolor rgb '#888888' linewidth 0.5
set label 'other network' at 816.00,293.00 left noenhanced font 'sans-serif,12' textcolor rgb '#222222'
set label '1.03' at 1040.00,293.00 right noenhanced font 'sans-serif,12' textcolor rgb '#222222'
set object rectangle from 796.00,306.00 to 808.00,318.00 fillcolor rgb '#2fbf8f' fillstyle solid border linecolor rgb '#888888' linewidth 0.5
set label 'RX softirq' at 816.00,312.00 left noenhanced font 'sans-serif,12' textcolor rgb '#222222'
set label '3.09' at 1040.00,312.00 right noenhanced font 'sans-serif,12' textcolor rgb '#222222'
set object rectangle from 796.00,325.00 to 808.00,337.00 fillcolor rgb '#56b4e9' fillstyle solid border linecolor rgb '#888888' linewidth 0.5
set label 'socket receive' at 816.00,331.00 left noenhanced font 'sans-serif,12' textcolor rgb '#222222'
set label '2.06' at 1040.00,331.00 right noenhanced font 'sans-serif,12' textcolor rgb '#222222'
set object rectangle from 796.00,344.00 to 808.00,356.00 fillcolor rgb '#e69f00' fillstyle solid border linecolor rgb '#888888' linewidth 0.5
set label 'socket send' at 816.00,350.00 left noenhanced font 'sans-serif,12' textcolor rgb '#222222'
set label '4.63' at 1040.00,350.00 right noenhanced font 'sans-serif,12' textcolor rgb '#222222'
set label '{/:Bold RX softirq, by samples, % of CPU time}' at 20.00,458.00 left enhanced font 'sans-serif,12' textcolor rgb '#222222'
set label 'mean, %' at 1040.00,458.00 right noenhanced font 'sans-serif,12' textcolor rgb '#666666'
set object rectangle from 796.00,473.00 to 808.00,485.00 fillcolor rgb '#d4d4d4' fillstyle solid border linecolor rgb '#888888' linewidth 0.5
set label 'self' at 816.00,479.00 left noenhanced font 'sans-serif,12' textcolor rgb '#222222'
set label '3.09' at 1040.00,479.00 right noenhanced font 'sans-serif,12' textcolor rgb '#222222'
set label 'seconds since the start of the recording' at 420.00,645.00 center noenhanced font 'sans-serif,12' textcolor rgb '#222222'
set label 'Power was not measured.' at 20.00,670.00 left noenhanced font 'sans-serif,12' textcolor rgb '#666666'
$data0 << EOD
0.0000 10.801 11.315 15.680 26.217 100.000
1.0000 10.801 11.315 15.680 26.217 100.000
EOD
plot NaN notitle
unset object
unset label
set lmargin at screen 0.0660
set rmargin at screen 0.7264
set tmargin at screen 0.8547
set bmargin at screen 0.6657
unset arrow
set border 3 linecolor rgb '#888888'
set format '%g'
set tics scale 0.6
set xtics out nomirror textcolor rgb '#222222'
set ytics out nomirror textcolor rgb '#222222'
set xrange [0.0000:1.0000]
set yrange [0:100]
set ytics 20
plot $data0 using 1:6 with filledcurves y1=0 linecolor rgb '#f2f2f2' fillstyle solid noborder title 'idle' noenhanced, \
	$data0 using 1:5 with filledcurves y1=0 linecolor rgb '#7fb2d9' fillstyle solid noborder title 'user' noenhanced, \
	$data0 using 1:4 with filledcurves y1=0 linecolor rgb '#c4c4c4' fillstyle solid noborder title 'other kernel' noenhanced, \
	$data0 using 1:3 with filledcurves y1=0 linecolor rgb '#c9b28f' fillstyle solid noborder title 'local sockets' noenhanced, \
	$data0 using 1:2 with filledcurves y1=0 linecolor rgb '#f2c879' fillstyle solid noborder title 'network' noenhanced
$data1 << EOD
0.0000 4.629 6.686 9.772 10.801
1.0000 4.629 6.686 9.772 10.801
EOD
set lmargin at screen 0.0660
set rmargin at screen 0.7264
set tmargin at screen 0.5843
set bmargin at screen 0.3953
unset arrow
set border 3 linecolor rgb '#888888'
set format '%g'
set tics scale 0.6
set xtics out nomirror textcolor rgb '#222222'
set ytics out nomirror textcolor rgb '#222222'
set xrange [0.0000:1.0000]
set yrange [0:11.6646]
set ytics 2
plot $data1 using 1:5 with filledcurves y1=0 linecolor rgb '#f0e442' fillstyle solid noborder title 'other network' noenhanced, \
	$data1 using 1:4 with filledcurves y1=0 linecolor rgb '#2fbf8f' fillstyle solid noborder title 'RX softirq' noenhanced, \
	$data1 using 1:3 with filledcurves y1=0 linecolor rgb '#56b4e9' fillstyle solid noborder title 'socket receive' noenhanced, \
	$data1 using 1:2 with filledcurves y1=0 linecolor rgb '#e69f00' fillstyle solid noborder title 'socket send' noenhanced
$data2 << EOD
0.0000 3.086
1.0000 3.086
EOD
set lmargin at screen 0.0660
set rmargin at screen 0.7264
set tmargin at screen 0.3140
set bmargin at screen 0.1250
unset arrow
set border 3 linecolor rgb '#888888'
set format '%g'
set tics scale 0.6
set xtics out nomirror textcolor rgb '#222222'
set ytics out nomirror textcolor rgb '#222222'
set xrange [0.0000:1.0000]
set yrange [0:3.33273]
set ytics 1
plot $data2 using 1:2 with filledcurves y1=0 linecolor rgb '#d4d4d4' fillstyle solid noborder title 'self' noenhanced
unset multiplot
status: 0
