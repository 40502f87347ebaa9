/** What a request says of itself: by its path, by our headers, and by what clients send anyway. The path goes before the headers. */
import type { IncomingHttpHeaders } from 'node:http';
import { type RunOptions, runIdOf } from '#client/transport.ts';
import { Refusal } from './refusal.ts';
import { type Target, targetOf } from './targets.ts';

export interface Route {
  /** Key of the service; null where the request brings none. */
  key: string | null;
  attribution: RunOptions;
  target: Target;
  /** As the provider gets it, with the query. */
  path: string;
  /** What is asked of which provider, without the query, in which Google's clients put their key. */
  uri: string;
}

type Said = 'agent' | 'projekt' | 'endkunde' | 'funktion' | 'benutzer' | 'lauf_id';

/** In a path: `/agent/<name>/…`. */
const WORDS: Readonly<Record<string, Said>> = {
  agent: 'agent',
  projekt: 'projekt',
  project: 'projekt',
  endkunde: 'endkunde',
  customer: 'endkunde',
  funktion: 'funktion',
  function: 'funktion',
  benutzer: 'benutzer',
  user: 'benutzer',
  lauf: 'lauf_id',
  run: 'lauf_id',
};

const KEY = /^zw_[A-Za-z0-9_-]{4,100}$/;
const OURS = 'x-zaehlwerk-';
const MAX_LENGTH = 200;

/** Under which coding agents say their session, which is the run of their calls. */
const SESSIONS = ['x-claude-code-session-id', 'session-id', 'session_id', 'thread-id', 'x-session-id'];
/** Agents that say who they are; the name of a library says nothing of the program that uses it. */
const AGENTS: readonly (readonly [RegExp, string])[] = [
  [/^claude-cli\//, 'claude-code'],
  [/^codex/i, 'codex'],
  [/^opencode\//, 'opencode'],
  [/^GeminiCLI/, 'gemini-cli'],
  [/^copilot/i, 'copilot-cli'],
  [/^QwenCode\//, 'qwen-code'],
];

const one = (value: string | string[] | undefined): string | undefined => {
  const text = (Array.isArray(value) ? value[0] : value)?.trim();
  return text === '' ? undefined : text?.slice(0, MAX_LENGTH);
};

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment).slice(0, MAX_LENGTH);
  } catch {
    throw new Refusal(
      400,
      'pfad_ungueltig',
      `"${segment.slice(0, 40)}" in the path is not encoded as it must be`,
    );
  }
}

function agentBy(headers: IncomingHttpHeaders): string | undefined {
  const said = [one(headers.originator), one(headers['user-agent'])];
  for (const text of said) {
    const found = AGENTS.find(([pattern]) => text !== undefined && pattern.test(text));
    if (found !== undefined) return found[1];
  }
  return undefined;
}

type SaidHere = Partial<Record<Said, string>>;

/** Our headers: `x-zaehlwerk-agent` and the like. */
function byHeaders(headers: IncomingHttpHeaders): SaidHere {
  const said: SaidHere = {};
  if (!Object.keys(headers).some((name) => name.startsWith(OURS))) return said;
  for (const [word, field] of Object.entries(WORDS)) {
    const value = one(headers[`${OURS}${word}`]);
    if (value !== undefined) said[field] ??= decoded(value);
  }
  return said;
}

/** What stands in front of the provider in the path, and what follows. */
function byPath(segments: string[]): { key: string | null; said: SaidHere; rest: string[] } {
  let key: string | null = null;
  const said: SaidHere = {};
  let rest = segments;
  for (;;) {
    const [head = '', value = ''] = rest;
    const field = Object.hasOwn(WORDS, head) ? WORDS[head] : undefined;
    if (key === null && KEY.test(head)) {
      key = head;
      rest = rest.slice(1);
    } else if (field !== undefined) {
      said[field] = decoded(value);
      rest = rest.slice(2);
    } else return { key, said, rest };
  }
}

function attributionOf(said: SaidHere, headers: IncomingHttpHeaders): RunOptions {
  const { lauf_id, ...who } = said;
  const session = SESSIONS.map((name) => one(headers[name])).find((text) => text !== undefined);
  const run = lauf_id ?? session;
  const agent = who.agent ?? agentBy(headers);
  return {
    ...who,
    ...(agent === undefined ? {} : { agent }),
    ...(run === undefined ? {} : { lauf_id: runIdOf(run) }),
    traceparent: one(headers.traceparent) ?? null,
  };
}

/** Reads where a request goes and whose it is. Throws a `Refusal` where it goes nowhere. */
export function routeOf(url: string, headers: IncomingHttpHeaders, own: ReadonlyMap<string, URL>): Route {
  const [asked = '', ...query] = url.split('?');
  const { key, said, rest } = byPath(asked.split('/').slice(1));
  const found = targetOf(rest, own);
  if (found === null)
    throw new Refusal(404, 'ziel_unbekannt', 'the path names no provider that is known here (docs/proxy.md)');
  const segments = rest.slice(found.taken);
  if (segments.some((segment) => /^(\.|%2e){1,2}$/i.test(segment)))
    throw new Refusal(400, 'pfad_ungueltig', 'the path leads out of itself');
  const { target } = found;
  const path = `/${segments.join('/')}`;
  return {
    key: key ?? one(headers[`${OURS}key`]) ?? null,
    attribution: attributionOf({ ...byHeaders(headers), ...said }, headers),
    target,
    path: [`${target.base}${path}`, ...query].join('?'),
    uri: `${target.provider}${target.provider === target.origin ? target.base : ''}${path}`,
  };
}
