# Made by netcost-report plot. gnuplot FILE >PICTURE draws it.
set encoding utf8
set terminal svg size 1060,690 name 'netcost_stability' enhanced font 'sans-serif,12' background '#ffffff'
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
set label '{/:Bold Errors of samples, by sampling rate}' at 20.00,18.00 left enhanced font 'sans-serif,15.6' textcolor rgb '#222222'
set label 'random.nct: 4.83 s on 3 CPUs' at 20.00,40.00 left noenhanced font 'sans-serif,12' textcolor rgb '#222222'
set label 'Linux 6.1.0-test x86_64, Test CPU at 1.00GHz; exact: full; samples 4000 Hz' at 20.00,57.00 left noenhanced font 'sans-serif,12' textcolor rgb '#666666'
set label '{/:Bold RX softirq}' at 62.00,86.00 left enhanced font 'sans-serif,15.6' textcolor rgb '#222222'
set label 'exactly: 14.3 %' at 353.33,86.00 right noenhanced font 'sans-serif,12' textcolor rgb '#666666'
set label '{/:Bold 40 Hz}' at 62.00,109.00 left enhanced font 'sans-serif,12' textcolor rgb '#222222'
set label 'RMSE 12.59, by theory 9.61' at 353.33,109.00 right noenhanced font 'sans-serif,12' textcolor rgb '#666666'
set label '95 % within -13.8 to +29.2' at 353.33,126.00 right noenhanced font 'sans-serif,12' textcolor rgb '#666666'
set label '{/:Bold 400 Hz}' at 62.00,295.00 left enhanced font 'sans-serif,12' textcolor rgb '#222222'
set label 'RMSE 6.38, by theory 2.75' at 353.33,295.00 right noenhanced font 'sans-serif,12' textcolor rgb '#666666'
set label '95 % within -0.9 to +14.3' at 353.33,312.00 right noenhanced font 'sans-serif,12' textcolor rgb '#666666'
set label '{/:Bold 4000 Hz}' at 62.00,481.00 left enhanced font 'sans-serif,12' textcolor rgb '#222222'
set label 'RMSE 1.24, by theory 1.02' at 353.33,481.00 right noenhanced font 'sans-serif,12' textcolor rgb '#666666'
set label '95 % within -2.4 to +2.5' at 353.33,498.00 right noenhanced font 'sans-serif,12' textcolor rgb '#666666'
set label 'error, percentage points of CPU time' at 207.67,657.00 center noenhanced font 'sans-serif,12' textcolor rgb '#222222'
set label '{/:Bold socket send}' at 405.33,86.00 left enhanced font 'sans-serif,15.6' textcolor rgb '#222222'
set label 'exactly: 13.9 %' at 696.67,86.00 right noenhanced font 'sans-serif,12' textcolor rgb '#666666'
set label '{/:Bold 40 Hz}' at 405.33,109.00 left enhanced font 'sans-serif,12' textcolor rgb '#222222'
set label 'RMSE 9.19, by theory 9.57' at 696.67,109.00 right noenhanced font 'sans-serif,12' textcolor rgb '#666666'
set label '95 % within -17.9 to +17.6' at 696.67,126.00 right noenhanced font 'sans-serif,12' textcolor rgb '#666666'
set label '{/:Bold 400 Hz}' at 405.33,295.00 left enhanced font 'sans-serif,12' textcolor rgb '#222222'
set label 'RMSE 4.06, by theory 2.74' at 696.67,295.00 right noenhanced font 'sans-serif,12' textcolor rgb '#666666'
set label '95 % within -10.2 to +2.7' at 696.67,312.00 right noenhanced font 'sans-serif,12' textcolor rgb '#666666'
set label '{/:Bold 4000 Hz}' at 405.33,481.00 left enhanced font 'sans-serif,12' textcolor rgb '#222222'
set label 'RMSE 1.38, by theory 1.01' at 696.67,481.00 right noenhanced font 'sans-serif,12' textcolor rgb '#666666'
set label '95 % within -3.5 to +2.1' at 696.67,498.00 right noenhanced font 'sans-serif,12' textcolor rgb '#666666'
set label 'error, percentage points of CPU time' at 551.00,657.00 center noenhanced font 'sans-serif,12' textcolor rgb '#222222'
set label '{/:Bold socket receive}' at 748.67,86.00 left enhanced font 'sans-serif,15.6' textcolor rgb '#222222'
set label 'exactly: 4.28 %' at 1040.00,86.00 right noenhanced font 'sans-serif,12' textcolor rgb '#666666'
set label '{/:Bold 40 Hz}' at 748.67,109.00 left enhanced font 'sans-serif,12' textcolor rgb '#222222'
set label 'RMSE 5.88, by theory 6.10' at 1040.00,109.00 right noenhanced font 'sans-serif,12' textcolor rgb '#666666'
set label '95 % within -10.9 to +12.8' at 1040.00,126.00 right noenhanced font 'sans-serif,12' textcolor rgb '#666666'
set label '{/:Bold 400 Hz}' at 748.67,295.00 left enhanced font 'sans-serif,12' textcolor rgb '#222222'
set label 'RMSE 1.81, by theory 1.75' at 1040.00,295.00 right noenhanced font 'sans-serif,12' textcolor rgb '#666666'
set label '95 % within -5.1 to +2.7' at 1040.00,312.00 right noenhanced font 'sans-serif,12' textcolor rgb '#666666'
set label '{/:Bold 4000 Hz}' at 748.67,481.00 left enhanced font 'sans-serif,12' textcolor rgb '#222222'
set label 'RMSE 0.60, by theory 0.65' at 1040.00,481.00 right noenhanced font 'sans-serif,12' textcolor rgb '#666666'
set label '95 % within -1.4 to +1.3' at 1040.00,498.00 right noenhanced font 'sans-serif,12' textcolor rgb '#666666'
set label 'error, percentage points of CPU time' at 894.33,657.00 center noenhanced font 'sans-serif,12' textcolor rgb '#222222'
set label 'Height: % of the values (one for each CPU, 0.24 s and phase), compared with exact times. Slower rates use a part of the samples.' at 20.00,674.00 left noenhanced font 'sans-serif,12' textcolor rgb '#666666'
$data0 << EOD
-42.0 0.0000
-39.9 0.0000
-37.8 0.0000
-35.7 0.0000
-33.6 0.0000
-31.5 0.0000
-29.4 0.0000
-27.3 0.0000
-25.2 0.0000
-23.1 0.0000
-21.0 0.4950
-18.9 0.4950
-16.8 0.4950
-14.7 1.4851
-12.6 1.4851
-10.5 1.9802
-8.4 2.9703
-6.3 2.4752
-4.2 5.4455
-2.1 4.9505
0.0 15.8416
2.1 7.9208
4.2 6.4356
6.3 5.4455
8.4 9.4059
10.5 4.9505
12.6 3.9604
14.7 5.4455
16.8 3.9604
18.9 3.4653
21.0 2.4752
23.1 1.4851
25.2 2.4752
27.3 0.4950
29.4 1.4851
31.5 0.0000
33.6 0.4950
35.7 1.4851
37.8 0.0000
39.9 0.0000
42.0 0.4950
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
set xrange [-44.7:44.7]
set yrange [0:16.63]
set ytics 5
set arrow from 0,graph 0 to 0,graph 1 nohead front linecolor rgb '#222222' dashtype 3
plot $data0 using 1:2:(2.1) with boxes linecolor rgb '#2fbf8f' fillstyle solid border linecolor rgb '#888888' title 'RX softirq, 40 Hz'
$data1 << EOD
-42.0 0.0000
-39.9 0.0000
-37.8 0.0000
-35.7 0.0000
-33.6 0.0000
-31.5 0.0000
-29.4 0.0000
-27.3 0.0000
-25.2 0.0000
-23.1 0.0000
-21.0 0.0000
-18.9 0.0000
-16.8 0.0000
-14.7 0.0000
-12.6 0.0000
-10.5 0.0000
-8.4 0.0000
-6.3 0.0000
-4.2 0.4274
-2.1 1.7094
0.0 29.9145
2.1 13.2479
4.2 14.1026
6.3 13.2479
8.4 12.8205
10.5 5.9829
12.6 4.7009
14.7 2.1368
16.8 1.2821
18.9 0.4274
21.0 0.0000
23.1 0.0000
25.2 0.0000
27.3 0.0000
29.4 0.0000
31.5 0.0000
33.6 0.0000
35.7 0.0000
37.8 0.0000
39.9 0.0000
42.0 0.0000
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
set xrange [-44.7:44.7]
set yrange [0:31.41]
set ytics 5
set arrow from 0,graph 0 to 0,graph 1 nohead front linecolor rgb '#222222' dashtype 3
plot $data1 using 1:2:(2.1) with boxes linecolor rgb '#2fbf8f' fillstyle solid border linecolor rgb '#888888' title 'RX softirq, 400 Hz'
$data2 << EOD
-42.0 0.0000
-39.9 0.0000
-37.8 0.0000
-35.7 0.0000
-33.6 0.0000
-31.5 0.0000
-29.4 0.0000
-27.3 0.0000
-25.2 0.0000
-23.1 0.0000
-21.0 0.0000
-18.9 0.0000
-16.8 0.0000
-14.7 0.0000
-12.6 0.0000
-10.5 0.0000
-8.4 0.0000
-6.3 0.0000
-4.2 2.0408
-2.1 12.2449
0.0 71.4286
2.1 14.2857
4.2 0.0000
6.3 0.0000
8.4 0.0000
10.5 0.0000
12.6 0.0000
14.7 0.0000
16.8 0.0000
18.9 0.0000
21.0 0.0000
23.1 0.0000
25.2 0.0000
27.3 0.0000
29.4 0.0000
31.5 0.0000
33.6 0.0000
35.7 0.0000
37.8 0.0000
39.9 0.0000
42.0 0.0000
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
set xrange [-44.7:44.7]
set yrange [0:75]
set ytics 20
set arrow from 0,graph 0 to 0,graph 1 nohead front linecolor rgb '#222222' dashtype 3
plot $data2 using 1:2:(2.1) with boxes linecolor rgb '#2fbf8f' fillstyle solid border linecolor rgb '#888888' title 'RX softirq, 4000 Hz'
$data3 << EOD
-28.5 0.4950
-27.0 0.0000
-25.5 0.4950
-24.0 0.0000
-22.5 0.0000
-21.0 0.9901
-19.5 0.4950
-18.0 0.9901
-16.5 3.9604
-15.0 2.9703
-13.5 1.9802
-12.0 2.4752
-10.5 4.9505
-9.0 1.9802
-7.5 4.4554
-6.0 6.4356
-4.5 2.9703
-3.0 7.4257
-1.5 5.9406
0.0 14.3564
1.5 11.8812
3.0 2.9703
4.5 1.4851
6.0 4.4554
7.5 2.9703
9.0 3.4653
10.5 2.9703
12.0 1.4851
13.5 1.4851
15.0 0.0000
16.5 0.4950
18.0 0.9901
19.5 0.9901
21.0 0.4950
22.5 0.0000
24.0 0.0000
25.5 0.0000
27.0 0.0000
28.5 0.4950
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
set xrange [-30.6:30.6]
set yrange [0:15.07]
set ytics 2
set arrow from 0,graph 0 to 0,graph 1 nohead front linecolor rgb '#222222' dashtype 3
plot $data3 using 1:2:(1.5) with boxes linecolor rgb '#e69f00' fillstyle solid border linecolor rgb '#888888' title 'socket send, 40 Hz'
$data4 << EOD
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
-12.0 0.8547
-10.5 2.1368
-9.0 3.4188
-7.5 5.9829
-6.0 7.6923
-4.5 9.4017
-3.0 10.2564
-1.5 14.9573
0.0 36.7521
1.5 5.1282
3.0 1.2821
4.5 1.2821
6.0 0.8547
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
set xrange [-30.6:30.6]
set yrange [0:38.59]
set ytics 10
set arrow from 0,graph 0 to 0,graph 1 nohead front linecolor rgb '#222222' dashtype 3
plot $data4 using 1:2:(1.5) with boxes linecolor rgb '#e69f00' fillstyle solid border linecolor rgb '#888888' title 'socket send, 400 Hz'
$data5 << EOD
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
-3.0 4.0816
-1.5 14.2857
0.0 65.3061
1.5 12.2449
3.0 0.0000
4.5 2.0408
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
set xrange [-30.6:30.6]
set yrange [0:68.57]
set ytics 20
set arrow from 0,graph 0 to 0,graph 1 nohead front linecolor rgb '#222222' dashtype 3
plot $data5 using 1:2:(1.5) with boxes linecolor rgb '#e69f00' fillstyle solid border linecolor rgb '#888888' title 'socket send, 4000 Hz'
$data6 << EOD
-18.9 0.0000
-18.0 0.0000
-17.1 0.0000
-16.2 0.0000
-15.3 0.0000
-14.4 0.0000
-13.5 0.4950
-12.6 0.0000
-11.7 1.9802
-10.8 1.4851
-9.9 0.4950
-9.0 3.9604
-8.1 0.4950
-7.2 3.9604
-6.3 4.4554
-5.4 5.9406
-4.5 5.4455
-3.6 10.3960
-2.7 8.4158
-1.8 8.4158
-0.9 3.9604
0.0 12.8713
0.9 3.4653
1.8 2.9703
2.7 4.9505
3.6 2.4752
4.5 0.9901
5.4 0.9901
6.3 0.9901
7.2 0.4950
8.1 1.9802
9.0 0.0000
9.9 2.4752
10.8 0.9901
11.7 0.9901
12.6 1.4851
13.5 0.0000
14.4 0.4950
15.3 0.0000
16.2 0.4950
17.1 0.0000
18.0 0.4950
18.9 0.4950
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
set xrange [-20:20]
set yrange [0:13.51]
set ytics 2
set arrow from 0,graph 0 to 0,graph 1 nohead front linecolor rgb '#222222' dashtype 3
plot $data6 using 1:2:(0.9) with boxes linecolor rgb '#56b4e9' fillstyle solid border linecolor rgb '#888888' title 'socket receive, 40 Hz'
$data7 << EOD
-18.9 0.0000
-18.0 0.0000
-17.1 0.0000
-16.2 0.0000
-15.3 0.0000
-14.4 0.0000
-13.5 0.0000
-12.6 0.0000
-11.7 0.0000
-10.8 0.0000
-9.9 0.0000
-9.0 0.0000
-8.1 0.0000
-7.2 0.4274
-6.3 0.0000
-5.4 2.1368
-4.5 1.2821
-3.6 4.2735
-2.7 8.1197
-1.8 12.3932
-0.9 14.5299
0.0 35.8974
0.9 10.2564
1.8 6.8376
2.7 2.5641
3.6 0.4274
4.5 0.8547
5.4 0.0000
6.3 0.0000
7.2 0.0000
8.1 0.0000
9.0 0.0000
9.9 0.0000
10.8 0.0000
11.7 0.0000
12.6 0.0000
13.5 0.0000
14.4 0.0000
15.3 0.0000
16.2 0.0000
17.1 0.0000
18.0 0.0000
18.9 0.0000
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
set xrange [-20:20]
set yrange [0:37.69]
set ytics 10
set arrow from 0,graph 0 to 0,graph 1 nohead front linecolor rgb '#222222' dashtype 3
plot $data7 using 1:2:(0.9) with boxes linecolor rgb '#56b4e9' fillstyle solid border linecolor rgb '#888888' title 'socket receive, 400 Hz'
$data8 << EOD
-18.9 0.0000
-18.0 0.0000
-17.1 0.0000
-16.2 0.0000
-15.3 0.0000
-14.4 0.0000
-13.5 0.0000
-12.6 0.0000
-11.7 0.0000
-10.8 0.0000
-9.9 0.0000
-9.0 0.0000
-8.1 0.0000
-7.2 0.0000
-6.3 0.0000
-5.4 0.0000
-4.5 0.0000
-3.6 0.0000
-2.7 0.0000
-1.8 4.0816
-0.9 12.2449
0.0 61.2245
0.9 20.4082
1.8 2.0408
2.7 0.0000
3.6 0.0000
4.5 0.0000
5.4 0.0000
6.3 0.0000
7.2 0.0000
8.1 0.0000
9.0 0.0000
9.9 0.0000
10.8 0.0000
11.7 0.0000
12.6 0.0000
13.5 0.0000
14.4 0.0000
15.3 0.0000
16.2 0.0000
17.1 0.0000
18.0 0.0000
18.9 0.0000
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
set xrange [-20:20]
set yrange [0:64.29]
set ytics 20
set arrow from 0,graph 0 to 0,graph 1 nohead front linecolor rgb '#222222' dashtype 3
plot $data8 using 1:2:(0.9) with boxes linecolor rgb '#56b4e9' fillstyle solid border linecolor rgb '#888888' title 'socket receive, 4000 Hz'
unset multiplot
status: 0
