/** The account page. */
import { type kontoLesen, READ_WITH, type ResponseOf } from '#contracts';
import { NO_KEYS, pageOfKeys } from '#domains/schluessel/index.ts';
import type { ServiceContext } from '#platform/context.ts';
import type { PageQuery } from '#platform/page.ts';
import type { SessionPrincipal } from '#platform/principal.ts';
import { kanaeleWithRecipients, readKanaele } from '../alarmkanaele.ts';
import { readMandant } from '../store.ts';
import { brandingToApi, mandantToApi } from '../to-api.ts';

/** The Mandant, its settings and a page of its keys; null in the place of what the user may not read. */
export function readAccount(
  context: ServiceContext,
  { mandant, rechte }: Pick<SessionPrincipal, 'mandant' | 'rechte'>,
  page: PageQuery,
): Promise<ResponseOf<typeof kontoLesen>> {
  const may = (what: keyof typeof READ_WITH) => rechte.includes(READ_WITH[what]);
  return context.db.forMandant(mandant, async (tx) => {
    const row = await readMandant(tx);
    const avv_akzeptiert_von = may('benutzer') ? row.avv_akzeptiert_von : null;
    return {
      mandant: mandantToApi({ ...row, avv_akzeptiert_von }),
      ...(may('schluessel') ? await pageOfKeys(tx, page) : NO_KEYS),
      branding: brandingToApi(row),
      alarme: may('alarme') ? await kanaeleWithRecipients(tx, await readKanaele(tx, context.secrets)) : null,
    };
  });
}
