/** What an operator wishes for a Mandant, where it does not come as a request: held against the same schema. */
import { type BodyOf, type mandantAendern, mandantAenderung } from '#contracts';
import { compileCheck } from '#http/check/index.ts';

const check = compileCheck(mandantAenderung);
const FIELDS = Object.keys(mandantAenderung.properties);

/** The wish that fields make, or why they make none, as a German sentence. */
export function readWish(
  fields: Record<string, string | null>,
): { wish: BodyOf<typeof mandantAendern> } | { problem: string } {
  const unknown = Object.keys(fields).find((name) => !FIELDS.includes(name));
  if (unknown !== undefined)
    return { problem: `Ein Feld „${unknown}“ gibt es nicht; es gibt ${FIELDS.join(', ')}.` };
  const result = check(fields, []);
  if (result.ok) return { wish: result.value as BodyOf<typeof mandantAendern> };
  const [fault] = result.faults;
  return { problem: `„${fault?.loc.join('.')}“ hat keinen gültigen Wert: ${fault?.msg}.` };
}
