import { useTranslation } from 'react-i18next';
import type { Uebersicht } from '../../api/types.ts';
import { useFormat } from '../../format/use-format.ts';
import { Term } from '../../ui/term.tsx';

export interface RateSourcesProps {
  quellen: Uebersicht['kursquellen'];
  kurs?: Uebersicht['kurs'] | undefined;
}

/** Which rates the costs rest on, with shares where there are two; where nothing cost anything the rate of today. */
export function RateSources({ quellen, kurs }: RateSourcesProps) {
  const { t } = useTranslation();
  const format = useFormat();
  const rateOf = (rate: { usd_eur: string; tag: string | null }) =>
    t(rate.tag === null ? 'verbrauch.rate.plain' : 'verbrauch.rate.dated', {
      rate: format.decimal(rate.usd_eur),
      day: rate.tag === null ? '' : format.day(rate.tag),
    });
  const ecb = kurs?.quelle === 'ezb' ? t('verbrauch.rate.latest', { rate: rateOf(kurs) }) : '';
  const parts =
    quellen.length > 0
      ? quellen.map(({ quelle, anteil, ersatzkurse }) => ({
          quelle,
          share: quellen.length > 1 ? `${format.share(Number(anteil), 1)} ` : '',
          rates: quelle === 'ezb' ? ecb : ersatzkurse.map(rateOf).join(', '),
        }))
      : kurs
        ? [{ quelle: kurs.quelle, share: '', rates: kurs.quelle === 'ezb' ? ecb : rateOf(kurs) }]
        : [];
  return parts.map(({ quelle, share, rates }) => (
    <span key={quelle}>
      {share}
      {t(`verbrauch.rate.${quelle}`)} {rates}
      {quelle === 'ersatz' && <Term of="ersatzkurs" />}
    </span>
  ));
}
