# Made by netcost-report plot. gnuplot FILE >PICTURE draws it.
set encoding utf8
set terminal svg size 1060,528 name 'netcost_cdf' enhanced font 'sans-serif,12' background '#ffffff'
set multiplot
set lmargin at screen 0
set rmargin at screen 1
set bmargin at screen 0
set tmargin at screen 1
unset border
unset tics
unset key
set xrange [0:1060]
set yrange [528:0]
set label '{/:Bold For how long packets waited}' at 20.00,18.00 left enhanced font 'sans-serif,15.6' textcolor rgb '#222222'
set label 'latency.nct: 1.00 s on 2 CPUs' at 20.00,40.00 left noenhanced font 'sans-serif,12' textcolor rgb '#222222'
set label 'Linux 6.1.0-test x86_64, Test CPU ? 1.00GHz; exact: entry; samples 1000 Hz' at 20.00,57.00 left noenhanced font 'sans-serif,12' textcolor rgb '#666666'
set label 'Upwards: which share of the packets waited for so long at most.' at 20.00,74.00 left noenhanced font 'sans-serif,12' textcolor rgb '#666666'
set label '{/:Bold From a packet’s entry into the host}' at 62.00,100.00 left enhanced font 'sans-serif,12' textcolor rgb '#222222'
set label 'us' at 289.00,448.00 center noenhanced font 'sans-serif,12' textcolor rgb '#222222'
set object rectangle from 62.00,464.00 to 74.00,476.00 fillcolor rgb '#b48ac6' fillstyle solid border linecolor rgb '#888888' linewidth 0.5
set label 'receive' at 82.00,470.00 left noenhanced font 'sans-serif,12' textcolor rgb '#222222'
set label 'p50 0.04 us, p99 0.04 us, 12 packets' at 252.00,470.00 left noenhanced font 'sans-serif,12' textcolor rgb '#666666'
set object rectangle from 62.00,483.00 to 74.00,495.00 fillcolor rgb '#ee8866' fillstyle solid border linecolor rgb '#888888' linewidth 0.5
set label 'udp-socket-read' at 82.00,489.00 left noenhanced font 'sans-serif,12' textcolor rgb '#222222'
set label 'p50 50.20 us, p99 99.39 us, 6004 packets' at 252.00,489.00 left noenhanced font 'sans-serif,12' textcolor rgb '#666666'
set label '{/:Bold On the way out}' at 586.00,100.00 left enhanced font 'sans-serif,12' textcolor rgb '#222222'
set label 'us' at 813.00,448.00 center noenhanced font 'sans-serif,12' textcolor rgb '#222222'
set label 'no packets, or not measured' at 586.00,470.00 left noenhanced font 'sans-serif,12' textcolor rgb '#666666'
$in0 << EOD
0.039 0
0.04 1
EOD
$in1 << EOD
0.992 0
1.008 0.00999334
1.984 0.00999334
2.016 0.0199867
2.944 0.0199867
3.008 0.02998
3.968 0.02998
4.032 0.0399734
4.992 0.0399734
5.12 0.0499667
5.888 0.0499667
6.016 0.05996
6.912 0.05996
7.04 0.0699534
7.936 0.0699534
8.064 0.0799467
8.96 0.0799467
9.216 0.08994
9.984 0.08994
10.24 0.0999334
10.752 0.0999334
11.008 0.109927
11.776 0.109927
12.032 0.11992
12.8 0.11992
13.056 0.129913
13.824 0.129913
14.08 0.139907
14.848 0.139907
15.104 0.1499
15.872 0.1499
16.128 0.159893
16.896 0.159893
17.408 0.169887
17.92 0.169887
18.432 0.17988
18.944 0.17988
19.456 0.189873
19.968 0.189873
20.48 0.199867
20.992 0.199867
21.504 0.20986
22.016 0.219853
22.528 0.219853
23.04 0.229847
23.552 0.229847
24.064 0.23984
24.576 0.23984
25.088 0.249833
25.6 0.249833
26.112 0.259827
26.624 0.259827
27.136 0.26982
27.648 0.26982
28.16 0.279813
28.672 0.279813
29.184 0.289807
29.696 0.289807
30.208 0.2998
30.72 0.2998
31.232 0.309793
31.744 0.309793
32.256 0.319787
32.768 0.319787
33.792 0.32978
34.816 0.339773
35.84 0.349767
36.864 0.35976
37.888 0.369753
38.912 0.379747
39.936 0.38974
40.96 0.399734
41.984 0.409727
43.008 0.429714
44.032 0.439707
45.056 0.4497
46.08 0.459694
47.104 0.469687
48.128 0.47968
49.152 0.489674
50.176 0.499667
51.2 0.50966
52.224 0.519654
53.248 0.529647
54.272 0.53964
55.296 0.549634
56.32 0.559627
57.344 0.56962
58.368 0.579614
59.392 0.589607
60.416 0.5996
61.44 0.609594
62.464 0.619587
63.488 0.62958
64.512 0.639574
65.536 0.649567
67.584 0.669554
69.632 0.68954
71.68 0.709527
73.728 0.729514
75.776 0.7495
77.824 0.769487
79.872 0.789474
81.92 0.80946
83.968 0.829447
86.016 0.859427
88.064 0.879414
90.112 0.8994
92.16 0.919387
94.208 0.939374
96.256 0.95936
98.304 0.979347
100.352 0.999334
4980.74 0.999334
5111.81 1
EOD
plot NaN notitle
unset object
unset label
set lmargin at screen 0.0585
set rmargin at screen 0.4868
set tmargin at screen 0.7841
set bmargin at screen 0.2159
unset arrow
set border 3 linecolor rgb '#888888'
set format '%g'
set tics scale 0.6
set xtics out nomirror textcolor rgb '#222222'
set ytics out nomirror textcolor rgb '#222222'
set xrange [1:2]
set yrange [1:2]
set logscale x
set xrange [0.03:6645.35]
set yrange [0:1.02]
set xtics autofreq
set ytics autofreq
plot $in0 using 1:2 with lines linewidth 2 linecolor rgb '#b48ac6' title 'receive', \
	$in1 using 1:2 with lines linewidth 2 linecolor rgb '#ee8866' title 'udp-socket-read'
unset logscale
unset multiplot
status: 0
