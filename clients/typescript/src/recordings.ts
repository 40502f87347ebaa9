import { at } from './json.ts';
import type { KeyedPrints } from './prints/sim-hash.ts';
import { stableId } from './stable-id.ts';
import { type Conversion, toEvents } from './to-events.ts';

/** One line of a recordings file. `source` is the path of the test the exchange comes from. */
interface Recording {
  id: string;
  source: string;
  /** POST where missing. */
  method?: string;
  uri: string;
  request: unknown;
  status: number;
  content_type: string;
  body: string;
}

function recordingOf(line: string, position: number): Recording {
  const value: unknown = JSON.parse(line);
  for (const key of ['id', 'source', 'uri', 'body']) {
    if (typeof at(value, key) !== 'string') throw new Error(`Line ${position + 1}: "${key}" is not a text`);
  }
  if (typeof at(value, 'status') !== 'number')
    throw new Error(`Line ${position + 1}: "status" is not a number`);
  return value as Recording;
}

/**
 * `<package>/<folder of the recording>`, so that the part before the slash becomes the project:
 * `packages/opentelemetry-instrumentation-groq/tests/cassettes/test_chat/x.yaml` -> `groq/test_chat`.
 */
export function agentOfSource(source: string): string {
  const folders = source.split('/').slice(0, -1);
  const name = (folders[0] === 'packages' ? folders[1] : folders[0])?.replace(
    /^opentelemetry-instrumentation-/,
    '',
  );
  const folder = folders.at(-1);
  return name === undefined || folder === undefined
    ? 'aufzeichnung'
    : name === folder
      ? name
      : `${name}/${folder}`;
}

interface RecordingOptions {
  /** Instead of one made of the recording's source. */
  agent?: string;
  now?: Date;
  /** With it the events carry prints. */
  keyed?: KeyedPrints | null;
}

function conversionOf(
  recording: Recording,
  now: Date,
  { agent, keyed = null }: RecordingOptions,
): Conversion {
  const { id, source, method, uri, request, status, body } = recording;
  const contentType = recording.content_type ?? '';
  const called = method === undefined ? {} : { method };
  const { events, unconverted } = toEvents(
    { ...called, uri, request, status, contentType, body },
    now,
    keyed,
  );
  return {
    events: events.map((event, index) => ({
      ...event,
      // Ids of recordings repeat across sources, so both make the id.
      ereignis_id: event.ereignis_id ?? stableId(source, id, ...(index === 0 ? [] : [String(index)])),
      zeitpunkt: event.zeitpunkt ?? now.toISOString(),
      agent: agent ?? agentOfSource(source),
      zusatz: { ...event.zusatz, aufzeichnung: id },
    })),
    unconverted: unconverted.map((reason) => `${id}: ${reason}`),
  };
}

/**
 * What becomes of recorded exchanges, one JSON object a line, in their order; lines that are no model call give
 * nothing. The same recording has the same `ereignis_id` every time, so that replaying twice counts once. A recording
 * whose answer carries no time gets `now`. Throws on a line that is no recording.
 */
export function eventsOfRecordings(lines: Iterable<string>, options: RecordingOptions = {}): Conversion {
  const now = options.now ?? new Date();
  const conversions = [...lines].flatMap((line, position) =>
    line.trim() === '' ? [] : [conversionOf(recordingOf(line, position), now, options)],
  );
  return {
    events: conversions.flatMap(({ events }) => events),
    unconverted: conversions.flatMap(({ unconverted }) => unconverted),
  };
}
