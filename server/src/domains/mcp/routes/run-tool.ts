/** Uses a tool for a key: checks what it takes, and puts what it tells, or what is wrong, into words that a model reads. */
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { type Check, compileCheck } from '#http/index.ts';
import { AppError, InvalidInput } from '#kernel/errors.ts';
import type { KeyPrincipal } from '#platform/principal.ts';
import { TOOLS } from '../tools/index.ts';
import type { Tool, ToolContext } from '../tools/tool.ts';

interface Usable extends Tool {
  check: Check;
}

const BY_NAME: ReadonlyMap<string, Usable> = new Map(
  TOOLS.map((tool) => [tool.declared.name, { ...tool, check: compileCheck(tool.declared.input) }]),
);

/** Sums beyond what numbers count exactly become text. */
const exact = (_key: string, value: unknown): unknown => {
  if (typeof value !== 'bigint') return value;
  return Number.isSafeInteger(Number(value)) ? Number(value) : String(value);
};

const wrong = (text: string): CallToolResult => ({ isError: true, content: [{ type: 'text', text }] });

function tell(value: object): CallToolResult {
  const text = JSON.stringify(value, exact);
  return {
    content: [{ type: 'text', text }],
    structuredContent: JSON.parse(text) as Record<string, unknown>,
  };
}

/** What is wrong with the input, as the domain says it; null for what is a fault of the service. */
function refusalIn(error: unknown): string | null {
  if (error instanceof AppError) return error.kind === 'unavailable' ? null : error.detail.en;
  if (!(error instanceof InvalidInput)) return null;
  return error.faults
    .map((fault) => {
      const why =
        'reason' in fault ? fault.reason.en : 'msg' in fault ? fault.msg : fault.expected.join(', ');
      return `${fault.path.join('.')}: ${why}`;
    })
    .join('\n');
}

/** The tools that a key may use. */
export const toolsOf = ({ bereiche }: Pick<KeyPrincipal, 'bereiche'>): Tool[] =>
  TOOLS.filter(({ declared }) => bereiche.includes(declared.scope));

/** Throws what is a fault of the service, and no word about the input. */
export async function runTool(
  context: ToolContext,
  principal: KeyPrincipal,
  name: string,
  input: Record<string, unknown>,
): Promise<CallToolResult> {
  const tool = BY_NAME.get(name);
  if (!tool) return wrong(`There is no tool ${name.slice(0, 100)}.`);
  const { scope } = tool.declared;
  if (!principal.bereiche.includes(scope)) return wrong(`The key lacks the scope “${scope}”.`);
  const checked = tool.check(input, []);
  if (!checked.ok)
    return wrong(checked.faults.map(({ loc, msg }) => [loc.join('.'), msg].join(': ')).join('\n'));
  try {
    return tell(await tool.use(context, principal, checked.value));
  } catch (error) {
    const refusal = refusalIn(error);
    if (refusal === null) throw error;
    return wrong(refusal);
  }
}
