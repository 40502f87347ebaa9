import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../format/use-format.ts';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { DayField } from '../../ui/day-field.tsx';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { Notice } from '../../ui/notice.tsx';
import { type EntryOf, type ListName, withEntry } from './book.ts';
import { useBookFaults, useChangeBook } from './use-book.ts';
import type { Valid } from './validity.ts';

interface EndProps<L extends ListName> {
  list: L;
  entry: EntryOf<L>;
  name: string;
  onClose: () => void;
}

/** Ends a price or a discount on a day; today unless another one is chosen. */
export function EndDialog<L extends 'preise' | 'rabatte'>({ list, entry, name, onClose }: EndProps<L>) {
  const { t } = useTranslation();
  const format = useFormat();
  const [day, setDay] = useState((entry as Valid).gilt_bis ?? format.dayOf(new Date()));
  const save = useChangeBook(onClose);
  const { fault, whole } = useBookFaults(save.error, ['gilt_bis']);
  const ended = { ...entry, gilt_bis: day } as EntryOf<L>;
  return (
    <FormDialog
      title={t('preise.endTitle', { name })}
      description={t('preise.endText')}
      confirm={t('preise.endConfirm')}
      error={whole}
      busy={save.isPending}
      disabled={day === ''}
      onSubmit={() => save.mutate((content) => withEntry(content, list, entry, ended))}
      onClose={onClose}
    >
      <DayField label={t('preise.until')} value={day} onChange={setDay} error={fault('gilt_bis')} />
    </FormDialog>
  );
}

/** Asks before an entry leaves the book. */
export function RemoveDialog<L extends ListName>({ list, entry, name, onClose }: EndProps<L>) {
  const { t } = useTranslation();
  const save = useChangeBook(onClose);
  const { whole } = useBookFaults(save.error, []);
  return (
    <ConfirmDialog
      title={t('preise.removeTitle', { name })}
      description={t('preise.removeText')}
      confirm={t('preise.removeConfirm')}
      busy={save.isPending}
      onConfirm={() => save.mutate((content) => withEntry(content, list, entry, null))}
      onClose={onClose}
    >
      {whole && (
        <Notice tone="harm" live>
          {whole}
        </Notice>
      )}
    </ConfirmDialog>
  );
}
