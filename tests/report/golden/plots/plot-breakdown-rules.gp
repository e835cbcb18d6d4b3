like plot-breakdown-full.gp
< set object rectangle from 434.40,94.00 to 493.20,148.00 fillcolor rgb '#7fb2d9' fillstyle solid border linecolor rgb '#888888' linewidth 0.5
< set label 'user' at 463.80,112.00 center noenhanced font 'sans-serif,12' textcolor rgb '#222222'
< set label '10.5 %' at 463.80,130.00 center noenhanced font 'sans-serif,12' textcolor rgb '#222222'
< set object rectangle from 493.20,94.00 to 580.00,148.00 fillcolor rgb '#d9a58c' fillstyle solid border linecolor rgb '#888888' linewidth 0.5
< set label 'kernel' at 536.60,112.00 center noenhanced font 'sans-serif,12' textcolor rgb '#222222'
< set label '15.5 %' at 536.60,130.00 center noenhanced font 'sans-serif,12' textcolor rgb '#222222'
> set object rectangle from 434.40,94.00 to 475.38,148.00 fillcolor rgb '#7fb2d9' fillstyle solid border linecolor rgb '#888888' linewidth 0.5
> set label 'user' at 454.89,112.00 center noenhanced font 'sans-serif,12' textcolor rgb '#222222'
> set label '7.3 %' at 454.89,130.00 center noenhanced font 'sans-serif,12' textcolor rgb '#222222'
> set object rectangle from 475.38,94.00 to 580.00,148.00 fillcolor rgb '#d9a58c' fillstyle solid border linecolor rgb '#888888' linewidth 0.5
> set label 'kernel' at 527.69,112.00 center noenhanced font 'sans-serif,12' textcolor rgb '#222222'
> set label '18.7 %' at 527.69,130.00 center noenhanced font 'sans-serif,12' textcolor rgb '#222222'
< set label '10.50 %' at 905.00,121.00 right noenhanced font 'sans-serif,12' textcolor rgb '#222222'
< set label '± 0.88' at 1000.00,121.00 right noenhanced font 'sans-serif,12' textcolor rgb '#666666'
> set label '7.32 %' at 905.00,121.00 right noenhanced font 'sans-serif,12' textcolor rgb '#222222'
> set label '± 0.77' at 1000.00,121.00 right noenhanced font 'sans-serif,12' textcolor rgb '#666666'
< set label '15.50 %' at 905.00,140.00 right noenhanced font 'sans-serif,12' textcolor rgb '#222222'
< set label '± 0.88' at 1000.00,140.00 right noenhanced font 'sans-serif,12' textcolor rgb '#666666'
< set object polygon from 493.20,148.00 to 580.00,148.00 to 580.00,185.00 to 20.00,185.00 to 493.20,148.00 fillcolor rgb '#f3f3f3' fillstyle solid noborder
> set label '18.68 %' at 905.00,140.00 right noenhanced font 'sans-serif,12' textcolor rgb '#222222'
> set label '± 0.77' at 1000.00,140.00 right noenhanced font 'sans-serif,12' textcolor rgb '#666666'
> set object polygon from 475.38,148.00 to 580.00,148.00 to 580.00,185.00 to 20.00,185.00 to 475.38,148.00 fillcolor rgb '#f3f3f3' fillstyle solid noborder
< set label '15.50 % of CPU time' at 580.00,197.00 right noenhanced font 'sans-serif,12' textcolor rgb '#222222'
< set object rectangle from 20.00,209.00 to 164.52,263.00 fillcolor rgb '#e69f00' fillstyle solid border linecolor rgb '#888888' linewidth 0.5
< set label 'socket send' at 92.26,227.00 center noenhanced font 'sans-serif,12' textcolor rgb '#222222'
< set label '4.0 %' at 92.26,245.00 center noenhanced font 'sans-serif,12' textcolor rgb '#222222'
< set object rectangle from 164.52,209.00 to 236.77,263.00 fillcolor rgb '#56b4e9' fillstyle solid border linecolor rgb '#888888' linewidth 0.5
< set label '2.0 %' at 200.65,236.00 center noenhanced font 'sans-serif,12' textcolor rgb '#222222'
< set object rectangle from 236.77,209.00 to 345.16,263.00 fillcolor rgb '#2fbf8f' fillstyle solid border linecolor rgb '#888888' linewidth 0.5
< set label 'RX softirq' at 290.97,227.00 center noenhanced font 'sans-serif,12' textcolor rgb '#222222'
< set label '3.0 %' at 290.97,245.00 center noenhanced font 'sans-serif,12' textcolor rgb '#222222'
< set object rectangle from 345.16,209.00 to 381.29,263.00 fillcolor rgb '#f0e442' fillstyle solid border linecolor rgb '#888888' linewidth 0.5
< set object rectangle from 381.29,209.00 to 417.42,263.00 fillcolor rgb '#c9b28f' fillstyle solid border linecolor rgb '#888888' linewidth 0.5
< set object rectangle from 417.42,209.00 to 580.00,263.00 fillcolor rgb '#c4c4c4' fillstyle solid border linecolor rgb '#888888' linewidth 0.5
< set label 'other' at 498.71,227.00 center noenhanced font 'sans-serif,12' textcolor rgb '#222222'
< set label '4.5 %' at 498.71,245.00 center noenhanced font 'sans-serif,12' textcolor rgb '#222222'
> set label '18.68 % of CPU time' at 580.00,197.00 right noenhanced font 'sans-serif,12' textcolor rgb '#222222'
> set object rectangle from 20.00,209.00 to 139.90,263.00 fillcolor rgb '#e69f00' fillstyle solid border linecolor rgb '#888888' linewidth 0.5
> set label 'socket send' at 79.95,227.00 center noenhanced font 'sans-serif,12' textcolor rgb '#222222'
> set label '4.0 %' at 79.95,245.00 center noenhanced font 'sans-serif,12' textcolor rgb '#222222'
> set object rectangle from 139.90,209.00 to 199.85,263.00 fillcolor rgb '#56b4e9' fillstyle solid border linecolor rgb '#888888' linewidth 0.5
> set label '2.0 %' at 169.88,236.00 center noenhanced font 'sans-serif,12' textcolor rgb '#222222'
> set object rectangle from 199.85,209.00 to 289.78,263.00 fillcolor rgb '#2fbf8f' fillstyle solid border linecolor rgb '#888888' linewidth 0.5
> set label 'RX softirq' at 244.82,227.00 center noenhanced font 'sans-serif,12' textcolor rgb '#222222'
> set label '3.0 %' at 244.82,245.00 center noenhanced font 'sans-serif,12' textcolor rgb '#222222'
> set object rectangle from 289.78,209.00 to 319.76,263.00 fillcolor rgb '#c9b28f' fillstyle solid border linecolor rgb '#888888' linewidth 0.5
> set object rectangle from 319.76,209.00 to 580.00,263.00 fillcolor rgb '#c4c4c4' fillstyle solid border linecolor rgb '#888888' linewidth 0.5
> set label 'other' at 449.88,227.00 center noenhanced font 'sans-serif,12' textcolor rgb '#222222'
> set label '8.7 %' at 449.88,245.00 center noenhanced font 'sans-serif,12' textcolor rgb '#222222'
< set label '1.00 %' at 905.00,293.00 right noenhanced font 'sans-serif,12' textcolor rgb '#222222'
< set label '± 0.53' at 1000.00,293.00 right noenhanced font 'sans-serif,12' textcolor rgb '#666666'
> set label '0.00 %' at 905.00,293.00 right noenhanced font 'sans-serif,12' textcolor rgb '#222222'
> set label '± 0.15' at 1000.00,293.00 right noenhanced font 'sans-serif,12' textcolor rgb '#666666'
< set label '4.50 %' at 905.00,350.00 right noenhanced font 'sans-serif,12' textcolor rgb '#222222'
< set label '± 0.85' at 1000.00,350.00 right noenhanced font 'sans-serif,12' textcolor rgb '#666666'
< set object polygon from 236.77,263.00 to 345.16,263.00 to 580.00,395.00 to 20.00,395.00 to 236.77,263.00 fillcolor rgb '#f3f3f3' fillstyle solid noborder
> set label '8.68 %' at 905.00,350.00 right noenhanced font 'sans-serif,12' textcolor rgb '#222222'
> set label '± 0.77' at 1000.00,350.00 right noenhanced font 'sans-serif,12' textcolor rgb '#666666'
> set object polygon from 199.85,263.00 to 289.78,263.00 to 580.00,395.00 to 20.00,395.00 to 199.85,263.00 fillcolor rgb '#f3f3f3' fillstyle solid noborder
< set object rectangle from 20.00,419.00 to 580.00,473.00 fillcolor rgb '#d4d4d4' fillstyle solid border linecolor rgb '#888888' linewidth 0.5
< set label 'self' at 300.00,437.00 center noenhanced font 'sans-serif,12' textcolor rgb '#222222'
> set object rectangle from 20.00,419.00 to 580.00,473.00 fillcolor rgb '#b48ac6' fillstyle solid border linecolor rgb '#888888' linewidth 0.5
> set label '?touch x??(touch x)’???x?/:B...' at 300.00,437.00 center noenhanced font 'sans-serif,12' textcolor rgb '#222222'
< set object rectangle from 608.00,421.00 to 620.00,433.00 fillcolor rgb '#d4d4d4' fillstyle solid border linecolor rgb '#888888' linewidth 0.5
< set label 'self' at 628.00,427.00 left noenhanced font 'sans-serif,12' textcolor rgb '#222222'
> set object rectangle from 608.00,421.00 to 620.00,433.00 fillcolor rgb '#b48ac6' fillstyle solid border linecolor rgb '#888888' linewidth 0.5
> set label '?touch x??(touch x)’???x?/:B...' at 628.00,427.00 left noenhanced font 'sans-serif,12' textcolor rgb '#222222'
