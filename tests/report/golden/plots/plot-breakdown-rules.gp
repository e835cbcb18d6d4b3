like plot-breakdown-full.gp
< set object rectangle from 345.16,209.00 to 381.29,263.00 fillcolor rgb '#f0e442' fillstyle solid border linecolor rgb '#888888' linewidth 0.5
< set object rectangle from 381.29,209.00 to 417.42,263.00 fillcolor rgb '#c9b28f' fillstyle solid border linecolor rgb '#888888' linewidth 0.5
< set object rectangle from 417.42,209.00 to 580.00,263.00 fillcolor rgb '#c4c4c4' fillstyle solid border linecolor rgb '#888888' linewidth 0.5
< set label 'other' at 498.71,227.00 center noenhanced font 'sans-serif,12' textcolor rgb '#222222'
< set label '4.5 %' at 498.71,245.00 center noenhanced font 'sans-serif,12' textcolor rgb '#222222'
> set object rectangle from 345.16,209.00 to 381.29,263.00 fillcolor rgb '#c9b28f' fillstyle solid border linecolor rgb '#888888' linewidth 0.5
> set object rectangle from 381.29,209.00 to 580.00,263.00 fillcolor rgb '#c4c4c4' fillstyle solid border linecolor rgb '#888888' linewidth 0.5
> set label 'other' at 480.65,227.00 center noenhanced font 'sans-serif,12' textcolor rgb '#222222'
> set label '5.5 %' at 480.65,245.00 center noenhanced font 'sans-serif,12' textcolor rgb '#222222'
< set label '1.00 %' at 905.00,293.00 right noenhanced font 'sans-serif,12' textcolor rgb '#222222'
< set label '± 0.54' at 1000.00,293.00 right noenhanced font 'sans-serif,12' textcolor rgb '#666666'
> set label '0.00 %' at 905.00,293.00 right noenhanced font 'sans-serif,12' textcolor rgb '#222222'
> set label '± 0.20' at 1000.00,293.00 right noenhanced font 'sans-serif,12' textcolor rgb '#666666'
< set label '4.50 %' at 905.00,350.00 right noenhanced font 'sans-serif,12' textcolor rgb '#222222'
< set label '± 1.25' at 1000.00,350.00 right noenhanced font 'sans-serif,12' textcolor rgb '#666666'
> set label '5.50 %' at 905.00,350.00 right noenhanced font 'sans-serif,12' textcolor rgb '#222222'
> set label '± 1.15' at 1000.00,350.00 right noenhanced font 'sans-serif,12' textcolor rgb '#666666'
< set object rectangle from 20.00,419.00 to 580.00,473.00 fillcolor rgb '#d4d4d4' fillstyle solid border linecolor rgb '#888888' linewidth 0.5
< set label 'self' at 300.00,437.00 center noenhanced font 'sans-serif,12' textcolor rgb '#222222'
> set object rectangle from 20.00,419.00 to 580.00,473.00 fillcolor rgb '#b48ac6' fillstyle solid border linecolor rgb '#888888' linewidth 0.5
> set label '?touch x??(touch x)’???x?/:B...' at 300.00,437.00 center noenhanced font 'sans-serif,12' textcolor rgb '#222222'
< set object rectangle from 608.00,421.00 to 620.00,433.00 fillcolor rgb '#d4d4d4' fillstyle solid border linecolor rgb '#888888' linewidth 0.5
< set label 'self' at 628.00,427.00 left noenhanced font 'sans-serif,12' textcolor rgb '#222222'
> set object rectangle from 608.00,421.00 to 620.00,433.00 fillcolor rgb '#b48ac6' fillstyle solid border linecolor rgb '#888888' linewidth 0.5
> set label '?touch x??(touch x)’???x?/:B...' at 628.00,427.00 left noenhanced font 'sans-serif,12' textcolor rgb '#222222'
