/** Some weeks of calls, budgets and findings, for what reports on them. */
import { randomUUID } from 'node:crypto';
import type { Account } from './account.ts';
import { addConsumption, type Consumption } from './rollups.ts';
import type { TestService } from './service.ts';

/** Monday, in Berlin, after the week that is filled: 2026-W46. */
export const MONDAY = '2026-11-16T07:30:00Z';
export const WEEK = '2026-W46';
export const LONG = `vertrieb/${'sehr-langer-name-ohne-jede-pause'.repeat(4)}`;

const at = (tag: string, agent: string, rest: Partial<Consumption>): Consumption => ({
  stunde: `${tag}T10:00:00Z`,
  tag,
  agent,
  ...rest,
});

/** The week of the report, the one before it and one more; an agent that is new, one that is gone, a model without a price. */
const CALLS: readonly Consumption[] = [
  at('2026-10-27', 'support/triage', { aufrufe: 5, kosten_eur: '7.5' }),
  at('2026-11-03', 'support/triage', { aufrufe: 100, kosten_eur: '80.000000001', verbranntes_geld_eur: '2' }),
  at('2026-11-04', 'archiv/export', { aufrufe: 40, kosten_eur: '31.25', modell: 'claude-sonnet-5' }),
  at('2026-11-09', 'support/triage', {
    aufrufe: 1_200,
    fehler: 18,
    kosten_eur: '123.456789012345678901234567',
    verbranntes_geld_eur: '4.8',
    endkunde: 'kunde-4711',
  }),
  at('2026-11-10', 'support/triage', { aufrufe: 7, kosten_eur: '0.000000000001', endkunde: 'kunde-4711' }),
  at('2026-11-10', LONG, {
    aufrufe: 2,
    kosten_eur: '44.4',
    endkunde: 'Müller & Söhne <GmbH>',
    modell: 'gpt-5-mini',
  }),
  at('2026-11-12', 'neu/agent', { aufrufe: 3, kosten_eur: '12', modell: 'claude-sonnet-5' }),
  at('2026-11-13', 'neu/agent', { aufrufe: 9, unbepreist: 9, kosten_eur: null, modell: 'haus-modell' }),
  // The Monday after belongs to no week that is over.
  at('2026-11-16', 'support/triage', { aufrufe: 1, kosten_eur: '1000' }),
];

/** Puts the calls into the sums, and budgets of an agent and a project. */
export async function fillWeeks(service: TestService, account: Account): Promise<void> {
  const { mandantId } = account;
  await addConsumption(service, mandantId, [...CALLS]);
  await service.sql(
    `INSERT INTO zaehlstaende (mandant_id, daten_von, daten_bis) VALUES ($1, '2026-10-27T10:00:00Z', '2026-11-16T10:00:00Z')
     ON CONFLICT (mandant_id) DO UPDATE SET daten_von = excluded.daten_von, daten_bis = excluded.daten_bis`,
    [mandantId],
  );
  await service.sql(
    `INSERT INTO agenten (mandant_id, schluessel, name, projekt, budget_eur)
     VALUES ($1, 'support/triage', 'Triage', 'standard', 500), ($1, 'neu/agent', 'neu/agent', 'standard', NULL)`,
    [mandantId],
  );
  await service.sql(
    `INSERT INTO projekte (mandant_id, schluessel, name, budget_eur) VALUES ($1, 'standard', 'Standard', 2000)
     ON CONFLICT (mandant_id, schluessel) DO UPDATE SET budget_eur = 2000`,
    [mandantId],
  );
}

/** A finding of that time; resolves with its id. */
export async function putFinding(
  service: TestService,
  { mandantId }: Account,
  finding: Record<string, unknown> = {},
): Promise<string> {
  const befund_id = randomUUID();
  const lauf = randomUUID();
  const am = '2026-11-11T09:00:00Z';
  const row = {
    mandant_id: mandantId,
    befund_id,
    schluessel: befund_id,
    typ: 'schleife_exakt',
    regel_id: randomUUID(),
    objekt_art: 'lauf',
    objekt: lauf,
    lauf_id: lauf,
    agent: 'support/triage',
    fenster_beginn: am,
    stufe: 'anhalten',
    schatten: false,
    status: 'offen',
    werte: { schritte: [1, 2, 3, 4, 5], anzahl: 5, modelle: [], bis: am, wiederholungen: 3 },
    kosten_eur: '6.2',
    verbrannt_eur: '4.8',
    vorfall_id: randomUUID(),
    erkannt_am: am,
    geaendert_am: am,
    ...finding,
  };
  const columns = Object.keys(row).join(', ');
  await service.sql(
    `INSERT INTO befunde (${columns}) SELECT ${columns} FROM jsonb_populate_record(NULL::befunde, $1)`,
    [JSON.stringify(row)],
  );
  return befund_id;
}
