import { findProvider } from '@pydantic/genai-prices';
import type { Answer } from './answer.ts';

/** Ollama's own port: it answers in OpenAI's form too, and no host name tells. */
const OLLAMA_PORT = ':11434';

/**
 * The provider's id as the price list knows it, found by the address; else the provider whose form the answer has;
 * else the host name. Null where there is not even a host.
 */
export function anbieterOf(answer: Answer, ownForm: string | undefined): string | null {
  const listed = findProvider({ providerApiUrl: answer.exchange.uri })?.id;
  const local = answer.host.endsWith(OLLAMA_PORT) ? 'ollama' : undefined;
  return listed ?? ownForm ?? local ?? (answer.host.replace(/:\d+$/, '') || null);
}
