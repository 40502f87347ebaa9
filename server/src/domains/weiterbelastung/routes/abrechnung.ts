import { abrechnung } from '#contracts';
import { withSnapshot } from '#domains/verbrauch/index.ts';
import { type Route, route } from '#http/index.ts';
import type { ServiceContext } from '#platform/context.ts';
import { requireMonth } from '../month.ts';
import { momentOf } from '../service/moment.ts';
import { readStatement } from '../service/statement.ts';
import { statementToApi } from '../to-api.ts';

export const abrechnungRoute = (context: ServiceContext): Route =>
  route(abrechnung, ({ principal, params, query }) =>
    withSnapshot(context, principal.mandant, async (snapshot) => {
      const monat = requireMonth(query.monat, snapshot.now, snapshot.zone);
      const moment = momentOf(context, snapshot);
      return statementToApi(await readStatement(moment, monat, params.endkunde_ref));
    }),
  );
