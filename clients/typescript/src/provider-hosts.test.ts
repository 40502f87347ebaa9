import { findProvider } from '@pydantic/genai-prices';
import { expect, test } from 'vitest';
import { providersListed } from '../scripts/provider-hosts.ts';
import { providerAt, providerNamed } from './hosts.ts';
import { PROVIDERS } from './provider-hosts.ts';

test('the table is that of the installed list', async () => {
  const written = (rows: readonly (readonly unknown[])[]) => rows.map((row) => row.map(String));
  expect(written(PROVIDERS)).toEqual(written(await providersListed()));
});

test.each([
  'https://api.openai.com/v1/responses',
  'https://eu.openai.azure.com/openai/v1',
  'https://bedrock-runtime.eu-central-1.amazonaws.com/model/x/converse',
  'https://router.huggingface.co/groq/v1',
  'https://storage.googleapis.com/x',
  'https://gateway.example/v1',
  '/v1/messages',
])('who answers at %s is whom the list says', (url) => {
  expect(providerAt(url)).toBe(findProvider({ providerApiUrl: url })?.id);
});

test.each([
  'azure',
  'Bedrock',
  'vertex_ai',
  'amazon-bedrock',
  'mistral-eu',
  'xai',
  'together_ai',
  'huggingface/groq',
  'nobody',
])('what %s calls is what the list says', (name) => {
  expect(providerNamed(name)).toBe(findProvider({ providerId: name })?.id);
});
