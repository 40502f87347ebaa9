/** What an operator's wish makes of a Mandant. */
import type { BodyOf, mandantAendern } from '#contracts';
import { FREI, type MandantOfOperator } from '#domains/mandant/index.ts';
import { InvalidInput } from '#kernel/errors.ts';
import { toUtc } from '#kernel/zeitraum.ts';

type Wish = BodyOf<typeof mandantAendern>;
export type Stand = Pick<
  MandantOfOperator,
  | 'paket'
  | 'paket_bis'
  | 'paket_quelle'
  | 'abrechnungsstatus'
  | 'betreiber_notiz'
  | 'anfragen_je_minute'
  | 'ereignisse_je_minute'
>;

/** A day holds to its end in the Mandant's zone; an instant is what it says. */
function endOf(text: string, zone: string): string {
  if (text.includes('T')) return new Date(text).toISOString();
  return toUtc(Temporal.PlainDate.from(text).add({ days: 1 }).toZonedDateTime(zone));
}

/** A package that is given comes from the operator from now on and has no end unless one is said; taken away, it is the free one. */
function packageAfter(before: Stand, { paket, paket_bis }: Wish, zone: string) {
  const given =
    paket === undefined
      ? { paket: before.paket, paket_quelle: before.paket_quelle, paket_bis: before.paket_bis }
      : paket === null
        ? { paket: FREI, paket_quelle: 'frei' as const, paket_bis: null }
        : { paket, paket_quelle: 'betreiber' as const, paket_bis: null };
  if (paket_bis === undefined) return given;
  if (given.paket_quelle !== 'betreiber' && paket_bis !== null)
    throw new InvalidInput({
      path: ['paket_bis'],
      reason: {
        de: 'ein Ende hat nur ein Paket, das der Betreiber gibt',
        en: 'only a package that the operator gives has an end',
      },
      input: paket_bis,
    });
  return given.paket_quelle === 'betreiber'
    ? { ...given, paket_bis: paket_bis === null ? null : endOf(paket_bis, zone) }
    : given;
}

/**
 * What a Mandant has after a wish: a field left out stays, null clears. `zone` is the Mandant's. Throws InvalidInput for an end of
 * a package that is not the operator's.
 */
export function standAfterWish(before: Stand, wish: Wish, zone: string): Stand {
  const { abrechnungsstatus, betreiber_notiz, anfragen_je_minute, ereignisse_je_minute } = wish;
  return {
    ...packageAfter(before, wish, zone),
    abrechnungsstatus:
      abrechnungsstatus === undefined ? before.abrechnungsstatus : (abrechnungsstatus ?? 'keine'),
    betreiber_notiz: betreiber_notiz === undefined ? before.betreiber_notiz : betreiber_notiz?.trim() || null,
    anfragen_je_minute: anfragen_je_minute === undefined ? before.anfragen_je_minute : anfragen_je_minute,
    ereignisse_je_minute:
      ereignisse_je_minute === undefined ? before.ereignisse_je_minute : ereignisse_je_minute,
  };
}
