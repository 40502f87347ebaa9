/** Programs that write code: whose they are, which piece of work they are at, and whether a subscription pays. */
import type { Attributes, OtlpRecord } from '../wire/record.ts';
import type { Dialect } from './kinds.ts';
import { firstText } from './read.ts';

export type CodingAgent = 'claude-code' | 'codex' | 'copilot' | 'gemini-cli' | 'opencode';

const OF_DIALECT: Partial<Record<Dialect, CodingAgent>> = {
  'claude-code': 'claude-code',
  codex: 'codex',
  'gemini-cli': 'gemini-cli',
};
/** By the name of the service, else of the instrumentation. */
const BY_NAME: [RegExp, CodingAgent][] = [
  [/^claude-code/, 'claude-code'],
  [/^codex([_-]|$)/, 'codex'],
  [/^(github[-.])?copilot([-_.]|$)/, 'copilot'],
  [/^gemini-cli/, 'gemini-cli'],
  [/^opencode/, 'opencode'],
];

const byName = (name: unknown): CodingAgent | null =>
  typeof name === 'string' ? (BY_NAME.find(([pattern]) => pattern.test(name))?.[1] ?? null) : null;

/** Which of them tells; null for any other program. */
export const codingAgentOf = ({ origin }: OtlpRecord, dialect: Dialect): CodingAgent | null =>
  OF_DIALECT[dialect] ?? byName(origin.scope) ?? byName(origin.resource['service.name']);

const BY_SPAN_AND_LOG: ReadonlySet<CodingAgent | null> = new Set<CodingAgent>([
  'claude-code',
  'codex',
  'gemini-cli',
]);

/** Whether a program tells of a call by a span and by a log record, which come apart: both are waited for. */
export const tellsTwice = (agent: CodingAgent | null): boolean => BY_SPAN_AND_LOG.has(agent);

/** Who sits before it: somebody who can be asked goes before an account, an account before a device. */
export const DEVELOPER = [
  'enduser.id',
  'user.email',
  // Copilot's: the login at GitHub.
  'user.name',
  'user.account_uuid',
  'user.account_id',
  'user.id',
] as const;

/** Where nobody is signed in, some say so. */
export const isNobody = (user: string | null): boolean => user === 'unknown' || user === 'anonymous';

const SAID = ['subscription', 'abonnement'];

/** Says it whatever the program thinks; in `OTEL_RESOURCE_ATTRIBUTES` all values are texts. */
function said(attributes: Attributes): boolean | null {
  for (const name of SAID) {
    const value = attributes[name];
    if (value === true || value === 'true') return true;
    if (value === false || value === 'false') return false;
  }
  return null;
}

const ACCOUNT = ['user.account_uuid', 'user.account_id'];

/** What each says of how it is signed in. A key of its own at the provider is billed by call. */
const SIGNED_IN: Record<CodingAgent, (attributes: Attributes) => boolean> = {
  'claude-code': (attributes) => firstText(attributes, ACCOUNT, 200) !== null,
  codex: ({ auth_mode: mode }) => typeof mode === 'string' && /^chatgpt/i.test(mode),
  'gemini-cli': ({ auth_type: type }) => type === 'oauth-personal',
  copilot: (attributes) =>
    /^(github|copilot)?$/.test(firstText(attributes, ['gen_ai.provider.name'], 60) ?? ''),
  // It has as many ways to sign in as there are providers, and names none.
  opencode: () => false,
};

/** Whether a subscription pays for a call; null where nothing says so. */
export function isPaidBySubscription(
  { attributes, origin }: OtlpRecord,
  agent: CodingAgent | null,
): boolean | null {
  const declared = said(attributes) ?? said(origin.resource);
  if (declared !== null || agent === null) return declared;
  return SIGNED_IN[agent](attributes) ? true : null;
}
