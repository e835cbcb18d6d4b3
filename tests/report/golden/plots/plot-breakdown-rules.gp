like plot-breakdown-full.gp
< set terminal svg size 1020,455 name 'netcost_breakdown' enhanced font 'sans-serif,12' background '#ffffff'
> set terminal svg size 1020,436 name 'netcost_breakdown' enhanced font 'sans-serif,12' background '#ffffff'
< set yrange [455:0]
> set yrange [436:0]
< set object rectangle from 434.40,94.00 to 493.20,148.00 fillcolor rgb '#7fb2d9' fillstyle solid border linecolor rgb '#888888' linewidth 0.5
< set label 'user' at 463.80,112.00 center noenhanced font 'sans-serif,12' textcolor rgb '#222222'
< set label '10.5 %' at 463.80,130.00 center noenhanced font 'sans-serif,12' textcolor rgb '#222222'
< set object rectangle from 493.20,94.00 to 549.20,148.00 fillcolor rgb '#f2c879' fillstyle solid border linecolor rgb '#888888' linewidth 0.5
< set label '10.0 %' at 521.20,121.00 center noenhanced font 'sans-serif,12' textcolor rgb '#222222'
< set object rectangle from 549.20,94.00 to 554.80,148.00 fillcolor rgb '#c9b28f' fillstyle solid border linecolor rgb '#888888' linewidth 0.5
< set object rectangle from 554.80,94.00 to 580.00,148.00 fillcolor rgb '#c4c4c4' fillstyle solid border linecolor rgb '#888888' linewidth 0.5
> set object rectangle from 434.40,94.00 to 475.38,148.00 fillcolor rgb '#7fb2d9' fillstyle solid border linecolor rgb '#888888' linewidth 0.5
> set label 'user' at 454.89,121.00 center noenhanced font 'sans-serif,12' textcolor rgb '#222222'
> set object rectangle from 475.38,94.00 to 525.78,148.00 fillcolor rgb '#f2c879' fillstyle solid border linecolor rgb '#888888' linewidth 0.5
> set label '9.00 %' at 500.58,121.00 center noenhanced font 'sans-serif,12' textcolor rgb '#222222'
> set object rectangle from 525.78,94.00 to 531.38,148.00 fillcolor rgb '#c9b28f' fillstyle solid border linecolor rgb '#888888' linewidth 0.5
> set object rectangle from 531.38,94.00 to 580.00,148.00 fillcolor rgb '#c4c4c4' fillstyle solid border linecolor rgb '#888888' linewidth 0.5
> set label '8.68 %' at 555.69,121.00 center noenhanced font 'sans-serif,12' textcolor rgb '#222222'
< set label '10.5 %' at 905.00,121.00 right noenhanced font 'sans-serif,12' textcolor rgb '#222222'
< set label '± 0.9' at 1000.00,121.00 right noenhanced font 'sans-serif,12' textcolor rgb '#666666'
> set label '7.32 %' at 905.00,121.00 right noenhanced font 'sans-serif,12' textcolor rgb '#222222'
> set label '± 0.77' at 1000.00,121.00 right noenhanced font 'sans-serif,12' textcolor rgb '#666666'
< set label '10.0 %' at 905.00,140.00 right noenhanced font 'sans-serif,12' textcolor rgb '#222222'
< set label '± 0.5' at 1000.00,140.00 right noenhanced font 'sans-serif,12' textcolor rgb '#666666'
> set label '9.00 %' at 905.00,140.00 right noenhanced font 'sans-serif,12' textcolor rgb '#222222'
> set label '± 0.15' at 1000.00,140.00 right noenhanced font 'sans-serif,12' textcolor rgb '#666666'
< set label '4.50 %' at 905.00,178.00 right noenhanced font 'sans-serif,12' textcolor rgb '#222222'
< set label '± 0.85' at 1000.00,178.00 right noenhanced font 'sans-serif,12' textcolor rgb '#666666'
< set object polygon from 493.20,148.00 to 549.20,148.00 to 580.00,223.00 to 20.00,223.00 to 493.20,148.00 fillcolor rgb '#f3f3f3' fillstyle solid noborder
> set label '8.68 %' at 905.00,178.00 right noenhanced font 'sans-serif,12' textcolor rgb '#222222'
> set label '± 0.77' at 1000.00,178.00 right noenhanced font 'sans-serif,12' textcolor rgb '#666666'
> set object polygon from 475.38,148.00 to 525.78,148.00 to 580.00,223.00 to 20.00,223.00 to 475.38,148.00 fillcolor rgb '#f3f3f3' fillstyle solid noborder
< set label '10.0 % of CPU time' at 580.00,235.00 right noenhanced font 'sans-serif,12' textcolor rgb '#222222'
< set object rectangle from 20.00,247.00 to 244.00,301.00 fillcolor rgb '#e69f00' fillstyle solid border linecolor rgb '#888888' linewidth 0.5
< set label 'socket send' at 132.00,265.00 center noenhanced font 'sans-serif,12' textcolor rgb '#222222'
< set label '4.00 %' at 132.00,283.00 center noenhanced font 'sans-serif,12' textcolor rgb '#222222'
< set object rectangle from 244.00,247.00 to 356.00,301.00 fillcolor rgb '#56b4e9' fillstyle solid border linecolor rgb '#888888' linewidth 0.5
< set label 'socket receive' at 300.00,265.00 center noenhanced font 'sans-serif,12' textcolor rgb '#222222'
< set label '2.00 %' at 300.00,283.00 center noenhanced font 'sans-serif,12' textcolor rgb '#222222'
< set object rectangle from 356.00,247.00 to 524.00,301.00 fillcolor rgb '#2fbf8f' fillstyle solid border linecolor rgb '#888888' linewidth 0.5
< set label 'RX softirq' at 440.00,265.00 center noenhanced font 'sans-serif,12' textcolor rgb '#222222'
< set label '3.00 %' at 440.00,283.00 center noenhanced font 'sans-serif,12' textcolor rgb '#222222'
< set object rectangle from 524.00,247.00 to 580.00,301.00 fillcolor rgb '#f0e442' fillstyle solid border linecolor rgb '#888888' linewidth 0.5
< set label '1.00 %' at 552.00,274.00 center noenhanced font 'sans-serif,12' textcolor rgb '#222222'
> set label '9.00 % of CPU time' at 580.00,235.00 right noenhanced font 'sans-serif,12' textcolor rgb '#222222'
> set object rectangle from 20.00,247.00 to 268.89,301.00 fillcolor rgb '#e69f00' fillstyle solid border linecolor rgb '#888888' linewidth 0.5
> set label 'socket send' at 144.44,265.00 center noenhanced font 'sans-serif,12' textcolor rgb '#222222'
> set label '4.00 %' at 144.44,283.00 center noenhanced font 'sans-serif,12' textcolor rgb '#222222'
> set object rectangle from 268.89,247.00 to 393.33,301.00 fillcolor rgb '#56b4e9' fillstyle solid border linecolor rgb '#888888' linewidth 0.5
> set label 'socket receive' at 331.11,265.00 center noenhanced font 'sans-serif,12' textcolor rgb '#222222'
> set label '2.00 %' at 331.11,283.00 center noenhanced font 'sans-serif,12' textcolor rgb '#222222'
> set object rectangle from 393.33,247.00 to 580.00,301.00 fillcolor rgb '#2fbf8f' fillstyle solid border linecolor rgb '#888888' linewidth 0.5
> set label 'RX softirq' at 486.67,265.00 center noenhanced font 'sans-serif,12' textcolor rgb '#222222'
> set label '3.00 %' at 486.67,283.00 center noenhanced font 'sans-serif,12' textcolor rgb '#222222'
< set object rectangle from 608.00,306.00 to 620.00,318.00 fillcolor rgb '#f0e442' fillstyle solid border linecolor rgb '#888888' linewidth 0.5
< set label 'other network' at 628.00,312.00 left noenhanced font 'sans-serif,12' textcolor rgb '#222222'
< set label '1.00 %' at 905.00,312.00 right noenhanced font 'sans-serif,12' textcolor rgb '#222222'
< set label '± 0.53' at 1000.00,312.00 right noenhanced font 'sans-serif,12' textcolor rgb '#666666'
< set object polygon from 356.00,301.00 to 524.00,301.00 to 580.00,357.00 to 20.00,357.00 to 356.00,301.00 fillcolor rgb '#f3f3f3' fillstyle solid noborder
< set label '{/:Bold RX softirq}' at 20.00,369.00 left enhanced font 'sans-serif,12' textcolor rgb '#222222'
< set label 'by samples: 3.00 % of CPU time' at 580.00,369.00 right noenhanced font 'sans-serif,12' textcolor rgb '#222222'
< set object rectangle from 20.00,381.00 to 580.00,435.00 fillcolor rgb '#d4d4d4' fillstyle solid border linecolor rgb '#888888' linewidth 0.5
< set label 'self' at 300.00,399.00 center noenhanced font 'sans-serif,12' textcolor rgb '#222222'
< set label '3.00 %' at 300.00,417.00 center noenhanced font 'sans-serif,12' textcolor rgb '#222222'
< set object rectangle from 608.00,383.00 to 620.00,395.00 fillcolor rgb '#d4d4d4' fillstyle solid border linecolor rgb '#888888' linewidth 0.5
< set label 'self' at 628.00,389.00 left noenhanced font 'sans-serif,12' textcolor rgb '#222222'
< set label '3.00 %' at 905.00,389.00 right noenhanced font 'sans-serif,12' textcolor rgb '#222222'
< set label '± 0.80' at 1000.00,389.00 right noenhanced font 'sans-serif,12' textcolor rgb '#666666'
> set object polygon from 393.33,301.00 to 580.00,301.00 to 580.00,338.00 to 20.00,338.00 to 393.33,301.00 fillcolor rgb '#f3f3f3' fillstyle solid noborder
> set label '{/:Bold RX softirq}' at 20.00,350.00 left enhanced font 'sans-serif,12' textcolor rgb '#222222'
> set label 'by samples: 3.00 % of CPU time' at 580.00,350.00 right noenhanced font 'sans-serif,12' textcolor rgb '#222222'
> set object rectangle from 20.00,362.00 to 580.00,416.00 fillcolor rgb '#b48ac6' fillstyle solid border linecolor rgb '#888888' linewidth 0.5
> set label '?touch x??(touch x)’???x?/:B...' at 300.00,380.00 center noenhanced font 'sans-serif,12' textcolor rgb '#222222'
> set label '3.00 %' at 300.00,398.00 center noenhanced font 'sans-serif,12' textcolor rgb '#222222'
> set object rectangle from 608.00,364.00 to 620.00,376.00 fillcolor rgb '#b48ac6' fillstyle solid border linecolor rgb '#888888' linewidth 0.5
> set label '?touch x??(touch x)’???x?/:B...' at 628.00,370.00 left noenhanced font 'sans-serif,12' textcolor rgb '#222222'
> set label '3.00 %' at 905.00,370.00 right noenhanced font 'sans-serif,12' textcolor rgb '#222222'
> set label '± 0.80' at 1000.00,370.00 right noenhanced font 'sans-serif,12' textcolor rgb '#666666'
