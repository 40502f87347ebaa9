/** The account page. */
import type { kontoLesen, ResponseOf } from '#contracts';
import { listSchluessel, schluesselToApi } from '#domains/schluessel/index.ts';
import type { MandantId } from '#kernel/mandant-id.ts';
import type { ServiceContext } from '#platform/context.ts';
import { kanaeleToApi, readKanaele } from '../alarmkanaele.ts';
import { readMandant } from '../store.ts';
import { brandingToApi, mandantToApi } from '../to-api.ts';

/** The Mandant, its settings and its keys, blocked ones too. */
export function readAccount(
  context: ServiceContext,
  mandant: MandantId,
): Promise<ResponseOf<typeof kontoLesen>> {
  return context.db.forMandant(mandant, async (tx) => {
    const row = await readMandant(tx);
    return {
      mandant: mandantToApi(row),
      schluessel: (await listSchluessel(tx)).map(schluesselToApi),
      branding: brandingToApi(row),
      alarme: kanaeleToApi(await readKanaele(tx, context.secrets)),
    };
  });
}
