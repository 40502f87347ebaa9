/** Whether a change takes away what a rule has ordered: pure. */
import { type Eingriff, STUFEN, type Static } from '#contracts';
import { eurFrom } from '#kernel/money.ts';
import type { RegelFields } from './store.ts';

type Grund = NonNullable<Static<typeof Eingriff>['aufgehoben_grund']>;

/** What a rule is about; with any of it changed it is another cause. */
const ABOUT = ['typ', 'geltungsbereich', 'bezug', 'einheit', 'zeitfenster', 'parameter'] as const;

const more = (before: string | null, after: string | null): boolean =>
  before !== null && after !== null && eurFrom(after) > eurFrom(before);

/**
 * Why orders of the rule are to be lifted with this change; null where they stand: it was renamed, or became stricter. What still holds
 * under the changed rule is ordered anew with its next look.
 */
export function loosenedBy(before: RegelFields, after: RegelFields): Grund | null {
  if ((before.aktiv && !after.aktiv) || (!before.schattenbetrieb && after.schattenbetrieb))
    return 'regel_aus';
  const isOther = ABOUT.some((field) => JSON.stringify(before[field]) !== JSON.stringify(after[field]));
  const isLower = STUFEN.indexOf(after.stufe) < STUFEN.indexOf(before.stufe);
  return isOther || isLower || more(before.schwelle, after.schwelle) ? 'regel_geaendert' : null;
}
