import { type ReactNode, useCallback, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import type { Uebersicht, VerbrauchZeile } from '../../api/types.ts';
import { compareDecimal } from '../../format/decimal.ts';
import { useFormat } from '../../format/use-format.ts';
import { BarList, type BarRow } from '../../ui/bar-list.tsx';
import { useMoneyTitle } from '../../ui/money.tsx';
import { Panel } from '../../ui/panel.tsx';
import { type Figures, figureOf, isMoney, type Measure, textOf } from './measures.ts';
import { RankCsv } from './rank-csv.tsx';

const shownAtFirst = 8;

interface RankPanelProps {
  title: string;
  /** In place of the title, where it offers others. */
  heading?: ReactNode;
  /** Name of the row whose key is empty: calls without an end customer or a model. */
  unnamed: string;
  rows: VerbrauchZeile[];
  /** All that are not among the rows, as one. */
  rest: Uebersicht['agenten_rest'];
  /** The name people gave to what has this key, where it is not the key itself. */
  nameOf?: (key: string) => string | undefined;
  measure: Measure;
  /** Name of the file the rows are saved as, without its ending. */
  csvName: string;
  link?: (row: BarRow, className: string, children: ReactNode) => ReactNode;
  /** At the right of the title: the way to the whole list. */
  aside?: ReactNode;
}

/** The largest of a kind by the chosen figure, as bars. */
export function RankPanel({
  title,
  heading,
  unnamed,
  rows,
  rest,
  nameOf,
  measure,
  csvName,
  link,
  aside,
}: RankPanelProps) {
  const { t } = useTranslation();
  const format = useFormat();
  const titleOf = useMoneyTitle();
  const nameOfKey = useCallback((key: string) => nameOf?.(key) || key || unnamed, [nameOf, unnamed]);
  const ranked = useMemo(() => {
    const known = rows.map((row) => ({ row, value: figureOf(row, measure) }));
    known.sort((a, b) => compareDecimal(b.value ?? '-1', a.value ?? '-1'));
    // The length of a bar is a picture, the figure beside it is exact.
    const largest = Math.max(Number(known[0]?.value ?? 0), Number.MIN_VALUE);
    const amounts = format.moneyColumn([...known.map(({ value }) => value), rest && figureOf(rest, measure)]);
    const textOfRow = (row: Figures) =>
      isMoney(measure) ? amounts.text(figureOf(row, measure)) : textOf(row, measure, format);
    const bars = known.map(
      ({ row, value }): BarRow => ({
        key: row.schluessel,
        name: nameOfKey(row.schluessel),
        share: Number(value ?? 0) / largest,
        value: textOfRow(row),
        title: isMoney(measure) ? titleOf(value, amounts) : undefined,
        note: measure === 'kosten' ? t('verbrauch.calls', { count: row.aufrufe }) : undefined,
      }),
    );
    return { bars, rows: known.map(({ row }) => row), rest: rest && textOfRow(rest) };
  }, [rows, rest, nameOfKey, measure, format, t, titleOf]);
  const hidden = ranked.bars.length - shownAtFirst;
  return (
    <Panel
      title={title}
      heading={heading}
      aside={
        <span className="flex shrink-0 items-center gap-2">
          {rows.length > 0 && (
            <RankCsv title={title} csvName={csvName} rows={ranked.rows} rest={rest} nameOf={nameOfKey} />
          )}
          {aside}
        </span>
      }
    >
      {ranked.bars.length === 0 ? (
        <p className="text-sm text-ink-3">{t('verbrauch.none')}</p>
      ) : (
        <BarList rows={ranked.bars.slice(0, shownAtFirst)} link={link} />
      )}
      {hidden > 0 && (
        <details className="group mt-1">
          <summary className="min-h-6 rounded-sm px-2 py-1 text-xs text-ink-2 hover:text-ink">
            {t('verbrauch.more', { count: hidden })}
          </summary>
          <BarList rows={ranked.bars.slice(shownAtFirst)} link={link} />
        </details>
      )}
      {rest && (
        <p className="mt-1 flex justify-between gap-2 px-2 py-1 text-xs text-ink-2">
          <span>{t('verbrauch.others', { count: rest.gruppen })}</span>
          <span className="tabular-nums">{ranked.rest}</span>
        </p>
      )}
    </Panel>
  );
}
