/** Prometheus metrics; no label names a Mandant. */
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';

export interface Metrics {
  contentType: string;
  render(): Promise<string>;
  observeRequest(operation: string, status: number, seconds: number): void;
  /** Seconds since this process last answered the operation with 5xx; null when it never did. */
  secondsSinceFailure(operation: string): number | null;
  addAccepted(events: number): void;
  addCounted(events: number): void;
  addDuplicates(events: number): void;
  /** Seconds the oldest uncounted batch has waited and batches that cannot be counted, asked for when scraped. */
  onBacklog(read: () => Promise<{ seconds: number; uncountable: number }>): void;
}

export function createMetrics(): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const registers = [registry];
  const requests = new Histogram({
    name: 'zaehlwerk_request_seconds',
    help: 'Duration of requests by operation and status',
    labelNames: ['operation', 'status'],
    buckets: [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers,
  });
  const accepted = new Counter({
    name: 'zaehlwerk_accepted_total',
    help: 'Events accepted (202)',
    registers,
  });
  const counted = new Counter({ name: 'zaehlwerk_counted_total', help: 'Events counted', registers });
  const duplicates = new Counter({
    name: 'zaehlwerk_duplicates_total',
    help: 'Events skipped as seen before',
    registers,
  });
  let readBacklog: (() => Promise<{ seconds: number; uncountable: number }>) | null = null;
  const backlog = new Gauge({
    name: 'zaehlwerk_backlog_seconds',
    help: 'Age of the oldest uncounted batch',
    registers,
  });
  const uncountable = new Gauge({
    name: 'zaehlwerk_uncountable_batches',
    help: 'Batches that cannot be counted',
    registers,
  });
  const failures = new Map<string, number>();
  return {
    contentType: registry.contentType,
    async render() {
      const now = await readBacklog?.().catch(() => null);
      if (now) {
        backlog.set(now.seconds);
        uncountable.set(now.uncountable);
      }
      return registry.metrics();
    },
    observeRequest: (operation, status, seconds) => {
      requests.labels(operation, String(status)).observe(seconds);
      if (status >= 500) failures.set(operation, performance.now());
    },
    secondsSinceFailure: (operation) => {
      const failedAt = failures.get(operation);
      return failedAt === undefined ? null : (performance.now() - failedAt) / 1000;
    },
    addAccepted: (events) => accepted.inc(events),
    addCounted: (events) => counted.inc(events),
    addDuplicates: (events) => duplicates.inc(events),
    onBacklog: (read) => {
      readBacklog = read;
    },
  };
}
