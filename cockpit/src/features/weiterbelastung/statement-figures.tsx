import { useTranslation } from 'react-i18next';
import type { Abrechnung } from '../../api/types.ts';
import { compareDecimal, sumDecimals } from '../../format/decimal.ts';
import { useFormat } from '../../format/use-format.ts';
import { Figure, FigureRow } from '../../ui/figure.tsx';
import { useMoneyTitle } from '../../ui/money.tsx';
import { usePercent } from './use-percent.ts';

/** What the statement comes to, and what stands behind it. */
export function StatementFigures({ of }: { of: Abrechnung }) {
  const { t } = useTranslation();
  const format = useFormat();
  const percent = usePercent();
  const titleOf = useMoneyTitle();
  const { zeile, korrekturen, netto_eur, nicht_berechnet_eur, umsatzsteuer } = of;
  const money = (value: string | null, signed = false) => {
    const column = format.moneyColumn([value], { signed });
    return { value: column.text(value), title: titleOf(value, column) };
  };
  const corrected = sumDecimals(korrekturen.map(({ betrag_eur }) => betrag_eur));
  return (
    <FigureRow>
      <Figure
        label={t(umsatzsteuer ? 'weiterbelastung.paper.net' : 'weiterbelastung.paper.amount')}
        {...money(netto_eur)}
        note={
          umsatzsteuer && t('weiterbelastung.paper.gross', { amount: format.money(umsatzsteuer.brutto_eur) })
        }
      />
      <Figure
        label={t('weiterbelastung.cost')}
        {...money(zeile.kosten_eur)}
        note={`${t('weiterbelastung.markup')} ${percent(zeile.aufschlag_prozent)}`}
      />
      <Figure label={t('weiterbelastung.paper.calls')} value={format.count(zeile.aufrufe)} />
      {corrected !== null && <Figure label={t('weiterbelastung.corrections')} {...money(corrected, true)} />}
      {nicht_berechnet_eur !== null && compareDecimal(nicht_berechnet_eur, '0') !== 0 && (
        <Figure
          label={t('weiterbelastung.paper.notCharged')}
          {...money(nicht_berechnet_eur)}
          note={t('weiterbelastung.paper.notChargedNote')}
        />
      )}
    </FigureRow>
  );
}
