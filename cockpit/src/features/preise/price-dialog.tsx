import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { BOOK_RATE_NAMES } from '#contracts/book-rates.ts';
import type { Preis } from '../../api/types.ts';
import { TextField } from '../../ui/field.tsx';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { Notice } from '../../ui/notice.tsx';
import { withEntry } from './book.ts';
import { type PriceDraft, toPrice } from './draft.ts';
import { fitting } from './pattern.ts';
import { RateFields } from './rate-fields.tsx';
import { useBookFaults, useChangeBook } from './use-book.ts';
import { DEFAULT_PERIOD, useModels } from './use-models.ts';
import { ValidityFields } from './validity-fields.tsx';

const FIELDS = [
  'anbieter',
  'modell',
  'preisstufe',
  'gilt_ab',
  'gilt_bis',
  'bemerkung',
  'saetze',
  ...BOOK_RATE_NAMES,
];

interface FieldsProps {
  draft: PriceDraft;
  fault: (field: string) => string | undefined;
  onChange: (part: Partial<PriceDraft>) => void;
}

/** Models that are named; more of them are only hinted at. */
const MOST_NAMED = 6;

/** Which of the models that were used lately the entry fits. */
function Fits({ draft }: Pick<FieldsProps, 'draft'>) {
  const { t } = useTranslation();
  const { models = [] } = useModels(DEFAULT_PERIOD);
  const named = models.filter(({ modell }) => modell !== '');
  if (draft.modell.trim() === '' || named.length === 0) return null;
  const names = [...new Set(fitting(draft, named).map(({ modell }) => modell))];
  if (names.length === 0) return t('preise.own.fitsNone', { count: named.length });
  const shown = names.slice(0, MOST_NAMED).join(', ');
  const list = names.length > MOST_NAMED ? t('preise.own.fitsMore', { names: shown }) : shown;
  return t('preise.own.fitsAll', { count: names.length, names: list });
}

/** Which calls the price is for. */
function WhichFields({ draft, fault, onChange }: FieldsProps) {
  const { t } = useTranslation();
  return (
    <>
      <div>
        <TextField
          label={t('preise.own.model')}
          hint={t('preise.own.modelHint')}
          value={draft.modell}
          autoComplete="off"
          spellCheck={false}
          onChange={(event) => onChange({ modell: event.target.value })}
          error={fault('modell')}
        />
        <p role="status" className="mt-1 text-xs text-ink-2 [overflow-wrap:anywhere]">
          <Fits draft={draft} />
        </p>
      </div>
      <div className="grid items-start gap-3 sm:grid-cols-2">
        <TextField
          label={t('preise.provider')}
          hint={t('preise.providerHint')}
          value={draft.anbieter}
          autoComplete="off"
          spellCheck={false}
          onChange={(event) => onChange({ anbieter: event.target.value })}
          error={fault('anbieter')}
        />
        <TextField
          label={t('preise.own.tier')}
          hint={t('preise.own.tierHint')}
          value={draft.preisstufe}
          autoComplete="off"
          spellCheck={false}
          onChange={(event) => onChange({ preisstufe: event.target.value })}
          error={fault('preisstufe')}
        />
      </div>
    </>
  );
}

interface PriceDialogProps {
  /** What the form begins with. */
  first: PriceDraft;
  /** The entry that is changed; null for a new one. */
  of: Preis | null;
  /** The form begins with what the model costs now. */
  prefilled?: boolean;
  onClose: () => void;
}

/** Adds or changes an own price. */
export function PriceDialog({ first, of, prefilled = false, onClose }: PriceDialogProps) {
  const { t } = useTranslation();
  const [draft, setDraft] = useState(first);
  const save = useChangeBook(onClose);
  const { fault, whole } = useBookFaults(save.error, FIELDS);
  const change = (part: Partial<PriceDraft>) => setDraft((before) => ({ ...before, ...part }));
  return (
    <FormDialog
      title={t(of ? 'preise.own.changeTitle' : 'preise.own.new')}
      description={t('preise.onlyFromNow')}
      confirm={t('ui.save')}
      error={whole}
      busy={save.isPending}
      onSubmit={() => save.mutate((content) => withEntry(content, 'preise', of, toPrice(draft)))}
      onClose={onClose}
    >
      <WhichFields draft={draft} fault={fault} onChange={change} />
      {prefilled && <Notice>{t('preise.own.prefilled')}</Notice>}
      <RateFields saetze={draft.saetze} fault={fault} onChange={(saetze) => change({ saetze })} />
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
