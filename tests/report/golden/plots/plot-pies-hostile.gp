like plot-pies-full.gp
< set terminal svg size 1200,422 name 'netcost_pies' enhanced font 'sans-serif,12' background '#ffffff'
> set terminal svg size 1200,555 name 'netcost_pies' enhanced font 'sans-serif,12' background '#ffffff'
< set yrange [422:0]
> set yrange [555:0]
< set label 'full.nct: 1.00 s on 2 CPUs' at 20.00,40.00 left noenhanced font 'sans-serif,12' textcolor rgb '#222222'
< set label 'Linux 6.1.0-test x86_64, Test CPU at 1.00GHz; exact: entry; samples 1000 Hz' at 20.00,57.00 left noenhanced font 'sans-serif,12' textcolor rgb '#666666'
> set label 'hostile.nct: 1.00 s on 2 CPUs' at 20.00,40.00 left noenhanced font 'sans-serif,12' textcolor rgb '#222222'
> set label 'Linux ?touch x??(touch x)’???x?/:Bold y??script?alert(1)?/script??lt;??[31m??EOD?system(’touch x’)? ?touch x??(touch x)’???x?/:Bold y??script?alert(1)?...' at 20.00,57.00 left noenhanced font 'sans-serif,12' textcolor rgb '#666666'
< set label 'by samples: 3.00 % of CPU time' at 1035.00,100.00 center noenhanced font 'sans-serif,12' textcolor rgb '#222222'
< set object circle at 1035.00,208.00 size 92.00 arc [90.000:450.000] fillcolor rgb '#d4d4d4' fillstyle solid border linecolor rgb '#888888' linewidth 0.5
< set object rectangle from 905.00,320.00 to 917.00,332.00 fillcolor rgb '#d4d4d4' fillstyle solid border linecolor rgb '#888888' linewidth 0.5
< set label 'self' at 925.00,326.00 left noenhanced font 'sans-serif,12' textcolor rgb '#222222'
< set label '3.00 %' at 1165.00,326.00 right noenhanced font 'sans-serif,12' textcolor rgb '#222222'
> set label 'exact: 3.00 % of CPU time' at 1035.00,100.00 center noenhanced font 'sans-serif,12' textcolor rgb '#222222'
> set object circle at 1035.00,208.00 size 92.00 arc [330.000:450.000] fillcolor rgb '#77aadd' fillstyle solid border linecolor rgb '#888888' linewidth 0.5
> set object circle at 1035.00,208.00 size 92.00 arc [270.000:330.000] fillcolor rgb '#cc7788' fillstyle solid border linecolor rgb '#888888' linewidth 0.5
> set object circle at 1035.00,208.00 size 92.00 arc [234.000:270.000] fillcolor rgb '#55c8c0' fillstyle solid border linecolor rgb '#888888' linewidth 0.5
> set object circle at 1035.00,208.00 size 92.00 arc [204.000:234.000] fillcolor rgb '#b48ac6' fillstyle solid border linecolor rgb '#888888' linewidth 0.5
> set object circle at 1035.00,208.00 size 92.00 arc [174.000:204.000] fillcolor rgb '#d4d4d4' fillstyle solid border linecolor rgb '#888888' linewidth 0.5
> set object circle at 1035.00,208.00 size 92.00 arc [150.000:174.000] fillcolor rgb '#eedd88' fillstyle solid border linecolor rgb '#888888' linewidth 0.5
> set object circle at 1035.00,208.00 size 92.00 arc [132.000:150.000] fillcolor rgb '#ee8866' fillstyle solid border linecolor rgb '#888888' linewidth 0.5
> set object circle at 1035.00,208.00 size 92.00 arc [114.000:132.000] fillcolor rgb '#bbcc33' fillstyle solid border linecolor rgb '#888888' linewidth 0.5
> set object circle at 1035.00,208.00 size 92.00 arc [102.000:114.000] fillcolor rgb '#ffaabb' fillstyle solid border linecolor rgb '#888888' linewidth 0.5
> set object circle at 1035.00,208.00 size 92.00 arc [96.000:102.000] fillcolor rgb '#c8a078' fillstyle solid border linecolor rgb '#888888' linewidth 0.5
> set object circle at 1035.00,208.00 size 92.00 arc [90.000:96.000] fillcolor rgb '#c2d8f0' fillstyle solid border linecolor rgb '#888888' linewidth 0.5
> set object rectangle from 905.00,320.00 to 917.00,332.00 fillcolor rgb '#77aadd' fillstyle solid border linecolor rgb '#888888' linewidth 0.5
> set label 'local delivery v4' at 925.00,326.00 left noenhanced font 'sans-serif,12' textcolor rgb '#222222'
> set label '1.00 %' at 1165.00,326.00 right noenhanced font 'sans-serif,12' textcolor rgb '#222222'
> set object rectangle from 905.00,339.00 to 917.00,351.00 fillcolor rgb '#cc7788' fillstyle solid border linecolor rgb '#888888' linewidth 0.5
> set label 'forwarding v4' at 925.00,345.00 left noenhanced font 'sans-serif,12' textcolor rgb '#222222'
> set label '0.50 %' at 1165.00,345.00 right noenhanced font 'sans-serif,12' textcolor rgb '#222222'
> set object rectangle from 905.00,358.00 to 917.00,370.00 fillcolor rgb '#55c8c0' fillstyle solid border linecolor rgb '#888888' linewidth 0.5
> set label 'conntrack' at 925.00,364.00 left noenhanced font 'sans-serif,12' textcolor rgb '#222222'
> set label '0.30 %' at 1165.00,364.00 right noenhanced font 'sans-serif,12' textcolor rgb '#222222'
> set object rectangle from 905.00,377.00 to 917.00,389.00 fillcolor rgb '#b48ac6' fillstyle solid border linecolor rgb '#888888' linewidth 0.5
> set label 'driver poll' at 925.00,383.00 left noenhanced font 'sans-serif,12' textcolor rgb '#222222'
> set label '0.25 %' at 1165.00,383.00 right noenhanced font 'sans-serif,12' textcolor rgb '#222222'
> set object rectangle from 905.00,396.00 to 917.00,408.00 fillcolor rgb '#d4d4d4' fillstyle solid border linecolor rgb '#888888' linewidth 0.5
> set label 'self' at 925.00,402.00 left noenhanced font 'sans-serif,12' textcolor rgb '#222222'
> set label '0.25 %' at 1165.00,402.00 right noenhanced font 'sans-serif,12' textcolor rgb '#222222'
> set object rectangle from 905.00,415.00 to 917.00,427.00 fillcolor rgb '#eedd88' fillstyle solid border linecolor rgb '#888888' linewidth 0.5
> set label 'receive core' at 925.00,421.00 left noenhanced font 'sans-serif,12' textcolor rgb '#222222'
> set label '0.20 %' at 1165.00,421.00 right noenhanced font 'sans-serif,12' textcolor rgb '#222222'
> set object rectangle from 905.00,434.00 to 917.00,446.00 fillcolor rgb '#ee8866' fillstyle solid border linecolor rgb '#888888' linewidth 0.5
> set label 'GRO' at 925.00,440.00 left noenhanced font 'sans-serif,12' textcolor rgb '#222222'
> set label '0.15 %' at 1165.00,440.00 right noenhanced font 'sans-serif,12' textcolor rgb '#222222'
> set object rectangle from 905.00,453.00 to 917.00,465.00 fillcolor rgb '#bbcc33' fillstyle solid border linecolor rgb '#888888' linewidth 0.5
> set label 'NF prerouting v4' at 925.00,459.00 left noenhanced font 'sans-serif,12' textcolor rgb '#222222'
> set label '0.15 %' at 1165.00,459.00 right noenhanced font 'sans-serif,12' textcolor rgb '#222222'
> set object rectangle from 905.00,472.00 to 917.00,484.00 fillcolor rgb '#ffaabb' fillstyle solid border linecolor rgb '#888888' linewidth 0.5
> set label 'TC classify' at 925.00,478.00 left noenhanced font 'sans-serif,12' textcolor rgb '#222222'
> set label '0.10 %' at 1165.00,478.00 right noenhanced font 'sans-serif,12' textcolor rgb '#222222'
> set object rectangle from 905.00,491.00 to 917.00,503.00 fillcolor rgb '#c8a078' fillstyle solid border linecolor rgb '#888888' linewidth 0.5
> set label 'NF ingress' at 925.00,497.00 left noenhanced font 'sans-serif,12' textcolor rgb '#222222'
> set label '0.05 %' at 1165.00,497.00 right noenhanced font 'sans-serif,12' textcolor rgb '#222222'
> set object rectangle from 905.00,510.00 to 917.00,522.00 fillcolor rgb '#c2d8f0' fillstyle solid border linecolor rgb '#888888' linewidth 0.5
> set label 'local delivery v6' at 925.00,516.00 left noenhanced font 'sans-serif,12' textcolor rgb '#222222'
> set label '0.05 %' at 1165.00,516.00 right noenhanced font 'sans-serif,12' textcolor rgb '#222222'
