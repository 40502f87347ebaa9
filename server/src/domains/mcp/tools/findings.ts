/** Findings as agents get them. */
import type { befundeListe, QueryOf, ResponseOf } from '#contracts';
import { listBefunde } from '#domains/befunde/index.ts';
import type { MandantId } from '#kernel/mandant-id.ts';
import type { ServiceContext } from '#platform/context.ts';

type Befund = ResponseOf<typeof befundeListe>['befunde'][number];

const told = (befund: Befund) => ({
  typ: befund.typ,
  cause: befund.text_en,
  agent: befund.agent,
  lauf_id: befund.lauf_id,
  stufe: befund.stufe,
  status: befund.status,
  kosten_eur: befund.kosten_eur,
  verbrannt_eur: befund.verbrannt_eur,
  potential_eur: befund.potential_eur,
  erkannt_am: befund.erkannt_am,
});

/** The latest findings that meet a condition. */
export async function findings(
  service: ServiceContext,
  mandant: MandantId,
  query: QueryOf<typeof befundeListe>,
): Promise<ReturnType<typeof told>[]> {
  const { befunde } = await listBefunde(service, mandant, query);
  return befunde.map(told);
}
