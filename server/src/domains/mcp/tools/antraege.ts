import { mcpAntraege, mcpAntragStellen } from '#contracts';
import { antraegeOfKey, makeAntrag } from '#domains/antraege/index.ts';
import { bindTool } from './tool.ts';

export const antraegeTool = bindTool(mcpAntraege, async ({ service }, principal) => ({
  antraege: await antraegeOfKey(service, principal),
}));

const TOO_MANY = 'Too many requests wait for a decision already. Nothing was asked.';

export const antragStellenTool = bindTool(mcpAntragStellen, async ({ service }, principal, input) => {
  const antrag = await makeAntrag(service, principal, input);
  return antrag ? { antrag } : { antrag, hinweis: TOO_MANY };
});
