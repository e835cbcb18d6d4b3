like plot-timeline-rxparts.gp
< set label 'rxparts.nct: 1.00 s on 2 CPUs' at 20.00,40.00 left noenhanced font 'sans-serif,12' textcolor rgb '#222222'
> set label 'rxparts.nct: 750 ms on 2 CPUs' at 20.00,40.00 left noenhanced font 'sans-serif,12' textcolor rgb '#222222'
< set label 'half' at 420.00,78.00 left noenhanced font 'sans-serif,12' textcolor rgb '#222222'
> set label 'half' at 303.33,78.00 left noenhanced font 'sans-serif,12' textcolor rgb '#222222'
< set label 'at least 8.38' at 1040.00,142.00 right noenhanced font 'sans-serif,12' textcolor rgb '#222222'
> set label '10.5' at 1040.00,142.00 right noenhanced font 'sans-serif,12' textcolor rgb '#222222'
< set label '4.50' at 1040.00,161.00 right noenhanced font 'sans-serif,12' textcolor rgb '#222222'
> set label '0.67' at 1040.00,161.00 right noenhanced font 'sans-serif,12' textcolor rgb '#222222'
< set label 'at least 2.53' at 1040.00,180.00 right noenhanced font 'sans-serif,12' textcolor rgb '#222222'
> set label '4.50' at 1040.00,180.00 right noenhanced font 'sans-serif,12' textcolor rgb '#222222'
< set label 'at least 9.60' at 1040.00,218.00 right noenhanced font 'sans-serif,12' textcolor rgb '#222222'
> set label '10.0' at 1040.00,218.00 right noenhanced font 'sans-serif,12' textcolor rgb '#222222'
< set label 'at least 0.60' at 1040.00,309.00 right noenhanced font 'sans-serif,12' textcolor rgb '#222222'
> set label '1.00' at 1040.00,309.00 right noenhanced font 'sans-serif,12' textcolor rgb '#222222'
< 0.0000 9.000 10.000 10.000 26.000 26.000 100.000
< 0.2500 9.000 10.000 10.000 26.000 26.000 100.000
< set xrange [0.0000:1.0000]
> set xrange [0.2500:1.0000]
< 0.0000 4.000 6.000 9.000 9.000
< 0.2500 4.000 6.000 9.000 9.000
< set xrange [0.0000:1.0000]
> set xrange [0.2500:1.0000]
< 0.0000 1.000 1.500 1.800 2.050 2.300 2.500 2.650 2.800 2.900 2.950 3.000
< 0.2500 1.000 1.500 1.800 2.050 2.300 2.500 2.650 2.800 2.900 2.950 3.000
< set xrange [0.0000:1.0000]
> set xrange [0.2500:1.0000]
