/** Where requests may go: to providers that are known, and to what the operator has named. Nowhere else, whatever a caller says. */
export interface Target {
  origin: string;
  /** In front of the caller's path. */
  base: string;
  /** Whose calls they are, as far as the address tells: where a provider of ours goes by another address, it is still that provider. */
  provider: string;
  /** Named by the operator, who may mean a machine of the own network. */
  isOwn: boolean;
}

const KNOWN: Readonly<Record<string, string>> = {
  anthropic: 'https://api.anthropic.com',
  cerebras: 'https://api.cerebras.ai',
  cohere: 'https://api.cohere.com',
  deepseek: 'https://api.deepseek.com',
  fireworks: 'https://api.fireworks.ai',
  gemini: 'https://generativelanguage.googleapis.com',
  groq: 'https://api.groq.com',
  mistral: 'https://api.mistral.ai',
  openai: 'https://api.openai.com',
  openrouter: 'https://openrouter.ai',
  perplexity: 'https://api.perplexity.ai',
  together: 'https://api.together.xyz',
  voyage: 'https://api.voyageai.com',
  xai: 'https://api.x.ai',
};

/** Those whose address has a name of the customer's, or a place, in it. */
const PLACED: Readonly<Record<string, (label: string) => string>> = {
  azure: (resource) => `https://${resource}.openai.azure.com`,
  bedrock: (region) => `https://bedrock-runtime.${region}.amazonaws.com`,
  vertex: (place) =>
    place === 'global' ? 'https://aiplatform.googleapis.com' : `https://${place}-aiplatform.googleapis.com`,
};

const LABEL = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/i;

/** Where the first of these segments lead, and how many of them say it; null where they lead nowhere. */
export function targetOf(
  [name = '', label = '']: readonly string[],
  own: ReadonlyMap<string, URL>,
): { target: Target; taken: number } | null {
  const named = own.get(name);
  const origin = Object.hasOwn(KNOWN, name) ? KNOWN[name] : undefined;
  if (named !== undefined) {
    const base = named.pathname.replace(/\/+$/, '');
    return {
      target: { origin: named.origin, base, provider: origin ?? named.origin, isOwn: true },
      taken: 1,
    };
  }
  if (origin !== undefined) return { target: { origin, base: '', provider: origin, isOwn: false }, taken: 1 };
  const placed = Object.hasOwn(PLACED, name) ? PLACED[name] : undefined;
  if (placed === undefined || !LABEL.test(label)) return null;
  const there = placed(label);
  return { target: { origin: there, base: '', provider: there, isOwn: false }, taken: 2 };
}
