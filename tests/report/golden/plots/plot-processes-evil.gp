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
set label 'crowd-evil.nct: 20.0 s on 2 CPUs' at 20.00,40.00 left noenhanced font 'sans-serif,12' textcolor rgb '#222222'
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
set label '?touch x?’???x?/: (206)' at 816.00,145.00 left noenhanced font 'sans-serif,12' textcolor rgb '#222222'
set label '0.55' at 1040.00,145.00 right noenhanced font 'sans-serif,12' textcolor rgb '#222222'
set object rectangle from 796.00,158.00 to 808.00,170.00 fillcolor rgb '#bbcc33' fillstyle solid border linecolor rgb '#888888' linewidth 0.5
set label '?touch x?’???x?/: (207)' at 816.00,164.00 left noenhanced font 'sans-serif,12' textcolor rgb '#222222'
set label '0.63' at 1040.00,164.00 right noenhanced font 'sans-serif,12' textcolor rgb '#222222'
set object rectangle from 796.00,177.00 to 808.00,189.00 fillcolor rgb '#aaaa33' fillstyle solid border linecolor rgb '#888888' linewidth 0.5
set label '?touch x?’???x?/: (208)' at 816.00,183.00 left noenhanced font 'sans-serif,12' textcolor rgb '#222222'
set label '0.70' at 1040.00,183.00 right noenhanced font 'sans-serif,12' textcolor rgb '#222222'
set object rectangle from 796.00,196.00 to 808.00,208.00 fillcolor rgb '#55c8c0' fillstyle solid border linecolor rgb '#888888' linewidth 0.5
set label '?touch x?’???x?/: (209)' at 816.00,202.00 left noenhanced font 'sans-serif,12' textcolor rgb '#222222'
set label '0.78' at 1040.00,202.00 right noenhanced font 'sans-serif,12' textcolor rgb '#222222'
set object rectangle from 796.00,215.00 to 808.00,227.00 fillcolor rgb '#c8a078' fillstyle solid border linecolor rgb '#888888' linewidth 0.5
set label '?touch x?’???x?/: (210)' at 816.00,221.00 left noenhanced font 'sans-serif,12' textcolor rgb '#222222'
set label '0.85' at 1040.00,221.00 right noenhanced font 'sans-serif,12' textcolor rgb '#222222'
set object rectangle from 796.00,234.00 to 808.00,246.00 fillcolor rgb '#ffaabb' fillstyle solid border linecolor rgb '#888888' linewidth 0.5
set label '?touch x?’???x?/: (211)' at 816.00,240.00 left noenhanced font 'sans-serif,12' textcolor rgb '#222222'
set label '0.93' at 1040.00,240.00 right noenhanced font 'sans-serif,12' textcolor rgb '#222222'
set object rectangle from 796.00,253.00 to 808.00,265.00 fillcolor rgb '#9fc4a8' fillstyle solid border linecolor rgb '#888888' linewidth 0.5
set label 'cache (102)' at 816.00,259.00 left noenhanced font 'sans-serif,12' textcolor rgb '#222222'
set label '4.61' at 1040.00,259.00 right noenhanced font 'sans-serif,12' textcolor rgb '#222222'
set object rectangle from 796.00,272.00 to 808.00,284.00 fillcolor rgb '#eedd88' fillstyle solid border linecolor rgb '#888888' linewidth 0.5
set label '?touch x?’???x?/: (300)' at 816.00,278.00 left noenhanced font 'sans-serif,12' textcolor rgb '#222222'
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
set label '?touch x?’???x?/: (205)' at 816.00,429.00 left noenhanced font 'sans-serif,12' textcolor rgb '#222222'
set label '0.13' at 1040.00,429.00 right noenhanced font 'sans-serif,12' textcolor rgb '#222222'
set object rectangle from 796.00,442.00 to 808.00,454.00 fillcolor rgb '#dfe8a0' fillstyle solid border linecolor rgb '#888888' linewidth 0.5
set label '?touch x?’???x?/: (206)' at 816.00,448.00 left noenhanced font 'sans-serif,12' textcolor rgb '#222222'
set label '0.15' at 1040.00,448.00 right noenhanced font 'sans-serif,12' textcolor rgb '#222222'
set object rectangle from 796.00,461.00 to 808.00,473.00 fillcolor rgb '#bbcc33' fillstyle solid border linecolor rgb '#888888' linewidth 0.5
set label '?touch x?’???x?/: (207)' at 816.00,467.00 left noenhanced font 'sans-serif,12' textcolor rgb '#222222'
set label '0.18' at 1040.00,467.00 right noenhanced font 'sans-serif,12' textcolor rgb '#222222'
set object rectangle from 796.00,480.00 to 808.00,492.00 fillcolor rgb '#aaaa33' fillstyle solid border linecolor rgb '#888888' linewidth 0.5
set label '?touch x?’???x?/: (208)' at 816.00,486.00 left noenhanced font 'sans-serif,12' textcolor rgb '#222222'
set label '0.20' at 1040.00,486.00 right noenhanced font 'sans-serif,12' textcolor rgb '#222222'
set object rectangle from 796.00,499.00 to 808.00,511.00 fillcolor rgb '#55c8c0' fillstyle solid border linecolor rgb '#888888' linewidth 0.5
set label '?touch x?’???x?/: (209)' at 816.00,505.00 left noenhanced font 'sans-serif,12' textcolor rgb '#222222'
set label '0.23' at 1040.00,505.00 right noenhanced font 'sans-serif,12' textcolor rgb '#222222'
set object rectangle from 796.00,518.00 to 808.00,530.00 fillcolor rgb '#c8a078' fillstyle solid border linecolor rgb '#888888' linewidth 0.5
set label '?touch x?’???x?/: (210)' at 816.00,524.00 left noenhanced font 'sans-serif,12' textcolor rgb '#222222'
set label '0.25' at 1040.00,524.00 right noenhanced font 'sans-serif,12' textcolor rgb '#222222'
set object rectangle from 796.00,537.00 to 808.00,549.00 fillcolor rgb '#ffaabb' fillstyle solid border linecolor rgb '#888888' linewidth 0.5
set label '?touch x?’???x?/: (211)' at 816.00,543.00 left noenhanced font 'sans-serif,12' textcolor rgb '#222222'
set label '0.27' at 1040.00,543.00 right noenhanced font 'sans-serif,12' textcolor rgb '#222222'
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
0.0000 11.000 24.623 24.623 31.028 31.953 32.803 33.578 34.278 34.903 35.453 37.678 43.678
2.0000 11.000 24.623 24.623 31.028 31.953 32.803 33.578 34.278 34.903 35.453 37.678 43.678
2.0000 11.000 28.637 28.637 34.317 35.242 36.092 36.867 37.567 38.192 38.742 40.967 46.967
4.0000 11.000 28.637 28.637 34.317 35.242 36.092 36.867 37.567 38.192 38.742 40.967 46.967
4.0000 11.000 29.059 29.059 33.510 34.435 35.285 36.060 36.760 37.385 37.935 40.160 46.160
6.0000 11.000 29.059 29.059 33.510 34.435 35.285 36.060 36.760 37.385 37.935 40.160 46.160
6.0000 11.000 25.709 25.709 28.951 29.876 30.726 31.501 32.201 32.826 33.376 35.601 41.601
8.0000 11.000 25.709 25.709 28.951 29.876 30.726 31.501 32.201 32.826 33.376 35.601 41.601
8.0000 11.000 20.021 20.021 22.593 23.518 24.368 25.143 25.843 26.468 27.018 29.243 35.243
10.0000 11.000 20.021 20.021 22.593 23.518 24.368 25.143 25.843 26.468 27.018 29.243 35.243
10.0000 11.000 14.431 29.431 32.159 33.084 33.934 34.709 35.409 36.034 36.584 38.809 44.809
12.0000 11.000 14.431 29.431 32.159 33.084 33.934 34.709 35.409 36.034 36.584 38.809 44.809
12.0000 11.000 11.333 26.333 29.976 30.901 31.751 32.526 33.226 33.851 34.401 36.626 42.626
14.0000 11.000 11.333 26.333 29.976 30.901 31.751 32.526 33.226 33.851 34.401 36.626 42.626
14.0000 11.000 12.053 27.053 31.978 32.903 33.753 34.528 35.228 35.853 36.403 38.628 44.628
16.0000 11.000 12.053 27.053 31.978 32.903 33.753 34.528 35.228 35.853 36.403 38.628 44.628
16.0000 11.000 16.284 31.284 37.308 38.233 39.083 39.858 40.558 41.183 41.733 43.958 49.958
18.0000 11.000 16.284 31.284 37.308 38.233 39.083 39.858 40.558 41.183 41.733 43.958 49.958
18.0000 11.000 22.212 37.212 43.684 44.609 45.459 46.234 46.934 47.559 48.109 50.334 56.334
20.0000 11.000 22.212 37.212 43.684 44.609 45.459 46.234 46.934 47.559 48.109 50.334 56.334
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
	$data0 using 1:11 with filledcurves y1=0 linecolor rgb '#dfe8a0' fillstyle solid noborder title '?touch x?’???x?/: (206)' noenhanced, \
	$data0 using 1:10 with filledcurves y1=0 linecolor rgb '#bbcc33' fillstyle solid noborder title '?touch x?’???x?/: (207)' noenhanced, \
	$data0 using 1:9 with filledcurves y1=0 linecolor rgb '#aaaa33' fillstyle solid noborder title '?touch x?’???x?/: (208)' noenhanced, \
	$data0 using 1:8 with filledcurves y1=0 linecolor rgb '#55c8c0' fillstyle solid noborder title '?touch x?’???x?/: (209)' noenhanced, \
	$data0 using 1:7 with filledcurves y1=0 linecolor rgb '#c8a078' fillstyle solid noborder title '?touch x?’???x?/: (210)' noenhanced, \
	$data0 using 1:6 with filledcurves y1=0 linecolor rgb '#ffaabb' fillstyle solid noborder title '?touch x?’???x?/: (211)' noenhanced, \
	$data0 using 1:5 with filledcurves y1=0 linecolor rgb '#9fc4a8' fillstyle solid noborder title 'cache (102)' noenhanced, \
	$data0 using 1:4 with filledcurves y1=0 linecolor rgb '#eedd88' fillstyle solid noborder title '?touch x?’???x?/: (300)' noenhanced, \
	$data0 using 1:3 with filledcurves y1=0 linecolor rgb '#ee8866' fillstyle solid noborder title 'web (100)' noenhanced, \
	$data0 using 1:2 with filledcurves y1=0 linecolor rgb '#b48ac6' fillstyle solid noborder title 'db (101)' noenhanced
$data1 << EOD
0.0000 4.418 8.323 9.323 9.598 9.848 10.073 10.273 10.448 10.598 10.723 10.973 16.973
2.0000 4.418 8.323 9.323 9.598 9.848 10.073 10.273 10.448 10.598 10.723 10.973 16.973
2.0000 5.720 8.900 9.900 10.175 10.425 10.650 10.850 11.025 11.175 11.300 11.550 17.550
4.0000 5.720 8.900 9.900 10.175 10.425 10.650 10.850 11.025 11.175 11.300 11.550 17.550
4.0000 5.857 7.808 8.808 9.083 9.333 9.558 9.758 9.933 10.083 10.208 10.458 16.458
6.0000 5.857 7.808 8.808 9.083 9.333 9.558 9.758 9.933 10.083 10.208 10.458 16.458
6.0000 4.771 5.512 6.512 6.787 7.037 7.262 7.462 7.637 7.787 7.912 8.162 14.162
8.0000 4.771 5.512 6.512 6.787 7.037 7.262 7.462 7.637 7.787 7.912 8.162 14.162
8.0000 2.926 2.998 3.998 4.273 4.523 4.748 4.948 5.123 5.273 5.398 5.648 11.648
10.0000 2.926 2.998 3.998 4.273 4.523 4.748 4.948 5.123 5.273 5.398 5.648 11.648
10.0000 1.113 1.341 2.341 2.616 2.866 3.091 3.291 3.466 3.616 3.741 3.991 9.991
12.0000 1.113 1.341 2.341 2.616 2.866 3.091 3.291 3.466 3.616 3.741 3.991 9.991
12.0000 0.108 1.250 2.250 2.525 2.775 3.000 3.200 3.375 3.525 3.650 3.900 9.900
14.0000 0.108 1.250 2.250 2.525 2.775 3.000 3.200 3.375 3.525 3.650 3.900 9.900
14.0000 0.342 2.766 3.766 4.041 4.291 4.516 4.716 4.891 5.041 5.166 5.416 11.416
16.0000 0.342 2.766 3.766 4.041 4.291 4.516 4.716 4.891 5.041 5.166 5.416 11.416
16.0000 1.714 5.238 6.238 6.513 6.763 6.988 7.188 7.363 7.513 7.638 7.888 13.888
18.0000 1.714 5.238 6.238 6.513 6.763 6.988 7.188 7.363 7.513 7.638 7.888 13.888
18.0000 3.636 7.608 8.608 8.883 9.133 9.358 9.558 9.733 9.883 10.008 10.258 16.258
20.0000 3.636 7.608 8.608 8.883 9.133 9.358 9.558 9.733 9.883 10.008 10.258 16.258
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
set yrange [0:18.9545]
set ytics 5
plot $data1 using 1:13 with filledcurves y1=0 linecolor rgb '#2fbf8f' fillstyle solid noborder title 'network interrupts' noenhanced, \
	$data1 using 1:12 with filledcurves y1=0 linecolor rgb '#d4d4d4' fillstyle solid noborder title 'others' noenhanced, \
	$data1 using 1:11 with filledcurves y1=0 linecolor rgb '#cc7788' fillstyle solid noborder title '?touch x?’???x?/: (205)' noenhanced, \
	$data1 using 1:10 with filledcurves y1=0 linecolor rgb '#dfe8a0' fillstyle solid noborder title '?touch x?’???x?/: (206)' noenhanced, \
	$data1 using 1:9 with filledcurves y1=0 linecolor rgb '#bbcc33' fillstyle solid noborder title '?touch x?’???x?/: (207)' noenhanced, \
	$data1 using 1:8 with filledcurves y1=0 linecolor rgb '#aaaa33' fillstyle solid noborder title '?touch x?’???x?/: (208)' noenhanced, \
	$data1 using 1:7 with filledcurves y1=0 linecolor rgb '#55c8c0' fillstyle solid noborder title '?touch x?’???x?/: (209)' noenhanced, \
	$data1 using 1:6 with filledcurves y1=0 linecolor rgb '#c8a078' fillstyle solid noborder title '?touch x?’???x?/: (210)' noenhanced, \
	$data1 using 1:5 with filledcurves y1=0 linecolor rgb '#ffaabb' fillstyle solid noborder title '?touch x?’???x?/: (211)' noenhanced, \
	$data1 using 1:4 with filledcurves y1=0 linecolor rgb '#b48ac6' fillstyle solid noborder title 'db (101)' noenhanced, \
	$data1 using 1:3 with filledcurves y1=0 linecolor rgb '#9fc4a8' fillstyle solid noborder title 'cache (102)' noenhanced, \
	$data1 using 1:2 with filledcurves y1=0 linecolor rgb '#ee8866' fillstyle solid noborder title 'web (100)' noenhanced
unset multiplot
status: 0
