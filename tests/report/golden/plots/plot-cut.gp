# Made by netcost-report plot. gnuplot FILE >PICTURE draws it.
set encoding utf8
set terminal pngcairo size 1200,422 enhanced font 'sans-serif,9' background '#ffffff'
set multiplot
set lmargin at screen 0
set rmargin at screen 1
set bmargin at screen 0
set tmargin at screen 1
unset border
unset tics
unset key
set xrange [0:1200]
set yrange [422:0]
set label '{/:Bold Where the CPU time went, in detail}' at 20.00,18.00 left enhanced font 'sans-serif,11.7' textcolor rgb '#222222'
set label 'cut.nct: 1.00 s on 1 CPU, cut off; only CPUs 0' at 20.00,40.00 left noenhanced font 'sans-serif,9' textcolor rgb '#222222'
set label 'Linux 6.1.0-test x86_64, Test CPU at 1.00GHz; exact: entry; samples 1000 Hz' at 20.00,57.00 left noenhanced font 'sans-serif,9' textcolor rgb '#666666'
set label '{/:Bold CPU time}' at 150.00,82.00 center enhanced font 'sans-serif,9' textcolor rgb '#222222'
set label '100 % of CPU time' at 150.00,100.00 center noenhanced font 'sans-serif,9' textcolor rgb '#222222'
set object circle at 150.00,208.00 size 92.00 arc [270.000:450.000] fillcolor rgb '#f2f2f2' fillstyle solid border linecolor rgb '#888888' linewidth 0.5
set object circle at 150.00,208.00 size 92.00 arc [198.000:270.000] fillcolor rgb '#7fb2d9' fillstyle solid border linecolor rgb '#888888' linewidth 0.5
set object circle at 150.00,208.00 size 92.00 arc [90.000:198.000] fillcolor rgb '#d9a58c' fillstyle solid border linecolor rgb '#888888' linewidth 0.5
set object rectangle from 20.00,320.00 to 32.00,332.00 fillcolor rgb '#f2f2f2' fillstyle solid border linecolor rgb '#888888' linewidth 0.5
set label 'idle' at 40.00,326.00 left noenhanced font 'sans-serif,9' textcolor rgb '#222222'
set label '50.0 %' at 280.00,326.00 right noenhanced font 'sans-serif,9' textcolor rgb '#222222'
set object rectangle from 20.00,339.00 to 32.00,351.00 fillcolor rgb '#7fb2d9' fillstyle solid border linecolor rgb '#888888' linewidth 0.5
set label 'user' at 40.00,345.00 left noenhanced font 'sans-serif,9' textcolor rgb '#222222'
set label '20.0 %' at 280.00,345.00 right noenhanced font 'sans-serif,9' textcolor rgb '#222222'
set object rectangle from 20.00,358.00 to 32.00,370.00 fillcolor rgb '#d9a58c' fillstyle solid border linecolor rgb '#888888' linewidth 0.5
set label 'kernel' at 40.00,364.00 left noenhanced font 'sans-serif,9' textcolor rgb '#222222'
set label '30.0 %' at 280.00,364.00 right noenhanced font 'sans-serif,9' textcolor rgb '#222222'
set label '{/:Bold Kernel}' at 445.00,82.00 center enhanced font 'sans-serif,9' textcolor rgb '#222222'
set label '30.0 % of CPU time' at 445.00,100.00 center noenhanced font 'sans-serif,9' textcolor rgb '#222222'
set object circle at 445.00,208.00 size 92.00 arc [210.000:450.000] fillcolor rgb '#f2c879' fillstyle solid border linecolor rgb '#888888' linewidth 0.5
set object circle at 445.00,208.00 size 92.00 arc [186.000:210.000] fillcolor rgb '#c9b28f' fillstyle solid border linecolor rgb '#888888' linewidth 0.5
set object circle at 445.00,208.00 size 92.00 arc [90.000:186.000] fillcolor rgb '#c4c4c4' fillstyle solid border linecolor rgb '#888888' linewidth 0.5
set object rectangle from 315.00,320.00 to 327.00,332.00 fillcolor rgb '#f2c879' fillstyle solid border linecolor rgb '#888888' linewidth 0.5
set label 'network' at 335.00,326.00 left noenhanced font 'sans-serif,9' textcolor rgb '#222222'
set label '20.0 %' at 575.00,326.00 right noenhanced font 'sans-serif,9' textcolor rgb '#222222'
set object rectangle from 315.00,339.00 to 327.00,351.00 fillcolor rgb '#c9b28f' fillstyle solid border linecolor rgb '#888888' linewidth 0.5
set label 'local sockets' at 335.00,345.00 left noenhanced font 'sans-serif,9' textcolor rgb '#222222'
set label '2.00 %' at 575.00,345.00 right noenhanced font 'sans-serif,9' textcolor rgb '#222222'
set object rectangle from 315.00,358.00 to 327.00,370.00 fillcolor rgb '#c4c4c4' fillstyle solid border linecolor rgb '#888888' linewidth 0.5
set label 'other kernel' at 335.00,364.00 left noenhanced font 'sans-serif,9' textcolor rgb '#222222'
set label '8.0 %' at 575.00,364.00 right noenhanced font 'sans-serif,9' textcolor rgb '#222222'
set label '{/:Bold Network}' at 740.00,82.00 center enhanced font 'sans-serif,9' textcolor rgb '#222222'
set label '20.0 % of CPU time' at 740.00,100.00 center noenhanced font 'sans-serif,9' textcolor rgb '#222222'
set object circle at 740.00,208.00 size 92.00 arc [306.000:450.000] fillcolor rgb '#e69f00' fillstyle solid border linecolor rgb '#888888' linewidth 0.5
set object circle at 740.00,208.00 size 92.00 arc [234.000:306.000] fillcolor rgb '#56b4e9' fillstyle solid border linecolor rgb '#888888' linewidth 0.5
set object circle at 740.00,208.00 size 92.00 arc [126.000:234.000] fillcolor rgb '#2fbf8f' fillstyle solid border linecolor rgb '#888888' linewidth 0.5
set object circle at 740.00,208.00 size 92.00 arc [90.000:126.000] fillcolor rgb '#f0e442' fillstyle solid border linecolor rgb '#888888' linewidth 0.5
set object rectangle from 610.00,320.00 to 622.00,332.00 fillcolor rgb '#e69f00' fillstyle solid border linecolor rgb '#888888' linewidth 0.5
set label 'socket send' at 630.00,326.00 left noenhanced font 'sans-serif,9' textcolor rgb '#222222'
set label '8.00 %' at 870.00,326.00 right noenhanced font 'sans-serif,9' textcolor rgb '#222222'
set object rectangle from 610.00,339.00 to 622.00,351.00 fillcolor rgb '#56b4e9' fillstyle solid border linecolor rgb '#888888' linewidth 0.5
set label 'socket receive' at 630.00,345.00 left noenhanced font 'sans-serif,9' textcolor rgb '#222222'
set label '4.00 %' at 870.00,345.00 right noenhanced font 'sans-serif,9' textcolor rgb '#222222'
set object rectangle from 610.00,358.00 to 622.00,370.00 fillcolor rgb '#2fbf8f' fillstyle solid border linecolor rgb '#888888' linewidth 0.5
set label 'RX softirq' at 630.00,364.00 left noenhanced font 'sans-serif,9' textcolor rgb '#222222'
set label '6.00 %' at 870.00,364.00 right noenhanced font 'sans-serif,9' textcolor rgb '#222222'
set object rectangle from 610.00,377.00 to 622.00,389.00 fillcolor rgb '#f0e442' fillstyle solid border linecolor rgb '#888888' linewidth 0.5
set label 'other network' at 630.00,383.00 left noenhanced font 'sans-serif,9' textcolor rgb '#222222'
set label '2.0 %' at 870.00,383.00 right noenhanced font 'sans-serif,9' textcolor rgb '#222222'
set label '{/:Bold RX softirq}' at 1035.00,82.00 center enhanced font 'sans-serif,9' textcolor rgb '#222222'
set label 'by samples: 6.00 % of CPU time' at 1035.00,100.00 center noenhanced font 'sans-serif,9' textcolor rgb '#222222'
set object circle at 1035.00,208.00 size 92.00 arc [90.000:450.000] fillcolor rgb '#d4d4d4' fillstyle solid border linecolor rgb '#888888' linewidth 0.5
set object rectangle from 905.00,320.00 to 917.00,332.00 fillcolor rgb '#d4d4d4' fillstyle solid border linecolor rgb '#888888' linewidth 0.5
set label 'self' at 925.00,326.00 left noenhanced font 'sans-serif,9' textcolor rgb '#222222'
set label '6.0 %' at 1165.00,326.00 right noenhanced font 'sans-serif,9' textcolor rgb '#222222'
plot NaN notitle
unset object
unset label
unset multiplot
stderr: netcost-report: cut.nct: the recording was cut off: data ends at byte N; the report covers what comes before
status: 0
