/** The form of a Mandant: what stands in it, and what of it is sent. */
import type { BetreiberMandant } from '../../api/types.ts';
import type { Language } from '../../format/number.ts';
import { changeOfQuota, draftOfQuota, type QuotaDraft } from '../kontingente/index.ts';
import type { MandantChange } from './use-mandanten.ts';

export interface Draft {
  /** Empty: nothing is given by the operator. */
  paket: string;
  /** Day `YYYY-MM-DD`, included; empty: no end. */
  bis: string;
  abrechnungsstatus: string;
  notiz: string;
  kontingent: QuotaDraft;
}

/** The last local day of a package that ends at this instant. */
export const lastDayOf = (instant: string, zone: string): string =>
  Temporal.Instant.from(instant)
    .subtract({ milliseconds: 1 })
    .toZonedDateTimeISO(zone)
    .toPlainDate()
    .toString();

export const draftOf = (mandant: BetreiberMandant): Draft => ({
  paket: mandant.quelle === 'betreiber' ? mandant.paket : '',
  bis:
    mandant.quelle === 'betreiber' && mandant.paket_bis ? lastDayOf(mandant.paket_bis, mandant.zeitzone) : '',
  abrechnungsstatus: mandant.abrechnungsstatus,
  notiz: mandant.betreiber_notiz ?? '',
  kontingent: draftOfQuota(mandant),
});

/** Only what differs; a package that is given anew says its end along. */
export function changeOf(before: Draft, after: Draft, language: Language): MandantChange {
  type Paket = Exclude<MandantChange['paket'], undefined>;
  type Status = Exclude<MandantChange['abrechnungsstatus'], undefined>;
  const given = after.paket !== before.paket;
  const bis = after.bis || null;
  return {
    ...(given ? { paket: (after.paket || null) as Paket } : {}),
    ...(after.paket !== '' && (given || after.bis !== before.bis) ? { paket_bis: bis } : {}),
    ...(after.abrechnungsstatus === before.abrechnungsstatus
      ? {}
      : { abrechnungsstatus: after.abrechnungsstatus as Status }),
    ...(after.notiz.trim() === before.notiz ? {} : { betreiber_notiz: after.notiz.trim() || null }),
    ...changeOfQuota(before.kontingent, after.kontingent, language),
  };
}
