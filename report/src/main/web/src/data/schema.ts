/**
 * The shapes of the data inside a page, schema leakline.page/1, and of the report in it, schema leakline.report/1.
 * Names are those of the JSON. Sizes are bytes held by the allocator, times microseconds.
 */

import type { Agreement, Gap, Series } from "../series/types";

/** A base64 string of little-endian 32-bit integers. */
export type IntColumn = string;
/** A base64 string of little-endian 64-bit floating point numbers. */
export type FloatColumn = string;

/** File, line, function. */
export type FrameTuple = [string, number, string];

export interface PageJson {
    schema: string;
    report: Report;
    pictures: PictureJson[];
}

export interface Report {
    tool?: { name: string; version: string };
    inputs: InputFile[];
    verdict: string;
    reason: string;
    findings: Finding[];
    acquittals?: Acquittal[];
    checks?: Check[];
    coverage?: Coverage | null;
    devices: Device[];
    dumps?: JoinedDump[];
    settings?: Record<string, unknown> | null;
    functions?: FunctionReport | null;
    series?: Series[];
    gaps?: Gap[];
    agreements?: Agreement[];
}

export interface InputFile {
    path: string;
    kind: string;
    bytes: number;
    torch?: string | null;
    incomplete?: string;
}

export interface Site {
    kind: string;
    file: string;
    line: number;
    function: string;
}

export interface Finding {
    id: string;
    kind: string;
    severity: string;
    confidence: number;
    confidence_reasons: string[];
    title: string;
    summary: string;
    cause: string | null;
    input: number;
    device: number;
    site: Site;
    stack: { file: string; line: number; function: string }[];
    source: { path: string; first_line: number; lines: string[] } | null;
    bytes: number;
    blocks: number;
    bytes_per_step: number | null;
    bytes_per_second: number | null;
    steps_to_oom: number | null;
    seconds_to_oom: number | null;
    growth: Growth | null;
    evidence: { text: string; site: Site | null; bytes: number; blocks: number }[];
    holders?: Holder[];
    advice: Advice[];
}

/** Who keeps memory of a finding alive. */
export interface Holder {
    input: number;
    finding_bytes: number;
    finding_blocks: number;
    title: string;
    owner: string;
    verdict: string;
    retained_bytes: number;
    shared_bytes: number;
    path: Hop[];
    growth: { bytes: number[]; items: number[]; new_storages: number } | null;
    cycle: Cycle | null;
}

/** An object on a way, and the reference that leads to it from the one before. */
export interface Hop {
    label: string;
    type: string;
    text: string;
    verdict: string;
    reason: string;
    suspect: boolean;
}

/** Cycles of the same shape; the reference of the first hop comes from the last. */
export interface Cycle {
    copies: number;
    objects: number;
    bytes: number;
    collectable: boolean;
    hops: Hop[];
}

/** The dumps of a process: how they fit the snapshot, and who holds what no finding is about. */
export interface JoinedDump {
    inputs: number[];
    snapshot: number | null;
    storages: number;
    matched: number;
    bytes: number;
    unseen_bytes: number;
    rest: Held[];
    notes: string[];
}

export interface Held {
    title: string;
    verdict: string;
    reason: string;
    bytes: number;
    blocks: number;
    site: Site | null;
}

export interface Growth {
    low: number;
    high: number;
    share: number | null;
    first_step: number;
    last_step: number;
    floor: { step: number; bytes: number }[];
}

export interface Advice {
    action: string;
    why: string;
    expected_bytes: number;
    before: string;
    after: string;
    link: string;
}

export interface Acquittal {
    reason: string;
    text: string;
    site: Site | null;
    bytes: number;
}

export interface Check {
    detector: string;
    applicable: boolean;
    note: string;
}

export interface Coverage {
    /** Whether a profiler recorded it. */
    trace?: boolean;
    events: number;
    has_times: boolean;
    resorted: boolean;
    ring: string;
    unknown_frees: number;
    older_live_blocks: number;
    older_live_bytes: number;
    lost_frees: number;
    live_without_block: number;
    end_mismatch_bytes: number;
    explained_share: number;
    unused?: Record<string, number>;
}

export interface Steps {
    count: number;
    kind: string;
    meaning: string;
    warm_up: number;
    phases: { name: string; first_step: number; last_step: number }[];
}

export interface SiteUse extends Site {
    bytes: number;
    /** Null where a profiler recorded, which does not know what was asked for. */
    requested_bytes: number | null;
    blocks: number;
    share: number;
}

/** What was live of a category, an operator, a module. */
export interface Part {
    category?: string;
    name?: string;
    bytes: number;
    blocks: number;
    share: number;
}

export interface Peak {
    bytes: number;
    requested_bytes: number | null;
    reserved_bytes: number;
    event: number;
    time_us: number | null;
    sites?: number;
    by_site: SiteUse[];
    /** These three are empty where the recording is no trace of a profiler. */
    by_category?: Part[];
    by_operator?: Part[];
    by_module?: Part[];
}

export interface Device {
    input: number;
    device: number;
    events: number;
    start_bytes: number;
    end_bytes: number;
    end_reserved_bytes: number;
    peak: Peak;
    timeline?: { event: number; time_us: number | null; bytes: number; reserved_bytes: number }[];
    steps: Steps;
    coverage: Coverage;
}

export interface FunctionReport {
    rules: string;
    profiles: FunctionProfile[];
}

export interface FunctionProfile {
    input: number;
    summary: { total_functions_analyzed: number; total_function_calls: number; total_execution_time: number };
    by_function: FunctionUse[];
    all_patterns: { severity: string; description: string }[];
    all_insights: { impact: string; title: string; description: string }[];
    recommendations: { description: string; suggestions: string[] }[];
    optimization_score: { score: number | null; grade: string };
    gap_analysis: { severity: string; description: string }[];
}

export interface FunctionUse {
    function_name: string;
    call_count: number;
    total_time: number;
    memory_allocated: number;
    memory_freed: number;
    peak_memory: number;
    transient_memory: number;
}

export interface PictureJson {
    input: number;
    device: number;
    events: number;
    startTimeUs: number | null;
    endTimeUs: number | null;
    sites: PictureSite[];
    frames: FrameTuple[];
    timeline: { levels: LevelJson[] };
    calls: { frame: IntColumn; parent: IntColumn; kind: IntColumn };
    allocations: AllocationsJson;
    /** When all blocks are known; null where that is after every event. */
    moments: { event: IntColumn; live: FloatColumn; reserved: FloatColumn } | null;
    steps: { starts: IntColumn };
    annotations: Annotation[];
    marks: { peak: number; oom: OomMark[] };
    deviceBytes: number | null;
    segments: SegmentJson[];
    /** Segments left out: the smallest. */
    omittedSegments?: number;
}

export interface PictureSite {
    label: string;
    file: string;
    line: number;
    function: string;
    kind: string;
    stack: number[];
    finding: number | null;
}

export interface LevelJson {
    buckets: number;
    firstEvent: IntColumn;
    timeUs: FloatColumn | null;
    live: FloatColumn;
    liveMin: FloatColumn;
    reserved: FloatColumn;
    bySite: FloatColumn[];
}

export interface Annotation {
    name: string;
    from: number;
    to: number;
}

export interface OomMark {
    event: number;
    requested: number;
    free: number;
    site: string;
}

export interface AllocationsJson {
    /** Events from each birth to the next; the first from event 0. */
    born: number[];
    /** Events from birth to death; 0 for never. */
    life: number[];
    /** One more than the events from birth until the program let go of a block that then waited for other streams; 0 for never. */
    released: number[];
    bytes: FloatColumn;
    address: FloatColumn;
    site: IntColumn;
    call: IntColumn;
    /** 1 for what outlived the step that made it and is live at the end. */
    grew: IntColumn;
}

export interface SegmentJson {
    address: string;
    bytes: number;
    born: number;
    died: number;
    pool: string;
    private: string | null;
    stream: number;
    expandable: boolean;
}
