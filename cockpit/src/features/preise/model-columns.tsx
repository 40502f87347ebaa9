import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import type { BookRateName } from '#contracts/book-rates.ts';
import type { Modellpreis } from '../../api/types.ts';
import { useFormat } from '../../format/use-format.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import type { DataColumn } from '../../ui/table.tsx';
import { useColumns } from '../../ui/use-columns.tsx';
import { useMayPrice } from './use-book.ts';
import type { UsedModel } from './use-models.ts';
import { useRateTexts } from './use-rate-text.ts';

/** A model that was used, with what it costs now; null as long as that is not there. */
export type ModelRow = UsedModel & { price: Modellpreis | null };

/** Rates with a column of their own. */
const MAIN = ['eingabe', 'ausgabe', 'cache_lese', 'cache_schreib'] as const satisfies BookRateName[];

const rateOf = ({ price }: ModelRow, name: BookRateName) => price?.saetze?.[name] ?? null;

/** Whether calls of the model lack a price, or would now. */
const lacksPrice = ({ modell, unbepreist, teilbepreist, price }: ModelRow) =>
  modell !== '' && (unbepreist + teilbepreist > 0 || price?.herkunft === null);

/** Who says what the model costs, and what is taken off. */
function Source({ row: { price, modell } }: { row: ModelRow }) {
  const { t } = useTranslation();
  const format = useFormat();
  if (price === null || modell === '') return null;
  const { herkunft, quelle, rabatt_prozent } = price;
  return (
    <span className="inline-flex flex-wrap items-center gap-1" title={quelle ?? undefined}>
      <Badge tone={herkunft === null ? 'warn' : herkunft === 'preisbuch' ? 'accent' : 'neutral'}>
        {t(`preise.models.origin.${herkunft ?? 'none'}`)}
      </Badge>
      {rabatt_prozent !== null && (
        <Badge tone="good" title={t('preise.models.discountHint')}>
          {t('preise.models.discount', { percent: format.decimal(rabatt_prozent) })}
        </Badge>
      )}
    </span>
  );
}

interface SetButtonProps {
  row: ModelRow;
  /** Alone below a name, where a quiet one would not look like a button. */
  framed?: boolean;
  onSet: (row: ModelRow) => void;
}

function SetButton({ row, framed = false, onSet }: SetButtonProps) {
  const { t } = useTranslation();
  const may = useMayPrice();
  const lacks = lacksPrice(row);
  if (!may || row.modell === '' || (row.price?.herkunft === 'preisbuch' && !lacks)) return null;
  return (
    <Button
      kind={lacks ? 'primary' : framed ? 'plain' : 'quiet'}
      aria-label={t(lacks ? 'preise.models.setPriceOf' : 'preise.models.ownPriceOf', { name: row.modell })}
      onClick={() => onSet(row)}
    >
      {t(lacks ? 'preise.models.setPrice' : 'preise.models.ownPrice')}
    </Button>
  );
}

/** Rates that have no column. */
function FurtherRates({ row }: { row: ModelRow }) {
  const { t } = useTranslation();
  const textsOf = useRateTexts();
  const texts = row.price?.saetze ? textsOf(row.price.saetze, MAIN) : [];
  if (texts.length === 0) return null;
  return (
    <details className="text-xs text-ink-2">
      <summary className="min-h-6 w-fit rounded-sm py-0.5 text-ink-3 hover:text-ink">
        {t('preise.models.furtherRates')}
      </summary>
      <p className="flex flex-wrap gap-x-3">
        {texts.map((text) => (
          <span key={text}>{text}</span>
        ))}
      </p>
    </details>
  );
}

/** What a narrow screen has no columns for. */
function Small({ row, onSet }: { row: ModelRow; onSet: (row: ModelRow) => void }) {
  const { t } = useTranslation();
  const format = useFormat();
  const [input, output] = [rateOf(row, 'eingabe'), rateOf(row, 'ausgabe')];
  return (
    <div className="flex flex-col items-start gap-1 pt-1 @3xl:hidden">
      <span className="text-xs text-ink-2">
        {t('preise.models.callsOf', { count: row.aufrufe })}
        {input !== null && (
          <>
            {' · '}
            {t('preise.models.inOut', {
              input: format.moneyExact(input, 'USD'),
              output: format.moneyExact(output, 'USD'),
            })}
          </>
        )}
      </span>
      <Source row={row} />
      <SetButton row={row} framed onSet={onSet} />
    </div>
  );
}

function ModelCell({ row, onSet }: { row: ModelRow; onSet: (row: ModelRow) => void }) {
  const { t } = useTranslation();
  const { modell, anbieter, unbepreist, teilbepreist } = row;
  return (
    <div className="min-w-0">
      <span className="block font-medium [overflow-wrap:anywhere]">
        {modell || t('preise.models.noModel')}
      </span>
      <span className="flex flex-wrap items-center gap-x-2 gap-y-1 text-xs text-ink-3">
        <span className="[overflow-wrap:anywhere]">{anbieter ?? t('preise.models.noProvider')}</span>
        {unbepreist > 0 && <Badge tone="warn">{t('preise.models.unpriced', { count: unbepreist })}</Badge>}
        {teilbepreist > 0 && (
          <Badge tone="warn">{t('preise.models.partlyPriced', { count: teilbepreist })}</Badge>
        )}
      </span>
      <Small row={row} onSet={onSet} />
      <FurtherRates row={row} />
    </div>
  );
}

/** A rate in USD, as the list or the book states it. */
function useRateColumn() {
  const format = useFormat();
  return useMemo(
    () =>
      (name: BookRateName, header: string): DataColumn<ModelRow> => ({
        id: name,
        header,
        kind: 'decimal',
        value: (row) => rateOf(row, name),
        cell: (row) => {
          const amount = rateOf(row, name);
          return (
            <span className="whitespace-nowrap">
              {amount === null ? '–' : format.moneyExact(amount, 'USD')}
            </span>
          );
        },
        from: 'lg',
      }),
    [format],
  );
}

/** The columns of the models; on narrow screens all but the cost stands below the name. */
export function useModelColumns(onSet: (row: ModelRow) => void): DataColumn<ModelRow>[] {
  const { t } = useTranslation();
  const { text, count, money } = useColumns();
  const rate = useRateColumn();
  return useMemo(
    () => [
      text<ModelRow>('modell', t('preise.models.model'), (row) => row.modell, {
        cell: (row) => <ModelCell row={row} onSet={onSet} />,
        grow: true,
      }),
      text<ModelRow>('anbieter', t('preise.provider'), (row) => row.anbieter, { only: 'file' }),
      money<ModelRow>('kosten_eur', t('preise.models.cost'), (row) => row.kosten_eur),
      count<ModelRow>('aufrufe', t('preise.models.calls'), (row) => row.aufrufe, { from: 'lg' }),
      rate('eingabe', t('preise.models.input')),
      rate('ausgabe', t('preise.models.output')),
      rate('cache_lese', t('preise.models.cacheRead')),
      rate('cache_schreib', t('preise.models.cacheWrite')),
      text<ModelRow>('herkunft', t('preise.models.source'), (row) => row.price?.quelle ?? null, {
        cell: (row) => <Source row={row} />,
        from: 'lg',
      }),
      text<ModelRow>('aktion', t('preise.models.setPrice'), () => null, {
        cell: (row) => (
          // What it says stands on the first line of the row, as the figures do.
          <div className="-my-1.5">
            <SetButton row={row} onSet={onSet} />
          </div>
        ),
        from: 'lg',
        only: 'screen',
      }),
    ],
    [t, text, count, money, rate, onSet],
  );
}
