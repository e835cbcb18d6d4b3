-- made by netcost-report export tables --ddl
CREATE DATABASE IF NOT EXISTS netcost;

-- Recordings, one per row: the host, how it was recorded, and the cost of the network.
CREATE TABLE IF NOT EXISTS netcost.recordings (
    recording String, -- id of the recording, 32 hex digits: its start in ns, and a hash of the data about its host
    host String, -- name of the host in the trace, or as given; '': unknown
    start DateTime('UTC'), -- start of the recording
    seconds Nullable(Float64), -- s: length of the recording
    ticks_seconds Nullable(Float64), -- s: time from the first tick to the last; counters cover this time
    kernel Nullable(String), -- kernel release, as uname reports it
    machine Nullable(String), -- architecture, as uname reports it
    cpu_model Nullable(String),
    cpus Nullable(UInt64), -- number of recorded CPUs
    tool Nullable(String), -- program that made the recording, with its version
    exact Nullable(String), -- method of the exact times
    sampler Nullable(String),
    sample_hz Nullable(UInt64), -- Hz: samples per second on each CPU
    tick_ms Nullable(UInt64), -- ms: interval between readings of the counters
    ended UInt64, -- 1: the trace is complete; 0: the trace is cut off
    ended_why Nullable(String), -- why the recording ended
    damage Nullable(String), -- what is missing in the trace; null: nothing
    wall_ns Nullable(Float64), -- ns: wall time of all CPUs; the leaves sum to it
    idle_ns Nullable(Float64), -- ns: idle
    user_ns Nullable(Float64), -- ns: user
    sock_send_ns Nullable(Float64), -- ns: socket send
    sock_recv_ns Nullable(Float64), -- ns: socket receive
    rx_softirq_ns Nullable(Float64), -- ns: RX softirq
    tx_softirq_ns Nullable(Float64), -- ns: TX softirq
    hardirq_net_ns Nullable(Float64), -- ns: hard interrupts: network devices
    other_network_ns Nullable(Float64), -- ns: other network
    sock_local_ns Nullable(Float64), -- ns: local sockets
    io_worker_ns Nullable(Float64), -- ns: io_uring workers
    other_kernel_ns Nullable(Float64), -- ns: other
    user_and_other_kernel_ns Nullable(Float64), -- ns: user + other kernel
    netcost_itself_ns Nullable(Float64), -- ns: netcost itself
    network_ns Nullable(Float64), -- ns: sum of the network's leaves
    network_ci95_ns Nullable(Float64), -- ns: half-width of the 95 % confidence interval of network_ns; 0: exact
    networking_cost Nullable(Float64), -- network time as a share of the CPU time that was not idle: network / (all - idle - netcost itself)
    networking_cost_ci95 Nullable(Float64),
    packets Nullable(Float64), -- packets: packets of the interfaces of interface_basis, rx + tx
    bytes Nullable(Float64), -- bytes: bytes of the interfaces of interface_basis, rx + tx
    interface_basis String, -- which interfaces count: physical, own_namespace (those of the recorder's namespace) or all
    ns_per_packet Nullable(Float64), -- ns: network time per packet of the column packets
    ms_per_gb Nullable(Float64), -- ms: network time per 1e9 bytes of the column bytes
    rx_ns_per_packet Nullable(Float64), -- ns: RX softirq time per packet that it processed, counted after GRO
    rx_ns_per_polled_packet Nullable(Float64), -- ns: RX softirq time per packet that NAPI polled, counted before GRO and including packets consumed by XDP
    dropped_packets Nullable(Float64), -- packets: packets that the kernel dropped, for any reason
    backlog_dropped_packets Nullable(Float64), -- packets: drops counted by softnet_stat
    joules Nullable(Float64), -- J: energy of packages and memory
    samples UInt64, -- number of samples taken
    samples_lost Nullable(Float64),
    samples_expected Nullable(Float64),
    paused_seconds Nullable(Float64), -- s: time in which exact counting was paused
    untracked Nullable(Float64), -- socket operations that were not measured
    own_cost Nullable(Float64), -- share of CPU time that the recording itself cost
    marks UInt64 -- number of moments that were marked
)
ENGINE = ReplacingMergeTree()
PARTITION BY toYYYYMM(start)
ORDER BY (host, start, recording);

-- CPU time by leaf: a row for each CPU and each interval between ticks, or longer intervals.
CREATE TABLE IF NOT EXISTS netcost.leaves (
    recording String, -- id of the recording, 32 hex digits: its start in ns, and a hash of the data about its host
    host String, -- name of the host in the trace, or as given; '': unknown
    start DateTime('UTC'), -- start of the recording
    piece UInt64, -- number of the interval, counted from 1
    cpu UInt64,
    time DateTime('UTC'), -- start of the interval
    begin_s Float64, -- s: start of the interval, in seconds since the recording began
    end_s Float64, -- s
    wall_ns Nullable(Float64), -- ns: wall time of the CPU in the interval; the leaves sum to it
    idle_ns Nullable(Float64), -- ns: idle
    user_ns Nullable(Float64), -- ns: user
    sock_send_ns Nullable(Float64), -- ns: socket send
    sock_recv_ns Nullable(Float64), -- ns: socket receive
    rx_softirq_ns Nullable(Float64), -- ns: RX softirq
    tx_softirq_ns Nullable(Float64), -- ns: TX softirq
    hardirq_net_ns Nullable(Float64), -- ns: hard interrupts: network devices
    other_network_ns Nullable(Float64), -- ns: other network
    sock_local_ns Nullable(Float64), -- ns: local sockets
    io_worker_ns Nullable(Float64), -- ns: io_uring workers
    other_kernel_ns Nullable(Float64), -- ns: other
    user_and_other_kernel_ns Nullable(Float64), -- ns: user + other kernel
    netcost_itself_ns Nullable(Float64), -- ns: netcost itself
    network_ns Nullable(Float64) -- ns: sum of the network's leaves
)
ENGINE = ReplacingMergeTree()
PARTITION BY toYYYYMM(start)
ORDER BY (host, start, recording, piece, cpu);

-- Contents of the leaves, by samples: a row for each category.
CREATE TABLE IF NOT EXISTS netcost.categories (
    recording String, -- id of the recording, 32 hex digits: its start in ns, and a hash of the data about its host
    host String, -- name of the host in the trace, or as given; '': unknown
    start DateTime('UTC'), -- start of the recording
    category String, -- key of the category in the rules
    parent Nullable(String), -- category that contains this category; null: this category is a leaf
    leaf String,
    samples UInt64, -- samples of the category, including nested categories
    share Nullable(Float64), -- share of CPU time
    share_ci95 Nullable(Float64), -- half-width of the 95 % confidence interval of the share
    self_samples UInt64, -- samples whose innermost category is this one
    self_share Nullable(Float64), -- share of CPU time
    self_share_ci95 Nullable(Float64), -- half-width of the 95 % confidence interval of the share
    inclusive_samples UInt64, -- samples of the category's leaf with this category anywhere in the stack
    inclusive_share Nullable(Float64), -- share of CPU time
    inclusive_share_ci95 Nullable(Float64) -- half-width of the 95 % confidence interval of the share
)
ENGINE = ReplacingMergeTree()
PARTITION BY toYYYYMM(start)
ORDER BY (host, start, recording, category);

-- Kernel functions, by samples of all CPUs, including idle time.
CREATE TABLE IF NOT EXISTS netcost.functions (
    recording String, -- id of the recording, 32 hex digits: its start in ns, and a hash of the data about its host
    host String, -- name of the host in the trace, or as given; '': unknown
    start DateTime('UTC'), -- start of the recording
    function String, -- name of the function; [user]: user mode; [unknown]: the function has no name
    module String, -- kernel module of the function; '': built into the kernel
    self_samples UInt64, -- samples whose innermost function is this one
    inclusive_samples UInt64, -- samples in the function or its callees
    category String, -- category of most of the function's samples
    category_share Nullable(Float64) -- share of the function's samples that are in the column category
)
ENGINE = ReplacingMergeTree()
PARTITION BY toYYYYMM(start)
ORDER BY (host, start, recording, function, module);

-- Stacks, with the number of samples of each.
CREATE TABLE IF NOT EXISTS netcost.stacks (
    recording String, -- id of the recording, 32 hex digits: its start in ns, and a hash of the data about its host
    host String, -- name of the host in the trace, or as given; '': unknown
    start DateTime('UTC'), -- start of the recording
    id UInt64, -- id of the stack, valid in this recording only
    stack String, -- functions of the stack, separated by ';', the outermost first
    leaf String,
    category String,
    samples UInt64
)
ENGINE = ReplacingMergeTree()
PARTITION BY toYYYYMM(start)
ORDER BY (host, start, recording, id);

-- Counters by process, for recordings with --processes.
CREATE TABLE IF NOT EXISTS netcost.processes (
    recording String, -- id of the recording, 32 hex digits: its start in ns, and a hash of the data about its host
    host String, -- name of the host in the trace, or as given; '': unknown
    start DateTime('UTC'), -- start of the recording
    number UInt64, -- number of the row, counted from 1, in descending order of CPU time
    kind String, -- kind of the row: a process, or a sum of processes without a row of their own; see netcost-report who
    name Nullable(String),
    pid Nullable(UInt64),
    started_s Nullable(Float64), -- s: start of the process, in seconds since the recording began; negative: before the recording
    kernel UInt64, -- 1: a kernel thread
    uid Nullable(UInt64), -- real user id of the process
    cgroup Nullable(String), -- last known cgroup of the process
    container_runtime Nullable(String),
    container Nullable(String), -- id of the container
    pod Nullable(String), -- uid of the pod
    pod_name Nullable(String),
    namespace Nullable(String),
    container_name Nullable(String),
    image Nullable(String),
    workload Nullable(String), -- workload that runs the pod; may be a guess from pod_name
    on_cpu_ns Nullable(Float64), -- ns: on-CPU time, without interrupts
    network_ns Nullable(Float64), -- ns: part of on_cpu_ns that was spent in the network
    interrupted_ns Nullable(Float64), -- ns: time of network softirqs and hard interrupts while the process ran, for packets of any process
    received_ns Nullable(Float64), -- ns: softirq time of the packets that the process received
    received_packets Nullable(Float64), -- packets
    calls Nullable(Float64), -- number of calls on network sockets
    bytes Nullable(Float64), -- bytes: bytes sent and received by the calls
    switches Nullable(Float64) -- number of context switches to the process
)
ENGINE = ReplacingMergeTree()
PARTITION BY toYYYYMM(start)
ORDER BY (host, start, recording, number);

-- Counters of interfaces over the recording.
CREATE TABLE IF NOT EXISTS netcost.interfaces (
    recording String, -- id of the recording, 32 hex digits: its start in ns, and a hash of the data about its host
    host String, -- name of the host in the trace, or as given; '': unknown
    start DateTime('UTC'), -- start of the recording
    id UInt64, -- id of the interface, valid in this recording only
    interface String,
    netns Nullable(UInt64), -- inode of the network namespace; null: unknown
    driver Nullable(String),
    class Nullable(String), -- physical, virtual or loopback; null: unknown
    seconds Nullable(Float64), -- s: time between the first and the last reading of the counters
    rx_packets Nullable(Float64), -- packets: packets received in the time of the column seconds, which all following columns up to tx_dropped cover
    rx_bytes Nullable(Float64), -- bytes
    rx_errors Nullable(Float64),
    rx_dropped Nullable(Float64), -- packets
    tx_packets Nullable(Float64), -- packets
    tx_bytes Nullable(Float64), -- bytes
    tx_errors Nullable(Float64),
    tx_dropped Nullable(Float64), -- packets
    interrupts_seconds Nullable(Float64), -- s: time between the first and the last reading of the hard interrupts
    interrupts Nullable(Float64), -- number of hard interrupts in the time of the column interrupts_seconds
    interrupts_ns Nullable(Float64) -- ns: time of the interrupt handlers
)
ENGINE = ReplacingMergeTree()
PARTITION BY toYYYYMM(start)
ORDER BY (host, start, recording, id);

-- Packets that the kernel dropped, by drop reason; recordings.dropped_packets is null if drops were not measured.
CREATE TABLE IF NOT EXISTS netcost.drops (
    recording String, -- id of the recording, 32 hex digits: its start in ns, and a hash of the data about its host
    host String, -- name of the host in the trace, or as given; '': unknown
    start DateTime('UTC'), -- start of the recording
    reason String, -- drop reason, as the kernel names it
    packets Nullable(Float64), -- packets
    seconds Nullable(Float64) -- s: time between the first and the last reading of the counters
)
ENGINE = ReplacingMergeTree()
PARTITION BY toYYYYMM(start)
ORDER BY (host, start, recording, reason);

-- Packet latency: a row for each checkpoint that was measured.
CREATE TABLE IF NOT EXISTS netcost.latency (
    recording String, -- id of the recording, 32 hex digits: its start in ns, and a hash of the data about its host
    host String, -- name of the host in the trace, or as given; '': unknown
    start DateTime('UTC'), -- start of the recording
    hook String, -- checkpoint, see netcost-report latency
    packets Nullable(Float64), -- packets: number of packets with a known latency
    p50_ns Nullable(Float64), -- ns
    p90_ns Nullable(Float64), -- ns
    p99_ns Nullable(Float64), -- ns
    p99_9_ns Nullable(Float64), -- ns
    p99_99_ns Nullable(Float64), -- ns
    sum_ns Nullable(Float64), -- ns: sum of the latencies of the counted packets
    min_ns Nullable(Float64), -- ns
    max_ns Nullable(Float64), -- ns
    unknown_packets Nullable(UInt64), -- packets: entry unknown: before the recording, of a copy, or evicted by another packet
    other_packets Nullable(UInt64), -- packets: the packet could not be identified
    old_packets Nullable(UInt64), -- packets: in the host for longer than can be measured
    merged_packets Nullable(UInt64), -- packets: merged by TCP into the previous packet, which was not read yet
    filtered_packets Nullable(UInt64), -- packets: not selected by --latency-only
    later_packets Nullable(UInt64) -- packets: without a send call: acknowledgements, delayed sends, retransmits
)
ENGINE = ReplacingMergeTree()
PARTITION BY toYYYYMM(start)
ORDER BY (host, start, recording, hook);

-- Settings of the host.
CREATE TABLE IF NOT EXISTS netcost.settings (
    recording String, -- id of the recording, 32 hex digits: its start in ns, and a hash of the data about its host
    host String, -- name of the host in the trace, or as given; '': unknown
    start DateTime('UTC'), -- start of the recording
    subject String, -- subject of the setting, such as net.core, cpu, interface eth0
    name String,
    value Nullable(String), -- value at the end of the recording; null: not read
    first_value Nullable(String), -- value at the start of the recording; null: not read
    changed UInt64, -- 1: the setting changed during the recording
    why Nullable(String) -- reason why the value was not read; null: it was read
)
ENGINE = ReplacingMergeTree()
PARTITION BY toYYYYMM(start)
ORDER BY (host, start, recording, subject, name);

-- Packet latency as histograms, which can be added up over recordings and hosts.
CREATE TABLE IF NOT EXISTS netcost.latency_buckets (
    recording String, -- id of the recording, 32 hex digits: its start in ns, and a hash of the data about its host
    host String, -- name of the host in the trace, or as given; '': unknown
    start DateTime('UTC'), -- start of the recording
    hook String,
    lower_ns UInt64, -- ns: lower bound of the bucket, exclusive; the first bucket includes 0
    upper_ns UInt64, -- ns: upper bound of the bucket, inclusive
    packets UInt64 -- packets: number of packets in the bucket; empty buckets have no row
)
ENGINE = ReplacingMergeTree()
PARTITION BY toYYYYMM(start)
ORDER BY (host, start, recording, hook, lower_ns);

-- Moments that the user marked: at most the first 1000; recordings.marks is the number of all marks.
CREATE TABLE IF NOT EXISTS netcost.marks (
    recording String, -- id of the recording, 32 hex digits: its start in ns, and a hash of the data about its host
    host String, -- name of the host in the trace, or as given; '': unknown
    start DateTime('UTC'), -- start of the recording
    number UInt64, -- number of the mark, counted from 1
    time Nullable(DateTime('UTC')), -- time of the mark; null: unknown
    at_s Nullable(Float64), -- s: time of the mark, in seconds since the recording began; null: unknown
    text String
)
ENGINE = ReplacingMergeTree()
PARTITION BY toYYYYMM(start)
ORDER BY (host, start, recording, number);

-- Counters of the network protocols.
CREATE TABLE IF NOT EXISTS netcost.counters (
    recording String, -- id of the recording, 32 hex digits: its start in ns, and a hash of the data about its host
    host String, -- name of the host in the trace, or as given; '': unknown
    start DateTime('UTC'), -- start of the recording
    number UInt64, -- number of the row
    counter Nullable(String),
    value Nullable(Float64)
)
ENGINE = ReplacingMergeTree()
PARTITION BY toYYYYMM(start)
ORDER BY (host, start, recording, number);

-- Hard interrupts of interfaces.
CREATE TABLE IF NOT EXISTS netcost.irq_stats (
    recording String, -- id of the recording, 32 hex digits: its start in ns, and a hash of the data about its host
    host String, -- name of the host in the trace, or as given; '': unknown
    start DateTime('UTC'), -- start of the recording
    number UInt64, -- number of the row
    interface Nullable(String), -- the interface
    netns Nullable(UInt64), -- inode of the interface's network namespace
    interrupts Nullable(Float64), -- interrupts
    runs Nullable(Float64), -- runs
    ns Nullable(Float64) -- ns
)
ENGINE = ReplacingMergeTree()
PARTITION BY toYYYYMM(start)
ORDER BY (host, start, recording, number);

status: 0
