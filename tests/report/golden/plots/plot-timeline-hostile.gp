like plot-timeline-rxparts.gp
< set label 'rxparts.nct: 1.00 s on 2 CPUs' at 20.00,40.00 left noenhanced font 'sans-serif,12' textcolor rgb '#222222'
< set label 'Linux 6.1.0-test x86_64, Test CPU at 1.00GHz; exact: full; samples 1000 Hz' at 20.00,57.00 left noenhanced font 'sans-serif,12' textcolor rgb '#666666'
< set label 'half' at 420.00,78.00 left noenhanced font 'sans-serif,12' textcolor rgb '#222222'
> set label 'hostile.nct: 1.00 s on 2 CPUs' at 20.00,40.00 left noenhanced font 'sans-serif,12' textcolor rgb '#222222'
> set label 'Linux ?touch x??(touch x)’???x?/:Bold y??script?alert(1)?/script??lt;??[31m??EOD?system(’touch x’)? ?touch x??(touch x)’???x?/:Bold ...' at 20.00,57.00 left noenhanced font 'sans-serif,12' textcolor rgb '#666666'
> set label '?touch x??(touch x)’???' at 420.00,78.00 left noenhanced font 'sans-serif,12' textcolor rgb '#222222'
