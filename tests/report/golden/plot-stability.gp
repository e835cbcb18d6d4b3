# Made by netcost-report plot. gnuplot FILE >PICTURE draws it.
set encoding utf8
set terminal svg size 1060,690 enhanced font 'sans-serif,12' background '#ffffff'
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
set label '{/:Bold How far samples are off, by their rate}' at 20.00,18.00 left enhanced font 'sans-serif,15.6' textcolor rgb '#222222'
set label 'random.nct: 4.83 s on 3 CPUs' at 20.00,40.00 left noenhanced font 'sans-serif,12' textcolor rgb '#222222'
set label 'Linux 6.1.0-test x86_64, Test CPU ? 1.00GHz; exact: full; samples 4000 Hz' at 20.00,57.00 left noenhanced font 'sans-serif,12' textcolor rgb '#666666'
set label '{/:Bold RX softirq}' at 62.00,86.00 left enhanced font 'sans-serif,15.6' textcolor rgb '#222222'
set label 'exactly: 14.35 %' at 353.33,86.00 right noenhanced font 'sans-serif,12' textcolor rgb '#666666'
set label '{/:Bold 40 Hz}' at 62.00,109.00 left enhanced font 'sans-serif,12' textcolor rgb '#222222'
set label 'RMSE 11.45, by theory 9.73' at 353.33,109.00 right noenhanced font 'sans-serif,12' textcolor rgb '#666666'
set label '95 % in -16.5 to +25.2' at 353.33,126.00 right noenhanced font 'sans-serif,12' textcolor rgb '#666666'
set label '{/:Bold 400 Hz}' at 62.00,295.00 left enhanced font 'sans-serif,12' textcolor rgb '#222222'
set label 'RMSE 6.45, by theory 2.75' at 353.33,295.00 right noenhanced font 'sans-serif,12' textcolor rgb '#666666'
set label '95 % in -0.9 to +14.8' at 353.33,312.00 right noenhanced font 'sans-serif,12' textcolor rgb '#666666'
set label '{/:Bold 4000 Hz}' at 62.00,481.00 left enhanced font 'sans-serif,12' textcolor rgb '#222222'
set label 'RMSE 1.24, by theory 1.02' at 353.33,481.00 right noenhanced font 'sans-serif,12' textcolor rgb '#666666'
set label '95 % in -2.4 to +2.5' at 353.33,498.00 right noenhanced font 'sans-serif,12' textcolor rgb '#666666'
set label 'off by, points of CPU' at 207.67,652.00 center noenhanced font 'sans-serif,12' textcolor rgb '#222222'
set label '{/:Bold socket send}' at 405.33,86.00 left enhanced font 'sans-serif,15.6' textcolor rgb '#222222'
set label 'exactly: 13.94 %' at 696.67,86.00 right noenhanced font 'sans-serif,12' textcolor rgb '#666666'
set label '{/:Bold 40 Hz}' at 405.33,109.00 left enhanced font 'sans-serif,12' textcolor rgb '#222222'
set label 'RMSE 9.86, by theory 9.66' at 696.67,109.00 right noenhanced font 'sans-serif,12' textcolor rgb '#666666'
set label '95 % in -21.5 to +20.3' at 696.67,126.00 right noenhanced font 'sans-serif,12' textcolor rgb '#666666'
set label '{/:Bold 400 Hz}' at 405.33,295.00 left enhanced font 'sans-serif,12' textcolor rgb '#222222'
set label 'RMSE 4.15, by theory 2.74' at 696.67,295.00 right noenhanced font 'sans-serif,12' textcolor rgb '#666666'
set label '95 % in -10.6 to +2.2' at 696.67,312.00 right noenhanced font 'sans-serif,12' textcolor rgb '#666666'
set label '{/:Bold 4000 Hz}' at 405.33,481.00 left enhanced font 'sans-serif,12' textcolor rgb '#222222'
set label 'RMSE 1.38, by theory 1.01' at 696.67,481.00 right noenhanced font 'sans-serif,12' textcolor rgb '#666666'
set label '95 % in -3.5 to +2.1' at 696.67,498.00 right noenhanced font 'sans-serif,12' textcolor rgb '#666666'
set label 'off by, points of CPU' at 551.00,652.00 center noenhanced font 'sans-serif,12' textcolor rgb '#222222'
set label '{/:Bold socket receive}' at 748.67,86.00 left enhanced font 'sans-serif,15.6' textcolor rgb '#222222'
set label 'exactly: 4.28 %' at 1040.00,86.00 right noenhanced font 'sans-serif,12' textcolor rgb '#666666'
set label '{/:Bold 40 Hz}' at 748.67,109.00 left enhanced font 'sans-serif,12' textcolor rgb '#222222'
set label 'RMSE 5.93, by theory 6.20' at 1040.00,109.00 right noenhanced font 'sans-serif,12' textcolor rgb '#666666'
set label '95 % in -11.8 to +15.5' at 1040.00,126.00 right noenhanced font 'sans-serif,12' textcolor rgb '#666666'
set label '{/:Bold 400 Hz}' at 748.67,295.00 left enhanced font 'sans-serif,12' textcolor rgb '#222222'
set label 'RMSE 1.77, by theory 1.75' at 1040.00,295.00 right noenhanced font 'sans-serif,12' textcolor rgb '#666666'
set label '95 % in -4.4 to +2.4' at 1040.00,312.00 right noenhanced font 'sans-serif,12' textcolor rgb '#666666'
set label '{/:Bold 4000 Hz}' at 748.67,481.00 left enhanced font 'sans-serif,12' textcolor rgb '#222222'
set label 'RMSE 0.60, by theory 0.65' at 1040.00,481.00 right noenhanced font 'sans-serif,12' textcolor rgb '#666666'
set label '95 % in -1.4 to +1.3' at 1040.00,498.00 right noenhanced font 'sans-serif,12' textcolor rgb '#666666'
set label 'off by, points of CPU' at 894.33,652.00 center noenhanced font 'sans-serif,12' textcolor rgb '#222222'
set label 'Upwards: % of the values, one a CPU in each 0.24 s and each phase. Against exact times. Slower rates: samples left out.' at 20.00,674.00 left noenhanced font 'sans-serif,12' textcolor rgb '#666666'
$data0 << EOD
-31.5 0.0000
-30.0 0.0000
-28.5 0.0000
-27.0 0.0000
-25.5 0.0000
-24.0 0.0000
-22.5 0.5128
-21.0 0.0000
-19.5 0.0000
-18.0 1.0256
-16.5 1.0256
-15.0 0.5128
-13.5 0.0000
-12.0 1.5385
-10.5 2.5641
-9.0 1.0256
-7.5 2.5641
-6.0 3.5897
-4.5 5.6410
-3.0 5.1282
-1.5 4.6154
0.0 7.6923
1.5 10.2564
3.0 3.5897
4.5 3.0769
6.0 5.1282
7.5 3.5897
9.0 6.1538
10.5 5.1282
12.0 4.1026
13.5 2.5641
15.0 4.6154
16.5 1.0256
18.0 1.5385
19.5 2.5641
21.0 2.0513
22.5 2.5641
24.0 1.0256
25.5 1.5385
27.0 0.5128
28.5 0.0000
30.0 0.5128
31.5 1.0256
EOD
plot NaN
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
set xrange [-33:33]
set yrange [0:10.77]
set ytics 2
set arrow from 0,graph 0 to 0,graph 1 nohead front linecolor rgb '#222222' dashtype 3
plot $data0 using 1:2:(1.5) with boxes linecolor rgb '#2fbf8f' fillstyle solid border linecolor rgb '#888888'
$data1 << EOD
-31.5 0.0000
-30.0 0.0000
-28.5 0.0000
-27.0 0.0000
-25.5 0.0000
-24.0 0.0000
-22.5 0.0000
-21.0 0.0000
-19.5 0.0000
-18.0 0.0000
-16.5 0.0000
-15.0 0.0000
-13.5 0.0000
-12.0 0.0000
-10.5 0.0000
-9.0 0.0000
-7.5 0.0000
-6.0 0.0000
-4.5 0.8584
-3.0 0.0000
-1.5 3.0043
0.0 24.0343
1.5 9.8712
3.0 9.4421
4.5 11.1588
6.0 9.8712
7.5 10.3004
9.0 6.8670
10.5 6.8670
12.0 2.1459
13.5 2.5751
15.0 1.7167
16.5 0.4292
18.0 0.4292
19.5 0.4292
21.0 0.0000
22.5 0.0000
24.0 0.0000
25.5 0.0000
27.0 0.0000
28.5 0.0000
30.0 0.0000
31.5 0.0000
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
set xrange [-33:33]
set yrange [0:25.24]
set ytics 5
set arrow from 0,graph 0 to 0,graph 1 nohead front linecolor rgb '#222222' dashtype 3
plot $data1 using 1:2:(1.5) with boxes linecolor rgb '#2fbf8f' fillstyle solid border linecolor rgb '#888888'
$data2 << EOD
-31.5 0.0000
-30.0 0.0000
-28.5 0.0000
-27.0 0.0000
-25.5 0.0000
-24.0 0.0000
-22.5 0.0000
-21.0 0.0000
-19.5 0.0000
-18.0 0.0000
-16.5 0.0000
-15.0 0.0000
-13.5 0.0000
-12.0 0.0000
-10.5 0.0000
-9.0 0.0000
-7.5 0.0000
-6.0 0.0000
-4.5 2.0408
-3.0 2.0408
-1.5 16.3265
0.0 61.2245
1.5 12.2449
3.0 6.1224
4.5 0.0000
6.0 0.0000
7.5 0.0000
9.0 0.0000
10.5 0.0000
12.0 0.0000
13.5 0.0000
15.0 0.0000
16.5 0.0000
18.0 0.0000
19.5 0.0000
21.0 0.0000
22.5 0.0000
24.0 0.0000
25.5 0.0000
27.0 0.0000
28.5 0.0000
30.0 0.0000
31.5 0.0000
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
set xrange [-33:33]
set yrange [0:64.29]
set ytics 20
set arrow from 0,graph 0 to 0,graph 1 nohead front linecolor rgb '#222222' dashtype 3
plot $data2 using 1:2:(1.5) with boxes linecolor rgb '#2fbf8f' fillstyle solid border linecolor rgb '#888888'
$data3 << EOD
-34.0 0.0000
-32.3 0.0000
-30.6 0.0000
-28.9 0.5128
-27.2 0.0000
-25.5 0.5128
-23.8 1.0256
-22.1 1.0256
-20.4 0.5128
-18.7 1.5385
-17.0 4.6154
-15.3 1.5385
-13.6 3.5897
-11.9 2.0513
-10.2 4.1026
-8.5 2.0513
-6.8 7.1795
-5.1 3.5897
-3.4 11.2821
-1.7 6.1538
0.0 18.4615
1.7 7.1795
3.4 5.1282
5.1 5.1282
6.8 1.5385
8.5 1.5385
10.2 2.0513
11.9 0.0000
13.6 1.0256
15.3 2.0513
17.0 1.0256
18.7 1.0256
20.4 1.5385
22.1 0.0000
23.8 0.5128
25.5 0.0000
27.2 0.0000
28.9 0.0000
30.6 0.0000
32.3 0.0000
34.0 0.5128
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
set xrange [-36.3:36.3]
set yrange [0:19.38]
set ytics 5
set arrow from 0,graph 0 to 0,graph 1 nohead front linecolor rgb '#222222' dashtype 3
plot $data3 using 1:2:(1.7) with boxes linecolor rgb '#e69f00' fillstyle solid border linecolor rgb '#888888'
$data4 << EOD
-34.0 0.0000
-32.3 0.0000
-30.6 0.0000
-28.9 0.0000
-27.2 0.0000
-25.5 0.0000
-23.8 0.0000
-22.1 0.0000
-20.4 0.0000
-18.7 0.0000
-17.0 0.0000
-15.3 0.0000
-13.6 0.8584
-11.9 0.8584
-10.2 3.8627
-8.5 4.7210
-6.8 5.5794
-5.1 9.0129
-3.4 12.8755
-1.7 18.0258
0.0 38.1974
1.7 4.2918
3.4 1.2876
5.1 0.4292
6.8 0.0000
8.5 0.0000
10.2 0.0000
11.9 0.0000
13.6 0.0000
15.3 0.0000
17.0 0.0000
18.7 0.0000
20.4 0.0000
22.1 0.0000
23.8 0.0000
25.5 0.0000
27.2 0.0000
28.9 0.0000
30.6 0.0000
32.3 0.0000
34.0 0.0000
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
set xrange [-36.3:36.3]
set yrange [0:40.11]
set ytics 10
set arrow from 0,graph 0 to 0,graph 1 nohead front linecolor rgb '#222222' dashtype 3
plot $data4 using 1:2:(1.7) with boxes linecolor rgb '#e69f00' fillstyle solid border linecolor rgb '#888888'
$data5 << EOD
-34.0 0.0000
-32.3 0.0000
-30.6 0.0000
-28.9 0.0000
-27.2 0.0000
-25.5 0.0000
-23.8 0.0000
-22.1 0.0000
-20.4 0.0000
-18.7 0.0000
-17.0 0.0000
-15.3 0.0000
-13.6 0.0000
-11.9 0.0000
-10.2 0.0000
-8.5 0.0000
-6.8 0.0000
-5.1 0.0000
-3.4 4.0816
-1.7 14.2857
0.0 67.3469
1.7 12.2449
3.4 0.0000
5.1 2.0408
6.8 0.0000
8.5 0.0000
10.2 0.0000
11.9 0.0000
13.6 0.0000
15.3 0.0000
17.0 0.0000
18.7 0.0000
20.4 0.0000
22.1 0.0000
23.8 0.0000
25.5 0.0000
27.2 0.0000
28.9 0.0000
30.6 0.0000
32.3 0.0000
34.0 0.0000
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
set xrange [-36.3:36.3]
set yrange [0:70.71]
set ytics 20
set arrow from 0,graph 0 to 0,graph 1 nohead front linecolor rgb '#222222' dashtype 3
plot $data5 using 1:2:(1.7) with boxes linecolor rgb '#e69f00' fillstyle solid border linecolor rgb '#888888'
$data6 << EOD
-24.7 0.0000
-23.4 0.0000
-22.1 0.0000
-20.8 0.0000
-19.5 0.0000
-18.2 0.0000
-16.9 0.0000
-15.6 0.0000
-14.3 0.0000
-13.0 2.0513
-11.7 1.5385
-10.4 2.0513
-9.1 1.0256
-7.8 2.0513
-6.5 5.6410
-5.2 7.6923
-3.9 10.2564
-2.6 17.9487
-1.3 9.7436
0.0 12.3077
1.3 7.1795
2.6 5.6410
3.9 2.5641
5.2 2.5641
6.5 2.0513
7.8 1.5385
9.1 1.5385
10.4 1.0256
11.7 0.0000
13.0 0.0000
14.3 1.0256
15.6 0.5128
16.9 0.5128
18.2 0.5128
19.5 0.5128
20.8 0.0000
22.1 0.0000
23.4 0.0000
24.7 0.5128
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
set xrange [-25.5:25.5]
set yrange [0:18.85]
set ytics 5
set arrow from 0,graph 0 to 0,graph 1 nohead front linecolor rgb '#222222' dashtype 3
plot $data6 using 1:2:(1.3) with boxes linecolor rgb '#56b4e9' fillstyle solid border linecolor rgb '#888888'
$data7 << EOD
-24.7 0.0000
-23.4 0.0000
-22.1 0.0000
-20.8 0.0000
-19.5 0.0000
-18.2 0.0000
-16.9 0.0000
-15.6 0.0000
-14.3 0.0000
-13.0 0.0000
-11.7 0.0000
-10.4 0.0000
-9.1 0.0000
-7.8 0.0000
-6.5 0.4292
-5.2 1.7167
-3.9 4.7210
-2.6 12.0172
-1.3 21.0300
0.0 43.3476
1.3 12.4464
2.6 3.8627
3.9 0.4292
5.2 0.0000
6.5 0.0000
7.8 0.0000
9.1 0.0000
10.4 0.0000
11.7 0.0000
13.0 0.0000
14.3 0.0000
15.6 0.0000
16.9 0.0000
18.2 0.0000
19.5 0.0000
20.8 0.0000
22.1 0.0000
23.4 0.0000
24.7 0.0000
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
set xrange [-25.5:25.5]
set yrange [0:45.52]
set ytics 10
set arrow from 0,graph 0 to 0,graph 1 nohead front linecolor rgb '#222222' dashtype 3
plot $data7 using 1:2:(1.3) with boxes linecolor rgb '#56b4e9' fillstyle solid border linecolor rgb '#888888'
$data8 << EOD
-24.7 0.0000
-23.4 0.0000
-22.1 0.0000
-20.8 0.0000
-19.5 0.0000
-18.2 0.0000
-16.9 0.0000
-15.6 0.0000
-14.3 0.0000
-13.0 0.0000
-11.7 0.0000
-10.4 0.0000
-9.1 0.0000
-7.8 0.0000
-6.5 0.0000
-5.2 0.0000
-3.9 0.0000
-2.6 0.0000
-1.3 14.2857
0.0 73.4694
1.3 12.2449
2.6 0.0000
3.9 0.0000
5.2 0.0000
6.5 0.0000
7.8 0.0000
9.1 0.0000
10.4 0.0000
11.7 0.0000
13.0 0.0000
14.3 0.0000
15.6 0.0000
16.9 0.0000
18.2 0.0000
19.5 0.0000
20.8 0.0000
22.1 0.0000
23.4 0.0000
24.7 0.0000
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
set xrange [-25.5:25.5]
set yrange [0:77.14]
set ytics 20
set arrow from 0,graph 0 to 0,graph 1 nohead front linecolor rgb '#222222' dashtype 3
plot $data8 using 1:2:(1.3) with boxes linecolor rgb '#56b4e9' fillstyle solid border linecolor rgb '#888888'
unset multiplot
status: 0
