# Made by netcost-report plot. gnuplot FILE >PICTURE draws it.
set encoding utf8
set terminal svg size 1200,422 name 'netcost_pies' enhanced font 'sans-serif,12' background '#ffffff'
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
set label '{/:Bold Where the CPU time went, in detail}' at 20.00,18.00 left enhanced font 'sans-serif,15.6' textcolor rgb '#222222'
set label 'noexact.nct: 1.00 s on 2 CPUs' at 20.00,40.00 left noenhanced font 'sans-serif,12' textcolor rgb '#222222'
set label 'Linux 6.1.0-test x86_64, Test CPU at 1.00GHz; exact: off; samples 1000 Hz' at 20.00,57.00 left noenhanced font 'sans-serif,12' textcolor rgb '#666666'
set label '{/:Bold CPU time}' at 150.00,82.00 center enhanced font 'sans-serif,12' textcolor rgb '#222222'
set label '100 % of CPU time' at 150.00,100.00 center noenhanced font 'sans-serif,12' textcolor rgb '#222222'
set object circle at 150.00,208.00 size 92.00 arc [184.381:450.000] fillcolor rgb '#f2f2f2' fillstyle solid border linecolor rgb '#888888' linewidth 0.5
set object circle at 150.00,208.00 size 92.00 arc [146.448:184.381] fillcolor rgb '#7fb2d9' fillstyle solid border linecolor rgb '#888888' linewidth 0.5
set object circle at 150.00,208.00 size 92.00 arc [90.000:146.448] fillcolor rgb '#d9a58c' fillstyle solid border linecolor rgb '#888888' linewidth 0.5
set object rectangle from 20.00,320.00 to 32.00,332.00 fillcolor rgb '#f2f2f2' fillstyle solid border linecolor rgb '#888888' linewidth 0.5
set label 'idle' at 40.00,326.00 left noenhanced font 'sans-serif,12' textcolor rgb '#222222'
set label '73.8 %' at 280.00,326.00 right noenhanced font 'sans-serif,12' textcolor rgb '#222222'
set object rectangle from 20.00,339.00 to 32.00,351.00 fillcolor rgb '#7fb2d9' fillstyle solid border linecolor rgb '#888888' linewidth 0.5
set label 'user' at 40.00,345.00 left noenhanced font 'sans-serif,12' textcolor rgb '#222222'
set label '10.5 %' at 280.00,345.00 right noenhanced font 'sans-serif,12' textcolor rgb '#222222'
set object rectangle from 20.00,358.00 to 32.00,370.00 fillcolor rgb '#d9a58c' fillstyle solid border linecolor rgb '#888888' linewidth 0.5
set label 'kernel' at 40.00,364.00 left noenhanced font 'sans-serif,12' textcolor rgb '#222222'
set label '15.7 %' at 280.00,364.00 right noenhanced font 'sans-serif,12' textcolor rgb '#222222'
set label '{/:Bold Kernel}' at 445.00,82.00 center enhanced font 'sans-serif,12' textcolor rgb '#222222'
set label '15.7 % of CPU time' at 445.00,100.00 center noenhanced font 'sans-serif,12' textcolor rgb '#222222'
set object circle at 445.00,208.00 size 92.00 arc [202.029:450.000] fillcolor rgb '#f2c879' fillstyle solid border linecolor rgb '#888888' linewidth 0.5
set object circle at 445.00,208.00 size 92.00 arc [190.221:202.029] fillcolor rgb '#c9b28f' fillstyle solid border linecolor rgb '#888888' linewidth 0.5
set object circle at 445.00,208.00 size 92.00 arc [90.000:190.221] fillcolor rgb '#c4c4c4' fillstyle solid border linecolor rgb '#888888' linewidth 0.5
set object rectangle from 315.00,320.00 to 327.00,332.00 fillcolor rgb '#f2c879' fillstyle solid border linecolor rgb '#888888' linewidth 0.5
set label 'network' at 335.00,326.00 left noenhanced font 'sans-serif,12' textcolor rgb '#222222'
set label '10.8 %' at 575.00,326.00 right noenhanced font 'sans-serif,12' textcolor rgb '#222222'
set object rectangle from 315.00,339.00 to 327.00,351.00 fillcolor rgb '#c9b28f' fillstyle solid border linecolor rgb '#888888' linewidth 0.5
set label 'local sockets' at 335.00,345.00 left noenhanced font 'sans-serif,12' textcolor rgb '#222222'
set label '0.51 %' at 575.00,345.00 right noenhanced font 'sans-serif,12' textcolor rgb '#222222'
set object rectangle from 315.00,358.00 to 327.00,370.00 fillcolor rgb '#c4c4c4' fillstyle solid border linecolor rgb '#888888' linewidth 0.5
set label 'other kernel' at 335.00,364.00 left noenhanced font 'sans-serif,12' textcolor rgb '#222222'
set label '4.37 %' at 575.00,364.00 right noenhanced font 'sans-serif,12' textcolor rgb '#222222'
set label '{/:Bold Network}' at 740.00,82.00 center enhanced font 'sans-serif,12' textcolor rgb '#222222'
set label '10.8 % of CPU time' at 740.00,100.00 center noenhanced font 'sans-serif,12' textcolor rgb '#222222'
set object circle at 740.00,208.00 size 92.00 arc [295.714:450.000] fillcolor rgb '#e69f00' fillstyle solid border linecolor rgb '#888888' linewidth 0.5
set object circle at 740.00,208.00 size 92.00 arc [227.143:295.714] fillcolor rgb '#56b4e9' fillstyle solid border linecolor rgb '#888888' linewidth 0.5
set object circle at 740.00,208.00 size 92.00 arc [124.286:227.143] fillcolor rgb '#2fbf8f' fillstyle solid border linecolor rgb '#888888' linewidth 0.5
set object circle at 740.00,208.00 size 92.00 arc [90.000:124.286] fillcolor rgb '#f0e442' fillstyle solid border linecolor rgb '#888888' linewidth 0.5
set object rectangle from 610.00,320.00 to 622.00,332.00 fillcolor rgb '#e69f00' fillstyle solid border linecolor rgb '#888888' linewidth 0.5
set label 'socket send' at 630.00,326.00 left noenhanced font 'sans-serif,12' textcolor rgb '#222222'
set label '4.63 %' at 870.00,326.00 right noenhanced font 'sans-serif,12' textcolor rgb '#222222'
set object rectangle from 610.00,339.00 to 622.00,351.00 fillcolor rgb '#56b4e9' fillstyle solid border linecolor rgb '#888888' linewidth 0.5
set label 'socket receive' at 630.00,345.00 left noenhanced font 'sans-serif,12' textcolor rgb '#222222'
set label '2.06 %' at 870.00,345.00 right noenhanced font 'sans-serif,12' textcolor rgb '#222222'
set object rectangle from 610.00,358.00 to 622.00,370.00 fillcolor rgb '#2fbf8f' fillstyle solid border linecolor rgb '#888888' linewidth 0.5
set label 'RX softirq' at 630.00,364.00 left noenhanced font 'sans-serif,12' textcolor rgb '#222222'
set label '3.09 %' at 870.00,364.00 right noenhanced font 'sans-serif,12' textcolor rgb '#222222'
set object rectangle from 610.00,377.00 to 622.00,389.00 fillcolor rgb '#f0e442' fillstyle solid border linecolor rgb '#888888' linewidth 0.5
set label 'other network' at 630.00,383.00 left noenhanced font 'sans-serif,12' textcolor rgb '#222222'
set label '1.03 %' at 870.00,383.00 right noenhanced font 'sans-serif,12' textcolor rgb '#222222'
set label '{/:Bold RX softirq}' at 1035.00,82.00 center enhanced font 'sans-serif,12' textcolor rgb '#222222'
set label 'by samples: 3.09 % of CPU time' at 1035.00,100.00 center noenhanced font 'sans-serif,12' textcolor rgb '#222222'
set object circle at 1035.00,208.00 size 92.00 arc [90.000:450.000] fillcolor rgb '#d4d4d4' fillstyle solid border linecolor rgb '#888888' linewidth 0.5
set object rectangle from 905.00,320.00 to 917.00,332.00 fillcolor rgb '#d4d4d4' fillstyle solid border linecolor rgb '#888888' linewidth 0.5
set label 'self' at 925.00,326.00 left noenhanced font 'sans-serif,12' textcolor rgb '#222222'
set label '3.09 %' at 1165.00,326.00 right noenhanced font 'sans-serif,12' textcolor rgb '#222222'
plot NaN notitle
unset object
unset label
unset multiplot
status: 0
