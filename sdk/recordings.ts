import { v5 as uuidv5 } from 'uuid';
import type { Ereignis } from './event.ts';
import { at } from './json.ts';
import { toEvent } from './to-event.ts';

/** One line of a recordings file. `source` is the path of the test the exchange comes from. */
interface Recording {
  id: string;
  source: string;
  uri: string;
  request: unknown;
  status: number;
  content_type: string;
  body: string;
}

/** Namespace of the ids derived from recordings; any fixed UUID serves. */
const NAMESPACE = '7c9d1f5e-1f0b-4f0a-9a53-0f6c2f6b8a11';

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

function eventOf(recording: Recording, agent: string | undefined, now: Date): Ereignis | null {
  const { id, source, uri, request, status, body } = recording;
  const event = toEvent({ uri, request, status, contentType: recording.content_type ?? '', body }, now);
  if (event === null) return null;
  return {
    ...event,
    // Ids of recordings repeat across sources, so both make the id.
    ereignis_id: uuidv5(`${source} ${id}`, NAMESPACE),
    zeitpunkt: event.zeitpunkt ?? now.toISOString(),
    agent: agent ?? agentOfSource(source),
    zusatz: { ...event.zusatz, aufzeichnung: id },
  };
}

/**
 * The events of recorded exchanges, one JSON object a line, in their order; lines that are no model call give none.
 * The same recording has the same `ereignis_id` every time, so that replaying twice counts once. A recording whose
 * answer carries no time gets `now`. Throws on a line that is no recording.
 */
export function eventsOfRecordings(
  lines: Iterable<string>,
  options: { agent?: string; now?: Date } = {},
): Ereignis[] {
  const now = options.now ?? new Date();
  return [...lines]
    .map((line, position) =>
      line.trim() === '' ? null : eventOf(recordingOf(line, position), options.agent, now),
    )
    .filter((event) => event !== null);
}
