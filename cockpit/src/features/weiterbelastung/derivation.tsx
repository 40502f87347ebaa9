import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import type { Abrechnung } from '../../api/types.ts';
import { compareDecimal } from '../../format/decimal.ts';
import { useFormat } from '../../format/use-format.ts';
import { Money } from '../../ui/money.tsx';
import { Panel } from '../../ui/panel.tsx';
import { madeUpOf } from './made-up.ts';
import { usePercent } from './use-percent.ts';

interface Position {
  key: string;
  label: string;
  /** EUR; null where it is unknown. */
  amount: string | null;
  note?: string | undefined;
  /** What stands above comes to this. */
  isSum?: boolean;
}

/** The calls of the month: their cost, and the markup on it. */
function useLinePositions(): (of: Abrechnung, month: string) => Position[] {
  const { t } = useTranslation();
  const percent = usePercent();
  return ({ zeile, aufschlag }, month) => {
    const parts = madeUpOf(zeile);
    if (parts === null)
      return [
        { key: 'aufrufe', label: t('weiterbelastung.paper.callsOf', { month }), amount: zeile.betrag_eur },
      ];
    const isDiscount = zeile.aufschlag_prozent.startsWith('-');
    const value = percent(zeile.aufschlag_prozent.replace('-', ''));
    return [
      { key: 'kosten', label: t('weiterbelastung.paper.costOf', { month }), amount: parts.cost },
      ...(parts.markup === null
        ? []
        : [
            {
              key: 'aufschlag',
              label: t(isDiscount ? 'weiterbelastung.paper.discount' : 'weiterbelastung.paper.markup', {
                percent: value,
              }),
              amount: parts.markup,
              note: aufschlag === null ? t('weiterbelastung.paper.markupHidden') : undefined,
            },
          ]),
    ];
  };
}

/** Of a correction: whose calls, how many and why, their cost and markup, and by which number it is booked. */
function useCorrectionNote(): (of: Abrechnung['korrekturen'][number]) => string {
  const { t } = useTranslation();
  const format = useFormat();
  const percent = usePercent();
  return (correction) => {
    const { referenz, zahler, aufrufe, gruende, aufschlag_prozent, belegnummer } = correction;
    const parts = madeUpOf(correction);
    const isDiscount = aufschlag_prozent.startsWith('-');
    return [
      referenz !== zahler && t('weiterbelastung.paper.ofReference', { reference: referenz }),
      aufrufe !== 0 && t('weiterbelastung.paper.correctionCalls', { change: format.countChange(aufrufe) }),
      ...gruende.map((grund) => t(`weiterbelastung.paper.reasons.${grund}`)),
      parts && `${t('weiterbelastung.paper.cost')} ${format.money(parts.cost)}`,
      parts?.markup &&
        t(isDiscount ? 'weiterbelastung.paper.discount' : 'weiterbelastung.paper.markup', {
          percent: percent(aufschlag_prozent.replace('-', '')),
        }),
      t('weiterbelastung.paper.voucher', { number: belegnummer }),
    ]
      .filter(Boolean)
      .join(' · ');
  };
}

/** What changed in months that were closed before. */
function useCorrectionPositions(): (of: Abrechnung) => Position[] {
  const { t } = useTranslation();
  const format = useFormat();
  const noteOf = useCorrectionNote();
  return ({ korrekturen }) =>
    korrekturen.map((correction) => ({
      key: `korrektur ${correction.monat} ${correction.referenz}`,
      label: t('weiterbelastung.paper.correction', {
        month: format.day(`${correction.monat}-01`, 'monthLong'),
      }),
      amount: correction.betrag_eur,
      note: noteOf(correction),
    }));
}

/** What all comes to, with the tax. */
function useSumPositions(): (of: Abrechnung) => Position[] {
  const { t } = useTranslation();
  const percent = usePercent();
  return ({ netto_eur, umsatzsteuer }) => {
    const sum = t(umsatzsteuer ? 'weiterbelastung.paper.netSum' : 'weiterbelastung.paper.sum');
    const net = { key: 'summe', label: sum, amount: netto_eur, isSum: true };
    if (umsatzsteuer === null) return [net];
    const { prozent, betrag_eur, brutto_eur } = umsatzsteuer;
    const tax = t('weiterbelastung.paper.tax', { percent: percent(prozent) });
    return [
      net,
      { key: 'steuer', label: tax, amount: betrag_eur },
      { key: 'brutto', label: t('weiterbelastung.paper.grossSum'), amount: brutto_eur, isSum: true },
    ];
  };
}

function PositionRow({
  of,
  column,
}: {
  of: Position;
  column: ReturnType<ReturnType<typeof useFormat>['moneyColumn']>;
}) {
  const weight = of.isSum ? 'font-semibold' : 'font-normal';
  return (
    <tr className={`border-t ${of.isSum ? 'border-edge/60' : ''}`}>
      <th scope="row" className={`py-2 pr-4 text-left ${weight}`}>
        {of.label}
        {of.note && <span className="block text-xs font-normal text-ink-3">{of.note}</span>}
      </th>
      <td className={`py-2 text-right align-top ${weight}`}>
        <Money value={of.amount} column={column} />
      </td>
    </tr>
  );
}

/** From the cost of the calls to the amount, position by position. */
export function Derivation({ of }: { of: Abrechnung }) {
  const { t } = useTranslation();
  const format = useFormat();
  const linePositions = useLinePositions();
  const correctionPositions = useCorrectionPositions();
  const sumPositions = useSumPositions();
  const month = format.day(`${of.monat}-01`, 'monthLong');
  const positions = [...linePositions(of, month), ...correctionPositions(of), ...sumPositions(of)];
  // Cents throughout.
  const column = useMemo(() => format.moneyColumn([]), [format]);
  const { nicht_berechnet_eur: notCharged, netto_eur } = of;
  return (
    <Panel title={t('weiterbelastung.paper.how')}>
      <table className="w-full max-w-2xl border-collapse text-sm">
        <caption className="sr-only">{t('weiterbelastung.paper.how')}</caption>
        <thead className="sr-only">
          <tr>
            <th scope="col">{t('weiterbelastung.paper.item')}</th>
            <th scope="col">{t('weiterbelastung.paper.amount')}</th>
          </tr>
        </thead>
        <tbody>
          {positions.map((position) => (
            <PositionRow key={position.key} of={position} column={column} />
          ))}
        </tbody>
      </table>
      {netto_eur === null && (
        <p className="mt-2 text-sm text-ink-2">{t('weiterbelastung.paper.nothingPriced')}</p>
      )}
      {notCharged !== null && compareDecimal(notCharged, '0') !== 0 && (
        <p className="mt-2 text-sm text-ink-2">
          {t('weiterbelastung.paper.notChargedLine', { amount: format.money(notCharged) })}
        </p>
      )}
    </Panel>
  );
}
