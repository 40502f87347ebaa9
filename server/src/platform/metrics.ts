/** Prometheus metrics; no label names a Mandant. */

import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { ErrorCode } from '#contracts';

export type JobOutcome = 'done' | 'failed' | 'given_up';

/** What the counting side tells the side that serves the metrics, perhaps from one thread to another. */
export type Observation =
  | { kind: 'counted'; events: number; duplicates: number }
  | { kind: 'job'; job: string; outcome: JobOutcome; seconds: number };

export type Observe = (observation: Observation) => void;

/** Jobs of one kind: those that wait or are under way, how long the oldest due one has waited, those given up. */
interface JobState {
  job: string;
  waiting: number;
  seconds: number;
  givenUp: number;
}

/** The last backup that is whole: its age in seconds and its bytes; and whether tries fail since. */
interface BackupState {
  age: number | null;
  bytes: number | null;
  fails: boolean;
}

/** How the log is archived: seconds since it last was, bytes that wait, and whether the archive refuses. */
interface ArchiveState {
  age: number;
  waiting: number;
  fails: boolean;
}

/** The process that adds up: its bytes as it last said, 0 where none runs; and how often one was started. */
interface EngineState {
  memory: number;
  starts: number;
}

interface Backlog {
  seconds: number;
  uncountable: number;
}

export interface Metrics {
  contentType: string;
  render(): Promise<string>;
  observeRequest(operation: string, status: number, seconds: number): void;
  /** Seconds since this process last answered the operation with 5xx; null when it never did. */
  secondsSinceFailure(operation: string): number | null;
  addAccepted(events: number): void;
  /** A request that was refused, by the code it was told. */
  addRefused(code: ErrorCode): void;
  observe: Observe;
  /** Seconds the oldest uncounted batch has waited and batches that cannot be counted, asked for when scraped. */
  onBacklog(read: () => Promise<Backlog>): void;
  /** Likewise how the jobs stand. */
  onJobs(read: () => Promise<JobState[]>): void;
  /** Likewise the age of the price list in force, in seconds; null where nobody has noted it yet. */
  onPriceList(read: () => Promise<number | null>): void;
  /** Likewise how the backups stand; null where nobody has tried to make one. */
  onBackup(read: () => Promise<BackupState | null>): void;
  /** Likewise how the log is archived; null where it is not. */
  onArchive(read: () => Promise<ArchiveState | null>): void;
  /** Likewise how the process stands that adds up. */
  onEngine(read: () => Promise<EngineState>): void;
}

const gaugeIn =
  (registers: Registry[]) =>
  (name: string, help: string, labelNames: string[] = []) =>
    new Gauge({ name, help, labelNames, registers });

/** Gauges that are read when they are scraped; while the database is away they keep their last value. */
function createGauges(registers: Registry[]) {
  const gauge = gaugeIn(registers);
  const backlog = gauge('zaehlwerk_backlog_seconds', 'Age of the oldest uncounted batch');
  const uncountable = gauge('zaehlwerk_uncountable_batches', 'Batches that cannot be counted');
  const waiting = gauge('zaehlwerk_jobs_waiting', 'Jobs that wait or are under way', ['job']);
  const late = gauge('zaehlwerk_jobs_oldest_seconds', 'How long the oldest due job has waited', ['job']);
  const givenUp = gauge('zaehlwerk_jobs_given_up', 'Dead letters', ['job']);
  const priceList = gauge('zaehlwerk_price_list_age_seconds', 'Age of the price list in force');
  const backupAge = gauge('zaehlwerk_backup_age_seconds', 'Age of the last backup that is whole');
  const backupBytes = gauge('zaehlwerk_backup_bytes', 'Bytes of the last backup that is whole');
  const backupFails = gauge('zaehlwerk_backup_failing', '1 while tries to back up fail, else 0');
  const archiveAge = gauge('zaehlwerk_wal_archive_age_seconds', 'Time since the log was last archived');
  const archiveWaits = gauge(
    'zaehlwerk_wal_archive_waiting_bytes',
    'Bytes of the log that wait for the archive',
  );
  const archiveFails = gauge('zaehlwerk_wal_archive_failing', '1 while the archive refuses the log, else 0');
  const engineMemory = gauge('zaehlwerk_engine_memory_bytes', 'Memory of the process that adds up');
  const engineStarts = gauge('zaehlwerk_engine_starts', 'Times that the process that adds up was started');
  return {
    setEngine({ memory, starts }: EngineState) {
      engineMemory.set(memory);
      engineStarts.set(starts);
    },
    setArchive({ age, waiting, fails }: ArchiveState) {
      archiveAge.set(age);
      archiveWaits.set(waiting);
      archiveFails.set(fails ? 1 : 0);
    },
    setBackup({ age, bytes, fails }: BackupState) {
      if (age !== null) backupAge.set(age);
      if (bytes !== null) backupBytes.set(bytes);
      backupFails.set(fails ? 1 : 0);
    },
    setBacklog(now: Backlog) {
      backlog.set(now.seconds);
      uncountable.set(now.uncountable);
    },
    setPriceList: (seconds: number) => priceList.set(seconds),
    setJobs(states: JobState[]) {
      for (const each of [waiting, late, givenUp]) each.reset();
      for (const state of states) {
        waiting.labels(state.job).set(state.waiting);
        late.labels(state.job).set(state.seconds);
        givenUp.labels(state.job).set(state.givenUp);
      }
    },
  };
}

/** Histograms and counters of what this process does. */
function createCounts(registers: Registry[]) {
  const counter = (name: string, help: string) => new Counter({ name, help, registers });
  return {
    requests: new Histogram({
      name: 'zaehlwerk_request_seconds',
      help: 'Duration of requests by operation and status',
      labelNames: ['operation', 'status'],
      buckets: [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
      registers,
    }),
    jobs: new Histogram({
      name: 'zaehlwerk_job_seconds',
      help: 'Duration of runs of jobs by job and outcome',
      labelNames: ['job', 'outcome'],
      buckets: [0.01, 0.05, 0.25, 1, 5, 30, 120, 600],
      registers,
    }),
    refused: new Counter({
      name: 'zaehlwerk_refused_total',
      help: 'Requests refused, by the code they were told',
      labelNames: ['code'],
      registers,
    }),
    accepted: counter('zaehlwerk_accepted_total', 'Events accepted (202)'),
    counted: counter('zaehlwerk_counted_total', 'Events counted'),
    duplicates: counter('zaehlwerk_duplicates_total', 'Events skipped as seen before'),
  };
}

/** What is asked for when the metrics are scraped; null where nobody has said how, or no answer comes. */
class Source<T> {
  #read: (() => Promise<T | null>) | null = null;

  readonly on = (read: () => Promise<T | null>): void => {
    this.#read = read;
  };

  async ask(): Promise<T | null> {
    return this.#read?.().catch(() => null) ?? null;
  }
}

const createSources = () => ({
  backlog: new Source<Backlog>(),
  jobs: new Source<JobState[]>(),
  priceList: new Source<number>(),
  backup: new Source<BackupState>(),
  archive: new Source<ArchiveState>(),
  engine: new Source<EngineState>(),
});

async function readGauges(
  gauges: ReturnType<typeof createGauges>,
  sources: ReturnType<typeof createSources>,
): Promise<void> {
  const [backlog, jobs, priceList, backup, archive, engine] = await Promise.all([
    sources.backlog.ask(),
    sources.jobs.ask(),
    sources.priceList.ask(),
    sources.backup.ask(),
    sources.archive.ask(),
    sources.engine.ask(),
  ]);
  if (backlog) gauges.setBacklog(backlog);
  if (jobs) gauges.setJobs(jobs);
  if (priceList !== null) gauges.setPriceList(priceList);
  if (backup) gauges.setBackup(backup);
  if (archive) gauges.setArchive(archive);
  if (engine) gauges.setEngine(engine);
}

let ofProcess: Registry | null = null;

/** What the process tells of itself, for every service in it: what measures it runs on until the process ends. */
function processMetrics(): Registry {
  if (ofProcess) return ofProcess;
  ofProcess = new Registry();
  collectDefaultMetrics({ register: ofProcess });
  return ofProcess;
}

export function createMetrics(): Metrics {
  const registry = Registry.merge([processMetrics()]);
  const gauges = createGauges([registry]);
  const counts = createCounts([registry]);
  const sources = createSources();
  const failures = new Map<string, number>();
  return {
    contentType: registry.contentType,
    async render() {
      await readGauges(gauges, sources);
      return registry.metrics();
    },
    observeRequest: (operation, status, seconds) => {
      counts.requests.labels(operation, String(status)).observe(seconds);
      if (status >= 500) failures.set(operation, performance.now());
    },
    secondsSinceFailure: (operation) => {
      const failedAt = failures.get(operation);
      return failedAt === undefined ? null : (performance.now() - failedAt) / 1000;
    },
    addAccepted: (events) => counts.accepted.inc(events),
    addRefused: (code) => counts.refused.labels(code).inc(),
    observe(observation) {
      if (observation.kind === 'job')
        counts.jobs.labels(observation.job, observation.outcome).observe(observation.seconds);
      else {
        counts.counted.inc(observation.events);
        counts.duplicates.inc(observation.duplicates);
      }
    },
    onBacklog: sources.backlog.on,
    onJobs: sources.jobs.on,
    onPriceList: sources.priceList.on,
    onBackup: sources.backup.on,
    onArchive: sources.archive.on,
    onEngine: sources.engine.on,
  };
}
