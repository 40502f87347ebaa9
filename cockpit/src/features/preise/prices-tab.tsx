import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { routes } from '../../api/operations.ts';
import type { Preis, Preisbuch } from '../../api/types.ts';
import { useFormat } from '../../format/use-format.ts';
import { Button, buttonClass } from '../../ui/button.tsx';
import { DownloadIcon } from '../../ui/icons.tsx';
import { emptyPrice, priceDraftOf } from './draft.ts';
import { EntryItem } from './entry-item.tsx';
import { EntryPanel } from './entry-panel.tsx';
import { ImportDialog } from './import-dialog.tsx';
import { PriceDialog } from './price-dialog.tsx';
import { ReportedCosts } from './reported-costs.tsx';
import { useMayPrice } from './use-book.ts';
import { useRateTexts } from './use-rate-text.ts';
import { useValidityText } from './use-validity-text.ts';
import { byState, stateOf } from './validity.ts';

/** The price an item of the list shows. */
function PriceItem({ price, onChange }: { price: Preis; onChange: () => void }) {
  const { t } = useTranslation();
  const format = useFormat();
  const textOf = useValidityText();
  const ratesOf = useRateTexts();
  const { modell, anbieter, preisstufe, bemerkung, saetze } = price;
  return (
    <EntryItem
      list="preise"
      entry={price}
      name={modell}
      state={stateOf(price, format.dayOf(new Date()))}
      beside={<span className="text-xs text-ink-3">{anbieter ?? t('preise.anyProvider')}</span>}
      onChange={onChange}
    >
      <span>{textOf(price)}</span>
      <span>{preisstufe ? t('preise.own.tierOf', { tier: preisstufe }) : t('preise.own.everyTier')}</span>
      {ratesOf(saetze).map((text) => (
        <span key={text}>{text}</span>
      ))}
      {bemerkung && <span className="w-full">{bemerkung}</span>}
    </EntryItem>
  );
}

/** The way out and in as CSV. */
function CsvActions({ book }: { book: Preisbuch }) {
  const { t } = useTranslation();
  const may = useMayPrice();
  const [importing, setImporting] = useState(false);
  return (
    <>
      {book.preise.length > 0 && (
        <a href={routes.preiseAusgeben[1]} download className={buttonClass()}>
          <DownloadIcon />
          {t('preise.csv.export')}
        </a>
      )}
      {may && <Button onClick={() => setImporting(true)}>{t('preise.csv.import')}</Button>}
      {importing && <ImportDialog onClose={() => setImporting(false)} />}
    </>
  );
}

/** The own prices, those that hold today first, and whether reported costs go before them. */
export function PricesTab({ book }: { book: Preisbuch }) {
  const format = useFormat();
  const [open, setOpen] = useState<Preis | 'new' | null>(null);
  const prices = byState(book.preise, format.dayOf(new Date()));
  return (
    <div className="flex flex-col gap-4">
      <EntryPanel
        texts="own"
        isEmpty={prices.length === 0}
        actions={<CsvActions book={book} />}
        onAdd={() => setOpen('new')}
      >
        {prices.map((price) => (
          <PriceItem key={JSON.stringify(price)} price={price} onChange={() => setOpen(price)} />
        ))}
      </EntryPanel>
      <ReportedCosts book={book} />
      {open !== null && (
        <PriceDialog
          first={open === 'new' ? emptyPrice() : priceDraftOf(open, format.language)}
          of={open === 'new' ? null : open}
          onClose={() => setOpen(null)}
        />
      )}
    </div>
  );
}
