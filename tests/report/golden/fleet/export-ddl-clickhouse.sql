-- made by netcost-report export tables --ddl
CREATE DATABASE IF NOT EXISTS netcost;

-- A row for each recording: its host, how it was recorded, and what the network cost.
CREATE TABLE IF NOT EXISTS netcost.recordings (
    recording String, -- 32 hex digits: its start in ns, and a hash of what the trace says of its host
    host String, -- as the trace has it, or as it was given; '': not known
    start DateTime('UTC'), -- when the recording began
    seconds Nullable(Float64), -- s: how long was recorded
    ticks_seconds Nullable(Float64), -- s: of that, from the first tick to the last: what counters are of
    kernel Nullable(String), -- as uname has it
    machine Nullable(String), -- likewise: the architecture
    cpu_model Nullable(String),
    cpus Nullable(UInt64), -- that were recorded
    tool Nullable(String), -- what recorded it, and its version
    exact Nullable(String), -- how exact times were taken
    sampler Nullable(String),
    sample_hz Nullable(UInt64), -- Hz: samples a second on each CPU
    tick_ms Nullable(UInt64), -- ms: the counters' tick
    ended UInt64, -- 1: the trace is whole to its end; 0: it is cut off
    ended_why Nullable(String), -- what ended the recording
    damage Nullable(String), -- what is missing in the trace; null: nothing
    wall_ns Nullable(Float64), -- ns: of all CPUs; the leaves sum to it
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
    network_ns Nullable(Float64), -- ns: the sum of the network's leaves
    network_ci95_ns Nullable(Float64), -- ns: half the width of its 95 % interval; 0: exact
    networking_cost Nullable(Float64), -- network / (all - idle)
    networking_cost_ci95 Nullable(Float64),
    packets Nullable(Float64), -- packets: of all interfaces, rx + tx
    bytes Nullable(Float64), -- bytes: likewise
    ns_per_packet Nullable(Float64), -- ns: network time for each of these
    ms_per_gb Nullable(Float64), -- ms: likewise
    rx_ns_per_packet Nullable(Float64), -- ns: RX softirq, for each packet that it processed, after GRO
    rx_ns_per_polled_packet Nullable(Float64), -- ns: RX softirq, for each packet that NAPI polled, before GRO, with those that XDP took
    dropped_packets Nullable(Float64), -- packets: by the kernel, for any reason
    backlog_dropped_packets Nullable(Float64), -- packets: by softnet_stat
    joules Nullable(Float64), -- J: of packages and memory
    samples UInt64, -- that were taken
    samples_lost Nullable(Float64),
    samples_expected Nullable(Float64),
    paused_seconds Nullable(Float64), -- s: in which exact counting was paused
    untracked Nullable(Float64), -- socket operations that were not measured
    own_cost Nullable(Float64), -- share of CPU time that the recording itself cost
    marks UInt64 -- moments that were marked
)
ENGINE = ReplacingMergeTree()
PARTITION BY toYYYYMM(start)
ORDER BY (host, start, recording);

-- CPU time by leaf: a row for each CPU from each tick to the next, or for longer pieces.
CREATE TABLE IF NOT EXISTS netcost.leaves (
    recording String, -- 32 hex digits: its start in ns, and a hash of what the trace says of its host
    host String, -- as the trace has it, or as it was given; '': not known
    start DateTime('UTC'), -- when the recording began
    piece UInt64, -- number of the piece of time, from 1 on
    cpu UInt64,
    time DateTime('UTC'), -- when the piece began
    begin_s Float64, -- s: likewise, since the recording began
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
    network_ns Nullable(Float64) -- ns: the sum of the network's leaves
)
ENGINE = ReplacingMergeTree()
PARTITION BY toYYYYMM(start)
ORDER BY (host, start, recording, piece, cpu);

-- What leaves are made of, by samples: a row for each category of the rules.
CREATE TABLE IF NOT EXISTS netcost.categories (
    recording String, -- 32 hex digits: its start in ns, and a hash of what the trace says of its host
    host String, -- as the trace has it, or as it was given; '': not known
    start DateTime('UTC'), -- when the recording began
    category String, -- as the rules have it
    parent Nullable(String), -- the category that it lies in; null: it is a leaf
    leaf String,
    samples UInt64, -- with the categories that lie in it
    share Nullable(Float64), -- of CPU time
    share_ci95 Nullable(Float64), -- half the width of its 95 % interval
    self_samples UInt64, -- it is the innermost one
    self_share Nullable(Float64), -- of CPU time
    self_share_ci95 Nullable(Float64), -- half the width of its 95 % interval
    inclusive_samples UInt64, -- what of its leaf has passed it, wherever that ends
    inclusive_share Nullable(Float64), -- of CPU time
    inclusive_share_ci95 Nullable(Float64) -- half the width of its 95 % interval
)
ENGINE = ReplacingMergeTree()
PARTITION BY toYYYYMM(start)
ORDER BY (host, start, recording, category);

-- Functions of the kernel, by samples of all CPUs, idle ones among them.
CREATE TABLE IF NOT EXISTS netcost.functions (
    recording String, -- 32 hex digits: its start in ns, and a hash of what the trace says of its host
    host String, -- as the trace has it, or as it was given; '': not known
    start DateTime('UTC'), -- when the recording began
    function String, -- [user]: user mode; [unknown]: it has no name
    module String, -- '': the kernel itself
    self_samples UInt64, -- it is the innermost one
    inclusive_samples UInt64, -- with all that it calls
    category String, -- that most of its samples are in
    category_share Nullable(Float64) -- so much of them
)
ENGINE = ReplacingMergeTree()
PARTITION BY toYYYYMM(start)
ORDER BY (host, start, recording, function, module);

-- Stacks, and how many samples were taken in each.
CREATE TABLE IF NOT EXISTS netcost.stacks (
    recording String, -- 32 hex digits: its start in ns, and a hash of what the trace says of its host
    host String, -- as the trace has it, or as it was given; '': not known
    start DateTime('UTC'), -- when the recording began
    id UInt64, -- of the stack, in this recording alone
    stack String, -- functions with ';' between them, the outermost first
    leaf String,
    category String,
    samples UInt64
)
ENGINE = ReplacingMergeTree()
PARTITION BY toYYYYMM(start)
ORDER BY (host, start, recording, id);

-- What was counted by process, of recordings with --processes.
CREATE TABLE IF NOT EXISTS netcost.processes (
    recording String, -- 32 hex digits: its start in ns, and a hash of what the trace says of its host
    host String, -- as the trace has it, or as it was given; '': not known
    start DateTime('UTC'), -- when the recording began
    number UInt64, -- of the row, from 1 on, the most CPU time first
    kind String, -- process, or what was not kept apart: see netcost-report who
    name Nullable(String),
    pid Nullable(UInt64),
    started_s Nullable(Float64), -- s: since the recording began; before it: below 0
    kernel UInt64, -- 1: a thread of the kernel
    uid Nullable(UInt64), -- its user
    cgroup Nullable(String), -- the last one that it was seen in
    container_runtime Nullable(String),
    container Nullable(String), -- its id
    pod Nullable(String), -- its uid
    pod_name Nullable(String),
    namespace Nullable(String),
    container_name Nullable(String),
    image Nullable(String),
    workload Nullable(String), -- may be a guess from pod_name
    on_cpu_ns Nullable(Float64), -- ns: its own, without what interrupted it
    network_ns Nullable(Float64), -- ns: of that, the network's
    interrupted_ns Nullable(Float64), -- ns: network softirqs and hard interrupts while it ran, whoever they were for
    received_ns Nullable(Float64), -- ns: in softirqs, for what it received
    received_packets Nullable(Float64), -- packets
    calls Nullable(Float64), -- of network sockets
    bytes Nullable(Float64), -- bytes: sent and received by them
    switches Nullable(Float64) -- times that it got a CPU
)
ENGINE = ReplacingMergeTree()
PARTITION BY toYYYYMM(start)
ORDER BY (host, start, recording, number);

-- What interfaces counted while they were recorded.
CREATE TABLE IF NOT EXISTS netcost.interfaces (
    recording String, -- 32 hex digits: its start in ns, and a hash of what the trace says of its host
    host String, -- as the trace has it, or as it was given; '': not known
    start DateTime('UTC'), -- when the recording began
    id UInt64, -- of the interface, in this recording alone
    interface String,
    netns Nullable(UInt64), -- inode of the network namespace; null: not known
    driver Nullable(String),
    seconds Nullable(Float64), -- s: between the first reading and the last
    rx_packets Nullable(Float64), -- packets: in that time, as all below
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

-- Packets that the kernel dropped, by its reason; that none was known: recordings.
CREATE TABLE IF NOT EXISTS netcost.drops (
    recording String, -- 32 hex digits: its start in ns, and a hash of what the trace says of its host
    host String, -- as the trace has it, or as it was given; '': not known
    start DateTime('UTC'), -- when the recording began
    reason String, -- the kernel's name for it
    packets Nullable(Float64), -- packets
    seconds Nullable(Float64) -- s: between the first reading and the last
)
ENGINE = ReplacingMergeTree()
PARTITION BY toYYYYMM(start)
ORDER BY (host, start, recording, reason);

-- For how long packets were in the host: a row for each hook that was measured.
CREATE TABLE IF NOT EXISTS netcost.latency (
    recording String, -- 32 hex digits: its start in ns, and a hash of what the trace says of its host
    host String, -- as the trace has it, or as it was given; '': not known
    start DateTime('UTC'), -- when the recording began
    hook String, -- from where to where it is measured
    packets Nullable(Float64), -- packets: that have a time
    p50_ns Nullable(Float64), -- ns
    p90_ns Nullable(Float64), -- ns
    p99_ns Nullable(Float64), -- ns
    p99_9_ns Nullable(Float64), -- ns
    p99_99_ns Nullable(Float64), -- ns
    sum_ns Nullable(Float64), -- ns: of all of them
    min_ns Nullable(Float64), -- ns
    max_ns Nullable(Float64), -- ns
    unknown_packets Nullable(UInt64), -- packets: no entry is known: it was before the recording, it is a copy, or its place was needed
    other_packets Nullable(UInt64), -- packets: it is not certain which packet it was
    old_packets Nullable(UInt64), -- packets: in the host for longer than can be told apart
    merged_packets Nullable(UInt64), -- packets: TCP has merged it into the one before, which was not read yet
    filtered_packets Nullable(UInt64), -- packets: it is not one of those that were asked for
    later_packets Nullable(UInt64) -- packets: by no send call that is known: acknowledgements, what is sent later, or again
)
ENGINE = ReplacingMergeTree()
PARTITION BY toYYYYMM(start)
ORDER BY (host, start, recording, hook);

-- How the host was set.
CREATE TABLE IF NOT EXISTS netcost.settings (
    recording String, -- 32 hex digits: its start in ns, and a hash of what the trace says of its host
    host String, -- as the trace has it, or as it was given; '': not known
    start DateTime('UTC'), -- when the recording began
    subject String, -- such as net.core, cpu, interface eth0
    name String,
    value Nullable(String), -- when the recording ended; null: it was not read
    first_value Nullable(String), -- when it began; likewise
    changed UInt64, -- 1: while it was recorded
    why Nullable(String) -- why it was not read
)
ENGINE = ReplacingMergeTree()
PARTITION BY toYYYYMM(start)
ORDER BY (host, start, recording, subject, name);

-- Likewise as histograms, which can be added up over recordings and hosts.
CREATE TABLE IF NOT EXISTS netcost.latency_buckets (
    recording String, -- 32 hex digits: its start in ns, and a hash of what the trace says of its host
    host String, -- as the trace has it, or as it was given; '': not known
    start DateTime('UTC'), -- when the recording began
    hook String,
    lower_ns UInt64, -- ns: more than that; the first bucket: 0, too
    upper_ns UInt64, -- ns: up to that
    packets UInt64 -- packets: buckets without any are left out
)
ENGINE = ReplacingMergeTree()
PARTITION BY toYYYYMM(start)
ORDER BY (host, start, recording, hook, lower_ns);

-- Moments that the user marked: the first 1000 of a recording, which says how many there are.
CREATE TABLE IF NOT EXISTS netcost.marks (
    recording String, -- 32 hex digits: its start in ns, and a hash of what the trace says of its host
    host String, -- as the trace has it, or as it was given; '': not known
    start DateTime('UTC'), -- when the recording began
    number UInt64, -- of the mark, from 1 on
    time Nullable(DateTime('UTC')), -- when it was; null: not known
    at_s Nullable(Float64), -- s: likewise, since the recording began
    text String
)
ENGINE = ReplacingMergeTree()
PARTITION BY toYYYYMM(start)
ORDER BY (host, start, recording, number);

-- Counters of the network protocols.
CREATE TABLE IF NOT EXISTS netcost.counters (
    recording String, -- 32 hex digits: its start in ns, and a hash of what the trace says of its host
    host String, -- as the trace has it, or as it was given; '': not known
    start DateTime('UTC'), -- when the recording began
    number UInt64, -- of the row
    counter Nullable(String),
    value Nullable(Float64)
)
ENGINE = ReplacingMergeTree()
PARTITION BY toYYYYMM(start)
ORDER BY (host, start, recording, number);

-- Hard interrupts of interfaces.
CREATE TABLE IF NOT EXISTS netcost.irq_stats (
    recording String, -- 32 hex digits: its start in ns, and a hash of what the trace says of its host
    host String, -- as the trace has it, or as it was given; '': not known
    start DateTime('UTC'), -- when the recording began
    number UInt64, -- of the row
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
