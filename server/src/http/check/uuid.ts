/** UUIDs as Pydantic v2 reads them; the reasons are those of Rust's `uuid` crate. */
import { Refusal } from './faults.ts';

const CANONICAL = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const URN = 'urn:uuid:';
const GROUPS = [8, 4, 4, 4, 12];

export const isCanonicalUuid = (text: string): boolean => CANONICAL.test(text);

const HYPHENATED_LENGTH = 36;

/** The text between the wrapping, if any, and how many characters the wrapping has in front. */
function unwrap(text: string): [inner: string, offset: number] {
  if (text.length > 1 && text.startsWith('{') && text.endsWith('}')) return [text.slice(1, -1), 1];
  return text.startsWith(URN) ? [text.slice(URN.length), URN.length] : [text, 0];
}

function problem(text: string): string {
  const [inner, offset] = unwrap(text);
  // Where only the content is wrong, the crate speaks of the content alone.
  if (offset > 0 && inner.length === HYPHENATED_LENGTH) return problem(inner);
  const stranger = /[^0-9a-f-]/iu.exec(inner);
  if (stranger) return `invalid character: found \`${stranger[0]}\` at ${stranger.index + offset + 1}`;
  const count = inner.length - inner.replaceAll('-', '').length + 1;
  if (count === 1 && offset === 0)
    return `invalid length: expected length 32 for simple format, found ${text.length}`;
  if (count !== GROUPS.length) return `invalid group count: expected 5, found ${count}`;
  const groups = inner.split('-');
  const wrong = groups.findIndex((group, index) => group.length !== GROUPS[index]);
  // Of the last group the crate counts to the end of the whole text, wrapping included.
  const found = wrong === GROUPS.length - 1 ? text.length - 24 : groups[wrong]?.length;
  return `invalid group length in group ${wrong}: expected ${GROUPS[wrong]}, found ${found}`;
}

/** The canonical lower-case UUID, or the refusal. */
export function readUuid(value: unknown): unknown {
  if (typeof value !== 'string') return new Refusal('uuid_type');
  const [inner, offset] = unwrap(value);
  const lower = inner.toLowerCase();
  if (isCanonicalUuid(lower)) return lower;
  if (offset === 0 && /^[0-9a-f]{32}$/.test(lower)) {
    return lower.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
  }
  return new Refusal('uuid_parsing', { error: problem(value) });
}
