/** Free objects: any JSON the database can keep. */
import { type Pass, Refusal } from './faults.ts';
import { isStorable, MAX_DEPTH } from './storable.ts';

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const UNICODE = new Refusal('string_unicode');
const TOO_DEEP = new Refusal('value_error', { error: `nesting deeper than ${MAX_DEPTH} levels` });

/** Reports what is wrong inside; false when the walk had to stop because of the depth. */
function inspect(value: unknown, pass: Pass, levels: number): boolean {
  if (typeof value === 'string' && !isStorable(value)) pass.report(UNICODE);
  if (typeof value === 'number' && !Number.isFinite(value)) pass.report(new Refusal('finite_number'));
  if (typeof value !== 'object' || value === null) return true;
  if (levels === 0) return false;
  for (const [key, item] of Object.entries(value)) {
    // A key that cannot be stored cannot be echoed either: the fault stands at the object that has it.
    if (!isStorable(key)) {
      pass.report(UNICODE);
      continue;
    }
    pass.path.push(Array.isArray(value) ? Number(key) : key);
    const bounded = inspect(item, pass, levels - 1);
    pass.path.pop();
    if (!bounded) return false;
  }
  return true;
}

/** Reads a free object; it is returned as it is, with all its keys. */
export function readRecord(value: unknown, pass: Pass): unknown {
  if (!isObject(value)) pass.report(new Refusal('dict_type'), value);
  else if (!inspect(value, pass, MAX_DEPTH)) pass.report(TOO_DEEP);
  return value;
}
