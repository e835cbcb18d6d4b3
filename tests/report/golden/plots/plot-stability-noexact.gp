# Made by netcost-report plot. gnuplot FILE >PICTURE draws it.
set encoding utf8
set terminal pdfcairo size 11.04in,7.19in fontscale 0.75 enhanced font 'sans-serif,9' background '#ffffff'
set multiplot
set lmargin at screen 0
set rmargin at screen 1
set bmargin at screen 0
set tmargin at screen 1
unset border
unset tics
unset key
set xrange [0:1060]
set yrange [690:0]
set label '{/:Bold Errors of samples, by sampling rate}' at 20.00,18.00 left enhanced font 'sans-serif,11.7' textcolor rgb '#222222'
set label 'noexact.nct: 1.00 s on 2 CPUs' at 20.00,40.00 left noenhanced font 'sans-serif,9' textcolor rgb '#222222'
set label 'Linux 6.1.0-test x86_64, Test CPU at 1.00GHz; exact: off; samples 1000 Hz' at 20.00,57.00 left noenhanced font 'sans-serif,9' textcolor rgb '#666666'
set label '{/:Bold idle}' at 62.00,86.00 left enhanced font 'sans-serif,11.7' textcolor rgb '#222222'
set label 'by samples: 65.1 %' at 353.33,86.00 right noenhanced font 'sans-serif,9' textcolor rgb '#666666'
set label '{/:Bold 10 Hz}' at 62.00,109.00 left enhanced font 'sans-serif,9' textcolor rgb '#222222'
set label 'RMSE 0.00, by theory 10.93' at 353.33,109.00 right noenhanced font 'sans-serif,9' textcolor rgb '#666666'
set label '95 % within +0.0 to +0.0' at 353.33,126.00 right noenhanced font 'sans-serif,9' textcolor rgb '#666666'
set label '{/:Bold 100 Hz}' at 62.00,295.00 left enhanced font 'sans-serif,9' textcolor rgb '#222222'
set label 'RMSE 0.00, by theory 3.24' at 353.33,295.00 right noenhanced font 'sans-serif,9' textcolor rgb '#666666'
set label '95 % within +0.0 to +0.0' at 353.33,312.00 right noenhanced font 'sans-serif,9' textcolor rgb '#666666'
set label '{/:Bold 500 Hz}' at 62.00,481.00 left enhanced font 'sans-serif,9' textcolor rgb '#222222'
set label 'RMSE 0.00, by theory 1.08' at 353.33,481.00 right noenhanced font 'sans-serif,9' textcolor rgb '#666666'
set label '95 % within +0.0 to +0.0' at 353.33,498.00 right noenhanced font 'sans-serif,9' textcolor rgb '#666666'
set label 'error, percentage points of CPU time' at 207.67,657.00 center noenhanced font 'sans-serif,9' textcolor rgb '#222222'
set label '{/:Bold user}' at 405.33,86.00 left enhanced font 'sans-serif,11.7' textcolor rgb '#222222'
set label 'by samples: 10.3 %' at 696.67,86.00 right noenhanced font 'sans-serif,9' textcolor rgb '#666666'
set label '{/:Bold 10 Hz}' at 405.33,109.00 left enhanced font 'sans-serif,9' textcolor rgb '#222222'
set label 'RMSE 3.02, by theory 8.94' at 696.67,109.00 right noenhanced font 'sans-serif,9' textcolor rgb '#666666'
set label '95 % within -0.5 to +9.5' at 696.67,126.00 right noenhanced font 'sans-serif,9' textcolor rgb '#666666'
set label '{/:Bold 100 Hz}' at 405.33,295.00 left enhanced font 'sans-serif,9' textcolor rgb '#222222'
set label 'RMSE 0.35, by theory 2.70' at 696.67,295.00 right noenhanced font 'sans-serif,9' textcolor rgb '#666666'
set label '95 % within -0.5 to +0.5' at 696.67,312.00 right noenhanced font 'sans-serif,9' textcolor rgb '#666666'
set label '{/:Bold 500 Hz}' at 405.33,481.00 left enhanced font 'sans-serif,9' textcolor rgb '#222222'
set label 'RMSE 0.07, by theory 0.90' at 696.67,481.00 right noenhanced font 'sans-serif,9' textcolor rgb '#666666'
set label '95 % within -0.1 to +0.1' at 696.67,498.00 right noenhanced font 'sans-serif,9' textcolor rgb '#666666'
set label 'error, percentage points of CPU time' at 551.00,657.00 center noenhanced font 'sans-serif,9' textcolor rgb '#222222'
set label '{/:Bold socket send}' at 748.67,86.00 left enhanced font 'sans-serif,11.7' textcolor rgb '#222222'
set label 'by samples: 4.51 %' at 1040.00,86.00 right noenhanced font 'sans-serif,9' textcolor rgb '#666666'
set label '{/:Bold 10 Hz}' at 748.67,109.00 left enhanced font 'sans-serif,9' textcolor rgb '#222222'
set label 'RMSE 0.71, by theory 6.35' at 1040.00,109.00 right noenhanced font 'sans-serif,9' textcolor rgb '#666666'
set label '95 % within +0.0 to +1.0' at 1040.00,126.00 right noenhanced font 'sans-serif,9' textcolor rgb '#666666'
set label '{/:Bold 100 Hz}' at 748.67,295.00 left enhanced font 'sans-serif,9' textcolor rgb '#222222'
set label 'RMSE 0.00, by theory 1.91' at 1040.00,295.00 right noenhanced font 'sans-serif,9' textcolor rgb '#666666'
set label '95 % within +0.0 to +0.0' at 1040.00,312.00 right noenhanced font 'sans-serif,9' textcolor rgb '#666666'
set label '{/:Bold 500 Hz}' at 748.67,481.00 left enhanced font 'sans-serif,9' textcolor rgb '#222222'
set label 'RMSE 0.00, by theory 0.64' at 1040.00,481.00 right noenhanced font 'sans-serif,9' textcolor rgb '#666666'
set label '95 % within +0.0 to +0.0' at 1040.00,498.00 right noenhanced font 'sans-serif,9' textcolor rgb '#666666'
set label 'error, percentage points of CPU time' at 894.33,657.00 center noenhanced font 'sans-serif,9' textcolor rgb '#222222'
set label 'Height: % of the values (one for each CPU, 1.00 s and phase), compared with the full rate. Slower rates use a part of the samples.' at 20.00,674.00 left noenhanced font 'sans-serif,9' textcolor rgb '#666666'
$data0 << EOD
-1.0 0.0000
-0.9 0.0000
-0.8 0.0000
-0.7 0.0000
-0.6 0.0000
-0.5 0.0000
-0.4 0.0000
-0.3 0.0000
-0.2 0.0000
-0.1 0.0000
0.0 100.0000
0.1 0.0000
0.2 0.0000
0.3 0.0000
0.4 0.0000
0.5 0.0000
0.6 0.0000
0.7 0.0000
0.8 0.0000
0.9 0.0000
1.0 0.0000
EOD
plot NaN notitle
unset object
unset label
set lmargin at screen 0.0585
set rmargin at screen 0.3333
set tmargin at screen 0.8029
set bmargin at screen 0.6435
unset arrow
set border 3 linecolor rgb '#888888'
set format '%g'
set tics scale 0.6
set xtics out nomirror textcolor rgb '#222222'
set ytics out nomirror textcolor rgb '#222222'
set xrange [-1.1:1.1]
set yrange [0:105]
set ytics 20
set arrow from 0,graph 0 to 0,graph 1 nohead front linecolor rgb '#222222' dashtype 3
plot $data0 using 1:2:(0.1) with boxes linecolor rgb '#f2f2f2' fillstyle solid border linecolor rgb '#888888' title 'idle, 10 Hz'
$data1 << EOD
-1.0 0.0000
-0.9 0.0000
-0.8 0.0000
-0.7 0.0000
-0.6 0.0000
-0.5 0.0000
-0.4 0.0000
-0.3 0.0000
-0.2 0.0000
-0.1 0.0000
0.0 100.0000
0.1 0.0000
0.2 0.0000
0.3 0.0000
0.4 0.0000
0.5 0.0000
0.6 0.0000
0.7 0.0000
0.8 0.0000
0.9 0.0000
1.0 0.0000
EOD
set lmargin at screen 0.0585
set rmargin at screen 0.3333
set tmargin at screen 0.5333
set bmargin at screen 0.3739
unset arrow
set border 3 linecolor rgb '#888888'
set format '%g'
set tics scale 0.6
set xtics out nomirror textcolor rgb '#222222'
set ytics out nomirror textcolor rgb '#222222'
set xrange [-1.1:1.1]
set yrange [0:105]
set ytics 20
set arrow from 0,graph 0 to 0,graph 1 nohead front linecolor rgb '#222222' dashtype 3
plot $data1 using 1:2:(0.1) with boxes linecolor rgb '#f2f2f2' fillstyle solid border linecolor rgb '#888888' title 'idle, 100 Hz'
$data2 << EOD
-1.0 0.0000
-0.9 0.0000
-0.8 0.0000
-0.7 0.0000
-0.6 0.0000
-0.5 0.0000
-0.4 0.0000
-0.3 0.0000
-0.2 0.0000
-0.1 0.0000
0.0 100.0000
0.1 0.0000
0.2 0.0000
0.3 0.0000
0.4 0.0000
0.5 0.0000
0.6 0.0000
0.7 0.0000
0.8 0.0000
0.9 0.0000
1.0 0.0000
EOD
set lmargin at screen 0.0585
set rmargin at screen 0.3333
set tmargin at screen 0.2638
set bmargin at screen 0.1043
unset arrow
set border 3 linecolor rgb '#888888'
set format '%g'
set tics scale 0.6
set xtics out nomirror textcolor rgb '#222222'
set ytics out nomirror textcolor rgb '#222222'
set xrange [-1.1:1.1]
set yrange [0:105]
set ytics 20
set arrow from 0,graph 0 to 0,graph 1 nohead front linecolor rgb '#222222' dashtype 3
plot $data2 using 1:2:(0.1) with boxes linecolor rgb '#f2f2f2' fillstyle solid border linecolor rgb '#888888' title 'idle, 500 Hz'
$data3 << EOD
-9.5 0.0000
-9.0 0.0000
-8.5 0.0000
-8.0 0.0000
-7.5 0.0000
-7.0 0.0000
-6.5 0.0000
-6.0 0.0000
-5.5 0.0000
-5.0 0.0000
-4.5 0.0000
-4.0 0.0000
-3.5 0.0000
-3.0 0.0000
-2.5 0.0000
-2.0 0.0000
-1.5 0.0000
-1.0 0.0000
-0.5 40.0000
0.0 50.0000
0.5 0.0000
1.0 0.0000
1.5 0.0000
2.0 0.0000
2.5 0.0000
3.0 0.0000
3.5 0.0000
4.0 0.0000
4.5 0.0000
5.0 0.0000
5.5 0.0000
6.0 0.0000
6.5 0.0000
7.0 0.0000
7.5 0.0000
8.0 0.0000
8.5 0.0000
9.0 0.0000
9.5 10.0000
EOD
set lmargin at screen 0.3824
set rmargin at screen 0.6572
set tmargin at screen 0.8029
set bmargin at screen 0.6435
unset arrow
set border 3 linecolor rgb '#888888'
set format '%g'
set tics scale 0.6
set xtics out nomirror textcolor rgb '#222222'
set ytics out nomirror textcolor rgb '#222222'
set xrange [-10:10]
set yrange [0:52.5]
set ytics 10
set arrow from 0,graph 0 to 0,graph 1 nohead front linecolor rgb '#222222' dashtype 3
plot $data3 using 1:2:(0.5) with boxes linecolor rgb '#7fb2d9' fillstyle solid border linecolor rgb '#888888' title 'user, 10 Hz'
$data4 << EOD
-9.5 0.0000
-9.0 0.0000
-8.5 0.0000
-8.0 0.0000
-7.5 0.0000
-7.0 0.0000
-6.5 0.0000
-6.0 0.0000
-5.5 0.0000
-5.0 0.0000
-4.5 0.0000
-4.0 0.0000
-3.5 0.0000
-3.0 0.0000
-2.5 0.0000
-2.0 0.0000
-1.5 0.0000
-1.0 0.0000
-0.5 20.0000
0.0 50.0000
0.5 30.0000
1.0 0.0000
1.5 0.0000
2.0 0.0000
2.5 0.0000
3.0 0.0000
3.5 0.0000
4.0 0.0000
4.5 0.0000
5.0 0.0000
5.5 0.0000
6.0 0.0000
6.5 0.0000
7.0 0.0000
7.5 0.0000
8.0 0.0000
8.5 0.0000
9.0 0.0000
9.5 0.0000
EOD
set lmargin at screen 0.3824
set rmargin at screen 0.6572
set tmargin at screen 0.5333
set bmargin at screen 0.3739
unset arrow
set border 3 linecolor rgb '#888888'
set format '%g'
set tics scale 0.6
set xtics out nomirror textcolor rgb '#222222'
set ytics out nomirror textcolor rgb '#222222'
set xrange [-10:10]
set yrange [0:52.5]
set ytics 10
set arrow from 0,graph 0 to 0,graph 1 nohead front linecolor rgb '#222222' dashtype 3
plot $data4 using 1:2:(0.5) with boxes linecolor rgb '#7fb2d9' fillstyle solid border linecolor rgb '#888888' title 'user, 100 Hz'
$data5 << EOD
-9.5 0.0000
-9.0 0.0000
-8.5 0.0000
-8.0 0.0000
-7.5 0.0000
-7.0 0.0000
-6.5 0.0000
-6.0 0.0000
-5.5 0.0000
-5.0 0.0000
-4.5 0.0000
-4.0 0.0000
-3.5 0.0000
-3.0 0.0000
-2.5 0.0000
-2.0 0.0000
-1.5 0.0000
-1.0 0.0000
-0.5 0.0000
0.0 100.0000
0.5 0.0000
1.0 0.0000
1.5 0.0000
2.0 0.0000
2.5 0.0000
3.0 0.0000
3.5 0.0000
4.0 0.0000
4.5 0.0000
5.0 0.0000
5.5 0.0000
6.0 0.0000
6.5 0.0000
7.0 0.0000
7.5 0.0000
8.0 0.0000
8.5 0.0000
9.0 0.0000
9.5 0.0000
EOD
set lmargin at screen 0.3824
set rmargin at screen 0.6572
set tmargin at screen 0.2638
set bmargin at screen 0.1043
unset arrow
set border 3 linecolor rgb '#888888'
set format '%g'
set tics scale 0.6
set xtics out nomirror textcolor rgb '#222222'
set ytics out nomirror textcolor rgb '#222222'
set xrange [-10:10]
set yrange [0:105]
set ytics 20
set arrow from 0,graph 0 to 0,graph 1 nohead front linecolor rgb '#222222' dashtype 3
plot $data5 using 1:2:(0.5) with boxes linecolor rgb '#7fb2d9' fillstyle solid border linecolor rgb '#888888' title 'user, 500 Hz'
$data6 << EOD
-1.0 0.0000
-0.9 0.0000
-0.8 0.0000
-0.7 0.0000
-0.6 0.0000
-0.5 0.0000
-0.4 0.0000
-0.3 0.0000
-0.2 0.0000
-0.1 0.0000
0.0 50.0000
0.1 0.0000
0.2 0.0000
0.3 0.0000
0.4 0.0000
0.5 0.0000
0.6 0.0000
0.7 0.0000
0.8 0.0000
0.9 0.0000
1.0 50.0000
EOD
set lmargin at screen 0.7063
set rmargin at screen 0.9811
set tmargin at screen 0.8029
set bmargin at screen 0.6435
unset arrow
set border 3 linecolor rgb '#888888'
set format '%g'
set tics scale 0.6
set xtics out nomirror textcolor rgb '#222222'
set ytics out nomirror textcolor rgb '#222222'
set xrange [-1.1:1.1]
set yrange [0:52.5]
set ytics 10
set arrow from 0,graph 0 to 0,graph 1 nohead front linecolor rgb '#222222' dashtype 3
plot $data6 using 1:2:(0.1) with boxes linecolor rgb '#e69f00' fillstyle solid border linecolor rgb '#888888' title 'socket send, 10 Hz'
$data7 << EOD
-1.0 0.0000
-0.9 0.0000
-0.8 0.0000
-0.7 0.0000
-0.6 0.0000
-0.5 0.0000
-0.4 0.0000
-0.3 0.0000
-0.2 0.0000
-0.1 0.0000
0.0 100.0000
0.1 0.0000
0.2 0.0000
0.3 0.0000
0.4 0.0000
0.5 0.0000
0.6 0.0000
0.7 0.0000
0.8 0.0000
0.9 0.0000
1.0 0.0000
EOD
set lmargin at screen 0.7063
set rmargin at screen 0.9811
set tmargin at screen 0.5333
set bmargin at screen 0.3739
unset arrow
set border 3 linecolor rgb '#888888'
set format '%g'
set tics scale 0.6
set xtics out nomirror textcolor rgb '#222222'
set ytics out nomirror textcolor rgb '#222222'
set xrange [-1.1:1.1]
set yrange [0:105]
set ytics 20
set arrow from 0,graph 0 to 0,graph 1 nohead front linecolor rgb '#222222' dashtype 3
plot $data7 using 1:2:(0.1) with boxes linecolor rgb '#e69f00' fillstyle solid border linecolor rgb '#888888' title 'socket send, 100 Hz'
$data8 << EOD
-1.0 0.0000
-0.9 0.0000
-0.8 0.0000
-0.7 0.0000
-0.6 0.0000
-0.5 0.0000
-0.4 0.0000
-0.3 0.0000
-0.2 0.0000
-0.1 0.0000
0.0 100.0000
0.1 0.0000
0.2 0.0000
0.3 0.0000
0.4 0.0000
0.5 0.0000
0.6 0.0000
0.7 0.0000
0.8 0.0000
0.9 0.0000
1.0 0.0000
EOD
set lmargin at screen 0.7063
set rmargin at screen 0.9811
set tmargin at screen 0.2638
set bmargin at screen 0.1043
unset arrow
set border 3 linecolor rgb '#888888'
set format '%g'
set tics scale 0.6
set xtics out nomirror textcolor rgb '#222222'
set ytics out nomirror textcolor rgb '#222222'
set xrange [-1.1:1.1]
set yrange [0:105]
set ytics 20
set arrow from 0,graph 0 to 0,graph 1 nohead front linecolor rgb '#222222' dashtype 3
plot $data8 using 1:2:(0.1) with boxes linecolor rgb '#e69f00' fillstyle solid border linecolor rgb '#888888' title 'socket send, 500 Hz'
unset multiplot
status: 0
