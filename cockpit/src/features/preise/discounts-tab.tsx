import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Preisbuch, Rabatt } from '../../api/types.ts';
import { useFormat } from '../../format/use-format.ts';
import { Badge } from '../../ui/badge.tsx';
import { TextField } from '../../ui/field.tsx';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { withEntry } from './book.ts';
import { discountDraftOf, emptyDiscount, toDiscount } from './draft.ts';
import { EntryItem } from './entry-item.tsx';
import { EntryPanel } from './entry-panel.tsx';
import { useBookFaults, useChangeBook } from './use-book.ts';
import { useValidityText } from './use-validity-text.ts';
import { byState, stateOf } from './validity.ts';
import { ValidityFields } from './validity-fields.tsx';

const FIELDS = ['anbieter', 'prozent', 'gilt_ab', 'gilt_bis', 'bemerkung'];

function DiscountDialog({ of, onClose }: { of: Rabatt | null; onClose: () => void }) {
  const { t } = useTranslation();
  const { language } = useFormat();
  const [draft, setDraft] = useState(of ? discountDraftOf(of, language) : emptyDiscount);
  const save = useChangeBook(onClose);
  const { fault, whole } = useBookFaults(save.error, FIELDS);
  const change = (part: Partial<typeof draft>) => setDraft((before) => ({ ...before, ...part }));
  return (
    <FormDialog
      title={t(of ? 'preise.discounts.changeTitle' : 'preise.discounts.new')}
      description={t('preise.onlyFromNow')}
      confirm={t('ui.save')}
      error={whole}
      busy={save.isPending}
      onSubmit={() => save.mutate((content) => withEntry(content, 'rabatte', of, toDiscount(draft)))}
      onClose={onClose}
    >
      <TextField
        label={t('preise.discounts.provider')}
        hint={t('preise.discounts.providerHint')}
        value={draft.anbieter}
        autoComplete="off"
        spellCheck={false}
        onChange={(event) => change({ anbieter: event.target.value })}
        error={fault('anbieter')}
      />
      <TextField
        label={t('preise.discounts.percent')}
        hint={t('preise.discounts.percentHint')}
        value={draft.prozent}
        inputMode="decimal"
        autoComplete="off"
        onChange={(event) => change({ prozent: event.target.value })}
        error={fault('prozent')}
      />
      <ValidityFields draft={draft} fault={fault} onChange={change} />
      <TextField
        label={t('preise.note')}
        value={draft.bemerkung}
        autoComplete="off"
        onChange={(event) => change({ bemerkung: event.target.value })}
        error={fault('bemerkung')}
      />
    </FormDialog>
  );
}

function DiscountItem({ discount, onChange }: { discount: Rabatt; onChange: () => void }) {
  const { t } = useTranslation();
  const format = useFormat();
  const textOf = useValidityText();
  const percent = format.decimal(discount.prozent);
  return (
    <EntryItem
      list="rabatte"
      entry={discount}
      name={discount.anbieter}
      state={stateOf(discount, format.dayOf(new Date()))}
      beside={<Badge>{t('preise.discounts.of', { percent })}</Badge>}
      onChange={onChange}
    >
      <span>{textOf(discount)}</span>
      {discount.bemerkung && <span className="w-full">{discount.bemerkung}</span>}
    </EntryItem>
  );
}

/** Discounts on what providers list. */
export function DiscountsTab({ book }: { book: Preisbuch }) {
  const format = useFormat();
  const [open, setOpen] = useState<Rabatt | 'new' | null>(null);
  return (
    <>
      <EntryPanel texts="discounts" isEmpty={book.rabatte.length === 0} onAdd={() => setOpen('new')}>
        {byState(book.rabatte, format.dayOf(new Date())).map((discount) => (
          <DiscountItem
            key={JSON.stringify(discount)}
            discount={discount}
            onChange={() => setOpen(discount)}
          />
        ))}
      </EntryPanel>
      {open !== null && <DiscountDialog of={open === 'new' ? null : open} onClose={() => setOpen(null)} />}
    </>
  );
}
