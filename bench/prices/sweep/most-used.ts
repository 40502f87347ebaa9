/** The sixty models that most calls are of: before a release what the supplement says of them is read anew, and a newest list has to say the same. */
import { loadSupplements } from '#domains/preise/index.ts';
import { priceOfCall } from '#test/price-of-call.ts';
import type { Swept } from './sweep.ts';

/** By provider, as calls name them: what the makers name first on their pages of prices, and what hosts sell most of. */
export const MOST_USED: Readonly<Record<string, readonly string[]>> = {
  openai: [
    ...['gpt-4o', 'gpt-4o-mini', 'gpt-4.1', 'gpt-4.1-mini', 'gpt-4.1-nano', 'o3', 'o4-mini', 'gpt-5'],
    ...[
      'gpt-5-mini',
      'gpt-5-nano',
      'gpt-5.1',
      'gpt-5.2',
      'gpt-5.4',
      'gpt-5.4-mini',
      'gpt-5.5',
      'gpt-5.6-sol',
    ],
    ...[
      'gpt-6-sol',
      'gpt-6.1-sol',
      'gpt-image-1',
      'whisper-1',
      'text-embedding-3-small',
      'text-embedding-3-large',
    ],
  ],
  anthropic: [
    ...['claude-haiku-4-5', 'claude-sonnet-4-5', 'claude-sonnet-4-6', 'claude-sonnet-5', 'claude-sonnet-5-5'],
    ...[
      'claude-haiku-5-5',
      'claude-opus-4-5',
      'claude-opus-4-6',
      'claude-opus-5',
      'claude-opus-5-5',
      'claude-fable-5',
    ],
  ],
  google: [
    ...['gemini-2.5-pro', 'gemini-2.5-flash', 'gemini-2.5-flash-lite', 'gemini-2.5-flash-image'],
    ...['gemini-3.1-flash-lite', 'gemini-3.5-flash', 'gemini-3.8-flash', 'gemini-3-flash-preview'],
  ],
  azure: ['gpt-4o', 'gpt-4o-mini', 'gpt-4.1', 'gpt-5', 'gpt-5-mini'],
  aws: ['anthropic.claude-sonnet-4-5-20250929-v1:0', 'amazon.nova-pro-v1:0', 'amazon.nova-lite-v1:0'],
  mistral: ['mistral-large-latest', 'mistral-medium-latest', 'mistral-small-latest', 'codestral-latest'],
  deepseek: ['deepseek-chat', 'deepseek-v4-flash', 'deepseek-v4-pro'],
  'x-ai': ['grok-4.3', 'grok-4.6'],
  groq: ['llama-3.3-70b-versatile', 'openai/gpt-oss-120b'],
};

/** Days between a reading and the release that it is for. */
const WINDOW_DAYS = 14;
const DAY_MS = 86_400_000;

export interface MostUsed {
  name: string;
  /** The earliest day on which what the supplement says of it was read; null where it says nothing. */
  read: string | null;
  /** Where it stands. */
  sources: string[];
  /** The newest lists that say the same of a call of it, or of which it is known why they do not. */
  confirmed: string[];
}

/** The entry that a call of a model is priced by; '' of what is not billed by tokens. */
const entryOf = (anbieter: string, modell: string): string =>
  priceOfCall({ anbieter, modell, tokens: { eingabe: 1_000 } })?.source ?? '';

/** What the supplement says of a model, whose id there or in the list is the end of its entry. */
function originsOf(anbieter: string, modell: string) {
  const entry = entryOf(anbieter, modell);
  const isOf = (id: string) => id === modell || entry.endsWith(`/${id}`);
  return loadSupplements()
    .filter(({ provider }) => provider === anbieter)
    .flatMap(({ models, additions }) => [
      ...models.filter(({ id }) => isOf(id)),
      ...additions.filter((each) => each.models.some(isOf)),
    ]);
}

const isConfirming = ({ outcome, reason }: Swept) => outcome === 'equal' || reason !== null;

/** Each of the models with its last reading and who else says so. */
export function mostUsed(swept: readonly Swept[]): MostUsed[] {
  const confirming = swept.filter(isConfirming);
  const listsOf = (anbieter: string, modell: string) => {
    const entry = entryOf(anbieter, modell);
    // Lists have names of their own for hosts: what is priced by the same entry here is the same model.
    const same = confirming.filter(
      ({ call, own }) => own?.source === entry || (call.anbieter === anbieter && call.modell === modell),
    );
    return [...new Set(same.map(({ list }) => list))];
  };
  return Object.entries(MOST_USED).flatMap(([anbieter, models]) =>
    models.map((modell) => {
      const origins = originsOf(anbieter, modell);
      return {
        name: `${anbieter} ${modell}`,
        read: origins.map(({ read }) => read).sort()[0] ?? null,
        sources: [...new Set(origins.flatMap(({ sources }) => sources))],
        confirmed: listsOf(anbieter, modell),
      };
    }),
  );
}

/** Why a release of that day must not go: what was read too long ago, and what nobody else says. */
export const unread = (models: readonly MostUsed[], today: Date): string[] =>
  models.flatMap(({ name, read, confirmed }) => {
    const days = read === null ? 0 : Math.floor((today.getTime() - Date.parse(read)) / DAY_MS);
    if (days > WINDOW_DAYS)
      return [`${name}: what the supplement says was read ${days} days ago, on ${read}`];
    return confirmed.length === 0 && read === null ? [`${name}: no newest list says what is said here`] : [];
  });
