/**
 * Claude Code: a session as it is kept on the machine, a line for each message. An answer stands in several lines, one for each of its
 * parts, and again where a session was resumed: message id and request id together name it, and its last line has the final counts. The
 * event's id is made of the id of the answer, as the proxy and the package do it: what they have sent is not counted again. The id of the
 * request goes along, since the telemetry of Claude Code names a call by it alone.
 */
import type { Ereignis } from '../event.ts';
import { at, text } from '../json.ts';
import { stableId } from '../stable-id.ts';
import { toEvents } from '../to-events.ts';
import type { Importer } from './importer.ts';
import type { Row } from './rows.ts';
import { runOf, textIn } from './values.ts';

const ADDRESS = 'https://api.anthropic.com/v1/messages';

/** What names an answer; null for what is none, or is of no model. */
function nameOf(row: Row): string | null {
  if (text(row.type) !== 'assistant') return null;
  const id = text(at(row, 'message', 'id'));
  const model = text(at(row, 'message', 'model'));
  if (id === null || model === null || model === '<synthetic>') return null;
  if (at(row, 'message', 'usage') == null) return null;
  return `${id} ${text(row.requestId) ?? ''}`;
}

/** The answer as the provider gave it; of its content only which tools the model asked for. */
function answerOf(row: Row): object {
  const of = (name: string) => at(row, 'message', name);
  const content = of('content');
  const tools = Array.isArray(content) ? content.filter((part) => at(part, 'type') === 'tool_use') : [];
  return {
    type: 'message',
    role: 'assistant',
    id: of('id'),
    model: of('model'),
    stop_reason: of('stop_reason'),
    usage: of('usage'),
    content: tools.map((part) => ({
      type: 'tool_use',
      id: at(part, 'id'),
      name: at(part, 'name'),
      input: {},
    })),
  };
}

function eventsOf(name: string, row: Row): Ereignis[] {
  const zeitpunkt = text(row.timestamp);
  const isTime = !Number.isNaN(Date.parse(zeitpunkt ?? ''));
  const cwd = text(row.cwd);
  // A session that was forked off has the answers of the one before, under its own name.
  const session = text(row.requestSessionId) ?? text(row.sessionId);
  const request = text(row.requestId);
  const { events } = toEvents({
    uri: ADDRESS,
    request: { model: at(row, 'message', 'model') },
    status: 200,
    contentType: 'application/json',
    body: JSON.stringify(answerOf(row)),
  });
  return events.map(({ zusatz, ...event }) => ({
    // What the provider does not name for good is named by where it stands.
    ereignis_id: stableId('claude-code', name),
    ...event,
    zeitpunkt: isTime ? zeitpunkt : null,
    ...(session === null ? {} : { lauf_id: runOf(session) }),
    agent: 'claude-code',
    quelle: 'import:claude-code',
    zusatz: {
      ...zusatz,
      ...(request === null ? {} : { anfrage_id: request }),
      ...(cwd === null ? {} : { verzeichnis: cwd.replaceAll('\\', '/').split('/').filter(Boolean).at(-1) }),
    },
  }));
}

export const claudeCode: Importer = {
  name: 'Claude Code',
  recognises: (row) =>
    'sessionId' in row || 'leafUuid' in row || textIn(row.type) === 'file-history-snapshot',
  nameOf,
  read(row) {
    const name = nameOf(row);
    if (name === null) return { left: 'kein_aufruf' };
    const cost = row.costUSD;
    return { events: eventsOf(name, row), cost: cost === undefined ? null : String(cost) };
  },
};
