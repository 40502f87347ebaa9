/** Table 2: what becomes of runaways whose client obeys. */
import { type Decision, decide } from '#client/eingriffe/decide.ts';
import type { Eingriff } from '#client/eingriffe/eingriff.ts';
import { Pace } from '#client/eingriffe/pace.ts';
import { Runs } from '#client/eingriffe/runs.ts';
import { MINUTE, type PlannedCall, SECOND } from './planned.ts';
import type { Report } from './reports/report.ts';
import type { Sender, Stage } from './stage.ts';

/** As clients send: what ended within a second goes together. */
const SENT_TOGETHER = SECOND;
const LOOK_EVERY = 5 * MINUTE;
/** Of clients, unless set. */
const THROTTLE = 5 * SECOND;
/** Told or stopped within this time of the call that made it evident. */
const IN_TIME = MINUTE;

export interface ReportOutcome {
  name: string;
  wish: string;
  planned: number;
  made: number;
  /** Level of the first order, null for none. */
  order: string | null;
  /** Rules that have told of it. */
  rules: string[];
  /** Seconds of the stream from the call that made it evident until somebody was told, or the first order; null: never. */
  seconds: number | null;
  /** EUR spent until then; in all, where nobody was told. */
  burnt: string;
  alarms: number;
  verdict: 'stopped' | 'slowed' | 'told' | 'told late' | 'told too often' | 'missed';
}

interface Happened {
  first: string | null;
  order: string | null;
  rules: string[];
  alarms: number;
}

// What was told of was told when it was found; a finding remembers the last time only.
const HAPPENED = `SELECT least((SELECT min(beginn) FROM eingriffe WHERE mandant_id = $1 AND NOT schatten),
    (SELECT min(erkannt_am) FROM befunde WHERE mandant_id = $1 AND alarm_am IS NOT NULL)) AS first,
  (SELECT stufe FROM eingriffe WHERE mandant_id = $1 AND NOT schatten ORDER BY beginn, eingriff_id LIMIT 1) AS "order",
  ARRAY(SELECT DISTINCT typ FROM befunde WHERE mandant_id = $1 AND stufe <> 'beobachten' AND status <> 'hinfaellig' AND regel_id IS NOT NULL ORDER BY 1) AS rules,
  (SELECT count(*)::int FROM alarme WHERE mandant_id = $1 AND art = 'alarm') AS alarms`;
// What a call was is known when it is over.
const COSTS = `SELECT zeitpunkt + coalesce(latenz_ms, 0) * interval '1 millisecond' AS am, coalesce(kosten_eur, 0)::float8 AS eur
  FROM ereignisse WHERE mandant_id = $1 ORDER BY 1`;

interface Cost {
  am: string;
  eur: number;
}

/** When the call is over that makes it evident. */
function evidentAt({ evident, budget }: Report, costs: readonly Cost[]): number {
  if (!budget) return Date.parse((costs[evident - 1] ?? costs.at(-1))?.am ?? '');
  const limit = Number(budget.eur) * (budget.hard ? 1 : 0.5);
  let sum = 0;
  const crossing = costs.find(({ eur }) => {
    sum += eur;
    return sum > limit;
  });
  return Date.parse((crossing ?? costs.at(-1))?.am ?? '');
}

/** A client that asks before each call, and obeys. */
class Client {
  made = 0;
  /** By how much throttling has put everything off. */
  #delay = 0;
  readonly #pace = new Pace(THROTTLE);
  #orders: Eingriff[] = [];
  readonly #runs = new Runs();

  readonly #begin: number;
  readonly #sender: Sender;

  constructor(begin: number, sender: Sender) {
    this.#begin = begin;
    this.#sender = sender;
  }

  /** Lets a call through, later where it is slowed down; null where it may not be made. */
  admit(call: PlannedCall): PlannedCall | null {
    const at = call.at + this.#delay;
    const { forbids, slow } = this.#decide(call, at);
    if (forbids) return null;
    const wait = slow.length === 0 ? 0 : Math.max(0, this.#pace.readyAt(slow, at) - at);
    this.#delay += wait;
    this.#pace.take(slow, at + wait);
    return { ...call, at: at + wait };
  }

  /** Hears what is in force. */
  async listen(): Promise<void> {
    this.#orders = await this.#sender.orders();
  }

  #decide({ event }: PlannedCall, at: number): Decision {
    const now = this.#begin + at;
    return decide(this.#orders, event, this.#runs.see(event, null, now), now);
  }
}

const endOf = ({ at, event }: PlannedCall) => at + (event.latenz_ms ?? 0);

/** Makes the calls of a report as far as nobody forbids them. */
async function play(stage: Stage, sender: Sender, { calls, budget }: Report): Promise<number> {
  const client = new Client(stage.begin, sender);
  let together: PlannedCall[] = [];
  let looked = 0;
  const deliver = async () => {
    if (together.length === 0) return;
    const now = Math.max(...together.map(endOf));
    stage.setTime(now);
    await sender.send(together);
    client.made += together.length;
    together = [];
    await stage.settle();
    if (now - looked >= LOOK_EVERY) {
      await stage.lookAgain();
      looked = now;
    }
    await client.listen();
  };
  for (const [index, call] of calls.entries()) {
    const [first] = together;
    if (first && call.at - first.at >= SENT_TOGETHER) await deliver();
    const admitted = client.admit(call);
    if (admitted) together.push(admitted);
    if (index === 0 && budget) {
      await deliver();
      await sender.setBudget(budget);
    }
  }
  await deliver();
  await stage.lookAgain();
  return client.made;
}

function verdictOf(
  report: Report,
  made: number,
  seconds: number | null,
  happened: Happened,
): ReportOutcome['verdict'] {
  if (report.mostAlarms !== undefined && happened.alarms > report.mostAlarms) return 'told too often';
  if (seconds === null) return 'missed';
  if (seconds > IN_TIME / SECOND) return 'told late';
  if (made < report.calls.length) return 'stopped';
  return happened.order === null ? 'told' : 'slowed';
}

export async function playReport(stage: Stage, report: Report): Promise<ReportOutcome> {
  stage.setTime(0);
  const sender = await stage.newSender();
  const made = await play(stage, sender, report);
  const [happened] = await sender.rows<Happened>(HAPPENED);
  const costs = await sender.rows<Cost>(COSTS);
  await sender.leave();
  if (!happened) throw new Error('nothing was asked');
  const first = happened.first === null ? null : Date.parse(happened.first);
  const seconds = first === null ? null : Math.round(Math.max(0, first - evidentAt(report, costs)) / SECOND);
  const until = costs.filter(({ am }) => first === null || Date.parse(am) <= first);
  return {
    name: report.name,
    wish: report.wish,
    planned: report.calls.length,
    made,
    order: happened.order,
    rules: happened.rules,
    seconds,
    burnt: until.reduce((sum, { eur }) => sum + eur, 0).toFixed(2),
    alarms: happened.alarms,
    verdict: verdictOf(report, made, seconds, happened),
  };
}

export const isInTime = ({ verdict }: ReportOutcome): boolean =>
  verdict === 'stopped' || verdict === 'slowed' || verdict === 'told';
