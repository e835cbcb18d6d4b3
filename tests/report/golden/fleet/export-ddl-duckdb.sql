-- made by netcost-report export tables --ddl
CREATE SCHEMA IF NOT EXISTS netcost;

-- A row for each recording: its host, how it was recorded, and what the network cost.
CREATE TABLE IF NOT EXISTS netcost.recordings (
    recording VARCHAR, -- 32 hex digits: its start in ns, and a hash of what the trace says of its host
    host VARCHAR, -- as the trace has it, or as it was given; '': not known
    start TIMESTAMP, -- when the recording began
    seconds DOUBLE, -- s: how long was recorded
    ticks_seconds DOUBLE, -- s: of that, from the first tick to the last: what counters are of
    kernel VARCHAR, -- as uname has it
    machine VARCHAR, -- likewise: the architecture
    cpu_model VARCHAR,
    cpus UBIGINT, -- that were recorded
    tool VARCHAR, -- what recorded it, and its version
    exact VARCHAR, -- how exact times were taken
    sampler VARCHAR,
    sample_hz UBIGINT, -- Hz: samples a second on each CPU
    tick_ms UBIGINT, -- ms: the counters' tick
    ended UBIGINT, -- 1: the trace is whole to its end; 0: it is cut off
    ended_why VARCHAR, -- what ended the recording
    damage VARCHAR, -- what is missing in the trace; null: nothing
    wall_ns DOUBLE, -- ns: of all CPUs; the leaves sum to it
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
    network_ns DOUBLE, -- ns: the sum of the network's leaves
    network_ci95_ns DOUBLE, -- ns: half the width of its 95 % interval; 0: exact
    networking_cost DOUBLE, -- network / (all - idle)
    networking_cost_ci95 DOUBLE,
    packets DOUBLE, -- packets: of all interfaces, rx + tx
    bytes DOUBLE, -- bytes: likewise
    ns_per_packet DOUBLE, -- ns: network time for each of these
    ms_per_gb DOUBLE, -- ms: likewise
    rx_ns_per_packet DOUBLE, -- ns: RX softirq, for each packet that it processed, after GRO
    rx_ns_per_polled_packet DOUBLE, -- ns: RX softirq, for each packet that NAPI polled, before GRO, with those that XDP took
    dropped_packets DOUBLE, -- packets: by the kernel, for any reason
    backlog_dropped_packets DOUBLE, -- packets: by softnet_stat
    joules DOUBLE, -- J: of packages and memory
    samples UBIGINT, -- that were taken
    samples_lost DOUBLE,
    samples_expected DOUBLE,
    paused_seconds DOUBLE, -- s: in which exact counting was paused
    untracked DOUBLE, -- socket operations that were not measured
    own_cost DOUBLE, -- share of CPU time that the recording itself cost
    marks UBIGINT -- moments that were marked
);

-- CPU time by leaf: a row for each CPU from each tick to the next, or for longer pieces.
CREATE TABLE IF NOT EXISTS netcost.leaves (
    recording VARCHAR, -- 32 hex digits: its start in ns, and a hash of what the trace says of its host
    host VARCHAR, -- as the trace has it, or as it was given; '': not known
    start TIMESTAMP, -- when the recording began
    piece UBIGINT, -- number of the piece of time, from 1 on
    cpu UBIGINT,
    time TIMESTAMP, -- when the piece began
    begin_s DOUBLE, -- s: likewise, since the recording began
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
    network_ns DOUBLE -- ns: the sum of the network's leaves
);

-- What leaves are made of, by samples: a row for each category of the rules.
CREATE TABLE IF NOT EXISTS netcost.categories (
    recording VARCHAR, -- 32 hex digits: its start in ns, and a hash of what the trace says of its host
    host VARCHAR, -- as the trace has it, or as it was given; '': not known
    start TIMESTAMP, -- when the recording began
    category VARCHAR, -- as the rules have it
    parent VARCHAR, -- the category that it lies in; null: it is a leaf
    leaf VARCHAR,
    samples UBIGINT, -- with the categories that lie in it
    share DOUBLE, -- of CPU time
    share_ci95 DOUBLE, -- half the width of its 95 % interval
    self_samples UBIGINT, -- it is the innermost one
    self_share DOUBLE, -- of CPU time
    self_share_ci95 DOUBLE, -- half the width of its 95 % interval
    inclusive_samples UBIGINT, -- what of its leaf has passed it, wherever that ends
    inclusive_share DOUBLE, -- of CPU time
    inclusive_share_ci95 DOUBLE -- half the width of its 95 % interval
);

-- Functions of the kernel, by samples of all CPUs, idle ones among them.
CREATE TABLE IF NOT EXISTS netcost.functions (
    recording VARCHAR, -- 32 hex digits: its start in ns, and a hash of what the trace says of its host
    host VARCHAR, -- as the trace has it, or as it was given; '': not known
    start TIMESTAMP, -- when the recording began
    function VARCHAR, -- [user]: user mode; [unknown]: it has no name
    module VARCHAR, -- '': the kernel itself
    self_samples UBIGINT, -- it is the innermost one
    inclusive_samples UBIGINT, -- with all that it calls
    category VARCHAR, -- that most of its samples are in
    category_share DOUBLE -- so much of them
);

-- Stacks, and how many samples were taken in each.
CREATE TABLE IF NOT EXISTS netcost.stacks (
    recording VARCHAR, -- 32 hex digits: its start in ns, and a hash of what the trace says of its host
    host VARCHAR, -- as the trace has it, or as it was given; '': not known
    start TIMESTAMP, -- when the recording began
    id UBIGINT, -- of the stack, in this recording alone
    stack VARCHAR, -- functions with ';' between them, the outermost first
    leaf VARCHAR,
    category VARCHAR,
    samples UBIGINT
);

-- What was counted by process, of recordings with --processes.
CREATE TABLE IF NOT EXISTS netcost.processes (
    recording VARCHAR, -- 32 hex digits: its start in ns, and a hash of what the trace says of its host
    host VARCHAR, -- as the trace has it, or as it was given; '': not known
    start TIMESTAMP, -- when the recording began
    number UBIGINT, -- of the row, from 1 on, the most CPU time first
    kind VARCHAR, -- process, or what was not kept apart: see netcost-report who
    name VARCHAR,
    pid UBIGINT,
    started_s DOUBLE, -- s: since the recording began; before it: below 0
    kernel UBIGINT, -- 1: a thread of the kernel
    uid UBIGINT, -- its user
    cgroup VARCHAR, -- the last one that it was seen in
    container_runtime VARCHAR,
    container VARCHAR, -- its id
    pod VARCHAR, -- its uid
    pod_name VARCHAR,
    namespace VARCHAR,
    container_name VARCHAR,
    image VARCHAR,
    workload VARCHAR, -- may be a guess from pod_name
    on_cpu_ns DOUBLE, -- ns: its own, without what interrupted it
    network_ns DOUBLE, -- ns: of that, the network's
    interrupted_ns DOUBLE, -- ns: network softirqs and hard interrupts while it ran, whoever they were for
    received_ns DOUBLE, -- ns: in softirqs, for what it received
    received_packets DOUBLE, -- packets
    calls DOUBLE, -- of network sockets
    bytes DOUBLE, -- bytes: sent and received by them
    switches DOUBLE -- times that it got a CPU
);

-- What interfaces counted while they were recorded.
CREATE TABLE IF NOT EXISTS netcost.interfaces (
    recording VARCHAR, -- 32 hex digits: its start in ns, and a hash of what the trace says of its host
    host VARCHAR, -- as the trace has it, or as it was given; '': not known
    start TIMESTAMP, -- when the recording began
    id UBIGINT, -- of the interface, in this recording alone
    interface VARCHAR,
    netns UBIGINT, -- inode of the network namespace; null: not known
    driver VARCHAR,
    seconds DOUBLE, -- s: between the first reading and the last
    rx_packets DOUBLE, -- packets: in that time, as all below
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

-- Packets that the kernel dropped, by its reason; that none was known: recordings.
CREATE TABLE IF NOT EXISTS netcost.drops (
    recording VARCHAR, -- 32 hex digits: its start in ns, and a hash of what the trace says of its host
    host VARCHAR, -- as the trace has it, or as it was given; '': not known
    start TIMESTAMP, -- when the recording began
    reason VARCHAR, -- the kernel's name for it
    packets DOUBLE, -- packets
    seconds DOUBLE -- s: between the first reading and the last
);

-- For how long packets were in the host: a row for each hook that was measured.
CREATE TABLE IF NOT EXISTS netcost.latency (
    recording VARCHAR, -- 32 hex digits: its start in ns, and a hash of what the trace says of its host
    host VARCHAR, -- as the trace has it, or as it was given; '': not known
    start TIMESTAMP, -- when the recording began
    hook VARCHAR, -- from where to where it is measured
    packets DOUBLE, -- packets: that have a time
    p50_ns DOUBLE, -- ns
    p90_ns DOUBLE, -- ns
    p99_ns DOUBLE, -- ns
    p99_9_ns DOUBLE, -- ns
    p99_99_ns DOUBLE, -- ns
    sum_ns DOUBLE, -- ns: of all of them
    min_ns DOUBLE, -- ns
    max_ns DOUBLE, -- ns
    unknown_packets UBIGINT, -- packets: no entry is known: it was before the recording, it is a copy, or its place was needed
    other_packets UBIGINT, -- packets: it is not certain which packet it was
    old_packets UBIGINT, -- packets: in the host for longer than can be told apart
    merged_packets UBIGINT, -- packets: TCP has merged it into the one before, which was not read yet
    filtered_packets UBIGINT, -- packets: it is not one of those that were asked for
    later_packets UBIGINT -- packets: by no send call that is known: acknowledgements, what is sent later, or again
);

-- How the host was set.
CREATE TABLE IF NOT EXISTS netcost.settings (
    recording VARCHAR, -- 32 hex digits: its start in ns, and a hash of what the trace says of its host
    host VARCHAR, -- as the trace has it, or as it was given; '': not known
    start TIMESTAMP, -- when the recording began
    subject VARCHAR, -- such as net.core, cpu, interface eth0
    name VARCHAR,
    value VARCHAR, -- when the recording ended; null: it was not read
    first_value VARCHAR, -- when it began; likewise
    changed UBIGINT, -- 1: while it was recorded
    why VARCHAR -- why it was not read
);

-- Likewise as histograms, which can be added up over recordings and hosts.
CREATE TABLE IF NOT EXISTS netcost.latency_buckets (
    recording VARCHAR, -- 32 hex digits: its start in ns, and a hash of what the trace says of its host
    host VARCHAR, -- as the trace has it, or as it was given; '': not known
    start TIMESTAMP, -- when the recording began
    hook VARCHAR,
    lower_ns UBIGINT, -- ns: more than that; the first bucket: 0, too
    upper_ns UBIGINT, -- ns: up to that
    packets UBIGINT -- packets: buckets without any are left out
);

-- Moments that the user marked: the first 1000 of a recording, which says how many there are.
CREATE TABLE IF NOT EXISTS netcost.marks (
    recording VARCHAR, -- 32 hex digits: its start in ns, and a hash of what the trace says of its host
    host VARCHAR, -- as the trace has it, or as it was given; '': not known
    start TIMESTAMP, -- when the recording began
    number UBIGINT, -- of the mark, from 1 on
    time TIMESTAMP, -- when it was; null: not known
    at_s DOUBLE, -- s: likewise, since the recording began
    text VARCHAR
);

-- Counters of the network protocols.
CREATE TABLE IF NOT EXISTS netcost.counters (
    recording VARCHAR, -- 32 hex digits: its start in ns, and a hash of what the trace says of its host
    host VARCHAR, -- as the trace has it, or as it was given; '': not known
    start TIMESTAMP, -- when the recording began
    number UBIGINT, -- of the row
    counter VARCHAR,
    value DOUBLE
);

-- Hard interrupts of interfaces.
CREATE TABLE IF NOT EXISTS netcost.irq_stats (
    recording VARCHAR, -- 32 hex digits: its start in ns, and a hash of what the trace says of its host
    host VARCHAR, -- as the trace has it, or as it was given; '': not known
    start TIMESTAMP, -- when the recording began
    number UBIGINT, -- of the row
    interface VARCHAR, -- the interface
    netns UBIGINT, -- inode of the interface's network namespace
    interrupts DOUBLE, -- interrupts
    runs DOUBLE, -- runs
    ns DOUBLE -- ns
);

status: 0
