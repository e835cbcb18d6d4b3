like plot-timeline-full.gp
< set label '10.5' at 1040.00,142.00 right noenhanced font 'sans-serif,12' textcolor rgb '#222222'
> set label '7.32' at 1040.00,142.00 right noenhanced font 'sans-serif,12' textcolor rgb '#222222'
< set label '4.50' at 1040.00,180.00 right noenhanced font 'sans-serif,12' textcolor rgb '#222222'
> set label '8.68' at 1040.00,180.00 right noenhanced font 'sans-serif,12' textcolor rgb '#222222'
< set label '10.0' at 1040.00,218.00 right noenhanced font 'sans-serif,12' textcolor rgb '#222222'
> set label '9.00' at 1040.00,218.00 right noenhanced font 'sans-serif,12' textcolor rgb '#222222'
< set object rectangle from 796.00,303.00 to 808.00,315.00 fillcolor rgb '#f0e442' fillstyle solid border linecolor rgb '#888888' linewidth 0.5
< set label 'other network' at 816.00,309.00 left noenhanced font 'sans-serif,12' textcolor rgb '#222222'
< set label '1.00' at 1040.00,309.00 right noenhanced font 'sans-serif,12' textcolor rgb '#222222'
< set object rectangle from 796.00,322.00 to 808.00,334.00 fillcolor rgb '#2fbf8f' fillstyle solid border linecolor rgb '#888888' linewidth 0.5
< set label 'RX softirq' at 816.00,328.00 left noenhanced font 'sans-serif,12' textcolor rgb '#222222'
< set label '3.00' at 1040.00,328.00 right noenhanced font 'sans-serif,12' textcolor rgb '#222222'
< set object rectangle from 796.00,341.00 to 808.00,353.00 fillcolor rgb '#56b4e9' fillstyle solid border linecolor rgb '#888888' linewidth 0.5
< set label 'socket receive' at 816.00,347.00 left noenhanced font 'sans-serif,12' textcolor rgb '#222222'
< set label '2.00' at 1040.00,347.00 right noenhanced font 'sans-serif,12' textcolor rgb '#222222'
< set object rectangle from 796.00,360.00 to 808.00,372.00 fillcolor rgb '#e69f00' fillstyle solid border linecolor rgb '#888888' linewidth 0.5
< set label 'socket send' at 816.00,366.00 left noenhanced font 'sans-serif,12' textcolor rgb '#222222'
< set label '4.00' at 1040.00,366.00 right noenhanced font 'sans-serif,12' textcolor rgb '#222222'
> set object rectangle from 796.00,303.00 to 808.00,315.00 fillcolor rgb '#2fbf8f' fillstyle solid border linecolor rgb '#888888' linewidth 0.5
> set label 'RX softirq' at 816.00,309.00 left noenhanced font 'sans-serif,12' textcolor rgb '#222222'
> set label '3.00' at 1040.00,309.00 right noenhanced font 'sans-serif,12' textcolor rgb '#222222'
> set object rectangle from 796.00,322.00 to 808.00,334.00 fillcolor rgb '#56b4e9' fillstyle solid border linecolor rgb '#888888' linewidth 0.5
> set label 'socket receive' at 816.00,328.00 left noenhanced font 'sans-serif,12' textcolor rgb '#222222'
> set label '2.00' at 1040.00,328.00 right noenhanced font 'sans-serif,12' textcolor rgb '#222222'
> set object rectangle from 796.00,341.00 to 808.00,353.00 fillcolor rgb '#e69f00' fillstyle solid border linecolor rgb '#888888' linewidth 0.5
> set label 'socket send' at 816.00,347.00 left noenhanced font 'sans-serif,12' textcolor rgb '#222222'
> set label '4.00' at 1040.00,347.00 right noenhanced font 'sans-serif,12' textcolor rgb '#222222'
< set object rectangle from 796.00,508.00 to 808.00,520.00 fillcolor rgb '#d4d4d4' fillstyle solid border linecolor rgb '#888888' linewidth 0.5
< set label 'self' at 816.00,514.00 left noenhanced font 'sans-serif,12' textcolor rgb '#222222'
> set object rectangle from 796.00,508.00 to 808.00,520.00 fillcolor rgb '#b48ac6' fillstyle solid border linecolor rgb '#888888' linewidth 0.5
> set label '?touch x??(touch x)’???x?/:Bold' at 816.00,514.00 left noenhanced font 'sans-serif,12' textcolor rgb '#222222'
< set label '0.39' at 1040.00,700.00 right noenhanced font 'sans-serif,12' textcolor rgb '#222222'
> set label '0.36' at 1040.00,700.00 right noenhanced font 'sans-serif,12' textcolor rgb '#222222'
< 0.5000 10.493 11.493 17.963 17.963 26.000 100.000
< 1.0000 10.493 11.493 17.963 17.963 26.000 100.000
> 0.5000 9.000 10.000 21.057 21.057 26.000 100.000
> 1.0000 9.000 10.000 21.057 21.057 26.000 100.000
< 0.0000 4.000 6.000 9.000 9.000
< 0.5000 4.000 6.000 9.000 9.000
< 0.5000 4.000 6.000 9.000 10.493
< 1.0000 4.000 6.000 9.000 10.493
> 0.0000 4.000 6.000 9.000
> 0.5000 4.000 6.000 9.000
> 0.5000 4.000 6.000 9.000
> 1.0000 4.000 6.000 9.000
< set yrange [0:11.3319]
> set yrange [0:9.72]
< plot $data1 using 1:5 with filledcurves y1=0 linecolor rgb '#f0e442' fillstyle solid noborder title 'other network' noenhanced, \
< 	$data1 using 1:4 with filledcurves y1=0 linecolor rgb '#2fbf8f' fillstyle solid noborder title 'RX softirq' noenhanced, \
> plot $data1 using 1:4 with filledcurves y1=0 linecolor rgb '#2fbf8f' fillstyle solid noborder title 'RX softirq' noenhanced, \
< 	$data2 using 1:2 with filledcurves y1=0 linecolor rgb '#d4d4d4' fillstyle solid noborder title 'self' noenhanced
> 	$data2 using 1:2 with filledcurves y1=0 linecolor rgb '#b48ac6' fillstyle solid noborder title '?touch x??(touch x)’???x?/:Bold' noenhanced
< 0.5000 0.420 4.000
< 1.0000 0.420 4.000
> 0.5000 0.360 4.000
> 1.0000 0.360 4.000
