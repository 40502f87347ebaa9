/** The account page. */
import type { kontoLesen, ResponseOf } from '#contracts';
import {
  brandingToApi,
  kanaeleToApi,
  mandantToApi,
  readKanaele,
  readMandant,
} from '#domains/mandant/index.ts';
import type { MandantId } from '#kernel/mandant-id.ts';
import type { ServiceContext } from '#platform/context.ts';
import { listSchluessel } from '../store/schluessel.ts';
import { schluesselToApi } from '../to-api.ts';

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
