# Made by netcost-report plot. gnuplot FILE >PICTURE draws it.
set encoding utf8
set terminal svg size 1100,732 name 'netcost_path' enhanced font 'sans-serif,12' background '#ffffff'
set multiplot
set lmargin at screen 0
set rmargin at screen 1
set bmargin at screen 0
set tmargin at screen 1
unset border
unset tics
unset key
set xrange [0:1100]
set yrange [732:0]
set label '{/:Bold Packet path}' at 20.00,18.00 left enhanced font 'sans-serif,15.6' textcolor rgb '#222222'
set label 'stages.nct: 1.00 s on 2 CPUs' at 20.00,40.00 left noenhanced font 'sans-serif,12' textcolor rgb '#222222'
set label 'Linux 6.1.0-test x86_64, Test CPU at 1.00GHz; exact: entry; samples 1000 Hz' at 20.00,57.00 left noenhanced font 'sans-serif,12' textcolor rgb '#666666'
set label 'Each bar: the time that all packets of a path took, from stage to stage.' at 20.00,74.00 left noenhanced font 'sans-serif,12' textcolor rgb '#666666'
set label '{/:Bold received, and read from a socket}' at 20.00,100.00 left enhanced font 'sans-serif,12' textcolor rgb '#222222'
set label 'mean 53.5 us, p50 52.7 us, p99 102 us, 100 packets' at 1080.00,100.00 right noenhanced font 'sans-serif,12' textcolor rgb '#222222'
set object rectangle from 20.00,118.00 to 39.81,142.00 fillcolor rgb '#b48ac6' fillstyle solid border linecolor rgb '#888888' linewidth 0.5
set object rectangle from 39.81,118.00 to 79.44,142.00 fillcolor rgb '#ee8866' fillstyle solid border linecolor rgb '#888888' linewidth 0.5
set object rectangle from 79.44,118.00 to 1080.00,142.00 fillcolor rgb '#eedd88' fillstyle solid border linecolor rgb '#888888' linewidth 0.5
set object rectangle from 20.00,154.00 to 32.00,166.00 fillcolor rgb '#b48ac6' fillstyle solid border linecolor rgb '#888888' linewidth 0.5
set label 'entry to receive' at 40.00,160.00 left noenhanced font 'sans-serif,12' textcolor rgb '#222222'
set label '1.87 %, p50 1.00 us, p99 1.00 us, 100 packets' at 190.00,160.00 left noenhanced font 'sans-serif,12' textcolor rgb '#666666'
set object rectangle from 550.00,154.00 to 562.00,166.00 fillcolor rgb '#ee8866' fillstyle solid border linecolor rgb '#888888' linewidth 0.5
set label 'receive to socket' at 570.00,160.00 left noenhanced font 'sans-serif,12' textcolor rgb '#222222'
set label '3.74 %, p50 2.00 us, p99 2.00 us, 100 packets' at 720.00,160.00 left noenhanced font 'sans-serif,12' textcolor rgb '#666666'
set object rectangle from 20.00,173.00 to 32.00,185.00 fillcolor rgb '#eedd88' fillstyle solid border linecolor rgb '#888888' linewidth 0.5
set label 'socket to read' at 40.00,179.00 left noenhanced font 'sans-serif,12' textcolor rgb '#222222'
set label '94.4 %, p50 49.7 us, p99 98.8 us, 100 packets' at 190.00,179.00 left noenhanced font 'sans-serif,12' textcolor rgb '#666666'
set label '{/:Bold received, and forwarded}' at 20.00,215.00 left enhanced font 'sans-serif,12' textcolor rgb '#222222'
set label 'mean 23.7 us, p50 14.5 us, 80 packets' at 1080.00,215.00 right noenhanced font 'sans-serif,12' textcolor rgb '#222222'
set object rectangle from 20.00,233.00 to 64.82,257.00 fillcolor rgb '#b48ac6' fillstyle solid border linecolor rgb '#888888' linewidth 0.5
set object rectangle from 64.82,233.00 to 148.86,257.00 fillcolor rgb '#ee8866' fillstyle solid border linecolor rgb '#888888' linewidth 0.5
set object rectangle from 148.86,233.00 to 153.90,257.00 fillcolor rgb '#eedd88' fillstyle solid border linecolor rgb '#888888' linewidth 0.5
set object rectangle from 153.90,233.00 to 162.30,257.00 fillcolor rgb '#9fc4a8' fillstyle solid border linecolor rgb '#888888' linewidth 0.5
set object rectangle from 162.30,233.00 to 163.99,257.00 fillcolor rgb '#ffaabb' fillstyle solid border linecolor rgb '#888888' linewidth 0.5
set object rectangle from 163.99,233.00 to 441.31,257.00 fillcolor rgb '#c8a078' fillstyle solid border linecolor rgb '#888888' linewidth 0.5
set object rectangle from 441.31,233.00 to 463.72,257.00 fillcolor rgb '#55c8c0' fillstyle solid border linecolor rgb '#888888' linewidth 0.5
set object rectangle from 463.72,233.00 to 911.92,257.00 fillcolor rgb '#aaaa33' fillstyle solid border linecolor rgb '#888888' linewidth 0.5
set object rectangle from 911.92,233.00 to 1080.00,257.00 fillcolor rgb '#bbcc33' fillstyle solid border linecolor rgb '#888888' linewidth 0.5
set object rectangle from 20.00,269.00 to 32.00,281.00 fillcolor rgb '#b48ac6' fillstyle solid border linecolor rgb '#888888' linewidth 0.5
set label 'entry to receive' at 40.00,275.00 left noenhanced font 'sans-serif,12' textcolor rgb '#222222'
set label '4.23 %, p50 1.00 us, 80 packets' at 190.00,275.00 left noenhanced font 'sans-serif,12' textcolor rgb '#666666'
set object rectangle from 550.00,269.00 to 562.00,281.00 fillcolor rgb '#ee8866' fillstyle solid border linecolor rgb '#888888' linewidth 0.5
set label 'receive to queued' at 570.00,275.00 left noenhanced font 'sans-serif,12' textcolor rgb '#222222'
set label '7.93 %, p50 3.00 us, 50 packets' at 720.00,275.00 left noenhanced font 'sans-serif,12' textcolor rgb '#666666'
set object rectangle from 20.00,288.00 to 32.00,300.00 fillcolor rgb '#eedd88' fillstyle solid border linecolor rgb '#888888' linewidth 0.5
set label 'receive to tc' at 40.00,294.00 left noenhanced font 'sans-serif,12' textcolor rgb '#222222'
set label '0.48 %, p50 300 ns, 30 packets' at 190.00,294.00 left noenhanced font 'sans-serif,12' textcolor rgb '#666666'
set object rectangle from 550.00,288.00 to 562.00,300.00 fillcolor rgb '#9fc4a8' fillstyle solid border linecolor rgb '#888888' linewidth 0.5
set label 'tc to netfilter' at 570.00,294.00 left noenhanced font 'sans-serif,12' textcolor rgb '#222222'
set label '0.79 %, p50 500 ns, 30 packets' at 720.00,294.00 left noenhanced font 'sans-serif,12' textcolor rgb '#666666'
set object rectangle from 20.00,307.00 to 32.00,319.00 fillcolor rgb '#ffaabb' fillstyle solid border linecolor rgb '#888888' linewidth 0.5
set label 'netfilter to conntrack' at 40.00,313.00 left noenhanced font 'sans-serif,12' textcolor rgb '#222222'
set label '0.16 %, p50 100 ns, 30 packets' at 190.00,313.00 left noenhanced font 'sans-serif,12' textcolor rgb '#666666'
set object rectangle from 550.00,307.00 to 562.00,319.00 fillcolor rgb '#c8a078' fillstyle solid border linecolor rgb '#888888' linewidth 0.5
set label 'conntrack to nftables' at 570.00,313.00 left noenhanced font 'sans-serif,12' textcolor rgb '#222222'
set label '26.2 %, p50 16.0 us, 30 packets' at 720.00,313.00 left noenhanced font 'sans-serif,12' textcolor rgb '#666666'
set object rectangle from 20.00,326.00 to 32.00,338.00 fillcolor rgb '#55c8c0' fillstyle solid border linecolor rgb '#888888' linewidth 0.5
set label 'queued to driver' at 40.00,332.00 left noenhanced font 'sans-serif,12' textcolor rgb '#222222'
set label '2.11 %, p50 500 ns, 80 packets' at 190.00,332.00 left noenhanced font 'sans-serif,12' textcolor rgb '#666666'
set object rectangle from 550.00,326.00 to 562.00,338.00 fillcolor rgb '#aaaa33' fillstyle solid border linecolor rgb '#888888' linewidth 0.5
set label 'driver to freed' at 570.00,332.00 left noenhanced font 'sans-serif,12' textcolor rgb '#222222'
set label '42.3 %, p50 10.0 us, 80 packets' at 720.00,332.00 left noenhanced font 'sans-serif,12' textcolor rgb '#666666'
set object rectangle from 20.00,345.00 to 32.00,357.00 fillcolor rgb '#bbcc33' fillstyle solid border linecolor rgb '#888888' linewidth 0.5
set label 'nftables to queued' at 40.00,351.00 left noenhanced font 'sans-serif,12' textcolor rgb '#222222'
set label '15.9 %, p50 10.0 us, 30 packets' at 190.00,351.00 left noenhanced font 'sans-serif,12' textcolor rgb '#666666'
set label '{/:Bold sent}' at 20.00,387.00 left enhanced font 'sans-serif,12' textcolor rgb '#222222'
set label 'mean 43.7 us, p50 49.7 us, 25 packets' at 1080.00,387.00 right noenhanced font 'sans-serif,12' textcolor rgb '#222222'
set object rectangle from 20.00,405.00 to 29.70,429.00 fillcolor rgb '#b48ac6' fillstyle solid border linecolor rgb '#888888' linewidth 0.5
set object rectangle from 29.70,405.00 to 34.55,429.00 fillcolor rgb '#ee8866' fillstyle solid border linecolor rgb '#888888' linewidth 0.5
set object rectangle from 34.55,405.00 to 73.36,429.00 fillcolor rgb '#eedd88' fillstyle solid border linecolor rgb '#888888' linewidth 0.5
set object rectangle from 73.36,405.00 to 74.33,429.00 fillcolor rgb '#9fc4a8' fillstyle solid border linecolor rgb '#888888' linewidth 0.5
set object rectangle from 74.33,405.00 to 75.79,429.00 fillcolor rgb '#ffaabb' fillstyle solid border linecolor rgb '#888888' linewidth 0.5
set object rectangle from 75.79,405.00 to 119.45,429.00 fillcolor rgb '#c8a078' fillstyle solid border linecolor rgb '#888888' linewidth 0.5
set object rectangle from 119.45,405.00 to 1080.00,429.00 fillcolor rgb '#55c8c0' fillstyle solid border linecolor rgb '#888888' linewidth 0.5
set object rectangle from 20.00,441.00 to 32.00,453.00 fillcolor rgb '#b48ac6' fillstyle solid border linecolor rgb '#888888' linewidth 0.5
set label 'queued to driver' at 40.00,447.00 left noenhanced font 'sans-serif,12' textcolor rgb '#222222'
set label '0.92 %, p50 500 ns, 20 packets' at 190.00,447.00 left noenhanced font 'sans-serif,12' textcolor rgb '#666666'
set object rectangle from 550.00,441.00 to 562.00,453.00 fillcolor rgb '#ee8866' fillstyle solid border linecolor rgb '#888888' linewidth 0.5
set label 'conntrack to queued' at 570.00,447.00 left noenhanced font 'sans-serif,12' textcolor rgb '#222222'
set label '0.46 %, p50 1.00 us, 5 packets' at 720.00,447.00 left noenhanced font 'sans-serif,12' textcolor rgb '#666666'
set object rectangle from 20.00,460.00 to 32.00,472.00 fillcolor rgb '#eedd88' fillstyle solid border linecolor rgb '#888888' linewidth 0.5
set label 'driver to returned' at 40.00,466.00 left noenhanced font 'sans-serif,12' textcolor rgb '#222222'
set label '3.66 %, p50 2.00 us, 20 packets' at 190.00,466.00 left noenhanced font 'sans-serif,12' textcolor rgb '#666666'
set object rectangle from 550.00,460.00 to 562.00,472.00 fillcolor rgb '#9fc4a8' fillstyle solid border linecolor rgb '#888888' linewidth 0.5
set label 'queued to cloned' at 570.00,466.00 left noenhanced font 'sans-serif,12' textcolor rgb '#222222'
set label '0.09 %, p50 200 ns, 5 packets' at 720.00,466.00 left noenhanced font 'sans-serif,12' textcolor rgb '#666666'
set object rectangle from 20.00,479.00 to 32.00,491.00 fillcolor rgb '#ffaabb' fillstyle solid border linecolor rgb '#888888' linewidth 0.5
set label 'cloned to driver' at 40.00,485.00 left noenhanced font 'sans-serif,12' textcolor rgb '#222222'
set label '0.14 %, p50 300 ns, 5 packets' at 190.00,485.00 left noenhanced font 'sans-serif,12' textcolor rgb '#666666'
set object rectangle from 550.00,479.00 to 562.00,491.00 fillcolor rgb '#c8a078' fillstyle solid border linecolor rgb '#888888' linewidth 0.5
set label 'driver to freed' at 570.00,485.00 left noenhanced font 'sans-serif,12' textcolor rgb '#222222'
set label '4.12 %, p50 9.00 us, 5 packets' at 720.00,485.00 left noenhanced font 'sans-serif,12' textcolor rgb '#666666'
set object rectangle from 20.00,498.00 to 32.00,510.00 fillcolor rgb '#55c8c0' fillstyle solid border linecolor rgb '#888888' linewidth 0.5
set label 'returned to freed' at 40.00,504.00 left noenhanced font 'sans-serif,12' textcolor rgb '#222222'
set label '90.6 %, p50 48.6 us, 20 packets' at 190.00,504.00 left noenhanced font 'sans-serif,12' textcolor rgb '#666666'
set label '{/:Bold dropped}' at 20.00,540.00 left enhanced font 'sans-serif,12' textcolor rgb '#222222'
set label 'mean 5.00 us, p50 5.00 us, 10 packets' at 1080.00,540.00 right noenhanced font 'sans-serif,12' textcolor rgb '#222222'
set object rectangle from 20.00,558.00 to 444.00,582.00 fillcolor rgb '#b48ac6' fillstyle solid border linecolor rgb '#888888' linewidth 0.5
set object rectangle from 444.00,558.00 to 1080.00,582.00 fillcolor rgb '#ee8866' fillstyle solid border linecolor rgb '#888888' linewidth 0.5
set object rectangle from 20.00,594.00 to 32.00,606.00 fillcolor rgb '#b48ac6' fillstyle solid border linecolor rgb '#888888' linewidth 0.5
set label 'entry to receive' at 40.00,600.00 left noenhanced font 'sans-serif,12' textcolor rgb '#222222'
set label '40.0 %, p50 2.00 us, 10 packets' at 190.00,600.00 left noenhanced font 'sans-serif,12' textcolor rgb '#666666'
set object rectangle from 550.00,594.00 to 562.00,606.00 fillcolor rgb '#ee8866' fillstyle solid border linecolor rgb '#888888' linewidth 0.5
set label 'receive to dropped' at 570.00,600.00 left noenhanced font 'sans-serif,12' textcolor rgb '#222222'
set label '60.0 %, p50 3.00 us, 10 packets' at 720.00,600.00 left noenhanced font 'sans-serif,12' textcolor rgb '#666666'
set label '{/:Bold clones that reached no other stage}' at 20.00,636.00 left enhanced font 'sans-serif,12' textcolor rgb '#222222'
set label 'mean 25.0 us, p50 25.0 us, 5 packets' at 1080.00,636.00 right noenhanced font 'sans-serif,12' textcolor rgb '#222222'
set object rectangle from 20.00,654.00 to 1080.00,678.00 fillcolor rgb '#b48ac6' fillstyle solid border linecolor rgb '#888888' linewidth 0.5
set object rectangle from 20.00,690.00 to 32.00,702.00 fillcolor rgb '#b48ac6' fillstyle solid border linecolor rgb '#888888' linewidth 0.5
set label 'cloned to freed' at 40.00,696.00 left noenhanced font 'sans-serif,12' textcolor rgb '#222222'
set label '100 %, p50 25.0 us, 5 packets' at 190.00,696.00 left noenhanced font 'sans-serif,12' textcolor rgb '#666666'
plot NaN notitle
unset object
unset label
unset multiplot
status: 0
