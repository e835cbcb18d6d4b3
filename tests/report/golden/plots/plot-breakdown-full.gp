# Made by netcost-report plot. gnuplot FILE >PICTURE draws it.
set encoding utf8
set terminal svg size 1020,493 name 'netcost_breakdown' enhanced font 'sans-serif,12' background '#ffffff'
set multiplot
set lmargin at screen 0
set rmargin at screen 1
set bmargin at screen 0
set tmargin at screen 1
unset border
unset tics
unset key
set xrange [0:1020]
set yrange [493:0]
set label '{/:Bold Where the CPU time went}' at 20.00,18.00 left enhanced font 'sans-serif,15.6' textcolor rgb '#222222'
set label 'full.nct: 1.00 s on 2 CPUs' at 20.00,40.00 left noenhanced font 'sans-serif,12' textcolor rgb '#222222'
set label 'Linux 6.1.0-test x86_64, Test CPU ? 1.00GHz; exact: entry; samples 1000 Hz' at 20.00,57.00 left noenhanced font 'sans-serif,12' textcolor rgb '#666666'
set label '{/:Bold CPU time}' at 20.00,82.00 left enhanced font 'sans-serif,12' textcolor rgb '#222222'
set label '100.00 % of CPU time' at 580.00,82.00 right noenhanced font 'sans-serif,12' textcolor rgb '#222222'
set object rectangle from 20.00,94.00 to 434.40,148.00 fillcolor rgb '#f2f2f2' fillstyle solid border linecolor rgb '#888888' linewidth 0.5
set label 'idle' at 227.20,112.00 center noenhanced font 'sans-serif,12' textcolor rgb '#222222'
set label '74.0 %' at 227.20,130.00 center noenhanced font 'sans-serif,12' textcolor rgb '#222222'
set object rectangle from 434.40,94.00 to 493.20,148.00 fillcolor rgb '#7fb2d9' fillstyle solid border linecolor rgb '#888888' linewidth 0.5
set label 'user' at 463.80,112.00 center noenhanced font 'sans-serif,12' textcolor rgb '#222222'
set label '10.5 %' at 463.80,130.00 center noenhanced font 'sans-serif,12' textcolor rgb '#222222'
set object rectangle from 493.20,94.00 to 580.00,148.00 fillcolor rgb '#d9a58c' fillstyle solid border linecolor rgb '#888888' linewidth 0.5
set label 'kernel' at 536.60,112.00 center noenhanced font 'sans-serif,12' textcolor rgb '#222222'
set label '15.5 %' at 536.60,130.00 center noenhanced font 'sans-serif,12' textcolor rgb '#222222'
set object rectangle from 608.00,96.00 to 620.00,108.00 fillcolor rgb '#f2f2f2' fillstyle solid border linecolor rgb '#888888' linewidth 0.5
set label 'idle' at 628.00,102.00 left noenhanced font 'sans-serif,12' textcolor rgb '#222222'
set label '74.00 %' at 905.00,102.00 right noenhanced font 'sans-serif,12' textcolor rgb '#222222'
set label 'exact' at 1000.00,102.00 right noenhanced font 'sans-serif,12' textcolor rgb '#666666'
set object rectangle from 608.00,115.00 to 620.00,127.00 fillcolor rgb '#7fb2d9' fillstyle solid border linecolor rgb '#888888' linewidth 0.5
set label 'user' at 628.00,121.00 left noenhanced font 'sans-serif,12' textcolor rgb '#222222'
set label '10.50 %' at 905.00,121.00 right noenhanced font 'sans-serif,12' textcolor rgb '#222222'
set label '± 0.88' at 1000.00,121.00 right noenhanced font 'sans-serif,12' textcolor rgb '#666666'
set object rectangle from 608.00,134.00 to 620.00,146.00 fillcolor rgb '#d9a58c' fillstyle solid border linecolor rgb '#888888' linewidth 0.5
set label 'kernel' at 628.00,140.00 left noenhanced font 'sans-serif,12' textcolor rgb '#222222'
set label '15.50 %' at 905.00,140.00 right noenhanced font 'sans-serif,12' textcolor rgb '#222222'
set label '± 0.88' at 1000.00,140.00 right noenhanced font 'sans-serif,12' textcolor rgb '#666666'
set object polygon from 493.20,148.00 to 580.00,148.00 to 580.00,185.00 to 20.00,185.00 to 493.20,148.00 fillcolor rgb '#f3f3f3' fillstyle solid noborder
set label '{/:Bold Kernel}' at 20.00,197.00 left enhanced font 'sans-serif,12' textcolor rgb '#222222'
set label '15.50 % of CPU time' at 580.00,197.00 right noenhanced font 'sans-serif,12' textcolor rgb '#222222'
set object rectangle from 20.00,209.00 to 164.52,263.00 fillcolor rgb '#e69f00' fillstyle solid border linecolor rgb '#888888' linewidth 0.5
set label 'socket send' at 92.26,227.00 center noenhanced font 'sans-serif,12' textcolor rgb '#222222'
set label '4.0 %' at 92.26,245.00 center noenhanced font 'sans-serif,12' textcolor rgb '#222222'
set object rectangle from 164.52,209.00 to 236.77,263.00 fillcolor rgb '#56b4e9' fillstyle solid border linecolor rgb '#888888' linewidth 0.5
set label '2.0 %' at 200.65,236.00 center noenhanced font 'sans-serif,12' textcolor rgb '#222222'
set object rectangle from 236.77,209.00 to 345.16,263.00 fillcolor rgb '#2fbf8f' fillstyle solid border linecolor rgb '#888888' linewidth 0.5
set label 'RX softirq' at 290.97,227.00 center noenhanced font 'sans-serif,12' textcolor rgb '#222222'
set label '3.0 %' at 290.97,245.00 center noenhanced font 'sans-serif,12' textcolor rgb '#222222'
set object rectangle from 345.16,209.00 to 381.29,263.00 fillcolor rgb '#f0e442' fillstyle solid border linecolor rgb '#888888' linewidth 0.5
set object rectangle from 381.29,209.00 to 417.42,263.00 fillcolor rgb '#c9b28f' fillstyle solid border linecolor rgb '#888888' linewidth 0.5
set object rectangle from 417.42,209.00 to 580.00,263.00 fillcolor rgb '#c4c4c4' fillstyle solid border linecolor rgb '#888888' linewidth 0.5
set label 'other' at 498.71,227.00 center noenhanced font 'sans-serif,12' textcolor rgb '#222222'
set label '4.5 %' at 498.71,245.00 center noenhanced font 'sans-serif,12' textcolor rgb '#222222'
set object rectangle from 608.00,211.00 to 620.00,223.00 fillcolor rgb '#e69f00' fillstyle solid border linecolor rgb '#888888' linewidth 0.5
set label 'socket send' at 628.00,217.00 left noenhanced font 'sans-serif,12' textcolor rgb '#222222'
set label '4.00 %' at 905.00,217.00 right noenhanced font 'sans-serif,12' textcolor rgb '#222222'
set label 'exact' at 1000.00,217.00 right noenhanced font 'sans-serif,12' textcolor rgb '#666666'
set object rectangle from 608.00,230.00 to 620.00,242.00 fillcolor rgb '#56b4e9' fillstyle solid border linecolor rgb '#888888' linewidth 0.5
set label 'socket receive' at 628.00,236.00 left noenhanced font 'sans-serif,12' textcolor rgb '#222222'
set label '2.00 %' at 905.00,236.00 right noenhanced font 'sans-serif,12' textcolor rgb '#222222'
set label 'exact' at 1000.00,236.00 right noenhanced font 'sans-serif,12' textcolor rgb '#666666'
set object rectangle from 608.00,249.00 to 620.00,261.00 fillcolor rgb '#2fbf8f' fillstyle solid border linecolor rgb '#888888' linewidth 0.5
set label 'RX softirq' at 628.00,255.00 left noenhanced font 'sans-serif,12' textcolor rgb '#222222'
set label '3.00 %' at 905.00,255.00 right noenhanced font 'sans-serif,12' textcolor rgb '#222222'
set label 'exact' at 1000.00,255.00 right noenhanced font 'sans-serif,12' textcolor rgb '#666666'
set object rectangle from 608.00,268.00 to 620.00,280.00 fillcolor rgb '#d98cb8' fillstyle solid border linecolor rgb '#888888' linewidth 0.5
set label 'TX softirq' at 628.00,274.00 left noenhanced font 'sans-serif,12' textcolor rgb '#222222'
set label '0.00 %' at 905.00,274.00 right noenhanced font 'sans-serif,12' textcolor rgb '#222222'
set label 'exact' at 1000.00,274.00 right noenhanced font 'sans-serif,12' textcolor rgb '#666666'
set object rectangle from 608.00,287.00 to 620.00,299.00 fillcolor rgb '#f0e442' fillstyle solid border linecolor rgb '#888888' linewidth 0.5
set label 'other network' at 628.00,293.00 left noenhanced font 'sans-serif,12' textcolor rgb '#222222'
set label '1.00 %' at 905.00,293.00 right noenhanced font 'sans-serif,12' textcolor rgb '#222222'
set label '± 0.53' at 1000.00,293.00 right noenhanced font 'sans-serif,12' textcolor rgb '#666666'
set object rectangle from 608.00,306.00 to 620.00,318.00 fillcolor rgb '#c9b28f' fillstyle solid border linecolor rgb '#888888' linewidth 0.5
set label 'local sockets' at 628.00,312.00 left noenhanced font 'sans-serif,12' textcolor rgb '#222222'
set label '1.00 %' at 905.00,312.00 right noenhanced font 'sans-serif,12' textcolor rgb '#222222'
set label 'exact' at 1000.00,312.00 right noenhanced font 'sans-serif,12' textcolor rgb '#666666'
set object rectangle from 608.00,325.00 to 620.00,337.00 fillcolor rgb '#b3a6d9' fillstyle solid border linecolor rgb '#888888' linewidth 0.5
set label 'io_uring workers' at 628.00,331.00 left noenhanced font 'sans-serif,12' textcolor rgb '#222222'
set label '0.00 %' at 905.00,331.00 right noenhanced font 'sans-serif,12' textcolor rgb '#222222'
set label 'exact' at 1000.00,331.00 right noenhanced font 'sans-serif,12' textcolor rgb '#666666'
set object rectangle from 608.00,344.00 to 620.00,356.00 fillcolor rgb '#c4c4c4' fillstyle solid border linecolor rgb '#888888' linewidth 0.5
set label 'other' at 628.00,350.00 left noenhanced font 'sans-serif,12' textcolor rgb '#222222'
set label '4.50 %' at 905.00,350.00 right noenhanced font 'sans-serif,12' textcolor rgb '#222222'
set label '± 0.85' at 1000.00,350.00 right noenhanced font 'sans-serif,12' textcolor rgb '#666666'
set object polygon from 236.77,263.00 to 345.16,263.00 to 580.00,395.00 to 20.00,395.00 to 236.77,263.00 fillcolor rgb '#f3f3f3' fillstyle solid noborder
set label '{/:Bold RX softirq}' at 20.00,407.00 left enhanced font 'sans-serif,12' textcolor rgb '#222222'
set label 'by samples: 3.00 % of CPU time' at 580.00,407.00 right noenhanced font 'sans-serif,12' textcolor rgb '#222222'
set object rectangle from 20.00,419.00 to 580.00,473.00 fillcolor rgb '#d4d4d4' fillstyle solid border linecolor rgb '#888888' linewidth 0.5
set label 'self' at 300.00,437.00 center noenhanced font 'sans-serif,12' textcolor rgb '#222222'
set label '3.0 %' at 300.00,455.00 center noenhanced font 'sans-serif,12' textcolor rgb '#222222'
set object rectangle from 608.00,421.00 to 620.00,433.00 fillcolor rgb '#d4d4d4' fillstyle solid border linecolor rgb '#888888' linewidth 0.5
set label 'self' at 628.00,427.00 left noenhanced font 'sans-serif,12' textcolor rgb '#222222'
set label '3.00 %' at 905.00,427.00 right noenhanced font 'sans-serif,12' textcolor rgb '#222222'
set label '± 0.80' at 1000.00,427.00 right noenhanced font 'sans-serif,12' textcolor rgb '#666666'
plot NaN notitle
unset object
unset label
unset multiplot
status: 0
