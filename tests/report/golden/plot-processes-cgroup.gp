# Made by netcost-report plot. gnuplot FILE >PICTURE draws it.
set encoding utf8
set terminal svg size 1060,502 name 'netcost_processes' enhanced font 'sans-serif,12' background '#ffffff'
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
set label '{/:Bold CPU time by cgroup}' at 20.00,18.00 left enhanced font 'sans-serif,15.6' textcolor rgb '#222222'
set label 'crowd.nct: 20.00 s on 2 CPUs' at 20.00,40.00 left noenhanced font 'sans-serif,12' textcolor rgb '#222222'
set label 'Linux 6.1.0-test x86_64, Test CPU ? 1.00GHz; exact: entry; no samples' at 20.00,57.00 left noenhanced font 'sans-serif,12' textcolor rgb '#666666'
set label '{/:Bold On CPUs, % of CPU time}' at 20.00,86.00 left enhanced font 'sans-serif,12' textcolor rgb '#222222'
set label 'mean, %' at 1040.00,86.00 right noenhanced font 'sans-serif,12' textcolor rgb '#666666'
set object rectangle from 796.00,101.00 to 808.00,113.00 fillcolor rgb '#2fbf8f' fillstyle solid border linecolor rgb '#888888' linewidth 0.5
set label 'network interrupts' at 816.00,107.00 left noenhanced font 'sans-serif,12' textcolor rgb '#222222'
set label '6.00' at 1040.00,107.00 right noenhanced font 'sans-serif,12' textcolor rgb '#222222'
set object rectangle from 796.00,120.00 to 808.00,132.00 fillcolor rgb '#d4d4d4' fillstyle solid border linecolor rgb '#888888' linewidth 0.5
set label 'others' at 816.00,126.00 left noenhanced font 'sans-serif,12' textcolor rgb '#222222'
set label '12.61' at 1040.00,126.00 right noenhanced font 'sans-serif,12' textcolor rgb '#222222'
set object rectangle from 796.00,139.00 to 808.00,151.00 fillcolor rgb '#ee8866' fillstyle solid border linecolor rgb '#888888' linewidth 0.5
set label 'docker abababababab' at 816.00,145.00 left noenhanced font 'sans-serif,12' textcolor rgb '#222222'
set label '11.00' at 1040.00,145.00 right noenhanced font 'sans-serif,12' textcolor rgb '#222222'
set object rectangle from 796.00,158.00 to 808.00,170.00 fillcolor rgb '#b48ac6' fillstyle solid border linecolor rgb '#888888' linewidth 0.5
set label '..tem.slice/web.service' at 816.00,164.00 left noenhanced font 'sans-serif,12' textcolor rgb '#222222'
set label '15.59' at 1040.00,164.00 right noenhanced font 'sans-serif,12' textcolor rgb '#222222'
set label '{/:Bold Network, % of CPU time}' at 20.00,272.00 left enhanced font 'sans-serif,12' textcolor rgb '#222222'
set label 'mean, %' at 1040.00,272.00 right noenhanced font 'sans-serif,12' textcolor rgb '#666666'
set object rectangle from 796.00,287.00 to 808.00,299.00 fillcolor rgb '#2fbf8f' fillstyle solid border linecolor rgb '#888888' linewidth 0.5
set label 'network interrupts' at 816.00,293.00 left noenhanced font 'sans-serif,12' textcolor rgb '#222222'
set label '6.00' at 1040.00,293.00 right noenhanced font 'sans-serif,12' textcolor rgb '#222222'
set object rectangle from 796.00,306.00 to 808.00,318.00 fillcolor rgb '#d4d4d4' fillstyle solid border linecolor rgb '#888888' linewidth 0.5
set label 'others' at 816.00,312.00 left noenhanced font 'sans-serif,12' textcolor rgb '#222222'
set label '1.00' at 1040.00,312.00 right noenhanced font 'sans-serif,12' textcolor rgb '#222222'
set object rectangle from 796.00,325.00 to 808.00,337.00 fillcolor rgb '#eedd88' fillstyle solid border linecolor rgb '#888888' linewidth 0.5
set label 'containerd cdcdcdcdcdcd' at 816.00,331.00 left noenhanced font 'sans-serif,12' textcolor rgb '#222222'
set label '2.11' at 1040.00,331.00 right noenhanced font 'sans-serif,12' textcolor rgb '#222222'
set object rectangle from 796.00,344.00 to 808.00,356.00 fillcolor rgb '#b48ac6' fillstyle solid border linecolor rgb '#888888' linewidth 0.5
set label '..tem.slice/web.service' at 816.00,350.00 left noenhanced font 'sans-serif,12' textcolor rgb '#222222'
set label '4.71' at 1040.00,350.00 right noenhanced font 'sans-serif,12' textcolor rgb '#222222'
set label 'seconds since the recording began' at 420.00,456.00 center noenhanced font 'sans-serif,12' textcolor rgb '#222222'
set label 'Exact. On CPUs: without what interrupted it. Interrupts: network softirqs and hard interrupts, whosever packets they handled.' at 20.00,484.00 left noenhanced font 'sans-serif,12' textcolor rgb '#666666'
$data0 << EOD
0.0000 18.427 29.427 36.417 42.417
1.0000 18.427 29.427 36.417 42.417
1.0000 21.120 32.120 38.939 44.939
2.0000 21.120 32.120 38.939 44.939
2.0000 23.184 34.184 40.630 46.630
3.0000 23.184 34.184 40.630 46.630
3.0000 24.390 35.390 41.305 47.305
4.0000 24.390 35.390 41.305 47.305
4.0000 24.608 35.608 40.890 46.890
5.0000 24.608 35.608 40.890 46.890
5.0000 23.811 34.811 39.430 45.430
6.0000 23.811 34.811 39.430 45.430
6.0000 22.089 33.089 37.086 43.086
7.0000 22.089 33.089 37.086 43.086
7.0000 19.630 30.630 34.116 40.116
8.0000 19.630 30.630 34.116 40.116
8.0000 16.705 27.705 30.847 36.847
9.0000 16.705 27.705 30.847 36.847
9.0000 13.637 24.637 27.639 33.639
10.0000 13.637 24.637 27.639 33.639
10.0000 10.763 21.763 39.845 45.845
11.0000 10.763 21.763 39.845 45.845
11.0000 8.400 19.400 37.773 43.773
12.0000 8.400 19.400 37.773 43.773
12.0000 6.807 17.807 36.650 42.650
13.0000 6.807 17.807 36.650 42.650
13.0000 6.160 17.160 36.601 42.601
14.0000 6.160 17.160 36.601 42.601
14.0000 6.530 17.530 37.630 43.630
15.0000 6.530 17.530 37.630 43.630
15.0000 7.877 18.877 39.625 45.625
16.0000 7.877 18.877 39.625 45.625
16.0000 10.052 21.052 42.366 48.366
17.0000 10.052 21.052 42.366 48.366
17.0000 12.815 23.815 45.550 51.550
18.0000 12.815 23.815 45.550 51.550
18.0000 15.864 26.864 48.829 54.829
19.0000 15.864 26.864 48.829 54.829
19.0000 18.861 29.861 51.840 57.840
20.0000 18.861 29.861 51.840 57.840
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
set xrange [0.0000:20.0000]
set yrange [0:62.4668]
set ytics 20
plot $data0 using 1:5 with filledcurves y1=0 linecolor rgb '#2fbf8f' fillstyle solid noborder title 'network interrupts' noenhanced, \
	$data0 using 1:4 with filledcurves y1=0 linecolor rgb '#d4d4d4' fillstyle solid noborder title 'others' noenhanced, \
	$data0 using 1:3 with filledcurves y1=0 linecolor rgb '#ee8866' fillstyle solid noborder title 'docker abababababab' noenhanced, \
	$data0 using 1:2 with filledcurves y1=0 linecolor rgb '#b48ac6' fillstyle solid noborder title '..tem.slice/web.service' noenhanced
$data1 << EOD
0.0000 5.632 9.622 10.622 16.622
1.0000 5.632 9.622 10.622 16.622
1.0000 6.505 10.324 11.324 17.324
2.0000 6.505 10.324 11.324 17.324
2.0000 7.174 10.621 11.621 17.621
3.0000 7.174 10.621 11.621 17.621
3.0000 7.566 10.480 11.480 17.480
4.0000 7.566 10.480 11.480 17.480
4.0000 7.636 9.918 10.918 16.918
5.0000 7.636 9.918 10.918 16.918
5.0000 7.378 8.997 9.997 15.997
6.0000 7.378 8.997 9.997 15.997
6.0000 6.819 7.817 8.817 14.817
7.0000 6.819 7.817 8.817 14.817
7.0000 6.022 6.508 7.508 13.508
8.0000 6.022 6.508 7.508 13.508
8.0000 5.073 5.215 6.215 12.215
9.0000 5.073 5.215 6.215 12.215
9.0000 4.078 4.080 5.080 11.080
10.0000 4.078 4.080 5.080 11.080
10.0000 3.146 3.228 4.228 10.228
11.0000 3.146 3.228 4.228 10.228
11.0000 2.380 2.753 3.753 9.753
12.0000 2.380 2.753 3.753 9.753
12.0000 1.863 2.707 3.707 9.707
13.0000 1.863 2.707 3.707 9.707
13.0000 1.653 3.094 4.094 10.094
14.0000 1.653 3.094 4.094 10.094
14.0000 1.773 3.873 4.873 10.873
15.0000 1.773 3.873 4.873 10.873
15.0000 2.210 4.958 5.958 11.958
16.0000 2.210 4.958 5.958 11.958
16.0000 2.915 6.229 7.229 13.229
17.0000 2.915 6.229 7.229 13.229
17.0000 3.812 7.547 8.547 14.547
18.0000 3.812 7.547 8.547 14.547
18.0000 4.800 8.765 9.765 15.765
19.0000 4.800 8.765 9.765 15.765
19.0000 5.772 9.751 10.751 16.751
20.0000 5.772 9.751 10.751 16.751
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
set xrange [0.0000:20.0000]
set yrange [0:19.0302]
set ytics 5
plot $data1 using 1:5 with filledcurves y1=0 linecolor rgb '#2fbf8f' fillstyle solid noborder title 'network interrupts' noenhanced, \
	$data1 using 1:4 with filledcurves y1=0 linecolor rgb '#d4d4d4' fillstyle solid noborder title 'others' noenhanced, \
	$data1 using 1:3 with filledcurves y1=0 linecolor rgb '#eedd88' fillstyle solid noborder title 'containerd cdcdcdcdcdcd' noenhanced, \
	$data1 using 1:2 with filledcurves y1=0 linecolor rgb '#b48ac6' fillstyle solid noborder title '..tem.slice/web.service' noenhanced
unset multiplot
status: 0
