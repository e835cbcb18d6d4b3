like plot-breakdown-full.gp
< set terminal svg size 1020,455 name 'netcost_breakdown' enhanced font 'sans-serif,12' background '#ffffff'
> set terminal svg size 1020,610 name 'netcost_breakdown' enhanced font 'sans-serif,12' background '#ffffff'
< set yrange [455:0]
> set yrange [610:0]
< set label 'full.nct: 1.00 s on 2 CPUs' at 20.00,40.00 left noenhanced font 'sans-serif,12' textcolor rgb '#222222'
< set label 'Linux 6.1.0-test x86_64, Test CPU at 1.00GHz; exact: entry; samples 1000 Hz' at 20.00,57.00 left noenhanced font 'sans-serif,12' textcolor rgb '#666666'
> set label 'hostile.nct: 1.00 s on 2 CPUs' at 20.00,40.00 left noenhanced font 'sans-serif,12' textcolor rgb '#222222'
> set label 'Linux ?touch x??(touch x)’???x?/:Bold y??script?alert(1)?/script??lt;??[31m??EOD?system(’touch x’)? ?touch x??(touch x)’???x?/:...' at 20.00,57.00 left noenhanced font 'sans-serif,12' textcolor rgb '#666666'
< set label 'by samples: 3.00 % of CPU time' at 580.00,369.00 right noenhanced font 'sans-serif,12' textcolor rgb '#222222'
< set object rectangle from 20.00,381.00 to 580.00,435.00 fillcolor rgb '#d4d4d4' fillstyle solid border linecolor rgb '#888888' linewidth 0.5
< set label 'self' at 300.00,399.00 center noenhanced font 'sans-serif,12' textcolor rgb '#222222'
< set label '3.00 %' at 300.00,417.00 center noenhanced font 'sans-serif,12' textcolor rgb '#222222'
< set object rectangle from 608.00,383.00 to 620.00,395.00 fillcolor rgb '#d4d4d4' fillstyle solid border linecolor rgb '#888888' linewidth 0.5
< set label 'self' at 628.00,389.00 left noenhanced font 'sans-serif,12' textcolor rgb '#222222'
< set label '3.00 %' at 905.00,389.00 right noenhanced font 'sans-serif,12' textcolor rgb '#222222'
< set label '± 0.80' at 1000.00,389.00 right noenhanced font 'sans-serif,12' textcolor rgb '#666666'
> set label 'exact: 3.00 % of CPU time' at 580.00,369.00 right noenhanced font 'sans-serif,12' textcolor rgb '#222222'
> set object rectangle from 20.00,381.00 to 206.67,435.00 fillcolor rgb '#77aadd' fillstyle solid border linecolor rgb '#888888' linewidth 0.5
> set label 'local delivery v4' at 113.33,399.00 center noenhanced font 'sans-serif,12' textcolor rgb '#222222'
> set label '1.00 %' at 113.33,417.00 center noenhanced font 'sans-serif,12' textcolor rgb '#222222'
> set object rectangle from 206.67,381.00 to 300.00,435.00 fillcolor rgb '#cc7788' fillstyle solid border linecolor rgb '#888888' linewidth 0.5
> set label '0.50 %' at 253.33,408.00 center noenhanced font 'sans-serif,12' textcolor rgb '#222222'
> set object rectangle from 300.00,381.00 to 356.00,435.00 fillcolor rgb '#55c8c0' fillstyle solid border linecolor rgb '#888888' linewidth 0.5
> set label '0.30 %' at 328.00,408.00 center noenhanced font 'sans-serif,12' textcolor rgb '#222222'
> set object rectangle from 356.00,381.00 to 402.67,435.00 fillcolor rgb '#b48ac6' fillstyle solid border linecolor rgb '#888888' linewidth 0.5
> set object rectangle from 402.67,381.00 to 449.33,435.00 fillcolor rgb '#d4d4d4' fillstyle solid border linecolor rgb '#888888' linewidth 0.5
> set label 'self' at 426.00,408.00 center noenhanced font 'sans-serif,12' textcolor rgb '#222222'
> set object rectangle from 449.33,381.00 to 486.67,435.00 fillcolor rgb '#eedd88' fillstyle solid border linecolor rgb '#888888' linewidth 0.5
> set object rectangle from 486.67,381.00 to 514.67,435.00 fillcolor rgb '#ee8866' fillstyle solid border linecolor rgb '#888888' linewidth 0.5
> set object rectangle from 514.67,381.00 to 542.67,435.00 fillcolor rgb '#bbcc33' fillstyle solid border linecolor rgb '#888888' linewidth 0.5
> set object rectangle from 542.67,381.00 to 561.33,435.00 fillcolor rgb '#ffaabb' fillstyle solid border linecolor rgb '#888888' linewidth 0.5
> set object rectangle from 561.33,381.00 to 570.67,435.00 fillcolor rgb '#c8a078' fillstyle solid border linecolor rgb '#888888' linewidth 0.5
> set object rectangle from 570.67,381.00 to 580.00,435.00 fillcolor rgb '#c2d8f0' fillstyle solid border linecolor rgb '#888888' linewidth 0.5
> set object rectangle from 608.00,383.00 to 620.00,395.00 fillcolor rgb '#77aadd' fillstyle solid border linecolor rgb '#888888' linewidth 0.5
> set label 'local delivery v4' at 628.00,389.00 left noenhanced font 'sans-serif,12' textcolor rgb '#222222'
> set label '1.00 %' at 905.00,389.00 right noenhanced font 'sans-serif,12' textcolor rgb '#222222'
> set label 'exact' at 1000.00,389.00 right noenhanced font 'sans-serif,12' textcolor rgb '#666666'
> set object rectangle from 608.00,402.00 to 620.00,414.00 fillcolor rgb '#cc7788' fillstyle solid border linecolor rgb '#888888' linewidth 0.5
> set label 'forwarding v4' at 628.00,408.00 left noenhanced font 'sans-serif,12' textcolor rgb '#222222'
> set label '0.50 %' at 905.00,408.00 right noenhanced font 'sans-serif,12' textcolor rgb '#222222'
> set label 'exact' at 1000.00,408.00 right noenhanced font 'sans-serif,12' textcolor rgb '#666666'
> set object rectangle from 608.00,421.00 to 620.00,433.00 fillcolor rgb '#55c8c0' fillstyle solid border linecolor rgb '#888888' linewidth 0.5
> set label 'conntrack' at 628.00,427.00 left noenhanced font 'sans-serif,12' textcolor rgb '#222222'
> set label '0.30 %' at 905.00,427.00 right noenhanced font 'sans-serif,12' textcolor rgb '#222222'
> set label 'exact' at 1000.00,427.00 right noenhanced font 'sans-serif,12' textcolor rgb '#666666'
> set object rectangle from 608.00,440.00 to 620.00,452.00 fillcolor rgb '#b48ac6' fillstyle solid border linecolor rgb '#888888' linewidth 0.5
> set label 'driver poll' at 628.00,446.00 left noenhanced font 'sans-serif,12' textcolor rgb '#222222'
> set label '0.25 %' at 905.00,446.00 right noenhanced font 'sans-serif,12' textcolor rgb '#222222'
> set label 'exact' at 1000.00,446.00 right noenhanced font 'sans-serif,12' textcolor rgb '#666666'
> set object rectangle from 608.00,459.00 to 620.00,471.00 fillcolor rgb '#d4d4d4' fillstyle solid border linecolor rgb '#888888' linewidth 0.5
> set label 'self' at 628.00,465.00 left noenhanced font 'sans-serif,12' textcolor rgb '#222222'
> set label '0.25 %' at 905.00,465.00 right noenhanced font 'sans-serif,12' textcolor rgb '#222222'
> set label 'exact' at 1000.00,465.00 right noenhanced font 'sans-serif,12' textcolor rgb '#666666'
> set object rectangle from 608.00,478.00 to 620.00,490.00 fillcolor rgb '#eedd88' fillstyle solid border linecolor rgb '#888888' linewidth 0.5
> set label 'receive core' at 628.00,484.00 left noenhanced font 'sans-serif,12' textcolor rgb '#222222'
> set label '0.20 %' at 905.00,484.00 right noenhanced font 'sans-serif,12' textcolor rgb '#222222'
> set label 'exact' at 1000.00,484.00 right noenhanced font 'sans-serif,12' textcolor rgb '#666666'
> set object rectangle from 608.00,497.00 to 620.00,509.00 fillcolor rgb '#ee8866' fillstyle solid border linecolor rgb '#888888' linewidth 0.5
> set label 'GRO' at 628.00,503.00 left noenhanced font 'sans-serif,12' textcolor rgb '#222222'
> set label '0.15 %' at 905.00,503.00 right noenhanced font 'sans-serif,12' textcolor rgb '#222222'
> set label 'exact' at 1000.00,503.00 right noenhanced font 'sans-serif,12' textcolor rgb '#666666'
> set object rectangle from 608.00,516.00 to 620.00,528.00 fillcolor rgb '#bbcc33' fillstyle solid border linecolor rgb '#888888' linewidth 0.5
> set label 'NF prerouting v4' at 628.00,522.00 left noenhanced font 'sans-serif,12' textcolor rgb '#222222'
> set label '0.15 %' at 905.00,522.00 right noenhanced font 'sans-serif,12' textcolor rgb '#222222'
> set label 'exact' at 1000.00,522.00 right noenhanced font 'sans-serif,12' textcolor rgb '#666666'
> set object rectangle from 608.00,535.00 to 620.00,547.00 fillcolor rgb '#ffaabb' fillstyle solid border linecolor rgb '#888888' linewidth 0.5
> set label 'TC classify' at 628.00,541.00 left noenhanced font 'sans-serif,12' textcolor rgb '#222222'
> set label '0.10 %' at 905.00,541.00 right noenhanced font 'sans-serif,12' textcolor rgb '#222222'
> set label 'exact' at 1000.00,541.00 right noenhanced font 'sans-serif,12' textcolor rgb '#666666'
> set object rectangle from 608.00,554.00 to 620.00,566.00 fillcolor rgb '#c8a078' fillstyle solid border linecolor rgb '#888888' linewidth 0.5
> set label 'NF ingress' at 628.00,560.00 left noenhanced font 'sans-serif,12' textcolor rgb '#222222'
> set label '0.05 %' at 905.00,560.00 right noenhanced font 'sans-serif,12' textcolor rgb '#222222'
> set label 'exact' at 1000.00,560.00 right noenhanced font 'sans-serif,12' textcolor rgb '#666666'
> set object rectangle from 608.00,573.00 to 620.00,585.00 fillcolor rgb '#c2d8f0' fillstyle solid border linecolor rgb '#888888' linewidth 0.5
> set label 'local delivery v6' at 628.00,579.00 left noenhanced font 'sans-serif,12' textcolor rgb '#222222'
> set label '0.05 %' at 905.00,579.00 right noenhanced font 'sans-serif,12' textcolor rgb '#222222'
> set label 'exact' at 1000.00,579.00 right noenhanced font 'sans-serif,12' textcolor rgb '#666666'
