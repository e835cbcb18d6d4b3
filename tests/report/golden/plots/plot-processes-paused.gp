# Made by netcost-report plot. gnuplot FILE >PICTURE draws it.
set encoding utf8
set terminal svg size 1060,502 name 'netcost_who' enhanced font 'sans-serif,12' background '#ffffff'
set multiplot
set lmargin at screen 0
set rmargin at screen 1
set bmargin at screen 0
set tmargin at screen 1
unset border
unset tics
unset key
set xrange [0:1060]
set yrange [502:0]
set label '{/:Bold CPU time by process}' at 20.00,18.00 left enhanced font 'sans-serif,15.6' textcolor rgb '#222222'
set label 'crowd-paused.nct: 1.00 s on 2 CPUs' at 20.00,40.00 left noenhanced font 'sans-serif,12' textcolor rgb '#222222'
set label 'Linux 6.1.0-test x86_64, Test CPU at 1.00GHz; exact: entry; samples 1000 Hz' at 20.00,57.00 left noenhanced font 'sans-serif,12' textcolor rgb '#666666'
set label '{/:Bold On CPUs, % of CPU time}' at 20.00,86.00 left enhanced font 'sans-serif,12' textcolor rgb '#222222'
set label 'mean, % while counted' at 1040.00,86.00 right noenhanced font 'sans-serif,12' textcolor rgb '#666666'
set object rectangle from 796.00,101.00 to 808.00,113.00 fillcolor rgb '#2fbf8f' fillstyle solid border linecolor rgb '#888888' linewidth 0.5
set label 'network interrupts' at 816.00,107.00 left noenhanced font 'sans-serif,12' textcolor rgb '#222222'
set label '3.00' at 1040.00,107.00 right noenhanced font 'sans-serif,12' textcolor rgb '#222222'
set object rectangle from 796.00,120.00 to 808.00,132.00 fillcolor rgb '#ee8866' fillstyle solid border linecolor rgb '#888888' linewidth 0.5
set label 'db (101)' at 816.00,126.00 left noenhanced font 'sans-serif,12' textcolor rgb '#222222'
set label '1.00' at 1040.00,126.00 right noenhanced font 'sans-serif,12' textcolor rgb '#222222'
set object rectangle from 796.00,139.00 to 808.00,151.00 fillcolor rgb '#b48ac6' fillstyle solid border linecolor rgb '#888888' linewidth 0.5
set label 'web (100)' at 816.00,145.00 left noenhanced font 'sans-serif,12' textcolor rgb '#222222'
set label '22.0' at 1040.00,145.00 right noenhanced font 'sans-serif,12' textcolor rgb '#222222'
set label '{/:Bold Network, % of CPU time}' at 20.00,272.00 left enhanced font 'sans-serif,12' textcolor rgb '#222222'
set label 'mean, % while counted' at 1040.00,272.00 right noenhanced font 'sans-serif,12' textcolor rgb '#666666'
set object rectangle from 796.00,287.00 to 808.00,299.00 fillcolor rgb '#2fbf8f' fillstyle solid border linecolor rgb '#888888' linewidth 0.5
set label 'network interrupts' at 816.00,293.00 left noenhanced font 'sans-serif,12' textcolor rgb '#222222'
set label '3.00' at 1040.00,293.00 right noenhanced font 'sans-serif,12' textcolor rgb '#222222'
set object rectangle from 796.00,306.00 to 808.00,318.00 fillcolor rgb '#b48ac6' fillstyle solid border linecolor rgb '#888888' linewidth 0.5
set label 'web (100)' at 816.00,312.00 left noenhanced font 'sans-serif,12' textcolor rgb '#222222'
set label '6.00' at 1040.00,312.00 right noenhanced font 'sans-serif,12' textcolor rgb '#222222'
set label 'seconds since the start of the recording' at 420.00,459.00 center noenhanced font 'sans-serif,12' textcolor rgb '#222222'
set label 'Exact times. Gaps were not counted. On CPUs: without interrupts. Network interrupts: softirqs and hard interrupts, for packets of any process.' at 20.00,484.00 left noenhanced font 'sans-serif,12' textcolor rgb '#666666'
$data0 << EOD
0.0000 22.000 23.000 26.000
0.5000 22.000 23.000 26.000
0.5000 22.000 23.000 26.000
1.0000 22.000 23.000 26.000
EOD
plot NaN notitle
unset object
unset label
set lmargin at screen 0.0660
set rmargin at screen 0.7264
set tmargin at screen 0.8008
set bmargin at screen 0.5418
unset arrow
set border 3 linecolor rgb '#888888'
set format '%g'
set tics scale 0.6
set xtics out nomirror textcolor rgb '#222222'
set ytics out nomirror textcolor rgb '#222222'
set xrange [0.0000:1.0000]
set yrange [0:100]
set ytics 20
plot $data0 using 1:4 with filledcurves y1=0 linecolor rgb '#2fbf8f' fillstyle solid noborder title 'network interrupts' noenhanced, \
	$data0 using 1:3 with filledcurves y1=0 linecolor rgb '#ee8866' fillstyle solid noborder title 'db (101)' noenhanced, \
	$data0 using 1:2 with filledcurves y1=0 linecolor rgb '#b48ac6' fillstyle solid noborder title 'web (100)' noenhanced
$data1 << EOD
0.0000 6.000 9.000
0.5000 6.000 9.000
0.5000 6.000 9.000
1.0000 6.000 9.000
EOD
set lmargin at screen 0.0660
set rmargin at screen 0.7264
set tmargin at screen 0.4303
set bmargin at screen 0.1713
unset arrow
set border 3 linecolor rgb '#888888'
set format '%g'
set tics scale 0.6
set xtics out nomirror textcolor rgb '#222222'
set ytics out nomirror textcolor rgb '#222222'
set xrange [0.0000:1.0000]
set yrange [0:9.72]
set ytics 2
plot $data1 using 1:3 with filledcurves y1=0 linecolor rgb '#2fbf8f' fillstyle solid noborder title 'network interrupts' noenhanced, \
	$data1 using 1:2 with filledcurves y1=0 linecolor rgb '#b48ac6' fillstyle solid noborder title 'web (100)' noenhanced
unset multiplot
status: 0
