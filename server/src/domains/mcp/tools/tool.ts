/** What a tool is: its declaration, and what it does for a key. */
import type { Checked, MCP_WERKZEUGE, Scope, TSchema } from '#contracts';
import type { InForce } from '#domains/eingriffe/index.ts';
import type { ServiceContext } from '#platform/context.ts';
import type { KeyPrincipal } from '#platform/principal.ts';

type Declared = (typeof MCP_WERKZEUGE)[number];

/** What tools work with. */
export interface ToolContext {
  service: ServiceContext;
  inForce: InForce;
}

export interface Tool {
  declared: { name: string; title: string; description: string; scope: Scope; input: TSchema };
  /** Resolves with the answer; of AppError and InvalidInput the agent gets what is wrong. */
  use(context: ToolContext, principal: KeyPrincipal, input: unknown): Promise<object>;
}

/** Binds what a tool does to its declaration. */
export const bindTool = <D extends Declared>(
  declared: D,
  use: (context: ToolContext, principal: KeyPrincipal, input: Checked<D['input']>) => Promise<object>,
): Tool => ({ declared, use: use as Tool['use'] });
