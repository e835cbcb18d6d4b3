# Made by netcost-report plot. gnuplot FILE >PICTURE draws it.
set encoding utf8
set terminal svg size 1060,698 name 'netcost_who' enhanced font 'sans-serif,12' background '#ffffff'
set multiplot
set lmargin at screen 0
set rmargin at screen 1
set bmargin at screen 0
set tmargin at screen 1
unset border
unset tics
unset key
set xrange [0:1060]
set yrange [698:0]
set label '{/:Bold CPU time by process}' at 20.00,18.00 left enhanced font 'sans-serif,15.6' textcolor rgb '#222222'
set label 'crowd.nct: 20.0 s on 2 CPUs' at 20.00,40.00 left noenhanced font 'sans-serif,12' textcolor rgb '#222222'
set label 'Linux 6.1.0-test x86_64, Test CPU at 1.00GHz; exact: entry; no samples' at 20.00,57.00 left noenhanced font 'sans-serif,12' textcolor rgb '#666666'
set label '{/:Bold On CPUs, % of CPU time}' at 20.00,86.00 left enhanced font 'sans-serif,12' textcolor rgb '#222222'
set label 'mean, % while counted' at 1040.00,86.00 right noenhanced font 'sans-serif,12' textcolor rgb '#666666'
set object rectangle from 796.00,101.00 to 808.00,113.00 fillcolor rgb '#2fbf8f' fillstyle solid border linecolor rgb '#888888' linewidth 0.5
set label 'network interrupts' at 816.00,107.00 left noenhanced font 'sans-serif,12' textcolor rgb '#222222'
set label '6.00' at 1040.00,107.00 right noenhanced font 'sans-serif,12' textcolor rgb '#222222'
set object rectangle from 796.00,120.00 to 808.00,132.00 fillcolor rgb '#d4d4d4' fillstyle solid border linecolor rgb '#888888' linewidth 0.5
set label 'others' at 816.00,126.00 left noenhanced font 'sans-serif,12' textcolor rgb '#222222'
set label '2.23' at 1040.00,126.00 right noenhanced font 'sans-serif,12' textcolor rgb '#222222'
set object rectangle from 796.00,139.00 to 808.00,151.00 fillcolor rgb '#dfe8a0' fillstyle solid border linecolor rgb '#888888' linewidth 0.5
set label 'worker (206)' at 816.00,145.00 left noenhanced font 'sans-serif,12' textcolor rgb '#222222'
set label '0.55' at 1040.00,145.00 right noenhanced font 'sans-serif,12' textcolor rgb '#222222'
set object rectangle from 796.00,158.00 to 808.00,170.00 fillcolor rgb '#bbcc33' fillstyle solid border linecolor rgb '#888888' linewidth 0.5
set label 'worker (207)' at 816.00,164.00 left noenhanced font 'sans-serif,12' textcolor rgb '#222222'
set label '0.63' at 1040.00,164.00 right noenhanced font 'sans-serif,12' textcolor rgb '#222222'
set object rectangle from 796.00,177.00 to 808.00,189.00 fillcolor rgb '#aaaa33' fillstyle solid border linecolor rgb '#888888' linewidth 0.5
set label 'worker (208)' at 816.00,183.00 left noenhanced font 'sans-serif,12' textcolor rgb '#222222'
set label '0.70' at 1040.00,183.00 right noenhanced font 'sans-serif,12' textcolor rgb '#222222'
set object rectangle from 796.00,196.00 to 808.00,208.00 fillcolor rgb '#55c8c0' fillstyle solid border linecolor rgb '#888888' linewidth 0.5
set label 'worker (209)' at 816.00,202.00 left noenhanced font 'sans-serif,12' textcolor rgb '#222222'
set label '0.78' at 1040.00,202.00 right noenhanced font 'sans-serif,12' textcolor rgb '#222222'
set object rectangle from 796.00,215.00 to 808.00,227.00 fillcolor rgb '#c8a078' fillstyle solid border linecolor rgb '#888888' linewidth 0.5
set label 'worker (210)' at 816.00,221.00 left noenhanced font 'sans-serif,12' textcolor rgb '#222222'
set label '0.85' at 1040.00,221.00 right noenhanced font 'sans-serif,12' textcolor rgb '#222222'
set object rectangle from 796.00,234.00 to 808.00,246.00 fillcolor rgb '#ffaabb' fillstyle solid border linecolor rgb '#888888' linewidth 0.5
set label 'worker (211)' at 816.00,240.00 left noenhanced font 'sans-serif,12' textcolor rgb '#222222'
set label '0.93' at 1040.00,240.00 right noenhanced font 'sans-serif,12' textcolor rgb '#222222'
set object rectangle from 796.00,253.00 to 808.00,265.00 fillcolor rgb '#9fc4a8' fillstyle solid border linecolor rgb '#888888' linewidth 0.5
set label 'cache (102)' at 816.00,259.00 left noenhanced font 'sans-serif,12' textcolor rgb '#222222'
set label '4.61' at 1040.00,259.00 right noenhanced font 'sans-serif,12' textcolor rgb '#222222'
set object rectangle from 796.00,272.00 to 808.00,284.00 fillcolor rgb '#eedd88' fillstyle solid border linecolor rgb '#888888' linewidth 0.5
set label 'batch (300)' at 816.00,278.00 left noenhanced font 'sans-serif,12' textcolor rgb '#222222'
set label '7.50' at 1040.00,278.00 right noenhanced font 'sans-serif,12' textcolor rgb '#222222'
set object rectangle from 796.00,291.00 to 808.00,303.00 fillcolor rgb '#ee8866' fillstyle solid border linecolor rgb '#888888' linewidth 0.5
set label 'web (100)' at 816.00,297.00 left noenhanced font 'sans-serif,12' textcolor rgb '#222222'
set label '9.44' at 1040.00,297.00 right noenhanced font 'sans-serif,12' textcolor rgb '#222222'
set object rectangle from 796.00,310.00 to 808.00,322.00 fillcolor rgb '#b48ac6' fillstyle solid border linecolor rgb '#888888' linewidth 0.5
set label 'db (101)' at 816.00,316.00 left noenhanced font 'sans-serif,12' textcolor rgb '#222222'
set label '11.0' at 1040.00,316.00 right noenhanced font 'sans-serif,12' textcolor rgb '#222222'
set label '{/:Bold Network, % of CPU time}' at 20.00,370.00 left enhanced font 'sans-serif,12' textcolor rgb '#222222'
set label 'mean, % while counted' at 1040.00,370.00 right noenhanced font 'sans-serif,12' textcolor rgb '#666666'
set object rectangle from 796.00,385.00 to 808.00,397.00 fillcolor rgb '#2fbf8f' fillstyle solid border linecolor rgb '#888888' linewidth 0.5
set label 'network interrupts' at 816.00,391.00 left noenhanced font 'sans-serif,12' textcolor rgb '#222222'
set label '6.00' at 1040.00,391.00 right noenhanced font 'sans-serif,12' textcolor rgb '#222222'
set object rectangle from 796.00,404.00 to 808.00,416.00 fillcolor rgb '#d4d4d4' fillstyle solid border linecolor rgb '#888888' linewidth 0.5
set label 'others' at 816.00,410.00 left noenhanced font 'sans-serif,12' textcolor rgb '#222222'
set label '0.25' at 1040.00,410.00 right noenhanced font 'sans-serif,12' textcolor rgb '#222222'
set object rectangle from 796.00,423.00 to 808.00,435.00 fillcolor rgb '#cc7788' fillstyle solid border linecolor rgb '#888888' linewidth 0.5
set label 'worker (205)' at 816.00,429.00 left noenhanced font 'sans-serif,12' textcolor rgb '#222222'
set label '0.13' at 1040.00,429.00 right noenhanced font 'sans-serif,12' textcolor rgb '#222222'
set object rectangle from 796.00,442.00 to 808.00,454.00 fillcolor rgb '#dfe8a0' fillstyle solid border linecolor rgb '#888888' linewidth 0.5
set label 'worker (206)' at 816.00,448.00 left noenhanced font 'sans-serif,12' textcolor rgb '#222222'
set label '0.15' at 1040.00,448.00 right noenhanced font 'sans-serif,12' textcolor rgb '#222222'
set object rectangle from 796.00,461.00 to 808.00,473.00 fillcolor rgb '#bbcc33' fillstyle solid border linecolor rgb '#888888' linewidth 0.5
set label 'worker (207)' at 816.00,467.00 left noenhanced font 'sans-serif,12' textcolor rgb '#222222'
set label '0.17' at 1040.00,467.00 right noenhanced font 'sans-serif,12' textcolor rgb '#222222'
set object rectangle from 796.00,480.00 to 808.00,492.00 fillcolor rgb '#aaaa33' fillstyle solid border linecolor rgb '#888888' linewidth 0.5
set label 'worker (208)' at 816.00,486.00 left noenhanced font 'sans-serif,12' textcolor rgb '#222222'
set label '0.20' at 1040.00,486.00 right noenhanced font 'sans-serif,12' textcolor rgb '#222222'
set object rectangle from 796.00,499.00 to 808.00,511.00 fillcolor rgb '#55c8c0' fillstyle solid border linecolor rgb '#888888' linewidth 0.5
set label 'worker (209)' at 816.00,505.00 left noenhanced font 'sans-serif,12' textcolor rgb '#222222'
set label '0.23' at 1040.00,505.00 right noenhanced font 'sans-serif,12' textcolor rgb '#222222'
set object rectangle from 796.00,518.00 to 808.00,530.00 fillcolor rgb '#c8a078' fillstyle solid border linecolor rgb '#888888' linewidth 0.5
set label 'worker (210)' at 816.00,524.00 left noenhanced font 'sans-serif,12' textcolor rgb '#222222'
set label '0.25' at 1040.00,524.00 right noenhanced font 'sans-serif,12' textcolor rgb '#222222'
set object rectangle from 796.00,537.00 to 808.00,549.00 fillcolor rgb '#ffaabb' fillstyle solid border linecolor rgb '#888888' linewidth 0.5
set label 'worker (211)' at 816.00,543.00 left noenhanced font 'sans-serif,12' textcolor rgb '#222222'
set label '0.28' at 1040.00,543.00 right noenhanced font 'sans-serif,12' textcolor rgb '#222222'
set object rectangle from 796.00,556.00 to 808.00,568.00 fillcolor rgb '#b48ac6' fillstyle solid border linecolor rgb '#888888' linewidth 0.5
set label 'db (101)' at 816.00,562.00 left noenhanced font 'sans-serif,12' textcolor rgb '#222222'
set label '1.00' at 1040.00,562.00 right noenhanced font 'sans-serif,12' textcolor rgb '#222222'
set object rectangle from 796.00,575.00 to 808.00,587.00 fillcolor rgb '#9fc4a8' fillstyle solid border linecolor rgb '#888888' linewidth 0.5
set label 'cache (102)' at 816.00,581.00 left noenhanced font 'sans-serif,12' textcolor rgb '#222222'
set label '2.11' at 1040.00,581.00 right noenhanced font 'sans-serif,12' textcolor rgb '#222222'
set object rectangle from 796.00,594.00 to 808.00,606.00 fillcolor rgb '#ee8866' fillstyle solid border linecolor rgb '#888888' linewidth 0.5
set label 'web (100)' at 816.00,600.00 left noenhanced font 'sans-serif,12' textcolor rgb '#222222'
set label '3.06' at 1040.00,600.00 right noenhanced font 'sans-serif,12' textcolor rgb '#222222'
set label 'seconds since the start of the recording' at 420.00,655.00 center noenhanced font 'sans-serif,12' textcolor rgb '#222222'
set label 'Exact times. Gaps were not counted. On CPUs: without interrupts. Network interrupts: softirqs and hard interrupts, for packets of any process.' at 20.00,680.00 left noenhanced font 'sans-serif,12' textcolor rgb '#666666'
$data0 << EOD
0.0000 11.000 23.277 23.277 29.767 30.692 31.542 32.317 33.017 33.642 34.192 36.417 42.417
1.0000 11.000 23.277 23.277 29.767 30.692 31.542 32.317 33.017 33.642 34.192 36.417 42.417
1.0000 11.000 25.970 25.970 32.289 33.214 34.064 34.839 35.539 36.164 36.714 38.939 44.939
2.0000 11.000 25.970 25.970 32.289 33.214 34.064 34.839 35.539 36.164 36.714 38.939 44.939
2.0000 11.000 28.034 28.034 33.980 34.905 35.755 36.530 37.230 37.855 38.405 40.630 46.630
3.0000 11.000 28.034 28.034 33.980 34.905 35.755 36.530 37.230 37.855 38.405 40.630 46.630
3.0000 11.000 29.240 29.240 34.655 35.580 36.430 37.205 37.905 38.530 39.080 41.305 47.305
4.0000 11.000 29.240 29.240 34.655 35.580 36.430 37.205 37.905 38.530 39.080 41.305 47.305
4.0000 11.000 29.458 29.458 34.240 35.165 36.015 36.790 37.490 38.115 38.665 40.890 46.890
5.0000 11.000 29.458 29.458 34.240 35.165 36.015 36.790 37.490 38.115 38.665 40.890 46.890
5.0000 11.000 28.661 28.661 32.780 33.705 34.555 35.330 36.030 36.655 37.205 39.430 45.430
6.0000 11.000 28.661 28.661 32.780 33.705 34.555 35.330 36.030 36.655 37.205 39.430 45.430
6.0000 11.000 26.939 26.939 30.436 31.361 32.211 32.986 33.686 34.311 34.861 37.086 43.086
7.0000 11.000 26.939 26.939 30.436 31.361 32.211 32.986 33.686 34.311 34.861 37.086 43.086
7.0000 11.000 24.480 24.480 27.466 28.391 29.241 30.016 30.716 31.341 31.891 34.116 40.116
8.0000 11.000 24.480 24.480 27.466 28.391 29.241 30.016 30.716 31.341 31.891 34.116 40.116
8.0000 11.000 21.555 21.555 24.197 25.122 25.972 26.747 27.447 28.072 28.622 30.847 36.847
9.0000 11.000 21.555 21.555 24.197 25.122 25.972 26.747 27.447 28.072 28.622 30.847 36.847
9.0000 11.000 18.487 18.487 20.989 21.914 22.764 23.539 24.239 24.864 25.414 27.639 33.639
10.0000 11.000 18.487 18.487 20.989 21.914 22.764 23.539 24.239 24.864 25.414 27.639 33.639
10.0000 11.000 15.613 30.613 33.195 34.120 34.970 35.745 36.445 37.070 37.620 39.845 45.845
11.0000 11.000 15.613 30.613 33.195 34.120 34.970 35.745 36.445 37.070 37.620 39.845 45.845
11.0000 11.000 13.250 28.250 31.123 32.048 32.898 33.673 34.373 34.998 35.548 37.773 43.773
12.0000 11.000 13.250 28.250 31.123 32.048 32.898 33.673 34.373 34.998 35.548 37.773 43.773
12.0000 11.000 11.657 26.657 30.000 30.925 31.775 32.550 33.250 33.875 34.425 36.650 42.650
13.0000 11.000 11.657 26.657 30.000 30.925 31.775 32.550 33.250 33.875 34.425 36.650 42.650
13.0000 11.000 11.010 26.010 29.951 30.876 31.726 32.501 33.201 33.826 34.376 36.601 42.601
14.0000 11.000 11.010 26.010 29.951 30.876 31.726 32.501 33.201 33.826 34.376 36.601 42.601
14.0000 11.000 11.380 26.380 30.980 31.905 32.755 33.530 34.230 34.855 35.405 37.630 43.630
15.0000 11.000 11.380 26.380 30.980 31.905 32.755 33.530 34.230 34.855 35.405 37.630 43.630
15.0000 11.000 12.727 27.727 32.975 33.900 34.750 35.525 36.225 36.850 37.400 39.625 45.625
16.0000 11.000 12.727 27.727 32.975 33.900 34.750 35.525 36.225 36.850 37.400 39.625 45.625
16.0000 11.000 14.902 29.902 35.716 36.641 37.491 38.266 38.966 39.591 40.141 42.366 48.366
17.0000 11.000 14.902 29.902 35.716 36.641 37.491 38.266 38.966 39.591 40.141 42.366 48.366
17.0000 11.000 17.665 32.665 38.900 39.825 40.675 41.450 42.150 42.775 43.325 45.550 51.550
18.0000 11.000 17.665 32.665 38.900 39.825 40.675 41.450 42.150 42.775 43.325 45.550 51.550
18.0000 11.000 20.714 35.714 42.179 43.104 43.954 44.729 45.429 46.054 46.604 48.829 54.829
19.0000 11.000 20.714 35.714 42.179 43.104 43.954 44.729 45.429 46.054 46.604 48.829 54.829
19.0000 11.000 23.711 38.711 45.190 46.115 46.965 47.740 48.440 49.065 49.615 51.840 57.840
20.0000 11.000 23.711 38.711 45.190 46.115 46.965 47.740 48.440 49.065 49.615 51.840 57.840
EOD
plot NaN notitle
unset object
unset label
set lmargin at screen 0.0660
set rmargin at screen 0.7264
set tmargin at screen 0.8567
set bmargin at screen 0.5301
unset arrow
set border 3 linecolor rgb '#888888'
set format '%g'
set tics scale 0.6
set xtics out nomirror textcolor rgb '#222222'
set ytics out nomirror textcolor rgb '#222222'
set xrange [0.0000:20.0000]
set yrange [0:100]
set ytics 20
plot $data0 using 1:13 with filledcurves y1=0 linecolor rgb '#2fbf8f' fillstyle solid noborder title 'network interrupts' noenhanced, \
	$data0 using 1:12 with filledcurves y1=0 linecolor rgb '#d4d4d4' fillstyle solid noborder title 'others' noenhanced, \
	$data0 using 1:11 with filledcurves y1=0 linecolor rgb '#dfe8a0' fillstyle solid noborder title 'worker (206)' noenhanced, \
	$data0 using 1:10 with filledcurves y1=0 linecolor rgb '#bbcc33' fillstyle solid noborder title 'worker (207)' noenhanced, \
	$data0 using 1:9 with filledcurves y1=0 linecolor rgb '#aaaa33' fillstyle solid noborder title 'worker (208)' noenhanced, \
	$data0 using 1:8 with filledcurves y1=0 linecolor rgb '#55c8c0' fillstyle solid noborder title 'worker (209)' noenhanced, \
	$data0 using 1:7 with filledcurves y1=0 linecolor rgb '#c8a078' fillstyle solid noborder title 'worker (210)' noenhanced, \
	$data0 using 1:6 with filledcurves y1=0 linecolor rgb '#ffaabb' fillstyle solid noborder title 'worker (211)' noenhanced, \
	$data0 using 1:5 with filledcurves y1=0 linecolor rgb '#9fc4a8' fillstyle solid noborder title 'cache (102)' noenhanced, \
	$data0 using 1:4 with filledcurves y1=0 linecolor rgb '#eedd88' fillstyle solid noborder title 'batch (300)' noenhanced, \
	$data0 using 1:3 with filledcurves y1=0 linecolor rgb '#ee8866' fillstyle solid noborder title 'web (100)' noenhanced, \
	$data0 using 1:2 with filledcurves y1=0 linecolor rgb '#b48ac6' fillstyle solid noborder title 'db (101)' noenhanced
$data1 << EOD
0.0000 3.982 7.972 8.972 9.247 9.497 9.722 9.922 10.097 10.247 10.372 10.622 16.622
1.0000 3.982 7.972 8.972 9.247 9.497 9.722 9.922 10.097 10.247 10.372 10.622 16.622
1.0000 4.855 8.674 9.674 9.949 10.199 10.424 10.624 10.799 10.949 11.074 11.324 17.324
2.0000 4.855 8.674 9.674 9.949 10.199 10.424 10.624 10.799 10.949 11.074 11.324 17.324
2.0000 5.524 8.971 9.971 10.246 10.496 10.721 10.921 11.096 11.246 11.371 11.621 17.621
3.0000 5.524 8.971 9.971 10.246 10.496 10.721 10.921 11.096 11.246 11.371 11.621 17.621
3.0000 5.916 8.830 9.830 10.105 10.355 10.580 10.780 10.955 11.105 11.230 11.480 17.480
4.0000 5.916 8.830 9.830 10.105 10.355 10.580 10.780 10.955 11.105 11.230 11.480 17.480
4.0000 5.986 8.268 9.268 9.543 9.793 10.018 10.218 10.393 10.543 10.668 10.918 16.918
5.0000 5.986 8.268 9.268 9.543 9.793 10.018 10.218 10.393 10.543 10.668 10.918 16.918
5.0000 5.728 7.347 8.347 8.622 8.872 9.097 9.297 9.472 9.622 9.747 9.997 15.997
6.0000 5.728 7.347 8.347 8.622 8.872 9.097 9.297 9.472 9.622 9.747 9.997 15.997
6.0000 5.169 6.167 7.167 7.442 7.692 7.917 8.117 8.292 8.442 8.567 8.817 14.817
7.0000 5.169 6.167 7.167 7.442 7.692 7.917 8.117 8.292 8.442 8.567 8.817 14.817
7.0000 4.372 4.858 5.858 6.133 6.383 6.608 6.808 6.983 7.133 7.258 7.508 13.508
8.0000 4.372 4.858 5.858 6.133 6.383 6.608 6.808 6.983 7.133 7.258 7.508 13.508
8.0000 3.423 3.565 4.565 4.840 5.090 5.315 5.515 5.690 5.840 5.965 6.215 12.215
9.0000 3.423 3.565 4.565 4.840 5.090 5.315 5.515 5.690 5.840 5.965 6.215 12.215
9.0000 2.428 2.430 3.430 3.705 3.955 4.180 4.380 4.555 4.705 4.830 5.080 11.080
10.0000 2.428 2.430 3.430 3.705 3.955 4.180 4.380 4.555 4.705 4.830 5.080 11.080
10.0000 1.496 1.578 2.578 2.853 3.103 3.328 3.528 3.703 3.853 3.978 4.228 10.228
11.0000 1.496 1.578 2.578 2.853 3.103 3.328 3.528 3.703 3.853 3.978 4.228 10.228
11.0000 0.730 1.103 2.103 2.378 2.628 2.853 3.053 3.228 3.378 3.503 3.753 9.753
12.0000 0.730 1.103 2.103 2.378 2.628 2.853 3.053 3.228 3.378 3.503 3.753 9.753
12.0000 0.213 1.057 2.057 2.332 2.582 2.807 3.007 3.182 3.332 3.457 3.707 9.707
13.0000 0.213 1.057 2.057 2.332 2.582 2.807 3.007 3.182 3.332 3.457 3.707 9.707
13.0000 0.003 1.444 2.444 2.719 2.969 3.194 3.394 3.569 3.719 3.844 4.094 10.094
14.0000 0.003 1.444 2.444 2.719 2.969 3.194 3.394 3.569 3.719 3.844 4.094 10.094
14.0000 0.123 2.223 3.223 3.498 3.748 3.973 4.173 4.348 4.498 4.623 4.873 10.873
15.0000 0.123 2.223 3.223 3.498 3.748 3.973 4.173 4.348 4.498 4.623 4.873 10.873
15.0000 0.560 3.308 4.308 4.583 4.833 5.058 5.258 5.433 5.583 5.708 5.958 11.958
16.0000 0.560 3.308 4.308 4.583 4.833 5.058 5.258 5.433 5.583 5.708 5.958 11.958
16.0000 1.265 4.579 5.579 5.854 6.104 6.329 6.529 6.704 6.854 6.979 7.229 13.229
17.0000 1.265 4.579 5.579 5.854 6.104 6.329 6.529 6.704 6.854 6.979 7.229 13.229
17.0000 2.162 5.897 6.897 7.172 7.422 7.647 7.847 8.022 8.172 8.297 8.547 14.547
18.0000 2.162 5.897 6.897 7.172 7.422 7.647 7.847 8.022 8.172 8.297 8.547 14.547
18.0000 3.150 7.115 8.115 8.390 8.640 8.865 9.065 9.240 9.390 9.515 9.765 15.765
19.0000 3.150 7.115 8.115 8.390 8.640 8.865 9.065 9.240 9.390 9.515 9.765 15.765
19.0000 4.122 8.101 9.101 9.376 9.626 9.851 10.051 10.226 10.376 10.501 10.751 16.751
20.0000 4.122 8.101 9.101 9.376 9.626 9.851 10.051 10.226 10.376 10.501 10.751 16.751
EOD
set lmargin at screen 0.0660
set rmargin at screen 0.7264
set tmargin at screen 0.4499
set bmargin at screen 0.1232
unset arrow
set border 3 linecolor rgb '#888888'
set format '%g'
set tics scale 0.6
set xtics out nomirror textcolor rgb '#222222'
set ytics out nomirror textcolor rgb '#222222'
set xrange [0.0000:20.0000]
set yrange [0:19.0302]
set ytics 5
plot $data1 using 1:13 with filledcurves y1=0 linecolor rgb '#2fbf8f' fillstyle solid noborder title 'network interrupts' noenhanced, \
	$data1 using 1:12 with filledcurves y1=0 linecolor rgb '#d4d4d4' fillstyle solid noborder title 'others' noenhanced, \
	$data1 using 1:11 with filledcurves y1=0 linecolor rgb '#cc7788' fillstyle solid noborder title 'worker (205)' noenhanced, \
	$data1 using 1:10 with filledcurves y1=0 linecolor rgb '#dfe8a0' fillstyle solid noborder title 'worker (206)' noenhanced, \
	$data1 using 1:9 with filledcurves y1=0 linecolor rgb '#bbcc33' fillstyle solid noborder title 'worker (207)' noenhanced, \
	$data1 using 1:8 with filledcurves y1=0 linecolor rgb '#aaaa33' fillstyle solid noborder title 'worker (208)' noenhanced, \
	$data1 using 1:7 with filledcurves y1=0 linecolor rgb '#55c8c0' fillstyle solid noborder title 'worker (209)' noenhanced, \
	$data1 using 1:6 with filledcurves y1=0 linecolor rgb '#c8a078' fillstyle solid noborder title 'worker (210)' noenhanced, \
	$data1 using 1:5 with filledcurves y1=0 linecolor rgb '#ffaabb' fillstyle solid noborder title 'worker (211)' noenhanced, \
	$data1 using 1:4 with filledcurves y1=0 linecolor rgb '#b48ac6' fillstyle solid noborder title 'db (101)' noenhanced, \
	$data1 using 1:3 with filledcurves y1=0 linecolor rgb '#9fc4a8' fillstyle solid noborder title 'cache (102)' noenhanced, \
	$data1 using 1:2 with filledcurves y1=0 linecolor rgb '#ee8866' fillstyle solid noborder title 'web (100)' noenhanced
unset multiplot
status: 0
