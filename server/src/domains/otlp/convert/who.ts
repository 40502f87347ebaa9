/** Who makes a call, and for whom: what a record says of it, in the names of the libraries. */
import type { Attributes, OtlpRecord } from '../wire/record.ts';
import { type CodingAgent, DEVELOPER, isNobody } from './coding.ts';
import type { Classified } from './kinds.ts';
import { at, firstText, parsed, textIn } from './read.ts';

/** Each null where nothing is said. */
export interface Who {
  agent: string | null;
  /** What the run is called; the trace names it where nothing else does. */
  lauf: string | null;
  sitzung: string | null;
  benutzer: string | null;
  endkunde: string | null;
  funktion: string | null;
  projekt: string | null;
}

export const NOBODY: Who = {
  agent: null,
  lauf: null,
  sitzung: null,
  benutzer: null,
  endkunde: null,
  funktion: null,
  projekt: null,
};

/** Names under which senders put what no convention has a name for. */
export interface CustomNames {
  endkunde: readonly string[];
  funktion: readonly string[];
  projekt: readonly string[];
}

export const DEFAULT_NAMES: CustomNames = {
  endkunde: [
    'endkunde',
    'endkunde_ref',
    'customer',
    'customer_id',
    'customer.id',
    'tenant',
    'tenant_id',
    'tenant.id',
  ],
  funktion: ['funktion', 'funktion_ref', 'feature', 'feature.name'],
  projekt: [
    'projekt',
    'project',
    'project.name',
    'repository',
    'vcs.repository.name',
    'github.copilot.git.repository',
  ],
};

/** Own names before those that are known anyway; the same object where there are none. */
export const withDefaults = (own: CustomNames): CustomNames =>
  Object.values(own).every((names) => names.length === 0)
    ? DEFAULT_NAMES
    : {
        endkunde: [...own.endkunde, ...DEFAULT_NAMES.endkunde],
        funktion: [...own.funktion, ...DEFAULT_NAMES.funktion],
        projekt: [...own.projekt, ...DEFAULT_NAMES.projekt],
      };

/** Before which custom names stand, where a library puts the sender's own data. */
const CARRIERS = [
  '',
  'langfuse.trace.metadata.',
  'langfuse.observation.metadata.',
  'ai.telemetry.metadata.',
  'ai.settings.context.',
  'mastra.metadata.',
  'traceloop.association.properties.',
  'langsmith.metadata.',
  'metadata.',
];

const AGENT = [
  'gen_ai.agent.name',
  'ai.telemetry.functionId',
  'agent.name',
  'agent_name',
  'langsmith.metadata.lc_agent_name',
  'traceloop.association.properties.lc_agent_name',
  'traceloop.workflow.name',
];
const LAUF = [
  'gen_ai.agent.call.id',
  'mastra.metadata.runId',
  'gcp.vertex.agent.invocation_id',
  'prompt.id',
  'turn.id',
];
const SITZUNG = [
  'gen_ai.conversation.id',
  'session.id',
  'conversation.id',
  'langfuse.session.id',
  'langsmith.metadata.thread_id',
  'langsmith.metadata.session_id',
  'traceloop.association.properties.session_id',
  'traceloop.association.properties.thread_id',
  'ai.telemetry.metadata.sessionId',
  'mastra.metadata.threadId',
  'mastra.metadata.sessionId',
];
const BENUTZER = [
  'user.id',
  'enduser.id',
  'langfuse.user.id',
  'llm.user',
  'gen_ai.request.user',
  'ai.telemetry.metadata.userId',
  'langsmith.metadata.user_id',
  'traceloop.association.properties.user_id',
  'mastra.metadata.userId',
];
const IN_METADATA = { sitzung: ['session_id', 'thread_id', 'sessionId'], benutzer: ['user_id', 'userId'] };

/** A text, or one that stands in quotation marks of JSON. */
function plain(value: unknown, most: number): string | null {
  if (typeof value === 'string' && value.startsWith('"')) return textIn(parsed(value), most);
  return textIn(value, most);
}

const places = new WeakMap<readonly string[], ReadonlyMap<string, number>>();

/** All attributes that one of these names may stand in, each with its rank: the first name counts most. */
function placesOf(names: readonly string[]): ReadonlyMap<string, number> {
  const found = places.get(names);
  if (found) return found;
  const all = names.flatMap((name) => CARRIERS.map((carrier) => carrier + name));
  const ranks = new Map(all.map((place, rank) => [place, rank]));
  places.set(names, ranks);
  return ranks;
}

function custom(
  attributes: Attributes,
  metadata: unknown,
  names: readonly string[],
  most: number,
): string | null {
  const ranks = placesOf(names);
  let best: string | null = null;
  let bestRank = Number.POSITIVE_INFINITY;
  for (const name in attributes) {
    const rank = ranks.get(name);
    if (rank === undefined || rank >= bestRank) continue;
    const text = plain(attributes[name], most);
    if (text === null) continue;
    best = text;
    bestRank = rank;
  }
  return best ?? (metadata === undefined ? null : inMetadata(metadata, names, most));
}

const inMetadata = (metadata: unknown, names: readonly string[], most: number): string | null =>
  names.map((name) => textIn(at(metadata, name), most)).find((text) => text !== null) ?? null;

/** An agent that no attribute names is named by its span. */
function agentOf(
  { attributes, name }: OtlpRecord,
  { kind, dialect }: Classified,
  metadata: unknown,
): string | null {
  const said = firstText(attributes, AGENT, 120) ?? textIn(at(metadata, 'lc_agent_name'), 120);
  if (said !== null) return said;
  if (kind !== 'agent') return null;
  if (dialect === 'langfuse' || dialect === 'openinference') return textIn(name, 120);
  return firstText(attributes, ['traceloop.entity.name'], 120);
}

/** What one record says. */
export function whoOf(
  record: OtlpRecord,
  classified: Classified,
  names: CustomNames,
  coding: CodingAgent | null,
): Who {
  const who = saidBy(record, classified, names);
  return coding === null ? who : ofCodingAgent(record, who, coding);
}

/** Where others name the agent, opencode names functions of its own, and Claude Code the subagent, which is a part of the agent's session. */
const AGENT_OF: Partial<Record<CodingAgent, { agent: string | null }>> = {
  opencode: { agent: 'opencode' },
  'claude-code': { agent: null },
};

/** A session of a coding agent is its run; whose it is stands in several places. */
function ofCodingAgent({ attributes }: OtlpRecord, who: Who, coding: CodingAgent): Who {
  const benutzer = firstText(attributes, DEVELOPER, 200) ?? who.benutzer;
  // The conversation that spans of Claude Code name is that of the subagent.
  const sitzung = (coding === 'claude-code' ? textIn(attributes['session.id'], 200) : null) ?? who.sitzung;
  return {
    ...who,
    ...AGENT_OF[coding],
    sitzung,
    lauf: sitzung ?? who.lauf,
    benutzer: isNobody(benutzer) ? null : benutzer,
  };
}

function saidBy(record: OtlpRecord, classified: Classified, names: CustomNames): Who {
  const { attributes } = record;
  // Only of these are metadata a value of their own.
  const metadata = attributes.metadata === undefined ? undefined : parsed(attributes.metadata);
  return {
    agent: agentOf(record, classified, metadata),
    lauf: firstText(attributes, LAUF, 200),
    sitzung: firstText(attributes, SITZUNG, 200) ?? inMetadata(metadata, IN_METADATA.sitzung, 200),
    benutzer: firstText(attributes, BENUTZER, 200) ?? inMetadata(metadata, IN_METADATA.benutzer, 200),
    endkunde: custom(attributes, metadata, names.endkunde, 120),
    funktion: custom(attributes, metadata, names.funktion, 200),
    projekt: custom(attributes, metadata, names.projekt, 100),
  };
}

/** Services that are called by what starts them name nobody. */
const NO_NAME = /^(unknown_service(:.*)?|langsmith)$/;

/** Named by the way it was started. */
const CODEX = /^codex_(cli_rs|exec|tui|vscode|mcp_server)$/;

/** By resource, with the names it was read by: all records of a request share few. */
const readResources = new WeakMap<Attributes, { names: CustomNames; who: Who }>();

/** What the resource says for all its records: `OTEL_RESOURCE_ATTRIBUTES`. */
export function whoOfResource(resource: Attributes, names: CustomNames): Who {
  const known = readResources.get(resource);
  if (known?.names === names) return known.who;
  const who = readResource(resource, names);
  readResources.set(resource, { names, who });
  return who;
}

function readResource(resource: Attributes, names: CustomNames): Who {
  const service = textIn(resource['service.name'], 120);
  const named = service !== null && !NO_NAME.test(service) ? service.replace(CODEX, 'codex') : null;
  return {
    ...NOBODY,
    agent: firstText(resource, ['gen_ai.agent.name'], 120) ?? named,
    sitzung: firstText(resource, ['session.id'], 200),
    benutzer: firstText(resource, ['enduser.id', 'user.id', 'user.email'], 200),
    endkunde: custom(resource, undefined, names.endkunde, 120),
    funktion: custom(resource, undefined, names.funktion, 200),
    projekt: custom(resource, undefined, names.projekt, 100),
  };
}

/** What is missing in the first is taken from the second. */
export function orElse(who: Who, other: Who): Who {
  return {
    agent: who.agent ?? other.agent,
    lauf: who.lauf ?? other.lauf,
    sitzung: who.sitzung ?? other.sitzung,
    benutzer: who.benutzer ?? other.benutzer,
    endkunde: who.endkunde ?? other.endkunde,
    funktion: who.funktion ?? other.funktion,
    projekt: who.projekt ?? other.projekt,
  };
}

export const saysSomebody = (who: Who): boolean => Object.values(who).some((each) => each !== null);
