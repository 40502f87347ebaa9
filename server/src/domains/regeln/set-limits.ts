/** The limits of money of a Mandant: shown with what is proposed, confirmed, changed, switched off. */
import { type BodyOf, GRENZEN, type geldgrenzenSetzen, type ResponseOf } from '#contracts';
import { type Akteur, recordChange } from '#domains/protokoll/index.ts';
import type { MandantId } from '#kernel/mandant-id.ts';
import type { ServiceContext } from '#platform/context.ts';
import type { MandantTx } from '#platform/database/index.ts';
import { GELDGRENZEN, type Grenze, isGrenze, wishFor } from './geldgrenzen.ts';
import { MAX_RULES } from './limits.ts';
import { changeRule, createRule } from './service.ts';
import { confirmLimits, type RegelAnswer, readConfirmed, readRules } from './store.ts';

type Context = Pick<ServiceContext, 'db' | 'clock'>;
type Answer = ResponseOf<typeof geldgrenzenSetzen>;

/** The rule that is a limit: of several the one in force that was put in first. */
function ruleOf(grenze: Grenze, rules: RegelAnswer[]): RegelAnswer | undefined {
  const own = rules.filter((rule) => isGrenze(grenze, rule));
  return own.find((rule) => rule.aktiv && !rule.schattenbetrieb) ?? own[0];
}

async function readLimits(tx: MandantTx): Promise<Answer> {
  const rules = await readRules(tx, { limit: MAX_RULES, after: null });
  return {
    grenzen: GRENZEN.map((grenze) => {
      const rule = ruleOf(grenze, rules);
      const isInForce = rule?.aktiv === true && !rule.schattenbetrieb;
      return {
        grenze,
        vorschlag_eur: GELDGRENZEN[grenze].vorschlag,
        betrag_eur: isInForce ? rule.schwelle : null,
        stufe: rule?.stufe ?? GELDGRENZEN[grenze].stufe,
        regel_id: rule?.regel_id ?? null,
      };
    }),
    bestaetigt_am: await readConfirmed(tx),
  };
}

/** Which limits hold, with what is proposed. */
export const showLimits = ({ db }: Pick<Context, 'db'>, mandant: MandantId): Promise<Answer> =>
  db.forMandant(mandant, readLimits);

/** Puts a limit in, changes it or switches it off. */
async function setLimit(
  context: Context,
  mandant: MandantId,
  akteur: Akteur,
  [grenze, betrag]: [Grenze, string | null],
): Promise<void> {
  const rules = await context.db.forMandant(mandant, (tx) =>
    readRules(tx, { limit: MAX_RULES, after: null }),
  );
  const rule = ruleOf(grenze, rules);
  if (betrag === null) {
    if (rule?.aktiv) await changeRule(context, mandant, akteur, rule.regel_id, { aktiv: false });
    return;
  }
  const change = { schwelle: betrag, aktiv: true, schattenbetrieb: false };
  if (rule) await changeRule(context, mandant, akteur, rule.regel_id, change);
  else await createRule(context, mandant, akteur, wishFor(grenze, betrag));
}

/**
 * Sets the limits that are said, and notes that somebody has answered. Each is a change of a rule of its own: what fails in between is set
 * by asking again. Throws 422 for more decimal places than amounts have, 409 for one rule too many.
 */
export async function setLimits(
  context: Context,
  mandant: MandantId,
  akteur: Akteur,
  { lauf_eur, agent_stunde_eur, tag_eur }: BodyOf<typeof geldgrenzenSetzen>,
): Promise<Answer> {
  const said = { lauf: lauf_eur, agent_stunde: agent_stunde_eur, tag: tag_eur };
  for (const grenze of GRENZEN) {
    const betrag = said[grenze];
    if (betrag !== undefined) await setLimit(context, mandant, akteur, [grenze, betrag]);
  }
  return context.db.forMandant(mandant, async (tx) => {
    const now = context.clock.now();
    if (await confirmLimits(tx, now.toISOString()))
      await recordChange(tx, mandant, now, {
        akteur,
        aktion: 'geldgrenzen.bestaetigt',
        objekt: { art: 'mandant', id: mandant },
      });
    return readLimits(tx);
  });
}
