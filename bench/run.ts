/**
 * `npm run bench [-- accepted counted counted-many counted-live under-way scattered trickle idle small fair flood bodies query first-answer overload detectors backtest findings protection protection-cost retold otlp stop reprice month search reprice-all] [--kurz]`: measures and prints one JSON object. Without
 * names everything but the last is measured; `--kurz` takes shorter windows and fewer events, to see whether it runs at all. `query` takes
 * what to measure as `200x2000x8:1000000,5000000`: agents, end customers, models and numbers of events.
 */
import { cpus, totalmem } from 'node:os';
import { measureBacktest } from './backtest.ts';
import { measureBodies } from './bodies.ts';
import { measureDetectors } from './detectors.ts';
import { FEW, MANY } from './events.ts';
import { measureFair } from './fair.ts';
import { measureFindings } from './findings.ts';
import { measureFirstAnswer } from './first-answer.ts';
import { measureAccepted, measureCounted, round } from './ingest.ts';
import { measureMonth } from './month.ts';
import { measureNeighbour } from './neighbour.ts';
import { measureOtlp } from './otlp.ts';
import { measureOverload } from './overload.ts';
import { measureProtection } from './protection/measure.ts';
import { measureProtectionCost } from './protection-cost.ts';
import { measureQuery, parseRun, RUNS } from './query.ts';
import { measureIdle, measureTrickle, measureUnderWay } from './real.ts';
import { measureReprice, measureRepriceAll } from './reprice.ts';
import { measureRetold } from './retold.ts';
import { measureSearch } from './search.ts';
import { measureSmall } from './small.ts';
import { measureStop } from './stop.ts';

const short = process.argv.includes('--kurz');
const named = process.argv.slice(2).filter((word) => !word.startsWith('--'));
const wanted = (name: string) => named.length === 0 || named.includes(name);

const report: Record<string, unknown> = {
  maschine: {
    cpu: cpus()[0]?.model,
    kerne: cpus().length,
    speicher_gib: Math.round(totalmem() / 2 ** 30),
    node: process.version,
  },
};

if (wanted('counted')) report.counted = await measureCounted(short ? 10 : 60);
if (wanted('counted-many')) report.counted_many = await measureCounted(short ? 10 : 60, MANY);
if (wanted('counted-live')) {
  report.counted_live = await measureCounted(short ? 10 : 60, FEW, true);
  report.counted_many_live = await measureCounted(short ? 10 : 60, MANY, true);
}
if (wanted('under-way')) report.under_way = await measureUnderWay('in_order', short ? 10 : 60);
if (wanted('scattered')) report.scattered = await measureUnderWay('scattered', short ? 10 : 60);
if (wanted('trickle'))
  report.trickle = [
    await measureTrickle(short ? 10 : 30, 10),
    await measureTrickle(short ? 10 : 30, 200),
    await measureTrickle(short ? 10 : 30, 800),
  ];
if (wanted('idle')) report.idle = await measureIdle(short ? 15 : 60, short ? 4 : 10);
if (wanted('small')) report.small = await measureSmall(short ? 5 : 20);
if (wanted('fair')) report.fair = await measureFair(short ? 5 : 20, short ? 1 : 3);
if (wanted('flood')) report.flood = await measureNeighbour(short ? 5 : 25, short ? 2_000 : 10_000);
if (wanted('bodies')) report.bodies = await measureBodies(short ? 40 : 200, short ? 6 : 12);
if (wanted('accepted')) {
  report.accepted = await measureAccepted(short ? 5 : 20, 'all');
  report.accepted_api_only = await measureAccepted(short ? 5 : 20, 'api');
}
if (wanted('protection')) report.protection = await measureProtection(short);
if (wanted('protection-cost')) report.protection_cost = await measureProtectionCost(short ? 30 : 120);
if (wanted('retold')) report.retold = await measureRetold(short ? 10 : 40);
if (wanted('otlp')) report.otlp = await measureOtlp(short ? 4 : 10);
if (wanted('stop')) report.stop = await measureStop(short ? 8 : 40);
if (wanted('detectors'))
  report.detectors = await measureDetectors(short ? 50_000 : Number(process.env.RUNS ?? 1_000_000));
if (wanted('reprice')) report.reprice = await measureReprice(short ? 100_000 : 1_000_000);
if (named.includes('reprice-all')) report.reprice_all = await measureRepriceAll(short ? 100_000 : 10_000_000);
if (wanted('month'))
  report.month = await measureMonth(Number(process.env.CALLS ?? (short ? 20_000 : 200_000)));
if (wanted('search'))
  report.search = await measureSearch(short ? 50_000 : Number(process.env.RUNS ?? 1_000_000));
if (wanted('findings')) report.findings = await measureFindings(1_000, short ? 10_000 : 100_000);
if (wanted('backtest'))
  report.backtest = await measureBacktest(short ? 100_000 : 10_000_000, short ? 10 : 90);
if (wanted('overload')) report.overload = await measureOverload(short ? 5 : 20);
const runs = named.filter((word) => word.includes(':')).map(parseRun);
if (wanted('query'))
  report.query = await measureQuery(
    runs.length > 0 ? runs : short ? [parseRun('20x5x4:20000,200000')] : RUNS,
  );
if (wanted('first-answer')) report.first_answer = await measureFirstAnswer(short ? 1 : 5);

const counted = report.counted as Awaited<ReturnType<typeof measureCounted>> | undefined;
const accepted = report.accepted as Awaited<ReturnType<typeof measureAccepted>> | undefined;
if (counted && accepted) {
  report.accepted_ratio = {
    table: round(accepted.events_per_second / counted.baseline.table),
    all_keys: round(accepted.events_per_second / counted.baseline.all_keys),
  };
}
console.log(JSON.stringify(report, null, 2));
