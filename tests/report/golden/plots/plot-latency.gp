# Made by netcost-report plot. gnuplot FILE >PICTURE draws it.
set encoding utf8
set terminal svg size 1060,534 name 'netcost_latency' enhanced font 'sans-serif,12' background '#ffffff'
set multiplot
set lmargin at screen 0
set rmargin at screen 1
set bmargin at screen 0
set tmargin at screen 1
unset border
unset tics
unset key
set xrange [0:1060]
set yrange [534:0]
set label '{/:Bold Packet latency}' at 20.00,18.00 left enhanced font 'sans-serif,15.6' textcolor rgb '#222222'
set label 'latency.nct: 1.00 s on 2 CPUs' at 20.00,40.00 left noenhanced font 'sans-serif,12' textcolor rgb '#222222'
set label 'Linux 6.1.0-test x86_64, Test CPU at 1.00GHz; exact: entry; samples 1000 Hz' at 20.00,57.00 left noenhanced font 'sans-serif,12' textcolor rgb '#666666'
set label 'y axis: share of packets that were slower than x.' at 20.00,74.00 left noenhanced font 'sans-serif,12' textcolor rgb '#666666'
set label '{/:Bold Receive: from the entry into the host}' at 76.00,100.00 left enhanced font 'sans-serif,12' textcolor rgb '#222222'
set label 'time (logarithmic)' at 297.00,453.00 center noenhanced font 'sans-serif,12' textcolor rgb '#222222'
set object rectangle from 76.00,470.00 to 88.00,482.00 fillcolor rgb '#7b3fa0' fillstyle solid border linecolor rgb '#888888' linewidth 0.5
set label 'receive' at 96.00,476.00 left noenhanced font 'sans-serif,12' textcolor rgb '#222222'
set label 'p50 40.0 ns, 12 packets' at 266.00,476.00 left noenhanced font 'sans-serif,12' textcolor rgb '#666666'
set object rectangle from 76.00,489.00 to 88.00,501.00 fillcolor rgb '#d9541e' fillstyle solid border linecolor rgb '#888888' linewidth 0.5
set label 'udp-socket-read' at 96.00,495.00 left noenhanced font 'sans-serif,12' textcolor rgb '#222222'
set label 'p50 50.2 us, p99 99.4 us, 6004 packets' at 266.00,495.00 left noenhanced font 'sans-serif,12' textcolor rgb '#666666'
set label '{/:Bold Send: from the send call}' at 598.00,100.00 left enhanced font 'sans-serif,12' textcolor rgb '#222222'
set label 'no packets, or not measured' at 598.00,476.00 left noenhanced font 'sans-serif,12' textcolor rgb '#666666'
$in0 << EOD
0.039 1
0.04 1
EOD
$in1 << EOD
0.992 1
1.008 0.990007
1.984 0.990007
2.016 0.980013
2.944 0.980013
3.008 0.97002
3.968 0.97002
4.032 0.960027
4.992 0.960027
5.12 0.950033
5.888 0.950033
6.016 0.94004
6.912 0.94004
7.04 0.930047
7.936 0.930047
8.064 0.920053
8.96 0.920053
9.216 0.91006
9.984 0.91006
10.24 0.900067
10.752 0.900067
11.008 0.890073
11.776 0.890073
12.032 0.88008
12.8 0.88008
13.056 0.870087
13.824 0.870087
14.08 0.860093
14.848 0.860093
15.104 0.8501
15.872 0.8501
16.128 0.840107
16.896 0.840107
17.408 0.830113
17.92 0.830113
18.432 0.82012
18.944 0.82012
19.456 0.810127
19.968 0.810127
20.48 0.800133
20.992 0.800133
21.504 0.79014
22.016 0.780147
22.528 0.780147
23.04 0.770153
23.552 0.770153
24.064 0.76016
24.576 0.76016
25.088 0.750167
25.6 0.750167
26.112 0.740173
26.624 0.740173
27.136 0.73018
27.648 0.73018
28.16 0.720187
28.672 0.720187
29.184 0.710193
29.696 0.710193
30.208 0.7002
30.72 0.7002
31.232 0.690207
31.744 0.690207
32.256 0.680213
32.768 0.680213
33.792 0.67022
34.816 0.660227
35.84 0.650233
36.864 0.64024
37.888 0.630247
38.912 0.620253
39.936 0.61026
40.96 0.600266
41.984 0.590273
43.008 0.570286
44.032 0.560293
45.056 0.5503
46.08 0.540306
47.104 0.530313
48.128 0.52032
49.152 0.510326
50.176 0.500333
51.2 0.49034
52.224 0.480346
53.248 0.470353
54.272 0.46036
55.296 0.450366
56.32 0.440373
57.344 0.43038
58.368 0.420386
59.392 0.410393
60.416 0.4004
61.44 0.390406
62.464 0.380413
63.488 0.37042
64.512 0.360426
65.536 0.350433
67.584 0.330446
69.632 0.31046
71.68 0.290473
73.728 0.270486
75.776 0.2505
77.824 0.230513
79.872 0.210526
81.92 0.19054
83.968 0.170553
86.016 0.140573
88.064 0.120586
90.112 0.1006
92.16 0.0806129
94.208 0.0606262
96.256 0.0406396
98.304 0.0206529
100.352 0.000666223
4980.74 0.000666223
5111.81 0.000666223
EOD
plot NaN notitle
unset object
unset label
set lmargin at screen 0.0717
set rmargin at screen 0.4887
set tmargin at screen 0.7865
set bmargin at screen 0.2247
unset arrow
set border 3 linecolor rgb '#888888'
set format '%g'
set tics scale 0.6
set xtics out nomirror textcolor rgb '#222222'
set ytics out nomirror textcolor rgb '#222222'
set xrange [1:2]
set yrange [1:2]
set logscale xy
set xrange [0.03:6645.35]
set yrange [8.32778e-05:1.2]
set xtics ('1 ns' 1e-3, '10 ns' 1e-2, '100 ns' 1e-1, '1 us' 1e0, '10 us' 1e1, '100 us' 1e2, '1 ms' 1e3, '10 ms' 1e4, '100 ms' 1e5, '1 s' 1e6, '10 s' 1e7, '100 s' 1e8, '1 ks' 1e9)
set ytics ('100 %%' 1e0, '10 %%' 1e-1, '1 %%' 1e-2, '0.1 %%' 1e-3, '0.01 %%' 1e-4)
plot $in0 using 1:2 with lines linewidth 2 linecolor rgb '#7b3fa0' title 'receive', \
	$in1 using 1:2 with lines linewidth 2 linecolor rgb '#d9541e' title 'udp-socket-read'
unset logscale
unset multiplot
status: 0
