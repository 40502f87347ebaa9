import { randomUUID } from 'node:crypto';
import type { Directions } from './directions.ts';
import type { Asked, Form, Plan, Tool, Usage } from './form.ts';

const WORDS = ['Water ', 'boils ', 'at ', 'a ', 'hundred ', 'degrees, ', 'at ', 'sea ', 'level. '];

/** Different for every call of a tag, so that one that is missing or counted twice shows in the sums. */
const usageOf = (number: number): Usage => ({
  freshInput: 100 + number * 10,
  cacheRead: 1_024,
  cacheWrite: 256,
  visibleOutput: 40 + number,
  reasoning: 64,
});

function toolOf({ tools, hasToolResult }: Asked, { loop }: Directions, id: string): Tool | null {
  const name = tools[0];
  if (name === undefined || (hasToolResult && !loop)) return null;
  return { id: id.slice(0, 9), name, input: { query: 'the same again' } };
}

/** What the call with this number, counted within its tag, is answered with. */
export function planOf(form: Form, asked: Asked, directions: Directions, number: number): Plan {
  const id = randomUUID().replaceAll('-', '');
  const usage = usageOf(number);
  for (const count of Object.keys(usage) as (keyof Usage)[]) if (!form.has.includes(count)) usage[count] = 0;
  return {
    id,
    created: Math.floor(Date.now() / 1_000),
    model: asked.model,
    pieces: Array.from({ length: directions.words }, (_each, index) => WORDS[index % WORDS.length] as string),
    tool: toolOf(asked, directions, id),
    usage,
  };
}
