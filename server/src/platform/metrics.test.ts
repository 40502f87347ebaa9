import perfHooks from 'node:perf_hooks';
import { describe, expect, it, vi } from 'vitest';
import { createMetrics } from './metrics.ts';

/** The lines of a metric that are not about its buckets. */
const linesOf = (text: string, name: string) =>
  text.split('\n').filter((line) => line.startsWith(name) && !line.includes('_bucket'));

describe('metrics', () => {
  it('count runs of jobs by job and outcome, and how long they took', async () => {
    const metrics = createMetrics();
    metrics.observe({ kind: 'job', job: 'a.b', outcome: 'done', seconds: 0.5 });
    metrics.observe({ kind: 'job', job: 'a.b', outcome: 'done', seconds: 1 });
    metrics.observe({ kind: 'job', job: 'a.b', outcome: 'failed', seconds: 2 });
    expect(linesOf(await metrics.render(), 'zaehlwerk_job_seconds')).toEqual([
      'zaehlwerk_job_seconds_sum{job="a.b",outcome="done"} 1.5',
      'zaehlwerk_job_seconds_count{job="a.b",outcome="done"} 2',
      'zaehlwerk_job_seconds_sum{job="a.b",outcome="failed"} 2',
      'zaehlwerk_job_seconds_count{job="a.b",outcome="failed"} 1',
    ]);
  });

  it('count what is counted', async () => {
    const metrics = createMetrics();
    metrics.observe({ kind: 'counted', events: 5, duplicates: 2 });
    const text = await metrics.render();
    expect(linesOf(text, 'zaehlwerk_counted_total')).toEqual(['zaehlwerk_counted_total 5']);
    expect(linesOf(text, 'zaehlwerk_duplicates_total')).toEqual(['zaehlwerk_duplicates_total 2']);
  });

  it('say how the jobs stand when they are asked, and keep the last value while nobody knows', async () => {
    const metrics = createMetrics();
    let states = [{ job: 'a.b', waiting: 3, seconds: 1.5, givenUp: 2 }];
    metrics.onJobs(async () => states);
    const shown = async () => linesOf(await metrics.render(), 'zaehlwerk_jobs_');
    const lines = [
      'zaehlwerk_jobs_waiting{job="a.b"} 3',
      'zaehlwerk_jobs_oldest_seconds{job="a.b"} 1.5',
      'zaehlwerk_jobs_given_up{job="a.b"} 2',
    ];
    expect(await shown()).toEqual(lines);
    metrics.onJobs(() => Promise.reject(new Error('away')));
    expect(await shown()).toEqual(lines);
    states = [];
    metrics.onJobs(async () => states);
    expect(await shown()).toEqual([]);
  });

  it('of the process are measured once, however many are made, and told by all', async () => {
    const first = createMetrics();
    const measuring = vi.spyOn(perfHooks, 'monitorEventLoopDelay');
    const second = createMetrics();
    expect(measuring).not.toHaveBeenCalled();
    for (const metrics of [first, second])
      expect(linesOf(await metrics.render(), 'nodejs_eventloop_lag_max_seconds')).toHaveLength(1);
  });
});
