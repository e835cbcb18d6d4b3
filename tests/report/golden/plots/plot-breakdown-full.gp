# Made by netcost-report plot. gnuplot FILE >PICTURE draws it.
set encoding utf8
set terminal svg size 1020,455 name 'netcost_breakdown' enhanced font 'sans-serif,12' background '#ffffff'
set multiplot
set lmargin at screen 0
set rmargin at screen 1
set bmargin at screen 0
set tmargin at screen 1
unset border
unset tics
unset key
set xrange [0:1020]
set yrange [455:0]
set label '{/:Bold Where the CPU time went}' at 20.00,18.00 left enhanced font 'sans-serif,15.6' textcolor rgb '#222222'
set label 'full.nct: 1.00 s on 2 CPUs' at 20.00,40.00 left noenhanced font 'sans-serif,12' textcolor rgb '#222222'
set label 'Linux 6.1.0-test x86_64, Test CPU at 1.00GHz; exact: entry; samples 1000 Hz' at 20.00,57.00 left noenhanced font 'sans-serif,12' textcolor rgb '#666666'
set label '{/:Bold CPU time}' at 20.00,82.00 left enhanced font 'sans-serif,12' textcolor rgb '#222222'
set label '100 % of CPU time' at 580.00,82.00 right noenhanced font 'sans-serif,12' textcolor rgb '#222222'
set object rectangle from 20.00,94.00 to 434.40,148.00 fillcolor rgb '#f2f2f2' fillstyle solid border linecolor rgb '#888888' linewidth 0.5
set label 'idle' at 227.20,112.00 center noenhanced font 'sans-serif,12' textcolor rgb '#222222'
set label '74.0 %' at 227.20,130.00 center noenhanced font 'sans-serif,12' textcolor rgb '#222222'
set object rectangle from 434.40,94.00 to 493.20,148.00 fillcolor rgb '#7fb2d9' fillstyle solid border linecolor rgb '#888888' linewidth 0.5
set label 'user' at 463.80,112.00 center noenhanced font 'sans-serif,12' textcolor rgb '#222222'
set label '10.5 %' at 463.80,130.00 center noenhanced font 'sans-serif,12' textcolor rgb '#222222'
set object rectangle from 493.20,94.00 to 549.20,148.00 fillcolor rgb '#f2c879' fillstyle solid border linecolor rgb '#888888' linewidth 0.5
set label '10.0 %' at 521.20,121.00 center noenhanced font 'sans-serif,12' textcolor rgb '#222222'
set object rectangle from 549.20,94.00 to 554.80,148.00 fillcolor rgb '#c9b28f' fillstyle solid border linecolor rgb '#888888' linewidth 0.5
set object rectangle from 554.80,94.00 to 580.00,148.00 fillcolor rgb '#c4c4c4' fillstyle solid border linecolor rgb '#888888' linewidth 0.5
set object rectangle from 608.00,96.00 to 620.00,108.00 fillcolor rgb '#f2f2f2' fillstyle solid border linecolor rgb '#888888' linewidth 0.5
set label 'idle' at 628.00,102.00 left noenhanced font 'sans-serif,12' textcolor rgb '#222222'
set label '74.0 %' at 905.00,102.00 right noenhanced font 'sans-serif,12' textcolor rgb '#222222'
set label 'exact' at 1000.00,102.00 right noenhanced font 'sans-serif,12' textcolor rgb '#666666'
set object rectangle from 608.00,115.00 to 620.00,127.00 fillcolor rgb '#7fb2d9' fillstyle solid border linecolor rgb '#888888' linewidth 0.5
set label 'user' at 628.00,121.00 left noenhanced font 'sans-serif,12' textcolor rgb '#222222'
set label '10.5 %' at 905.00,121.00 right noenhanced font 'sans-serif,12' textcolor rgb '#222222'
set label '± 0.9' at 1000.00,121.00 right noenhanced font 'sans-serif,12' textcolor rgb '#666666'
set object rectangle from 608.00,134.00 to 620.00,146.00 fillcolor rgb '#f2c879' fillstyle solid border linecolor rgb '#888888' linewidth 0.5
set label 'network' at 628.00,140.00 left noenhanced font 'sans-serif,12' textcolor rgb '#222222'
set label '10.0 %' at 905.00,140.00 right noenhanced font 'sans-serif,12' textcolor rgb '#222222'
set label '± 0.5' at 1000.00,140.00 right noenhanced font 'sans-serif,12' textcolor rgb '#666666'
set object rectangle from 608.00,153.00 to 620.00,165.00 fillcolor rgb '#c9b28f' fillstyle solid border linecolor rgb '#888888' linewidth 0.5
set label 'local sockets' at 628.00,159.00 left noenhanced font 'sans-serif,12' textcolor rgb '#222222'
set label '1.00 %' at 905.00,159.00 right noenhanced font 'sans-serif,12' textcolor rgb '#222222'
set label 'exact' at 1000.00,159.00 right noenhanced font 'sans-serif,12' textcolor rgb '#666666'
set object rectangle from 608.00,172.00 to 620.00,184.00 fillcolor rgb '#c4c4c4' fillstyle solid border linecolor rgb '#888888' linewidth 0.5
set label 'other kernel' at 628.00,178.00 left noenhanced font 'sans-serif,12' textcolor rgb '#222222'
set label '4.50 %' at 905.00,178.00 right noenhanced font 'sans-serif,12' textcolor rgb '#222222'
set label '± 0.85' at 1000.00,178.00 right noenhanced font 'sans-serif,12' textcolor rgb '#666666'
set object polygon from 493.20,148.00 to 549.20,148.00 to 580.00,223.00 to 20.00,223.00 to 493.20,148.00 fillcolor rgb '#f3f3f3' fillstyle solid noborder
set label '{/:Bold Network}' at 20.00,235.00 left enhanced font 'sans-serif,12' textcolor rgb '#222222'
set label '10.0 % of CPU time' at 580.00,235.00 right noenhanced font 'sans-serif,12' textcolor rgb '#222222'
set object rectangle from 20.00,247.00 to 244.00,301.00 fillcolor rgb '#e69f00' fillstyle solid border linecolor rgb '#888888' linewidth 0.5
set label 'socket send' at 132.00,265.00 center noenhanced font 'sans-serif,12' textcolor rgb '#222222'
set label '4.00 %' at 132.00,283.00 center noenhanced font 'sans-serif,12' textcolor rgb '#222222'
set object rectangle from 244.00,247.00 to 356.00,301.00 fillcolor rgb '#56b4e9' fillstyle solid border linecolor rgb '#888888' linewidth 0.5
set label 'socket receive' at 300.00,265.00 center noenhanced font 'sans-serif,12' textcolor rgb '#222222'
set label '2.00 %' at 300.00,283.00 center noenhanced font 'sans-serif,12' textcolor rgb '#222222'
set object rectangle from 356.00,247.00 to 524.00,301.00 fillcolor rgb '#2fbf8f' fillstyle solid border linecolor rgb '#888888' linewidth 0.5
set label 'RX softirq' at 440.00,265.00 center noenhanced font 'sans-serif,12' textcolor rgb '#222222'
set label '3.00 %' at 440.00,283.00 center noenhanced font 'sans-serif,12' textcolor rgb '#222222'
set object rectangle from 524.00,247.00 to 580.00,301.00 fillcolor rgb '#f0e442' fillstyle solid border linecolor rgb '#888888' linewidth 0.5
set label '1.00 %' at 552.00,274.00 center noenhanced font 'sans-serif,12' textcolor rgb '#222222'
set object rectangle from 608.00,249.00 to 620.00,261.00 fillcolor rgb '#e69f00' fillstyle solid border linecolor rgb '#888888' linewidth 0.5
set label 'socket send' at 628.00,255.00 left noenhanced font 'sans-serif,12' textcolor rgb '#222222'
set label '4.00 %' at 905.00,255.00 right noenhanced font 'sans-serif,12' textcolor rgb '#222222'
set label 'exact' at 1000.00,255.00 right noenhanced font 'sans-serif,12' textcolor rgb '#666666'
set object rectangle from 608.00,268.00 to 620.00,280.00 fillcolor rgb '#56b4e9' fillstyle solid border linecolor rgb '#888888' linewidth 0.5
set label 'socket receive' at 628.00,274.00 left noenhanced font 'sans-serif,12' textcolor rgb '#222222'
set label '2.00 %' at 905.00,274.00 right noenhanced font 'sans-serif,12' textcolor rgb '#222222'
set label 'exact' at 1000.00,274.00 right noenhanced font 'sans-serif,12' textcolor rgb '#666666'
set object rectangle from 608.00,287.00 to 620.00,299.00 fillcolor rgb '#2fbf8f' fillstyle solid border linecolor rgb '#888888' linewidth 0.5
set label 'RX softirq' at 628.00,293.00 left noenhanced font 'sans-serif,12' textcolor rgb '#222222'
set label '3.00 %' at 905.00,293.00 right noenhanced font 'sans-serif,12' textcolor rgb '#222222'
set label 'exact' at 1000.00,293.00 right noenhanced font 'sans-serif,12' textcolor rgb '#666666'
set object rectangle from 608.00,306.00 to 620.00,318.00 fillcolor rgb '#f0e442' fillstyle solid border linecolor rgb '#888888' linewidth 0.5
set label 'other network' at 628.00,312.00 left noenhanced font 'sans-serif,12' textcolor rgb '#222222'
set label '1.00 %' at 905.00,312.00 right noenhanced font 'sans-serif,12' textcolor rgb '#222222'
set label '± 0.53' at 1000.00,312.00 right noenhanced font 'sans-serif,12' textcolor rgb '#666666'
set object polygon from 356.00,301.00 to 524.00,301.00 to 580.00,357.00 to 20.00,357.00 to 356.00,301.00 fillcolor rgb '#f3f3f3' fillstyle solid noborder
set label '{/:Bold RX softirq}' at 20.00,369.00 left enhanced font 'sans-serif,12' textcolor rgb '#222222'
set label 'by samples: 3.00 % of CPU time' at 580.00,369.00 right noenhanced font 'sans-serif,12' textcolor rgb '#222222'
set object rectangle from 20.00,381.00 to 580.00,435.00 fillcolor rgb '#d4d4d4' fillstyle solid border linecolor rgb '#888888' linewidth 0.5
set label 'self' at 300.00,399.00 center noenhanced font 'sans-serif,12' textcolor rgb '#222222'
set label '3.00 %' at 300.00,417.00 center noenhanced font 'sans-serif,12' textcolor rgb '#222222'
set object rectangle from 608.00,383.00 to 620.00,395.00 fillcolor rgb '#d4d4d4' fillstyle solid border linecolor rgb '#888888' linewidth 0.5
set label 'self' at 628.00,389.00 left noenhanced font 'sans-serif,12' textcolor rgb '#222222'
set label '3.00 %' at 905.00,389.00 right noenhanced font 'sans-serif,12' textcolor rgb '#222222'
set label '± 0.80' at 1000.00,389.00 right noenhanced font 'sans-serif,12' textcolor rgb '#666666'
plot NaN notitle
unset object
unset label
unset multiplot
status: 0
