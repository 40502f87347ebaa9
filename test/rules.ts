/** The rules behind candidates as rows: nothing is done about what a rule has found that is gone, or another one now. */
import type { Candidate } from '#domains/befunde/index.ts';
import type { TestService } from './service.ts';

const KEEP = `INSERT INTO regeln (mandant_id, regel_id, name, typ, geltungsbereich, bezug, schwelle, einheit, stufe, zeitfenster,
    schattenbetrieb, aktiv, parameter)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, true, $12)
  ON CONFLICT (mandant_id, regel_id) DO UPDATE SET typ = excluded.typ, schwelle = excluded.schwelle, stufe = excluded.stufe,
    schattenbetrieb = excluded.schattenbetrieb, aktiv = true, parameter = excluded.parameter`;

/** Puts in, or changes, the rules of these candidates. */
export async function keepRules(
  { sql }: Pick<TestService, 'sql'>,
  mandant: string,
  candidates: Pick<Candidate, 'regel'>[],
): Promise<void> {
  for (const { regel } of candidates) {
    if (!regel) continue;
    const { regel_id, name, typ, geltungsbereich, bezug, schwelle, einheit, stufe, zeitfenster } = regel;
    const { schattenbetrieb, parameter } = regel;
    await sql(KEEP, [
      mandant,
      regel_id,
      name ?? typ,
      typ,
      geltungsbereich ?? 'mandant',
      bezug ?? null,
      schwelle ?? null,
      einheit ?? null,
      stufe,
      zeitfenster ?? null,
      schattenbetrieb,
      JSON.stringify(parameter ?? {}),
    ]);
  }
}
