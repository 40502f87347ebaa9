import { openAiChat } from './openai-chat.ts';
import type { Shape } from './shape.ts';

/** Writer's chat: OpenAI's form under a path of its own, which Cohere's first version shares. */
export const writer: Shape = {
  ...openAiChat,
  name: 'writer',
  anbieter: 'writer',
  matchesUri: ({ host, path }) => host.includes('writer.com') && /\/(chat|completions)$/.test(path),
  matchesBody: () => false,
};
