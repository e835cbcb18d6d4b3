-- made by netcost-report export tables --ddl
CREATE DATABASE IF NOT EXISTS netcost;

-- A row for each recording: its host, how it was recorded, and what the network cost.
CREATE TABLE IF NOT EXISTS netcost.recordings (
    recording String, -- 32 hex digits: its start in ns, and a hash of the trace's data about its host
    host String, -- name of the host in the trace, or as given; '': unknown
    start DateTime('UTC'), -- when the recording began
    seconds Nullable(Float64), -- s: length of the recording
    ticks_seconds Nullable(Float64), -- s: from the first tick to the last; the counters cover this time
    kernel Nullable(String), -- kernel release, as uname reports it
    machine Nullable(String), -- architecture, as uname reports it
    cpu_model Nullable(String),
    cpus Nullable(UInt64), -- number of recorded CPUs
    tool Nullable(String), -- program that recorded it, with its version
    exact Nullable(String), -- method of the exact times
    sampler Nullable(String),
    sample_hz Nullable(UInt64), -- Hz: samples a second on each CPU
    tick_ms Nullable(UInt64), -- ms: interval between readings of the counters
    ended UInt64, -- 1: the trace is complete; 0: it is cut off
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
    network_ns Nullable(Float64), -- ns: sum of the leaves of the network
    network_ci95_ns Nullable(Float64), -- ns: half the width of its 95 % interval; 0: exact
    networking_cost Nullable(Float64), -- network / (all - idle)
    networking_cost_ci95 Nullable(Float64),
    packets Nullable(Float64), -- packets: of all interfaces, rx + tx
    bytes Nullable(Float64), -- bytes: of all interfaces, rx + tx
    ns_per_packet Nullable(Float64), -- ns: network time for each of these
    ms_per_gb Nullable(Float64), -- ms: network time for each 1e9 of these bytes
    rx_ns_per_packet Nullable(Float64), -- ns: RX softirq, for each packet that it processed, after GRO
    rx_ns_per_polled_packet Nullable(Float64), -- ns: RX softirq, for each packet that NAPI polled, before GRO, with those that XDP took
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

-- CPU time by leaf: a row for each CPU from each tick to the next, or for longer intervals.
CREATE TABLE IF NOT EXISTS netcost.leaves (
    recording String, -- 32 hex digits: its start in ns, and a hash of the trace's data about its host
    host String, -- name of the host in the trace, or as given; '': unknown
    start DateTime('UTC'), -- when the recording began
    piece UInt64, -- number of the interval, from 1 on
    cpu UInt64,
    time DateTime('UTC'), -- when the interval began
    begin_s Float64, -- s: when the interval began, in seconds since the recording began
    end_s Float64, -- s
    wall_ns Nullable(Float64), -- ns: the leaves sum to it
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
    network_ns Nullable(Float64) -- ns: sum of the leaves of the network
)
ENGINE = ReplacingMergeTree()
PARTITION BY toYYYYMM(start)
ORDER BY (host, start, recording, piece, cpu);

-- Contents of the leaves, by samples: a row for each category of the rules.
CREATE TABLE IF NOT EXISTS netcost.categories (
    recording String, -- 32 hex digits: its start in ns, and a hash of the trace's data about its host
    host String, -- name of the host in the trace, or as given; '': unknown
    start DateTime('UTC'), -- when the recording began
    category String, -- key of the category in the rules
    parent Nullable(String), -- the category that contains it; null: it is a leaf
    leaf String,
    samples UInt64, -- including the categories in it
    share Nullable(Float64), -- of CPU time
    share_ci95 Nullable(Float64), -- half the width of its 95 % interval
    self_samples UInt64, -- samples of which it is the innermost category
    self_share Nullable(Float64), -- of CPU time
    self_share_ci95 Nullable(Float64), -- half the width of its 95 % interval
    inclusive_samples UInt64, -- all samples of its leaf that passed this category, wherever they end
    inclusive_share Nullable(Float64), -- of CPU time
    inclusive_share_ci95 Nullable(Float64) -- half the width of its 95 % interval
)
ENGINE = ReplacingMergeTree()
PARTITION BY toYYYYMM(start)
ORDER BY (host, start, recording, category);

-- Functions of the kernel, by samples of all CPUs, including idle ones.
CREATE TABLE IF NOT EXISTS netcost.functions (
    recording String, -- 32 hex digits: its start in ns, and a hash of the trace's data about its host
    host String, -- name of the host in the trace, or as given; '': unknown
    start DateTime('UTC'), -- when the recording began
    function String, -- [user]: user mode; [unknown]: no name
    module String, -- '': the kernel itself
    self_samples UInt64, -- samples of which it is the innermost function
    inclusive_samples UInt64, -- including the functions that it calls
    category String, -- category of most of its samples
    category_share Nullable(Float64) -- share of its samples that are in that category
)
ENGINE = ReplacingMergeTree()
PARTITION BY toYYYYMM(start)
ORDER BY (host, start, recording, function, module);

-- Stacks, and how many samples were taken in each.
CREATE TABLE IF NOT EXISTS netcost.stacks (
    recording String, -- 32 hex digits: its start in ns, and a hash of the trace's data about its host
    host String, -- name of the host in the trace, or as given; '': unknown
    start DateTime('UTC'), -- when the recording began
    id UInt64, -- id of the stack, valid in this recording only
    stack String, -- functions with ';' between them, the outermost first
    leaf String,
    category String,
    samples UInt64
)
ENGINE = ReplacingMergeTree()
PARTITION BY toYYYYMM(start)
ORDER BY (host, start, recording, id);

-- Counters by process, for recordings with --processes.
CREATE TABLE IF NOT EXISTS netcost.processes (
    recording String, -- 32 hex digits: its start in ns, and a hash of the trace's data about its host
    host String, -- name of the host in the trace, or as given; '': unknown
    start DateTime('UTC'), -- when the recording began
    number UInt64, -- of the row, from 1 on, the most CPU time first
    kind String, -- process, or a row of those without one of their own: see netcost-report who
    name Nullable(String),
    pid Nullable(UInt64),
    started_s Nullable(Float64), -- s: start of the process; negative: before the recording
    kernel UInt64, -- 1: a kernel thread
    uid Nullable(UInt64), -- its user
    cgroup Nullable(String), -- the last cgroup in which it was seen
    container_runtime Nullable(String),
    container Nullable(String), -- its id
    pod Nullable(String), -- its uid
    pod_name Nullable(String),
    namespace Nullable(String),
    container_name Nullable(String),
    image Nullable(String),
    workload Nullable(String), -- may be a guess from pod_name
    on_cpu_ns Nullable(Float64), -- ns: on-CPU time, without interrupts
    network_ns Nullable(Float64), -- ns: part of on_cpu_ns in the network
    interrupted_ns Nullable(Float64), -- ns: network softirqs and hard interrupts while it ran, for packets of any process
    received_ns Nullable(Float64), -- ns: softirq time of the packets that it received
    received_packets Nullable(Float64), -- packets
    calls Nullable(Float64), -- calls on network sockets
    bytes Nullable(Float64), -- bytes: bytes sent and received by these calls
    switches Nullable(Float64) -- number of context switches to it
)
ENGINE = ReplacingMergeTree()
PARTITION BY toYYYYMM(start)
ORDER BY (host, start, recording, number);

-- Counters of interfaces during the recording.
CREATE TABLE IF NOT EXISTS netcost.interfaces (
    recording String, -- 32 hex digits: its start in ns, and a hash of the trace's data about its host
    host String, -- name of the host in the trace, or as given; '': unknown
    start DateTime('UTC'), -- when the recording began
    id UInt64, -- id of the interface, valid in this recording only
    interface String,
    netns Nullable(UInt64), -- inode of the network namespace; null: unknown
    driver Nullable(String),
    seconds Nullable(Float64), -- s: between the first reading and the last
    rx_packets Nullable(Float64), -- packets: in that time, like all columns below
    rx_bytes Nullable(Float64), -- bytes
    rx_errors Nullable(Float64),
    rx_dropped Nullable(Float64), -- packets
    tx_packets Nullable(Float64), -- packets
    tx_bytes Nullable(Float64), -- bytes
    tx_errors Nullable(Float64),
    tx_dropped Nullable(Float64), -- packets
    interrupts_seconds Nullable(Float64), -- s: between the first reading of its hard interrupts and the last
    interrupts Nullable(Float64), -- in that time
    interrupts_ns Nullable(Float64) -- ns: their handlers'
)
ENGINE = ReplacingMergeTree()
PARTITION BY toYYYYMM(start)
ORDER BY (host, start, recording, id);

-- Packets that the kernel dropped, by reason; the table recordings shows whether drops were measured.
CREATE TABLE IF NOT EXISTS netcost.drops (
    recording String, -- 32 hex digits: its start in ns, and a hash of the trace's data about its host
    host String, -- name of the host in the trace, or as given; '': unknown
    start DateTime('UTC'), -- when the recording began
    reason String, -- the kernel's name of the drop reason
    packets Nullable(Float64), -- packets
    seconds Nullable(Float64) -- s: between the first reading and the last
)
ENGINE = ReplacingMergeTree()
PARTITION BY toYYYYMM(start)
ORDER BY (host, start, recording, reason);

-- Packet latency: a row for each checkpoint that was measured.
CREATE TABLE IF NOT EXISTS netcost.latency (
    recording String, -- 32 hex digits: its start in ns, and a hash of the trace's data about its host
    host String, -- name of the host in the trace, or as given; '': unknown
    start DateTime('UTC'), -- when the recording began
    hook String, -- the checkpoint, see netcost-report latency
    packets Nullable(Float64), -- packets: packets with a known latency
    p50_ns Nullable(Float64), -- ns
    p90_ns Nullable(Float64), -- ns
    p99_ns Nullable(Float64), -- ns
    p99_9_ns Nullable(Float64), -- ns
    p99_99_ns Nullable(Float64), -- ns
    sum_ns Nullable(Float64), -- ns: sum over these packets
    min_ns Nullable(Float64), -- ns
    max_ns Nullable(Float64), -- ns
    unknown_packets Nullable(UInt64), -- packets: entry unknown: before the recording, a copy, or its place was needed
    other_packets Nullable(UInt64), -- packets: the packet could not be identified
    old_packets Nullable(UInt64), -- packets: in the host for longer than can be measured
    merged_packets Nullable(UInt64), -- packets: TCP has merged it into the previous one, which was not read yet
    filtered_packets Nullable(UInt64), -- packets: not selected by --latency-only
    later_packets Nullable(UInt64) -- packets: without a send call: acknowledgements, delayed sends, retransmits
)
ENGINE = ReplacingMergeTree()
PARTITION BY toYYYYMM(start)
ORDER BY (host, start, recording, hook);

-- Settings of the host.
CREATE TABLE IF NOT EXISTS netcost.settings (
    recording String, -- 32 hex digits: its start in ns, and a hash of the trace's data about its host
    host String, -- name of the host in the trace, or as given; '': unknown
    start DateTime('UTC'), -- when the recording began
    subject String, -- such as net.core, cpu, interface eth0
    name String,
    value Nullable(String), -- when the recording ended; null: it was not read
    first_value Nullable(String), -- when the recording began; null: it was not read
    changed UInt64, -- 1: it changed during the recording
    why Nullable(String) -- why it was not read
)
ENGINE = ReplacingMergeTree()
PARTITION BY toYYYYMM(start)
ORDER BY (host, start, recording, subject, name);

-- Packet latency as histograms, which can be added up over recordings and hosts.
CREATE TABLE IF NOT EXISTS netcost.latency_buckets (
    recording String, -- 32 hex digits: its start in ns, and a hash of the trace's data about its host
    host String, -- name of the host in the trace, or as given; '': unknown
    start DateTime('UTC'), -- when the recording began
    hook String,
    lower_ns UInt64, -- ns: lower bound, exclusive; the first bucket includes 0
    upper_ns UInt64, -- ns: upper bound, inclusive
    packets UInt64 -- packets: empty buckets are left out
)
ENGINE = ReplacingMergeTree()
PARTITION BY toYYYYMM(start)
ORDER BY (host, start, recording, hook, lower_ns);

-- Moments that the user marked: the first 1000 of a recording, which says how many there are.
CREATE TABLE IF NOT EXISTS netcost.marks (
    recording String, -- 32 hex digits: its start in ns, and a hash of the trace's data about its host
    host String, -- name of the host in the trace, or as given; '': unknown
    start DateTime('UTC'), -- when the recording began
    number UInt64, -- number of the mark, from 1 on
    time Nullable(DateTime('UTC')), -- time of the mark; null: unknown
    at_s Nullable(Float64), -- s: when it was, in seconds since the recording began; null: not known
    text String
)
ENGINE = ReplacingMergeTree()
PARTITION BY toYYYYMM(start)
ORDER BY (host, start, recording, number);

-- Counters of the network protocols.
CREATE TABLE IF NOT EXISTS netcost.counters (
    recording String, -- 32 hex digits: its start in ns, and a hash of the trace's data about its host
    host String, -- name of the host in the trace, or as given; '': unknown
    start DateTime('UTC'), -- when the recording began
    number UInt64, -- number of the row
    counter Nullable(String),
    value Nullable(Float64)
)
ENGINE = ReplacingMergeTree()
PARTITION BY toYYYYMM(start)
ORDER BY (host, start, recording, number);

-- Hard interrupts of interfaces.
CREATE TABLE IF NOT EXISTS netcost.irq_stats (
    recording String, -- 32 hex digits: its start in ns, and a hash of the trace's data about its host
    host String, -- name of the host in the trace, or as given; '': unknown
    start DateTime('UTC'), -- when the recording began
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
