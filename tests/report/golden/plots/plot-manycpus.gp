# Made by netcost-report plot. gnuplot FILE >PICTURE draws it.
set encoding utf8
set terminal svg size 1020,414 name 'netcost_breakdown' enhanced font 'sans-serif,12' background '#ffffff'
set multiplot
set lmargin at screen 0
set rmargin at screen 1
set bmargin at screen 0
set tmargin at screen 1
unset border
unset tics
unset key
set xrange [0:1020]
set yrange [414:0]
set label '{/:Bold Where the CPU time went}' at 20.00,18.00 left enhanced font 'sans-serif,15.6' textcolor rgb '#222222'
set label 'manycpus.nct: 1.00 s on 20 CPUs' at 20.00,40.00 left noenhanced font 'sans-serif,12' textcolor rgb '#222222'
set label 'Linux 6.1.0-test x86_64, Test CPU at 1.00GHz; exact: entry; no samples' at 20.00,57.00 left noenhanced font 'sans-serif,12' textcolor rgb '#666666'
set label '{/:Bold CPU time}' at 20.00,82.00 left enhanced font 'sans-serif,12' textcolor rgb '#222222'
set label '100 % of CPU time' at 580.00,82.00 right noenhanced font 'sans-serif,12' textcolor rgb '#222222'
set object rectangle from 20.00,94.00 to 574.68,148.00 fillcolor rgb '#f2f2f2' fillstyle solid border linecolor rgb '#888888' linewidth 0.5
set label 'idle' at 297.34,112.00 center noenhanced font 'sans-serif,12' textcolor rgb '#222222'
set label '99.1 %' at 297.34,130.00 center noenhanced font 'sans-serif,12' textcolor rgb '#222222'
set object rectangle from 574.68,94.00 to 580.00,148.00 fillcolor rgb '#f2c879' fillstyle solid border linecolor rgb '#888888' linewidth 0.5
set object rectangle from 608.00,96.00 to 620.00,108.00 fillcolor rgb '#f2f2f2' fillstyle solid border linecolor rgb '#888888' linewidth 0.5
set label 'idle' at 628.00,102.00 left noenhanced font 'sans-serif,12' textcolor rgb '#222222'
set label '99.1 %' at 905.00,102.00 right noenhanced font 'sans-serif,12' textcolor rgb '#222222'
set label 'exact' at 1000.00,102.00 right noenhanced font 'sans-serif,12' textcolor rgb '#666666'
set object rectangle from 608.00,115.00 to 620.00,127.00 fillcolor rgb '#888888' fillstyle pattern 4 border linecolor rgb '#888888' linewidth 0.5
set label 'user' at 628.00,121.00 left noenhanced font 'sans-serif,12' textcolor rgb '#222222'
set label 'not measured' at 1000.00,121.00 right noenhanced font 'sans-serif,12' textcolor rgb '#222222'
set object rectangle from 608.00,134.00 to 620.00,146.00 fillcolor rgb '#f2c879' fillstyle solid border linecolor rgb '#888888' linewidth 0.5
set label 'network' at 628.00,140.00 left noenhanced font 'sans-serif,12' textcolor rgb '#222222'
set label '0.95 %' at 905.00,140.00 right noenhanced font 'sans-serif,12' textcolor rgb '#222222'
set label 'at least' at 1000.00,140.00 right noenhanced font 'sans-serif,12' textcolor rgb '#666666'
set object rectangle from 608.00,153.00 to 620.00,165.00 fillcolor rgb '#888888' fillstyle pattern 4 border linecolor rgb '#888888' linewidth 0.5
set label 'other kernel' at 628.00,159.00 left noenhanced font 'sans-serif,12' textcolor rgb '#222222'
set label 'not measured' at 1000.00,159.00 right noenhanced font 'sans-serif,12' textcolor rgb '#222222'
set object polygon from 574.68,148.00 to 580.00,148.00 to 580.00,204.00 to 20.00,204.00 to 574.68,148.00 fillcolor rgb '#f3f3f3' fillstyle solid noborder
set label '{/:Bold Network}' at 20.00,216.00 left enhanced font 'sans-serif,12' textcolor rgb '#222222'
set label 'at least 0.95 % of CPU time' at 580.00,216.00 right noenhanced font 'sans-serif,12' textcolor rgb '#222222'
set object rectangle from 20.00,228.00 to 580.00,282.00 fillcolor rgb '#2fbf8f' fillstyle solid border linecolor rgb '#888888' linewidth 0.5
set label 'RX softirq' at 300.00,246.00 center noenhanced font 'sans-serif,12' textcolor rgb '#222222'
set label '0.95 %' at 300.00,264.00 center noenhanced font 'sans-serif,12' textcolor rgb '#222222'
set object rectangle from 608.00,230.00 to 620.00,242.00 fillcolor rgb '#2fbf8f' fillstyle solid border linecolor rgb '#888888' linewidth 0.5
set label 'RX softirq' at 628.00,236.00 left noenhanced font 'sans-serif,12' textcolor rgb '#222222'
set label '0.95 %' at 905.00,236.00 right noenhanced font 'sans-serif,12' textcolor rgb '#222222'
set label 'exact' at 1000.00,236.00 right noenhanced font 'sans-serif,12' textcolor rgb '#666666'
set object rectangle from 608.00,249.00 to 620.00,261.00 fillcolor rgb '#888888' fillstyle pattern 4 border linecolor rgb '#888888' linewidth 0.5
set label 'other network' at 628.00,255.00 left noenhanced font 'sans-serif,12' textcolor rgb '#222222'
set label 'not measured' at 1000.00,255.00 right noenhanced font 'sans-serif,12' textcolor rgb '#222222'
set label '{/:Bold RX softirq}' at 20.00,328.00 left enhanced font 'sans-serif,12' textcolor rgb '#222222'
set label '0.95 % of CPU time' at 580.00,328.00 right noenhanced font 'sans-serif,12' textcolor rgb '#222222'
set label 'not separated: neither samples nor --exact=full' at 20.00,348.00 left noenhanced font 'sans-serif,12' textcolor rgb '#666666'
plot NaN notitle
unset object
unset label
unset multiplot
status: 0
