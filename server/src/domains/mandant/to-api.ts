/** From rows to the shapes of the contract. */
import type { Branding, kontoLesen, ResponseOf, Static, zuordnungSetzen } from '#contracts';
import { readableEmail } from '#kernel/email.ts';
import { toInstant, toInstantOrNull } from '#kernel/instant.ts';
import type { BrandingRow, MandantRow, ZuordnungRow } from './store.ts';

export const zuordnungToApi = (row: ZuordnungRow): ResponseOf<typeof zuordnungSetzen> => ({
  endkunde_namen: row.endkunde_namen,
  funktion_namen: row.funktion_namen,
  projekt_namen: row.projekt_namen,
  merkmale: row.eigene_merkmale.at(-1)?.namen ?? [],
  abo_weiterbelasten: row.abo_weiterbelasten,
});

export const mandantToApi = (row: MandantRow): ResponseOf<typeof kontoLesen>['mandant'] => ({
  mandant_id: row.mandant_id,
  firma: row.firma,
  paket: row.paket,
  paket_bis: toInstantOrNull(row.paket_bis),
  status: row.status,
  zeitzone: row.zeitzone,
  avv_akzeptiert_am: toInstantOrNull(row.avv_akzeptiert_am),
  avv_akzeptiert_von: row.avv_akzeptiert_von && readableEmail(row.avv_akzeptiert_von),
  avv_fassung: row.avv_fassung,
  ersatzkurs_ersetzen: row.ersatzkurs_ersetzen,
  ...zuordnungToApi(row),
  erstellt_am: toInstant(row.erstellt_am),
});

export const brandingToApi = (row: BrandingRow): Static<typeof Branding> => ({
  name: row.branding_name,
  farbe: row.branding_farbe,
  logo_url: row.branding_logo_url,
  fusszeile: row.branding_fusszeile,
});
