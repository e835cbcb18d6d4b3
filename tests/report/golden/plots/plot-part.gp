like plot-pies-nosamples.gp
< digest 904ddd7b6aa88994
> # Made by netcost-report plot. gnuplot FILE >PICTURE draws it.
> set encoding utf8
> set terminal svg size 1200,403 name 'netcost_pies' enhanced font 'sans-serif,12' background '#ffffff'
> set multiplot
> set lmargin at screen 0
> set rmargin at screen 1
> set bmargin at screen 0
> set tmargin at screen 1
> unset border
> unset tics
> unset key
> set xrange [0:1200]
> set yrange [403:0]
> set label '{/:Bold Where the CPU time went, in detail}' at 20.00,18.00 left enhanced font 'sans-serif,15.6' textcolor rgb '#222222'
> set label 'parts.nct: many (part 3): 1.00 s on 20 CPUs' at 20.00,40.00 left noenhanced font 'sans-serif,12' textcolor rgb '#222222'
> set label 'Linux 6.1.0-test x86_64, Test CPU at 1.00GHz; exact: entry; no samples' at 20.00,57.00 left noenhanced font 'sans-serif,12' textcolor rgb '#666666'
> set label '{/:Bold CPU time}' at 150.00,82.00 center enhanced font 'sans-serif,12' textcolor rgb '#222222'
> set label '100 % of CPU time' at 150.00,100.00 center noenhanced font 'sans-serif,12' textcolor rgb '#222222'
> set object circle at 150.00,208.00 size 92.00 arc [93.420:450.000] fillcolor rgb '#f2f2f2' fillstyle solid border linecolor rgb '#888888' linewidth 0.5
> set object circle at 150.00,208.00 size 92.00 arc [90.000:93.420] fillcolor rgb '#d9a58c' fillstyle solid border linecolor rgb '#888888' linewidth 0.5
> set object rectangle from 20.00,320.00 to 32.00,332.00 fillcolor rgb '#f2f2f2' fillstyle solid border linecolor rgb '#888888' linewidth 0.5
> set label 'idle' at 40.00,326.00 left noenhanced font 'sans-serif,12' textcolor rgb '#222222'
> set label '99.1 %' at 280.00,326.00 right noenhanced font 'sans-serif,12' textcolor rgb '#222222'
> set object rectangle from 20.00,339.00 to 32.00,351.00 fillcolor rgb '#888888' fillstyle pattern 4 border linecolor rgb '#888888' linewidth 0.5
> set label 'user' at 40.00,345.00 left noenhanced font 'sans-serif,12' textcolor rgb '#222222'
> set label 'not measured' at 280.00,345.00 right noenhanced font 'sans-serif,12' textcolor rgb '#666666'
> set object rectangle from 20.00,358.00 to 32.00,370.00 fillcolor rgb '#d9a58c' fillstyle solid border linecolor rgb '#888888' linewidth 0.5
> set label 'kernel' at 40.00,364.00 left noenhanced font 'sans-serif,12' textcolor rgb '#222222'
> set label 'at least 0.95 %' at 280.00,364.00 right noenhanced font 'sans-serif,12' textcolor rgb '#222222'
> set label '{/:Bold Kernel}' at 445.00,82.00 center enhanced font 'sans-serif,12' textcolor rgb '#222222'
> set label 'at least 0.95 % of CPU time' at 445.00,100.00 center noenhanced font 'sans-serif,12' textcolor rgb '#222222'
> set object circle at 445.00,208.00 size 92.00 arc [90.000:450.000] fillcolor rgb '#f2c879' fillstyle solid border linecolor rgb '#888888' linewidth 0.5
> set object rectangle from 315.00,320.00 to 327.00,332.00 fillcolor rgb '#f2c879' fillstyle solid border linecolor rgb '#888888' linewidth 0.5
> set label 'network' at 335.00,326.00 left noenhanced font 'sans-serif,12' textcolor rgb '#222222'
> set label 'at least 0.95 %' at 575.00,326.00 right noenhanced font 'sans-serif,12' textcolor rgb '#222222'
> set object rectangle from 315.00,339.00 to 327.00,351.00 fillcolor rgb '#888888' fillstyle pattern 4 border linecolor rgb '#888888' linewidth 0.5
> set label 'other kernel' at 335.00,345.00 left noenhanced font 'sans-serif,12' textcolor rgb '#222222'
> set label 'not measured' at 575.00,345.00 right noenhanced font 'sans-serif,12' textcolor rgb '#666666'
> set label '{/:Bold Network}' at 740.00,82.00 center enhanced font 'sans-serif,12' textcolor rgb '#222222'
> set label 'at least 0.95 % of CPU time' at 740.00,100.00 center noenhanced font 'sans-serif,12' textcolor rgb '#222222'
> set object circle at 740.00,208.00 size 92.00 arc [90.000:450.000] fillcolor rgb '#2fbf8f' fillstyle solid border linecolor rgb '#888888' linewidth 0.5
> set object rectangle from 610.00,320.00 to 622.00,332.00 fillcolor rgb '#2fbf8f' fillstyle solid border linecolor rgb '#888888' linewidth 0.5
> set label 'RX softirq' at 630.00,326.00 left noenhanced font 'sans-serif,12' textcolor rgb '#222222'
> set label '0.95 %' at 870.00,326.00 right noenhanced font 'sans-serif,12' textcolor rgb '#222222'
> set object rectangle from 610.00,339.00 to 622.00,351.00 fillcolor rgb '#888888' fillstyle pattern 4 border linecolor rgb '#888888' linewidth 0.5
> set label 'other network' at 630.00,345.00 left noenhanced font 'sans-serif,12' textcolor rgb '#222222'
> set label 'not measured' at 870.00,345.00 right noenhanced font 'sans-serif,12' textcolor rgb '#666666'
> set label '{/:Bold RX softirq}' at 1035.00,82.00 center enhanced font 'sans-serif,12' textcolor rgb '#222222'
> set label '0.95 % of CPU time' at 1035.00,100.00 center noenhanced font 'sans-serif,12' textcolor rgb '#222222'
> set label 'not separated' at 1035.00,208.00 center noenhanced font 'sans-serif,12' textcolor rgb '#666666'
> plot NaN notitle
> unset object
> unset label
> unset multiplot
> status: 0
