# Made by netcost-report plot. gnuplot FILE >PICTURE draws it.
set encoding utf8
set terminal svg size 940,288 name 'netcost_overhead' enhanced font 'sans-serif,12' background '#ffffff'
set multiplot
set lmargin at screen 0
set rmargin at screen 1
set bmargin at screen 0
set tmargin at screen 1
unset border
unset tics
unset key
set xrange [0:940]
set yrange [288:0]
set label '{/:Bold What the recording itself cost}' at 20.00,18.00 left enhanced font 'sans-serif,15.6' textcolor rgb '#222222'
set label 'full.nct: 1.00 s on 2 CPUs' at 20.00,40.00 left noenhanced font 'sans-serif,12' textcolor rgb '#222222'
set label 'Linux 6.1.0-test x86_64, Test CPU ? 1.00GHz; exact: entry; samples 1000 Hz' at 20.00,57.00 left noenhanced font 'sans-serif,12' textcolor rgb '#666666'
set label '{/:Bold recorder, user and system}' at 20.00,92.00 left enhanced font 'sans-serif,12' textcolor rgb '#222222'
set object rectangle from 340.00,84.50 to 560.00,99.50 fillcolor rgb '#e69f00' fillstyle solid border linecolor rgb '#888888' linewidth 0.5
set label '0.25 %' at 568.00,92.00 left noenhanced font 'sans-serif,12' textcolor rgb '#222222'
set label '{/:Bold interrupts that take samples}' at 20.00,116.00 left enhanced font 'sans-serif,12' textcolor rgb '#222222'
set object rectangle from 340.00,108.50 to 400.00,123.50 fillcolor rgb '#888888' fillstyle pattern 4 border linecolor rgb '#888888' linewidth 0.5
set label 'not measured' at 408.00,116.00 left noenhanced font 'sans-serif,12' textcolor rgb '#666666'
set label '{/:Bold BPF programs, all}' at 20.00,140.00 left enhanced font 'sans-serif,12' textcolor rgb '#222222'
set object rectangle from 340.00,132.50 to 780.00,147.50 fillcolor rgb '#0072b2' fillstyle solid border linecolor rgb '#888888' linewidth 0.5
set label '0.50 %' at 788.00,140.00 left noenhanced font 'sans-serif,12' textcolor rgb '#222222'
set label '__sys_sendto' at 36.00,164.00 left noenhanced font 'sans-serif,12' textcolor rgb '#222222'
set label 'fentry_1' at 330.00,164.00 right noenhanced font 'sans-serif,12' textcolor rgb '#666666'
set object rectangle from 340.00,156.50 to 604.00,171.50 fillcolor rgb '#0072b2' fillstyle solid border linecolor rgb '#888888' linewidth 0.5
set label '0.30 %   100000/s of 60 ns' at 612.00,164.00 left noenhanced font 'sans-serif,12' textcolor rgb '#222222'
set label 'sched_switch' at 36.00,188.00 left noenhanced font 'sans-serif,12' textcolor rgb '#222222'
set object rectangle from 340.00,180.50 to 516.00,195.50 fillcolor rgb '#0072b2' fillstyle solid border linecolor rgb '#888888' linewidth 0.5
set label '0.20 %   40000/s of 100 ns' at 524.00,188.00 left noenhanced font 'sans-serif,12' textcolor rgb '#222222'
set label 'kprobe_end' at 36.00,212.00 left noenhanced font 'sans-serif,12' textcolor rgb '#222222'
set object rectangle from 340.00,204.50 to 340.00,219.50 fillcolor rgb '#0072b2' fillstyle solid border linecolor rgb '#888888' linewidth 0.5
set label '0.00 %' at 348.00,212.00 left noenhanced font 'sans-serif,12' textcolor rgb '#222222'
set label '% of the time of all recorded CPUs. Programs: without entry and exit of each run; 0.1 of 1.0 s were counted.' at 20.00,244.00 left noenhanced font 'sans-serif,12' textcolor rgb '#666666'
set label 'The recorder reads the counters and the samples, and writes the file.' at 20.00,262.00 left noenhanced font 'sans-serif,12' textcolor rgb '#666666'
plot NaN notitle
unset object
unset label
unset multiplot
status: 0
