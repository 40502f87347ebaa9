/** Text: the type, the lengths in code points, the pattern, the word list, the e-mail address. */
import type { Node } from '#contracts';
import { emailProblem } from '#kernel/email.ts';
import { Refusal } from './faults.ts';

function codePoints(text: string): number {
  let count = 0;
  for (const _ of text) count++;
  return count;
}

function lengthProblem(text: string, { minLength = 0, maxLength = Infinity }: Node): Refusal | null {
  // A text of n code units has between n/2 and n code points: most lengths need no counting, and none
  // takes longer than the bound allows.
  if (text.length >= 2 * minLength && text.length <= maxLength) return null;
  const length = text.length > 2 * maxLength ? text.length : codePoints(text);
  if (length < minLength) return new Refusal('string_too_short', { min_length: minLength });
  if (length > maxLength) return new Refusal('string_too_long', { max_length: maxLength });
  return null;
}

/** Makes the reader of a text field: the text itself, or the refusal. */
export function textReader(rules: Node) {
  const pattern = rules.pattern === undefined ? null : new RegExp(rules.pattern, 'u');
  return (value: unknown): unknown => {
    if (typeof value !== 'string') return new Refusal('string_type');
    const text = rules.format === 'email' ? value.trim() : value;
    const problem = lengthProblem(text, rules);
    if (problem) return problem;
    if (pattern && !pattern.test(text))
      return new Refusal('string_pattern_mismatch', { pattern: rules.pattern });
    const reason = rules.format === 'email' ? emailProblem(text) : null;
    return reason === null ? text : new Refusal('value_error', { reason });
  };
}

/** Makes the reader of a word list. */
export function wordReader(words: readonly unknown[]) {
  const quoted = words.map((word) => `'${word}'`);
  const expected = [quoted.slice(0, -1).join(', '), quoted.at(-1)].filter(Boolean).join(' or ');
  return (value: unknown): unknown =>
    words.includes(value) ? value : new Refusal('literal_error', { expected });
}
