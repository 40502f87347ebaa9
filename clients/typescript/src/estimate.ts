/** Tokens of what was cut off before the provider had counted it, from the text that passed. */
import type { Answer } from './answer.ts';
import { at, list } from './json.ts';
import type { Usage } from './providers/shape.ts';

const CHARACTERS_PER_TOKEN = 4;

/** Under these keys providers put what a model reads or writes; sounds, pictures and names stand under others. */
const WORDS = new Set([
  'text',
  'content',
  'thinking',
  'reasoning',
  'reasoning_content',
  'reasoningContent',
  'refusal',
  'partial_json',
  'arguments',
  'input',
  'outputText',
  'generation',
  'response',
]);

/** What holds such keys further in. */
const AROUND = new Set(['message', 'tool_calls', 'function', 'function_call', 'parts', 'toolUse']);

const REQUEST = [
  'messages',
  'input',
  'contents',
  'prompt',
  'system',
  'systemInstruction',
  'system_instruction',
];
const MORE_OF_REQUEST = ['instructions', 'preamble', 'message', 'chat_history', 'inputText'];

const lengthOf = (text: string): number => [...text].length;

/** Characters of the words in a value; `args` of a function that is called are written as JSON. */
function charactersIn(value: unknown): number {
  if (typeof value === 'string') return lengthOf(value);
  if (Array.isArray(value)) return value.reduce<number>((sum, each) => sum + charactersIn(each), 0);
  if (typeof value !== 'object' || value === null) return 0;
  let sum = 0;
  for (const [key, inner] of Object.entries(value)) {
    if (WORDS.has(key) || AROUND.has(key)) sum += charactersIn(inner);
    else if (key === 'functionCall') sum += lengthOf(JSON.stringify(at(inner, 'args') ?? {}));
  }
  return sum;
}

/** Where one event of a stream has what the model wrote; the events that repeat the whole of it are left out. */
function writtenIn(part: unknown): unknown[] {
  const choices = list(at(part, 'choices')).flatMap((choice) => [at(choice, 'delta'), at(choice, 'text')]);
  const candidates = list(at(part, 'candidates')).map((candidate) => at(candidate, 'content'));
  // Ollama's lines, and those of families at Amazon.
  const lines = at(part, 'done') === undefined ? [] : [at(part, 'message'), at(part, 'response')];
  const families = [at(part, 'outputText'), at(part, 'generation'), at(part, 'outputs')];
  const cohere = at(part, 'event_type') === 'text-generation' ? [at(part, 'text')] : [];
  const mistral = at(part, 'type') === 'message.output.delta' ? [at(part, 'content')] : [];
  const deltas = [at(part, 'delta'), at(part, 'contentBlockDelta', 'delta')];
  return [...deltas, ...choices, ...candidates, ...lines, ...families, ...cohere, ...mistral];
}

const tokensOf = (characters: number): number | null =>
  characters === 0 ? null : Math.ceil(characters / CHARACTERS_PER_TOKEN);

/**
 * What a call used that was cut off: what the provider had counted stands, the rest is estimated at four characters a token. Says
 * whether something was.
 */
export function withEstimates(usage: Usage, answer: Answer): Usage {
  const { aborted, request, status } = answer.exchange;
  if (!aborted || status >= 400) return usage;
  const { eingabe_token, ausgabe_token } = usage;
  const asked = [...REQUEST, ...MORE_OF_REQUEST].map((key) => at(request, key));
  const eingabe = eingabe_token ?? tokensOf(charactersIn(asked));
  const ausgabe = ausgabe_token ?? tokensOf(charactersIn(answer.parts.flatMap(writtenIn)));
  if (eingabe === eingabe_token && ausgabe === ausgabe_token) return usage;
  return { ...usage, eingabe_token: eingabe, ausgabe_token: ausgabe, geschaetzt: true };
}
