/** How the Mandant appears to its end customers. */
import type { Branding, BrandingEingabe, Static } from '#contracts';
import { type Akteur, changedFields, recordChange } from '#domains/protokoll/index.ts';
import type { MandantId } from '#kernel/mandant-id.ts';
import { nameProblem, textProblem } from '#kernel/name.ts';
import type { ServiceContext } from '#platform/context.ts';
import { refuseFaulty } from '../errors.ts';
import { requireFunktion } from '../functions.ts';
import { colourProblem, given } from '../rules.ts';
import { lockMandant, updateMandant } from '../store.ts';
import { brandingToApi } from '../to-api.ts';

/**
 * Sets what is given; a field left out stays, null or an empty text clears it. Throws 422 with every faulty field, 409 where something is
 * set that the package does not have: what is set already stays, and is cleared with any package.
 */
export async function setBranding(
  context: Pick<ServiceContext, 'db' | 'clock' | 'config' | 'outbound'>,
  mandant: MandantId,
  akteur: Akteur,
  input: Static<typeof BrandingEingabe>,
): Promise<Static<typeof Branding>> {
  const { name, farbe, logo_url, fusszeile } = given(input);
  refuseFaulty([
    { field: 'name', problem: name ? nameProblem(name) : null, input: name },
    { field: 'farbe', problem: farbe ? colourProblem(farbe) : null, input: farbe },
    { field: 'logo_url', problem: logo_url ? context.outbound.problemOf(logo_url) : null, input: logo_url },
    { field: 'fusszeile', problem: fusszeile ? textProblem(fusszeile) : null, input: fusszeile },
  ]);
  return context.db.forMandant(mandant, async (tx) => {
    const row = await lockMandant(tx);
    const next = {
      branding_name: name === undefined ? row.branding_name : name,
      branding_farbe: farbe === undefined ? row.branding_farbe : (farbe?.toLowerCase() ?? null),
      branding_logo_url: logo_url === undefined ? row.branding_logo_url : logo_url,
      branding_fusszeile: fusszeile === undefined ? row.branding_fusszeile : fusszeile,
    };
    const changes = changedFields(brandingToApi(row), brandingToApi(next));
    if (changes) {
      if (Object.values(changes.nachher).some((value) => value !== null))
        requireFunktion(context, row, 'eigenes_aussehen');
      await updateMandant(tx, mandant, next);
      await recordChange(tx, mandant, context.clock.now(), {
        akteur,
        aktion: 'branding.geaendert',
        objekt: { art: 'mandant', id: mandant, name: row.firma },
        ...changes,
      });
    }
    return brandingToApi(next);
  });
}
