-- made by netcost-report export tables --ddl
CREATE SCHEMA IF NOT EXISTS netcost;

-- A row for each recording: its host, how it was recorded, and what the network cost.
CREATE TABLE IF NOT EXISTS netcost.recordings (
    recording VARCHAR, -- 32 hex digits: its start in ns, and a hash of the trace's data about its host
    host VARCHAR, -- name of the host in the trace, or as given; '': unknown
    start TIMESTAMP, -- when the recording began
    seconds DOUBLE, -- s: length of the recording
    ticks_seconds DOUBLE, -- s: from the first tick to the last; the counters cover this time
    kernel VARCHAR, -- kernel release, as uname reports it
    machine VARCHAR, -- architecture, as uname reports it
    cpu_model VARCHAR,
    cpus UBIGINT, -- number of recorded CPUs
    tool VARCHAR, -- program that recorded it, with its version
    exact VARCHAR, -- method of the exact times
    sampler VARCHAR,
    sample_hz UBIGINT, -- Hz: samples a second on each CPU
    tick_ms UBIGINT, -- ms: interval between readings of the counters
    ended UBIGINT, -- 1: the trace is complete; 0: it is cut off
    ended_why VARCHAR, -- why the recording ended
    damage VARCHAR, -- what is missing in the trace; null: nothing
    wall_ns DOUBLE, -- ns: wall time of all CPUs; the leaves sum to it
    idle_ns DOUBLE, -- ns: idle
    user_ns DOUBLE, -- ns: user
    sock_send_ns DOUBLE, -- ns: socket send
    sock_recv_ns DOUBLE, -- ns: socket receive
    rx_softirq_ns DOUBLE, -- ns: RX softirq
    tx_softirq_ns DOUBLE, -- ns: TX softirq
    hardirq_net_ns DOUBLE, -- ns: hard interrupts: network devices
    other_network_ns DOUBLE, -- ns: other network
    sock_local_ns DOUBLE, -- ns: local sockets
    io_worker_ns DOUBLE, -- ns: io_uring workers
    other_kernel_ns DOUBLE, -- ns: other
    user_and_other_kernel_ns DOUBLE, -- ns: user + other kernel
    netcost_itself_ns DOUBLE, -- ns: netcost itself
    network_ns DOUBLE, -- ns: sum of the leaves of the network
    network_ci95_ns DOUBLE, -- ns: half the width of its 95 % interval; 0: exact
    networking_cost DOUBLE, -- network / (all - idle)
    networking_cost_ci95 DOUBLE,
    packets DOUBLE, -- packets: of all interfaces, rx + tx
    bytes DOUBLE, -- bytes: of all interfaces, rx + tx
    ns_per_packet DOUBLE, -- ns: network time for each of these
    ms_per_gb DOUBLE, -- ms: network time for each 1e9 of these bytes
    rx_ns_per_packet DOUBLE, -- ns: RX softirq, for each packet that it processed, after GRO
    rx_ns_per_polled_packet DOUBLE, -- ns: RX softirq, for each packet that NAPI polled, before GRO, with those that XDP took
    dropped_packets DOUBLE, -- packets: packets that the kernel dropped, for any reason
    backlog_dropped_packets DOUBLE, -- packets: drops counted by softnet_stat
    joules DOUBLE, -- J: energy of packages and memory
    samples UBIGINT, -- number of samples taken
    samples_lost DOUBLE,
    samples_expected DOUBLE,
    paused_seconds DOUBLE, -- s: time in which exact counting was paused
    untracked DOUBLE, -- socket operations that were not measured
    own_cost DOUBLE, -- share of CPU time that the recording itself cost
    marks UBIGINT -- number of moments that were marked
);

-- CPU time by leaf: a row for each CPU from each tick to the next, or for longer intervals.
CREATE TABLE IF NOT EXISTS netcost.leaves (
    recording VARCHAR, -- 32 hex digits: its start in ns, and a hash of the trace's data about its host
    host VARCHAR, -- name of the host in the trace, or as given; '': unknown
    start TIMESTAMP, -- when the recording began
    piece UBIGINT, -- number of the interval, from 1 on
    cpu UBIGINT,
    time TIMESTAMP, -- when the interval began
    begin_s DOUBLE, -- s: when the interval began, in seconds since the recording began
    end_s DOUBLE, -- s
    wall_ns DOUBLE, -- ns: the leaves sum to it
    idle_ns DOUBLE, -- ns: idle
    user_ns DOUBLE, -- ns: user
    sock_send_ns DOUBLE, -- ns: socket send
    sock_recv_ns DOUBLE, -- ns: socket receive
    rx_softirq_ns DOUBLE, -- ns: RX softirq
    tx_softirq_ns DOUBLE, -- ns: TX softirq
    hardirq_net_ns DOUBLE, -- ns: hard interrupts: network devices
    other_network_ns DOUBLE, -- ns: other network
    sock_local_ns DOUBLE, -- ns: local sockets
    io_worker_ns DOUBLE, -- ns: io_uring workers
    other_kernel_ns DOUBLE, -- ns: other
    user_and_other_kernel_ns DOUBLE, -- ns: user + other kernel
    netcost_itself_ns DOUBLE, -- ns: netcost itself
    network_ns DOUBLE -- ns: sum of the leaves of the network
);

-- Contents of the leaves, by samples: a row for each category of the rules.
CREATE TABLE IF NOT EXISTS netcost.categories (
    recording VARCHAR, -- 32 hex digits: its start in ns, and a hash of the trace's data about its host
    host VARCHAR, -- name of the host in the trace, or as given; '': unknown
    start TIMESTAMP, -- when the recording began
    category VARCHAR, -- key of the category in the rules
    parent VARCHAR, -- the category that contains it; null: it is a leaf
    leaf VARCHAR,
    samples UBIGINT, -- including the categories in it
    share DOUBLE, -- of CPU time
    share_ci95 DOUBLE, -- half the width of its 95 % interval
    self_samples UBIGINT, -- samples of which it is the innermost category
    self_share DOUBLE, -- of CPU time
    self_share_ci95 DOUBLE, -- half the width of its 95 % interval
    inclusive_samples UBIGINT, -- all samples of its leaf that passed this category, wherever they end
    inclusive_share DOUBLE, -- of CPU time
    inclusive_share_ci95 DOUBLE -- half the width of its 95 % interval
);

-- Functions of the kernel, by samples of all CPUs, including idle ones.
CREATE TABLE IF NOT EXISTS netcost.functions (
    recording VARCHAR, -- 32 hex digits: its start in ns, and a hash of the trace's data about its host
    host VARCHAR, -- name of the host in the trace, or as given; '': unknown
    start TIMESTAMP, -- when the recording began
    function VARCHAR, -- [user]: user mode; [unknown]: no name
    module VARCHAR, -- '': the kernel itself
    self_samples UBIGINT, -- samples of which it is the innermost function
    inclusive_samples UBIGINT, -- including the functions that it calls
    category VARCHAR, -- category of most of its samples
    category_share DOUBLE -- share of its samples that are in that category
);

-- Stacks, and how many samples were taken in each.
CREATE TABLE IF NOT EXISTS netcost.stacks (
    recording VARCHAR, -- 32 hex digits: its start in ns, and a hash of the trace's data about its host
    host VARCHAR, -- name of the host in the trace, or as given; '': unknown
    start TIMESTAMP, -- when the recording began
    id UBIGINT, -- id of the stack, valid in this recording only
    stack VARCHAR, -- functions with ';' between them, the outermost first
    leaf VARCHAR,
    category VARCHAR,
    samples UBIGINT
);

-- Counters by process, for recordings with --processes.
CREATE TABLE IF NOT EXISTS netcost.processes (
    recording VARCHAR, -- 32 hex digits: its start in ns, and a hash of the trace's data about its host
    host VARCHAR, -- name of the host in the trace, or as given; '': unknown
    start TIMESTAMP, -- when the recording began
    number UBIGINT, -- of the row, from 1 on, the most CPU time first
    kind VARCHAR, -- process, or a row of those without one of their own: see netcost-report who
    name VARCHAR,
    pid UBIGINT,
    started_s DOUBLE, -- s: start of the process; negative: before the recording
    kernel UBIGINT, -- 1: a kernel thread
    uid UBIGINT, -- its user
    cgroup VARCHAR, -- the last cgroup in which it was seen
    container_runtime VARCHAR,
    container VARCHAR, -- its id
    pod VARCHAR, -- its uid
    pod_name VARCHAR,
    namespace VARCHAR,
    container_name VARCHAR,
    image VARCHAR,
    workload VARCHAR, -- may be a guess from pod_name
    on_cpu_ns DOUBLE, -- ns: on-CPU time, without interrupts
    network_ns DOUBLE, -- ns: part of on_cpu_ns in the network
    interrupted_ns DOUBLE, -- ns: network softirqs and hard interrupts while it ran, for packets of any process
    received_ns DOUBLE, -- ns: softirq time of the packets that it received
    received_packets DOUBLE, -- packets
    calls DOUBLE, -- calls on network sockets
    bytes DOUBLE, -- bytes: bytes sent and received by these calls
    switches DOUBLE -- number of context switches to it
);

-- Counters of interfaces during the recording.
CREATE TABLE IF NOT EXISTS netcost.interfaces (
    recording VARCHAR, -- 32 hex digits: its start in ns, and a hash of the trace's data about its host
    host VARCHAR, -- name of the host in the trace, or as given; '': unknown
    start TIMESTAMP, -- when the recording began
    id UBIGINT, -- id of the interface, valid in this recording only
    interface VARCHAR,
    netns UBIGINT, -- inode of the network namespace; null: unknown
    driver VARCHAR,
    seconds DOUBLE, -- s: between the first reading and the last
    rx_packets DOUBLE, -- packets: in that time, like all columns below
    rx_bytes DOUBLE, -- bytes
    rx_errors DOUBLE,
    rx_dropped DOUBLE, -- packets
    tx_packets DOUBLE, -- packets
    tx_bytes DOUBLE, -- bytes
    tx_errors DOUBLE,
    tx_dropped DOUBLE, -- packets
    interrupts_seconds DOUBLE, -- s: between the first reading of its hard interrupts and the last
    interrupts DOUBLE, -- in that time
    interrupts_ns DOUBLE -- ns: their handlers'
);

-- Packets that the kernel dropped, by reason; the table recordings shows whether drops were measured.
CREATE TABLE IF NOT EXISTS netcost.drops (
    recording VARCHAR, -- 32 hex digits: its start in ns, and a hash of the trace's data about its host
    host VARCHAR, -- name of the host in the trace, or as given; '': unknown
    start TIMESTAMP, -- when the recording began
    reason VARCHAR, -- the kernel's name of the drop reason
    packets DOUBLE, -- packets
    seconds DOUBLE -- s: between the first reading and the last
);

-- Packet latency: a row for each checkpoint that was measured.
CREATE TABLE IF NOT EXISTS netcost.latency (
    recording VARCHAR, -- 32 hex digits: its start in ns, and a hash of the trace's data about its host
    host VARCHAR, -- name of the host in the trace, or as given; '': unknown
    start TIMESTAMP, -- when the recording began
    hook VARCHAR, -- the checkpoint, see netcost-report latency
    packets DOUBLE, -- packets: packets with a known latency
    p50_ns DOUBLE, -- ns
    p90_ns DOUBLE, -- ns
    p99_ns DOUBLE, -- ns
    p99_9_ns DOUBLE, -- ns
    p99_99_ns DOUBLE, -- ns
    sum_ns DOUBLE, -- ns: sum over these packets
    min_ns DOUBLE, -- ns
    max_ns DOUBLE, -- ns
    unknown_packets UBIGINT, -- packets: entry unknown: before the recording, a copy, or its place was needed
    other_packets UBIGINT, -- packets: the packet could not be identified
    old_packets UBIGINT, -- packets: in the host for longer than can be measured
    merged_packets UBIGINT, -- packets: TCP has merged it into the previous one, which was not read yet
    filtered_packets UBIGINT, -- packets: not selected by --latency-only
    later_packets UBIGINT -- packets: without a send call: acknowledgements, delayed sends, retransmits
);

-- Settings of the host.
CREATE TABLE IF NOT EXISTS netcost.settings (
    recording VARCHAR, -- 32 hex digits: its start in ns, and a hash of the trace's data about its host
    host VARCHAR, -- name of the host in the trace, or as given; '': unknown
    start TIMESTAMP, -- when the recording began
    subject VARCHAR, -- such as net.core, cpu, interface eth0
    name VARCHAR,
    value VARCHAR, -- when the recording ended; null: it was not read
    first_value VARCHAR, -- when the recording began; null: it was not read
    changed UBIGINT, -- 1: it changed during the recording
    why VARCHAR -- why it was not read
);

-- Packet latency as histograms, which can be added up over recordings and hosts.
CREATE TABLE IF NOT EXISTS netcost.latency_buckets (
    recording VARCHAR, -- 32 hex digits: its start in ns, and a hash of the trace's data about its host
    host VARCHAR, -- name of the host in the trace, or as given; '': unknown
    start TIMESTAMP, -- when the recording began
    hook VARCHAR,
    lower_ns UBIGINT, -- ns: lower bound, exclusive; the first bucket includes 0
    upper_ns UBIGINT, -- ns: upper bound, inclusive
    packets UBIGINT -- packets: empty buckets are left out
);

-- Moments that the user marked: the first 1000 of a recording, which says how many there are.
CREATE TABLE IF NOT EXISTS netcost.marks (
    recording VARCHAR, -- 32 hex digits: its start in ns, and a hash of the trace's data about its host
    host VARCHAR, -- name of the host in the trace, or as given; '': unknown
    start TIMESTAMP, -- when the recording began
    number UBIGINT, -- number of the mark, from 1 on
    time TIMESTAMP, -- time of the mark; null: unknown
    at_s DOUBLE, -- s: when it was, in seconds since the recording began; null: not known
    text VARCHAR
);

-- Counters of the network protocols.
CREATE TABLE IF NOT EXISTS netcost.counters (
    recording VARCHAR, -- 32 hex digits: its start in ns, and a hash of the trace's data about its host
    host VARCHAR, -- name of the host in the trace, or as given; '': unknown
    start TIMESTAMP, -- when the recording began
    number UBIGINT, -- number of the row
    counter VARCHAR,
    value DOUBLE
);

-- Hard interrupts of interfaces.
CREATE TABLE IF NOT EXISTS netcost.irq_stats (
    recording VARCHAR, -- 32 hex digits: its start in ns, and a hash of the trace's data about its host
    host VARCHAR, -- name of the host in the trace, or as given; '': unknown
    start TIMESTAMP, -- when the recording began
    number UBIGINT, -- number of the row
    interface VARCHAR, -- the interface
    netns UBIGINT, -- inode of the interface's network namespace
    interrupts DOUBLE, -- interrupts
    runs DOUBLE, -- runs
    ns DOUBLE -- ns
);

status: 0
