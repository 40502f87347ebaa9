import { mcpVerschwendung } from '#contracts';
import { readAgentsOf } from '#domains/katalog/index.ts';
import { verbrauch } from '#domains/verbrauch/index.ts';
import type { MandantId } from '#kernel/mandant-id.ts';
import type { ServiceContext } from '#platform/context.ts';
import { findings } from './findings.ts';
import { bindTool } from './tool.ts';

/** Agents that one answer tells. */
const MOST_AGENTS = 20;
const DAY_MS = 86_400_000;

/** Findings that nobody has dealt with; of an agent that there is not: none. */
async function openFindings(
  service: ServiceContext,
  mandant: MandantId,
  agent: string | undefined,
  limit: number,
) {
  if (agent === undefined) return findings(service, mandant, { status: 'offen', limit });
  const [known] = await service.db.forMandant(mandant, (tx) => readAgentsOf(tx, [agent]));
  return known ? findings(service, mandant, { status: 'offen', agent_id: known.agent_id, limit }) : [];
}

export const verschwendungTool = bindTool(
  mcpVerschwendung,
  async ({ service }, { mandant }, { agent, tage, limit }) => {
    const { von, bis, zeilen, summe } = await verbrauch(service, mandant, {
      gruppe: ['agent'],
      ...(agent === undefined ? {} : { agent: [agent] }),
      von: new Date(service.clock.now().getTime() - tage * DAY_MS).toISOString(),
      limit: MOST_AGENTS,
    });
    return {
      von,
      bis,
      verbranntes_geld_eur: summe.verbranntes_geld_eur,
      kosten_eur: summe.kosten_eur,
      fehler: summe.fehler,
      agenten: zeilen.map(({ schluessel, kosten_eur, verbranntes_geld_eur, aufrufe, fehler }) => ({
        agent: schluessel,
        kosten_eur,
        verbranntes_geld_eur,
        aufrufe,
        fehler,
      })),
      befunde: await openFindings(service, mandant, agent, limit),
    };
  },
);
