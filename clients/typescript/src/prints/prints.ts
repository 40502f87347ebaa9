/** Prints of a call: docs/fingerprints.md. No word of a prompt leaves the process, and none can be guessed without the key. */
import { canonicalJson } from './canonical-json.ts';
import { newInput } from './new-input.ts';
import type { KeyedPrints } from './sim-hash.ts';
import { toolCallsOf } from './tool-calls.ts';

/** Both as 16 hexadecimal characters; null where there is nothing to tell. */
export interface Prints {
  prompt_fingerabdruck: string | null;
  werkzeug_fingerabdruck: string | null;
}

/** Code units of a canonical text that are read: half of them from its beginning, half from its end. */
const READ_AT_MOST = 8_192;

function shortened(canonical: string): string {
  if (canonical.length <= READ_AT_MOST) return canonical;
  const half = READ_AT_MOST / 2;
  return `${canonical.slice(0, half)}§${canonical.length}§${canonical.slice(-half)}`.toWellFormed();
}

const NONE: Prints = { prompt_fingerabdruck: null, werkzeug_fingerabdruck: null };

/** `request`: the parsed body; `parts`: the parsed answer, one element for each event of a stream. */
export function printsOf(request: unknown, parts: readonly unknown[], keyed: KeyedPrints): Prints {
  try {
    const calls = toolCallsOf(parts);
    return {
      prompt_fingerabdruck: keyed.simHash(newInput(request)),
      werkzeug_fingerabdruck: calls.length === 0 ? null : keyed.digest(shortened(canonicalJson(calls))),
    };
  } catch {
    // Nested too deeply to be read: the call counts all the same.
    return NONE;
  }
}
