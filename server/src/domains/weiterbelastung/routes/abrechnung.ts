import { abrechnung } from '#contracts';
import { withSnapshot } from '#domains/verbrauch/index.ts';
import { type Route, route } from '#http/index.ts';
import type { ServiceContext } from '#platform/context.ts';
import { requireMonth } from '../month.ts';
import { readStatement } from '../service/statement.ts';
import { statementToApi } from '../to-api.ts';

export const abrechnungRoute = (context: ServiceContext): Route =>
  route(abrechnung, ({ principal, params, query }) =>
    withSnapshot(context, principal.mandant, async ({ tx, engine, now, zone }) => {
      const monat = requireMonth(query.monat, now, zone);
      return statementToApi(await readStatement({ tx, engine, now, zone }, monat, params.endkunde_ref));
    }),
  );
