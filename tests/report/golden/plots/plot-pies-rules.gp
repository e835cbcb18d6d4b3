like plot-pies-full.gp
< set terminal svg size 1200,422 name 'netcost_pies' enhanced font 'sans-serif,12' background '#ffffff'
> set terminal svg size 1200,403 name 'netcost_pies' enhanced font 'sans-serif,12' background '#ffffff'
< set yrange [422:0]
> set yrange [403:0]
< set object circle at 150.00,208.00 size 92.00 arc [145.800:183.600] fillcolor rgb '#7fb2d9' fillstyle solid border linecolor rgb '#888888' linewidth 0.5
< set object circle at 150.00,208.00 size 92.00 arc [90.000:145.800] fillcolor rgb '#d9a58c' fillstyle solid border linecolor rgb '#888888' linewidth 0.5
> set object circle at 150.00,208.00 size 92.00 arc [157.255:183.600] fillcolor rgb '#7fb2d9' fillstyle solid border linecolor rgb '#888888' linewidth 0.5
> set object circle at 150.00,208.00 size 92.00 arc [90.000:157.255] fillcolor rgb '#d9a58c' fillstyle solid border linecolor rgb '#888888' linewidth 0.5
< set label '10.5 %' at 280.00,345.00 right noenhanced font 'sans-serif,12' textcolor rgb '#222222'
> set label '7.32 %' at 280.00,345.00 right noenhanced font 'sans-serif,12' textcolor rgb '#222222'
< set label '15.5 %' at 280.00,364.00 right noenhanced font 'sans-serif,12' textcolor rgb '#222222'
> set label '18.7 %' at 280.00,364.00 right noenhanced font 'sans-serif,12' textcolor rgb '#222222'
< set label '15.5 % of CPU time' at 445.00,100.00 center noenhanced font 'sans-serif,12' textcolor rgb '#222222'
< set object circle at 445.00,208.00 size 92.00 arc [217.742:450.000] fillcolor rgb '#f2c879' fillstyle solid border linecolor rgb '#888888' linewidth 0.5
< set object circle at 445.00,208.00 size 92.00 arc [194.516:217.742] fillcolor rgb '#c9b28f' fillstyle solid border linecolor rgb '#888888' linewidth 0.5
< set object circle at 445.00,208.00 size 92.00 arc [90.000:194.516] fillcolor rgb '#c4c4c4' fillstyle solid border linecolor rgb '#888888' linewidth 0.5
> set label '18.7 % of CPU time' at 445.00,100.00 center noenhanced font 'sans-serif,12' textcolor rgb '#222222'
> set object circle at 445.00,208.00 size 92.00 arc [276.569:450.000] fillcolor rgb '#f2c879' fillstyle solid border linecolor rgb '#888888' linewidth 0.5
> set object circle at 445.00,208.00 size 92.00 arc [257.299:276.569] fillcolor rgb '#c9b28f' fillstyle solid border linecolor rgb '#888888' linewidth 0.5
> set object circle at 445.00,208.00 size 92.00 arc [90.000:257.299] fillcolor rgb '#c4c4c4' fillstyle solid border linecolor rgb '#888888' linewidth 0.5
< set label '10.0 %' at 575.00,326.00 right noenhanced font 'sans-serif,12' textcolor rgb '#222222'
> set label '9.00 %' at 575.00,326.00 right noenhanced font 'sans-serif,12' textcolor rgb '#222222'
< set label '4.50 %' at 575.00,364.00 right noenhanced font 'sans-serif,12' textcolor rgb '#222222'
> set label '8.68 %' at 575.00,364.00 right noenhanced font 'sans-serif,12' textcolor rgb '#222222'
< set label '10.0 % of CPU time' at 740.00,100.00 center noenhanced font 'sans-serif,12' textcolor rgb '#222222'
< set object circle at 740.00,208.00 size 92.00 arc [306.000:450.000] fillcolor rgb '#e69f00' fillstyle solid border linecolor rgb '#888888' linewidth 0.5
< set object circle at 740.00,208.00 size 92.00 arc [234.000:306.000] fillcolor rgb '#56b4e9' fillstyle solid border linecolor rgb '#888888' linewidth 0.5
< set object circle at 740.00,208.00 size 92.00 arc [126.000:234.000] fillcolor rgb '#2fbf8f' fillstyle solid border linecolor rgb '#888888' linewidth 0.5
< set object circle at 740.00,208.00 size 92.00 arc [90.000:126.000] fillcolor rgb '#f0e442' fillstyle solid border linecolor rgb '#888888' linewidth 0.5
> set label '9.00 % of CPU time' at 740.00,100.00 center noenhanced font 'sans-serif,12' textcolor rgb '#222222'
> set object circle at 740.00,208.00 size 92.00 arc [290.000:450.000] fillcolor rgb '#e69f00' fillstyle solid border linecolor rgb '#888888' linewidth 0.5
> set object circle at 740.00,208.00 size 92.00 arc [210.000:290.000] fillcolor rgb '#56b4e9' fillstyle solid border linecolor rgb '#888888' linewidth 0.5
> set object circle at 740.00,208.00 size 92.00 arc [90.000:210.000] fillcolor rgb '#2fbf8f' fillstyle solid border linecolor rgb '#888888' linewidth 0.5
< set object rectangle from 610.00,377.00 to 622.00,389.00 fillcolor rgb '#f0e442' fillstyle solid border linecolor rgb '#888888' linewidth 0.5
< set label 'other network' at 630.00,383.00 left noenhanced font 'sans-serif,12' textcolor rgb '#222222'
< set label '1.00 %' at 870.00,383.00 right noenhanced font 'sans-serif,12' textcolor rgb '#222222'
< set object circle at 1035.00,208.00 size 92.00 arc [90.000:450.000] fillcolor rgb '#d4d4d4' fillstyle solid border linecolor rgb '#888888' linewidth 0.5
< set object rectangle from 905.00,320.00 to 917.00,332.00 fillcolor rgb '#d4d4d4' fillstyle solid border linecolor rgb '#888888' linewidth 0.5
< set label 'self' at 925.00,326.00 left noenhanced font 'sans-serif,12' textcolor rgb '#222222'
> set object circle at 1035.00,208.00 size 92.00 arc [90.000:450.000] fillcolor rgb '#b48ac6' fillstyle solid border linecolor rgb '#888888' linewidth 0.5
> set object rectangle from 905.00,320.00 to 917.00,332.00 fillcolor rgb '#b48ac6' fillstyle solid border linecolor rgb '#888888' linewidth 0.5
> set label '?touch x??(touch x)’???x?/:B...' at 925.00,326.00 left noenhanced font 'sans-serif,12' textcolor rgb '#222222'
