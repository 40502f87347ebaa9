/** A period beside its twin. */
import { MAX_AGENTS, MAX_TOLD, type ResponseOf, URSACHEN, type zwilling } from '#contracts';
import { readAgentsOf } from '#domains/katalog/index.ts';
import { hasApproved } from '#domains/preise/index.ts';
import { periodAnswer, requireZeitraum, type Snapshot, withSnapshot } from '#domains/verbrauch/index.ts';
import { toCount } from '#kernel/count.ts';
import { toInstant } from '#kernel/instant.ts';
import type { MandantId } from '#kernel/mandant-id.ts';
import { eurFrom } from '#kernel/money.ts';
import type { Window, Zeitraum } from '#kernel/zeitraum.ts';
import type { ServiceContext } from '#platform/context.ts';
import { compare, isWatched, sumOf } from './rules.ts';
import {
  type CauseRow,
  type Days,
  type FindingSaved,
  readAgentsSaved,
  readCauses,
  readFindings,
  readWatching,
  readWhen,
} from './store.ts';

type Answer = ResponseOf<typeof zwilling>;
type Cause = Answer['ursachen'][number];

const daysOf = ({ von, bis }: Window): Days => ({
  von: von.toPlainDate().toString(),
  bis: bis.toPlainDate().toString(),
});

const toFinding = ({ unbekannt, aufrufe, ...row }: FindingSaved) => ({ ...row, aufrufe: toCount(aufrufe) });

async function readCausesTold({ tx }: Snapshot, days: Days): Promise<Cause[]> {
  const approved = await hasApproved(tx);
  const [rows, findings, rules] = await Promise.all([
    readCauses(tx, days),
    readFindings(tx, days, MAX_TOLD),
    readWatching(tx, approved),
  ]);
  const byCause = new Map<string, CauseRow>(rows.map((row) => [row.ursache, row]));
  return URSACHEN.map((ursache) => {
    const row = byCause.get(ursache);
    const geprueft = row !== undefined || isWatched(ursache, rules);
    return {
      ursache,
      geprueft,
      // Somebody looks for it, and there was nothing: that is known.
      gespart_eur: row ? row.gespart_eur : geprueft ? '0' : null,
      aufrufe: toCount(row?.aufrufe ?? 0),
      unbekannt: toCount(row?.unbekannt ?? 0),
      befunde_anzahl: row?.befunde ?? 0,
      typen: (row?.typen ?? []) as Cause['typen'],
      befunde: findings
        .filter((each) => each.ursache === ursache)
        .map(({ ursache: _, ...each }) => toFinding(each as FindingSaved)) as Cause['befunde'],
    };
  });
}

interface AgentCompared {
  schluessel: string;
  real: string | null;
  saved: string | null;
}

const amount = (text: string | null) => (text === null ? -1n : eurFrom(text));
const descending = (a: bigint, b: bigint) => (a < b ? 1 : a > b ? -1 : 0);

/** The agents of the period, those that would have saved most first; `nothing` is what is known of those without a saving. */
async function readAgentsCompared(
  { tx, ask }: Snapshot,
  window: Zeitraum,
  days: Days,
  nothing: string | null,
): Promise<AgentCompared[]> {
  const [{ zeilen }, savings] = await Promise.all([
    ask({ window, by: ['agent'] }),
    readAgentsSaved(tx, days),
  ]);
  const saved = new Map(savings.map(({ agent, gespart_eur }) => [agent, gespart_eur]));
  return zeilen
    .map(({ schluessel: [schluessel = ''], kosten_eur }) => ({
      schluessel,
      real: kosten_eur,
      saved: saved.has(schluessel) ? (saved.get(schluessel) ?? null) : nothing,
    }))
    .sort(
      (a, b) => descending(amount(a.saved), amount(b.saved)) || descending(amount(a.real), amount(b.real)),
    );
}

async function tellAgents(
  { tx }: Snapshot,
  all: AgentCompared[],
): Promise<Pick<Answer, 'agenten' | 'agenten_rest'>> {
  const told = all.slice(0, MAX_AGENTS);
  const others = all.slice(MAX_AGENTS);
  const known =
    told.length === 0
      ? []
      : await readAgentsOf(
          tx,
          told.map(({ schluessel }) => schluessel),
        );
  const byKey = new Map(known.map((agent) => [agent.schluessel, agent]));
  return {
    agenten: told.map(({ schluessel, real, saved }) => {
      const agent = byKey.get(schluessel);
      return {
        agent_id: agent?.agent_id ?? null,
        schluessel,
        name: agent?.name ?? null,
        ...compare(real, saved),
      };
    }),
    agenten_rest:
      others.length === 0
        ? null
        : {
            agenten: others.length,
            ...compare(sumOf(others.map(({ real }) => real)), sumOf(others.map(({ saved }) => saved))),
          },
  };
}

/** What would not have been spent in whole local days, by cause; `gespart_eur` is the causes together, null when nothing is known. */
export async function readSavings(
  snapshot: Snapshot,
  window: Window,
): Promise<Pick<Answer, 'gespart_eur' | 'ursachen' | 'berechnet_am'>> {
  const days = daysOf(window);
  const ursachen = await readCausesTold(snapshot, days);
  const readAt = await readWhen(snapshot.tx, days);
  return {
    gespart_eur: sumOf(ursachen.map(({ gespart_eur }) => gespart_eur)),
    ursachen,
    berechnet_am: readAt === null ? null : toInstant(readAt),
  };
}

/**
 * What the period cost and what it would have cost, by cause and by agent, all on one snapshot. InvalidInput when the text names no
 * period.
 */
export function readTwin(
  context: Pick<ServiceContext, 'db' | 'clock' | 'config' | 'log'>,
  mandant: MandantId,
  text: string,
): Promise<Answer> {
  return withSnapshot(context, mandant, async (snapshot) => {
    const window = requireZeitraum(text, snapshot);
    const [total, { gespart_eur: saved, ...savings }] = await Promise.all([
      snapshot.ask({ window, by: [] }),
      readSavings(snapshot, window),
    ]);
    const agents = await readAgentsCompared(snapshot, window, daysOf(window), saved === null ? null : '0');
    const { aufloesung: _, ...period } = periodAnswer(text, window);
    return {
      ...period,
      ...compare(total.summe.kosten_eur, saved),
      aufrufe: toCount(total.summe.aufrufe),
      unbepreist: toCount(total.summe.unbepreist),
      ...savings,
      ...(await tellAgents(snapshot, agents)),
      gezaehlt_bis: snapshot.gezaehltBis,
    };
  });
}
