import { mcpAusgaben } from '#contracts';
import { keyCostsSince, verbrauch, withSnapshot } from '#domains/verbrauch/index.ts';
import { toUtc } from '#kernel/zeitraum.ts';
import { askInRequest } from '#platform/database/index.ts';
import type { KeyPrincipal } from '#platform/principal.ts';
import { bindTool, type ToolContext } from './tool.ts';

/** What came by the key: today, and in this month of the calendar. */
function ofKey({ service }: ToolContext, { mandant, schluesselId }: KeyPrincipal) {
  return withSnapshot(service, mandant, async ({ tx, now, zone }) => {
    const today = now.toZonedDateTimeISO(zone).startOfDay();
    const costs = await keyCostsSince(askInRequest(tx), {
      mandant,
      schluessel: [schluesselId],
      since: [toUtc(today.with({ day: 1 })), toUtc(today)],
      until: toUtc(today.add({ days: 2 })),
    });
    const [monat_eur = '0', heute_eur = '0'] = costs.get(schluesselId) ?? [];
    return { heute_eur, monat_eur };
  });
}

const FIGURES = [
  'schluessel',
  'gruppen',
  'aufrufe',
  'fehler',
  'token',
  'kosten_eur',
  'verbranntes_geld_eur',
  'unbepreist',
  'teilbepreist',
] as const;

/** The figures that an agent needs of a group. */
const told = (figures: object): object =>
  Object.fromEntries(Object.entries(figures).filter(([name]) => FIGURES.some((each) => each === name)));

export const ausgabenTool = bindTool(mcpAusgaben, async (context, principal, { gruppe, agent, ...rest }) => {
  const answer = await verbrauch(context.service, principal.mandant, {
    ...rest,
    gruppe: [gruppe],
    ...(agent === undefined ? {} : { agent: [agent] }),
  });
  return {
    von: answer.von,
    bis: answer.bis,
    gruppe: answer.gruppe,
    summe: told(answer.summe),
    gruppen: answer.zeilen.map(told),
    weitere: answer.rest && told(answer.rest),
    schluessel: await ofKey(context, principal),
    gezaehlt_bis: answer.gezaehlt_bis,
  };
});
