/**
 * Which runs a rule may say anything of, by what is cheap to ask: never too narrow. What is found is up to the detector, which then
 * reads the steps of those runs in their order.
 */
import { calledBefore, calledSince } from '#domains/laeufe/index.ts';
import { CALL_COLUMNS } from '../calls/columns.ts';
import { createValues, scopeOf } from '../calls/statement.ts';
import type { Look } from '../detector.ts';
import { ofRuns, type RunRule } from '../detectors.ts';

/** Ids of the runs that ended within the look and of which the rule may say something; each ends on one day. */
export async function chooseRuns(look: Look, regel: RunRule): Promise<string[]> {
  const { calls, among, sums } = ofRuns(regel).preselect(regel);
  const values = createValues();
  const [mandant, von, bis] = [
    values.of(look.mandant, 'uuid'),
    values.of(look.von.toString(), 'timestamptz'),
    values.of(look.bis.toString(), 'timestamptz'),
  ];
  const laeufe = `laeufe AS MATERIALIZED (SELECT l.lauf_id, l.beginn FROM laeufe l
    WHERE l.mandant_id = ${mandant} AND ${calledSince(von, 'l.')} AND ${calledBefore(bis, 'l.')}
      AND l.aufrufe >= ${values.of(calls, 'bigint')}
      AND ${scopeOf(regel, 'l', values)} ${sums ? `AND ${sums(values)}` : ''})`;
  const text = among
    ? `WITH ${laeufe}, c AS NOT MATERIALIZED (SELECT ${CALL_COLUMNS} FROM ereignisse e
        WHERE e.mandant_id = ${mandant} AND e.zeitpunkt >= ${von} AND e.zeitpunkt < ${bis} AND e.lauf_id IS NOT NULL)
      SELECT lauf_id FROM laeufe WHERE beginn < ${von} OR lauf_id IN (${among(values)})`
    : `WITH ${laeufe} SELECT lauf_id FROM laeufe`;
  const { rows } = await look.client.query<{ lauf_id: string }>(text, values.all);
  return rows.map(({ lauf_id }) => lauf_id);
}
