import { mcpLauf } from '#contracts';
import { runOverview } from '#domains/laeufe/index.ts';
import { findings } from './findings.ts';
import { bindTool } from './tool.ts';

/** Findings about one run in an answer. */
const MOST_FINDINGS = 10;

export const laufTool = bindTool(mcpLauf, async ({ service }, { mandant }, { lauf_id }) => ({
  ...(await runOverview(service.db, mandant, lauf_id)),
  befunde: await findings(service, mandant, { lauf_id, limit: MOST_FINDINGS }),
}));
