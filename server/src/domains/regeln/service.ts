/** Rules put in, changed, removed. Evaluation reads them from the table each time: a change holds at once, everywhere. */
import { v7 as uuidv7 } from 'uuid';
import type { BodyOf, Geltungsbereich, ResponseOf, regelAendern, regelAnlegen, regeln } from '#contracts';
import { liftWithCause } from '#domains/eingriffe/index.ts';
import { findKey } from '#domains/katalog/index.ts';
import { lockMandant } from '#domains/mandant/index.ts';
import { type Akteur, changedFields, recordChange } from '#domains/protokoll/index.ts';
import type { MandantId } from '#kernel/mandant-id.ts';
import { requireName } from '#kernel/name.ts';
import type { ServiceContext } from '#platform/context.ts';
import type { MandantTx } from '#platform/database/index.ts';
import { cursorOf, type PageQuery, pageOf } from '#platform/page.ts';
import { ruleMissing, tooManyRules, unknownReference } from './errors.ts';
import { MAX_RULES } from './limits.ts';
import { loosenedBy } from './loosened.ts';
import { defaultName } from './names.ts';
import type { RegelVon } from './regel.ts';
import { changed, settle, type Wish } from './rules.ts';
import {
  countRules,
  deleteRule,
  insertRules,
  lockRule,
  type RegelAnswer,
  type RegelFields,
  readRules,
  updateRule,
} from './store.ts';

type Context = Pick<ServiceContext, 'db' | 'clock'>;

const cursor = cursorOf('regeln', 'uuid');

/** A page of the Mandant's rules, in the order of their creation. */
export async function listRules(
  { db }: Context,
  mandant: MandantId,
  { limit, nach }: PageQuery,
): Promise<ResponseOf<typeof regeln>> {
  const [after = null] = cursor.read(nach) ?? [];
  const found = await db.forMandant(mandant, (tx) => readRules(tx, { limit: limit + 1, after }));
  const { rows, weiter } = pageOf(found, limit, cursor, ({ regel_id }) => [regel_id]);
  return { regeln: rows, weiter };
}

/** The value of the dimension that is meant; functions and models are named, and may come to be later. Throws 422. */
async function referenceOf(tx: MandantTx, bereich: Geltungsbereich, bezugId: string | null) {
  if (bezugId === null || bereich === 'mandant') return null;
  if (bereich === 'funktion' || bereich === 'modell') return bezugId;
  const key = await findKey(tx, bereich, bezugId);
  if (key === undefined) throw unknownReference(bezugId);
  return key;
}

/** What the audit log says of a rule. */
const told = ({ bezug_id: _, ...fields }: RegelFields) => fields;

const fieldsOf = ({ regel_id: _, erstellt_am: __, geaendert_am: ___, ...fields }: RegelAnswer): RegelFields =>
  fields;

const objectOf = ({ regel_id: id, name }: Pick<RegelAnswer, 'regel_id' | 'name'>) => ({
  art: 'regel',
  id,
  name,
});

type Created = BodyOf<typeof regelAnlegen>;

const wishOf = ({ name: _, bezug_id = null, schwelle = null, einheit = null, ...input }: Created): Wish => {
  const { zeitfenster = null, parameter = {}, ...rest } = input;
  return { ...rest, bezug_id, schwelle, einheit, zeitfenster, parameter };
};

/** A rule as it would be acted on, in force, made of one that was settled. */
const draftOf = (regel_id: string, name: string, bezug: string | null, settled: Wish): RegelVon => {
  const { bezug_id: _, aktiv: __, ...fields } = settled;
  return { ...fields, regel_id, name, bezug } as RegelVon;
};

/** The rule that this would create, without creating it. Throws 422 as `createRule`. */
export function draftRule(
  { db }: Pick<Context, 'db'>,
  mandant: MandantId,
  input: Created,
): Promise<RegelVon> {
  const settled = settle(wishOf(input));
  return db.forMandant(mandant, async (tx) => {
    const bezug = await referenceOf(tx, settled.geltungsbereich, settled.bezug_id);
    return draftOf(uuidv7(), input.name ?? defaultName(settled.typ, bezug), bezug, settled);
  });
}

/** What this change would make of a rule, without changing it. Throws 404, and 422 as `createRule`. */
export function draftChange(
  { db }: Pick<Context, 'db'>,
  mandant: MandantId,
  regelId: string,
  change: Pick<BodyOf<typeof regelAendern>, 'schwelle' | 'zeitfenster' | 'parameter'>,
): Promise<RegelVon> {
  return db.forMandant(mandant, async (tx) => {
    const row = await lockRule(tx, regelId);
    if (!row) throw ruleMissing();
    return draftOf(regelId, row.name, row.bezug, settle(changed(fieldsOf(row), change)));
  });
}

/** Creates a rule. Throws 422 for what its type does not allow and for a reference that is unknown, 409 for one too many. */
export function createRule(
  { db, clock }: Context,
  mandant: MandantId,
  akteur: Akteur,
  input: Created,
): Promise<RegelAnswer> {
  const { name = null } = input;
  if (name !== null) requireName('name', name);
  const settled = settle(wishOf(input));
  return db.forMandant(mandant, async (tx) => {
    await lockMandant(tx);
    if ((await countRules(tx)) >= MAX_RULES) throw tooManyRules();
    const bezug = await referenceOf(tx, settled.geltungsbereich, settled.bezug_id);
    const fields = { ...settled, bezug, name: name ?? defaultName(settled.typ, bezug) };
    const now = clock.now();
    const rule = { regel_id: uuidv7(), ...fields };
    await insertRules(tx, [rule], now.toISOString());
    await recordChange(tx, mandant, now, {
      akteur,
      aktion: 'regel.angelegt',
      objekt: objectOf(rule),
      nachher: told(fields),
    });
    return { ...rule, erstellt_am: now.toISOString(), geaendert_am: now.toISOString() };
  });
}

/** Changes what is given. Throws 404, and 422 as `createRule`. */
export async function changeRuleWithin(
  tx: MandantTx,
  now: Date,
  akteur: Akteur,
  regelId: string,
  { name, ...change }: BodyOf<typeof regelAendern>,
): Promise<RegelAnswer> {
  const row = await lockRule(tx, regelId);
  if (!row) throw ruleMissing();
  const before = fieldsOf(row);
  const settled = settle(changed(before, change));
  const { geltungsbereich, bezug_id } = settled;
  const isSame = geltungsbereich === before.geltungsbereich && bezug_id === before.bezug_id;
  const bezug = isSame ? before.bezug : await referenceOf(tx, geltungsbereich, bezug_id);
  const after = { ...settled, bezug, name: name ?? before.name };
  const differing = changedFields(told(before), told(after));
  if (!differing) return row;
  await updateRule(tx, regelId, after, now.toISOString());
  const objekt = objectOf({ regel_id: regelId, name: after.name });
  await recordChange(tx, tx.mandant, now, { akteur, aktion: 'regel.geaendert', objekt, ...differing });
  // What a rule of before did not say has the default of today: nobody has changed that.
  const said = change.parameter ? before.parameter : { ...settled.parameter, ...before.parameter };
  const grund = loosenedBy({ ...before, parameter: said }, after);
  if (grund) await liftWithCause(tx, { regel_id: regelId }, { akteur, now, grund, objekt });
  return { ...row, ...after, geaendert_am: now.toISOString() };
}

/** The same in a transaction of its own. */
export async function changeRule(
  { db, clock }: Context,
  mandant: MandantId,
  akteur: Akteur,
  regelId: string,
  change: BodyOf<typeof regelAendern>,
): Promise<RegelAnswer> {
  if (change.name) requireName('name', change.name);
  return db.forMandant(mandant, (tx) => changeRuleWithin(tx, clock.now(), akteur, regelId, change));
}

/** Removes a rule and resolves with what it was. Throws 404. */
export function removeRule(
  { db, clock }: Context,
  mandant: MandantId,
  akteur: Akteur,
  regelId: string,
): Promise<RegelAnswer> {
  return db.forMandant(mandant, async (tx) => {
    const row = await lockRule(tx, regelId);
    if (!row) throw ruleMissing();
    await deleteRule(tx, regelId);
    const now = clock.now();
    const objekt = objectOf(row);
    const vorher = told(fieldsOf(row));
    await recordChange(tx, mandant, now, { akteur, aktion: 'regel.entfernt', objekt, vorher });
    await liftWithCause(tx, { regel_id: regelId }, { akteur, now, grund: 'regel_entfernt', objekt });
    return row;
  });
}
