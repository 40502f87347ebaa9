import { mcpEingriffe } from '#contracts';
import { bindTool } from './tool.ts';

/** Orders that one answer tells, wider ones first. */
const MOST = 50;

export const eingriffeTool = bindTool(
  mcpEingriffe,
  async ({ inForce }, { mandant, schluesselId }, { agent }) => {
    await inForce.refresh(mandant);
    // Asked about, not handed out: who asks by a tool need not be who makes the calls.
    const orders = inForce.named({ mandant, schluesselId }, agent === undefined ? undefined : [agent]);
    return { eingriffe: orders.slice(0, MOST), weitere: Math.max(orders.length - MOST, 0) };
  },
);
