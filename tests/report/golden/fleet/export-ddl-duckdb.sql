-- made by netcost-report export tables --ddl
CREATE SCHEMA IF NOT EXISTS netcost;

-- Recordings, one per row: the host, how it was recorded, and the cost of the network.
CREATE TABLE IF NOT EXISTS netcost.recordings (
    recording VARCHAR, -- id of the recording, 32 hex digits: its start in ns, and a hash of the data about its host
    host VARCHAR, -- name of the host in the trace, or as given; '': unknown
    start TIMESTAMP, -- start of the recording
    seconds DOUBLE, -- s: length of the recording
    ticks_seconds DOUBLE, -- s: time from the first tick to the last; counters cover this time
    kernel VARCHAR, -- kernel release, as uname reports it
    machine VARCHAR, -- architecture, as uname reports it
    cpu_model VARCHAR,
    cpus UBIGINT, -- number of recorded CPUs
    tool VARCHAR, -- program that made the recording, with its version
    exact VARCHAR, -- method of the exact times
    sampler VARCHAR,
    sample_hz UBIGINT, -- Hz: samples per second on each CPU
    tick_ms UBIGINT, -- ms: interval between readings of the counters
    ended UBIGINT, -- 1: the trace is complete; 0: the trace is cut off
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
    network_ns DOUBLE, -- ns: sum of the network's leaves
    network_ci95_ns DOUBLE, -- ns: half-width of the 95 % confidence interval of network_ns; 0: exact
    networking_cost DOUBLE, -- network time as a share of the CPU time that was not idle: network / (all - idle - netcost itself)
    networking_cost_ci95 DOUBLE,
    packets DOUBLE, -- packets: packets of the interfaces of interface_basis, rx + tx
    bytes DOUBLE, -- bytes: bytes of the interfaces of interface_basis, rx + tx
    interface_basis VARCHAR, -- which interfaces count: physical, own_namespace (those of the recorder's namespace) or all
    ns_per_packet DOUBLE, -- ns: network time per packet of the column packets
    ms_per_gb DOUBLE, -- ms: network time per 1e9 bytes of the column bytes
    rx_ns_per_packet DOUBLE, -- ns: RX softirq time per packet that it processed, counted after GRO
    rx_ns_per_polled_packet DOUBLE, -- ns: RX softirq time per packet that NAPI polled, counted before GRO and including packets consumed by XDP
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

-- CPU time by leaf: a row for each CPU and each interval between ticks, or longer intervals.
CREATE TABLE IF NOT EXISTS netcost.leaves (
    recording VARCHAR, -- id of the recording, 32 hex digits: its start in ns, and a hash of the data about its host
    host VARCHAR, -- name of the host in the trace, or as given; '': unknown
    start TIMESTAMP, -- start of the recording
    piece UBIGINT, -- number of the interval, counted from 1
    cpu UBIGINT,
    time TIMESTAMP, -- start of the interval
    begin_s DOUBLE, -- s: start of the interval, in seconds since the recording began
    end_s DOUBLE, -- s
    wall_ns DOUBLE, -- ns: wall time of the CPU in the interval; the leaves sum to it
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
    network_ns DOUBLE -- ns: sum of the network's leaves
);

-- Contents of the leaves, by samples: a row for each category.
CREATE TABLE IF NOT EXISTS netcost.categories (
    recording VARCHAR, -- id of the recording, 32 hex digits: its start in ns, and a hash of the data about its host
    host VARCHAR, -- name of the host in the trace, or as given; '': unknown
    start TIMESTAMP, -- start of the recording
    category VARCHAR, -- key of the category in the rules
    parent VARCHAR, -- category that contains this category; null: this category is a leaf
    leaf VARCHAR,
    samples UBIGINT, -- samples of the category, including nested categories
    share DOUBLE, -- share of CPU time
    share_ci95 DOUBLE, -- half-width of the 95 % confidence interval of the share
    self_samples UBIGINT, -- samples whose innermost category is this one
    self_share DOUBLE, -- share of CPU time
    self_share_ci95 DOUBLE, -- half-width of the 95 % confidence interval of the share
    inclusive_samples UBIGINT, -- samples of the category's leaf with this category anywhere in the stack
    inclusive_share DOUBLE, -- share of CPU time
    inclusive_share_ci95 DOUBLE -- half-width of the 95 % confidence interval of the share
);

-- Kernel functions, by samples of all CPUs, including idle time.
CREATE TABLE IF NOT EXISTS netcost.functions (
    recording VARCHAR, -- id of the recording, 32 hex digits: its start in ns, and a hash of the data about its host
    host VARCHAR, -- name of the host in the trace, or as given; '': unknown
    start TIMESTAMP, -- start of the recording
    function VARCHAR, -- name of the function; [user]: user mode; [unknown]: the function has no name
    module VARCHAR, -- kernel module of the function; '': built into the kernel
    self_samples UBIGINT, -- samples whose innermost function is this one
    inclusive_samples UBIGINT, -- samples in the function or its callees
    category VARCHAR, -- category of most of the function's samples
    category_share DOUBLE -- share of the function's samples that are in the column category
);

-- Stacks, with the number of samples of each.
CREATE TABLE IF NOT EXISTS netcost.stacks (
    recording VARCHAR, -- id of the recording, 32 hex digits: its start in ns, and a hash of the data about its host
    host VARCHAR, -- name of the host in the trace, or as given; '': unknown
    start TIMESTAMP, -- start of the recording
    id UBIGINT, -- id of the stack, valid in this recording only
    stack VARCHAR, -- functions of the stack, separated by ';', the outermost first
    leaf VARCHAR,
    category VARCHAR,
    samples UBIGINT
);

-- Counters by process, for recordings with --processes.
CREATE TABLE IF NOT EXISTS netcost.processes (
    recording VARCHAR, -- id of the recording, 32 hex digits: its start in ns, and a hash of the data about its host
    host VARCHAR, -- name of the host in the trace, or as given; '': unknown
    start TIMESTAMP, -- start of the recording
    number UBIGINT, -- number of the row, counted from 1, in descending order of CPU time
    kind VARCHAR, -- kind of the row: a process, or a sum of processes without a row of their own; see netcost-report who
    name VARCHAR,
    pid UBIGINT,
    started_s DOUBLE, -- s: start of the process, in seconds since the recording began; negative: before the recording
    kernel UBIGINT, -- 1: a kernel thread
    uid UBIGINT, -- real user id of the process
    cgroup VARCHAR, -- last known cgroup of the process
    container_runtime VARCHAR,
    container VARCHAR, -- id of the container
    pod VARCHAR, -- uid of the pod
    pod_name VARCHAR,
    namespace VARCHAR,
    container_name VARCHAR,
    image VARCHAR,
    workload VARCHAR, -- workload that runs the pod; may be a guess from pod_name
    on_cpu_ns DOUBLE, -- ns: on-CPU time, without interrupts
    network_ns DOUBLE, -- ns: part of on_cpu_ns that was spent in the network
    interrupted_ns DOUBLE, -- ns: time of network softirqs and hard interrupts while the process ran, for packets of any process
    received_ns DOUBLE, -- ns: softirq time of the packets that the process received
    received_packets DOUBLE, -- packets
    calls DOUBLE, -- number of calls on network sockets
    bytes DOUBLE, -- bytes: bytes sent and received by the calls
    switches DOUBLE -- number of context switches to the process
);

-- Counters of interfaces over the recording.
CREATE TABLE IF NOT EXISTS netcost.interfaces (
    recording VARCHAR, -- id of the recording, 32 hex digits: its start in ns, and a hash of the data about its host
    host VARCHAR, -- name of the host in the trace, or as given; '': unknown
    start TIMESTAMP, -- start of the recording
    id UBIGINT, -- id of the interface, valid in this recording only
    interface VARCHAR,
    netns UBIGINT, -- inode of the network namespace; null: unknown
    driver VARCHAR,
    class VARCHAR, -- physical, virtual or loopback; null: unknown
    seconds DOUBLE, -- s: time between the first and the last reading of the counters
    rx_packets DOUBLE, -- packets: packets received in the time of the column seconds, which all following columns up to tx_dropped cover
    rx_bytes DOUBLE, -- bytes
    rx_errors DOUBLE,
    rx_dropped DOUBLE, -- packets
    tx_packets DOUBLE, -- packets
    tx_bytes DOUBLE, -- bytes
    tx_errors DOUBLE,
    tx_dropped DOUBLE, -- packets
    interrupts_seconds DOUBLE, -- s: time between the first and the last reading of the hard interrupts
    interrupts DOUBLE, -- number of hard interrupts in the time of the column interrupts_seconds
    interrupts_ns DOUBLE -- ns: time of the interrupt handlers
);

-- Packets that the kernel dropped, by drop reason; recordings.dropped_packets is null if drops were not measured.
CREATE TABLE IF NOT EXISTS netcost.drops (
    recording VARCHAR, -- id of the recording, 32 hex digits: its start in ns, and a hash of the data about its host
    host VARCHAR, -- name of the host in the trace, or as given; '': unknown
    start TIMESTAMP, -- start of the recording
    reason VARCHAR, -- drop reason, as the kernel names it
    packets DOUBLE, -- packets
    seconds DOUBLE -- s: time between the first and the last reading of the counters
);

-- Packet latency: a row for each checkpoint that was measured.
CREATE TABLE IF NOT EXISTS netcost.latency (
    recording VARCHAR, -- id of the recording, 32 hex digits: its start in ns, and a hash of the data about its host
    host VARCHAR, -- name of the host in the trace, or as given; '': unknown
    start TIMESTAMP, -- start of the recording
    hook VARCHAR, -- checkpoint, see netcost-report latency
    packets DOUBLE, -- packets: number of packets with a known latency
    p50_ns DOUBLE, -- ns
    p90_ns DOUBLE, -- ns
    p99_ns DOUBLE, -- ns
    p99_9_ns DOUBLE, -- ns
    p99_99_ns DOUBLE, -- ns
    sum_ns DOUBLE, -- ns: sum of the latencies of the counted packets
    min_ns DOUBLE, -- ns
    max_ns DOUBLE, -- ns
    unknown_packets UBIGINT, -- packets: entry unknown: before the recording, of a copy, or evicted by another packet
    other_packets UBIGINT, -- packets: the packet could not be identified
    old_packets UBIGINT, -- packets: in the host for longer than can be measured
    merged_packets UBIGINT, -- packets: merged by TCP into the previous packet, which was not read yet
    filtered_packets UBIGINT, -- packets: not selected by --latency-only
    later_packets UBIGINT -- packets: without a send call: acknowledgements, delayed sends, retransmits
);

-- Settings of the host.
CREATE TABLE IF NOT EXISTS netcost.settings (
    recording VARCHAR, -- id of the recording, 32 hex digits: its start in ns, and a hash of the data about its host
    host VARCHAR, -- name of the host in the trace, or as given; '': unknown
    start TIMESTAMP, -- start of the recording
    subject VARCHAR, -- subject of the setting, such as net.core, cpu, interface eth0
    name VARCHAR,
    value VARCHAR, -- value at the end of the recording; null: not read
    first_value VARCHAR, -- value at the start of the recording; null: not read
    changed UBIGINT, -- 1: the setting changed during the recording
    why VARCHAR -- reason why the value was not read; null: it was read
);

-- Packet latency as histograms, which can be added up over recordings and hosts.
CREATE TABLE IF NOT EXISTS netcost.latency_buckets (
    recording VARCHAR, -- id of the recording, 32 hex digits: its start in ns, and a hash of the data about its host
    host VARCHAR, -- name of the host in the trace, or as given; '': unknown
    start TIMESTAMP, -- start of the recording
    hook VARCHAR,
    lower_ns UBIGINT, -- ns: lower bound of the bucket, exclusive; the first bucket includes 0
    upper_ns UBIGINT, -- ns: upper bound of the bucket, inclusive
    packets UBIGINT -- packets: number of packets in the bucket; empty buckets have no row
);

-- Moments that the user marked: at most the first 1000; recordings.marks is the number of all marks.
CREATE TABLE IF NOT EXISTS netcost.marks (
    recording VARCHAR, -- id of the recording, 32 hex digits: its start in ns, and a hash of the data about its host
    host VARCHAR, -- name of the host in the trace, or as given; '': unknown
    start TIMESTAMP, -- start of the recording
    number UBIGINT, -- number of the mark, counted from 1
    time TIMESTAMP, -- time of the mark; null: unknown
    at_s DOUBLE, -- s: time of the mark, in seconds since the recording began; null: unknown
    text VARCHAR
);

-- Counters of the network protocols.
CREATE TABLE IF NOT EXISTS netcost.counters (
    recording VARCHAR, -- id of the recording, 32 hex digits: its start in ns, and a hash of the data about its host
    host VARCHAR, -- name of the host in the trace, or as given; '': unknown
    start TIMESTAMP, -- start of the recording
    number UBIGINT, -- number of the row
    counter VARCHAR,
    value DOUBLE
);

-- Hard interrupts of interfaces.
CREATE TABLE IF NOT EXISTS netcost.irq_stats (
    recording VARCHAR, -- id of the recording, 32 hex digits: its start in ns, and a hash of the data about its host
    host VARCHAR, -- name of the host in the trace, or as given; '': unknown
    start TIMESTAMP, -- start of the recording
    number UBIGINT, -- number of the row
    interface VARCHAR, -- the interface
    netns UBIGINT, -- inode of the interface's network namespace
    interrupts DOUBLE, -- interrupts
    runs DOUBLE, -- runs
    ns DOUBLE -- ns
);

status: 0
