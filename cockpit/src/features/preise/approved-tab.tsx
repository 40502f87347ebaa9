import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Freigabe, Preisbuch } from '../../api/types.ts';
import { TextAreaField, TextField } from '../../ui/field.tsx';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { withEntry } from './book.ts';
import { approvedDraftOf, toApproved } from './draft.ts';
import { EntryItem } from './entry-item.tsx';
import { EntryPanel } from './entry-panel.tsx';
import { useBookFaults, useChangeBook } from './use-book.ts';

function ApprovedDialog({ of, onClose }: { of: Freigabe | null; onClose: () => void }) {
  const { t } = useTranslation();
  const [draft, setDraft] = useState(of ? approvedDraftOf(of) : { modell: '', ersetzt: '' });
  const save = useChangeBook(onClose);
  const { fault, whole } = useBookFaults(save.error, ['modell', 'ersetzt']);
  return (
    <FormDialog
      title={t(of ? 'preise.approved.changeTitle' : 'preise.approved.new')}
      confirm={t('ui.save')}
      error={whole}
      busy={save.isPending}
      onSubmit={() => save.mutate((content) => withEntry(content, 'freigaben', of, toApproved(draft)))}
      onClose={onClose}
    >
      <TextField
        label={t('preise.approved.model')}
        hint={t('preise.approved.modelHint')}
        value={draft.modell}
        autoComplete="off"
        spellCheck={false}
        onChange={(event) => setDraft({ ...draft, modell: event.target.value })}
        error={fault('modell')}
      />
      <TextAreaField
        label={t('preise.approved.instead')}
        hint={t('preise.approved.insteadHint')}
        value={draft.ersetzt}
        spellCheck={false}
        onChange={(event) => setDraft({ ...draft, ersetzt: event.target.value })}
        error={fault('ersetzt')}
      />
    </FormDialog>
  );
}

/** Models that are approved, and what each may stand for. */
export function ApprovedTab({ book }: { book: Preisbuch }) {
  const { t } = useTranslation();
  const [open, setOpen] = useState<Freigabe | 'new' | null>(null);
  return (
    <>
      <EntryPanel texts="approved" isEmpty={book.freigaben.length === 0} onAdd={() => setOpen('new')}>
        {book.freigaben.map((entry) => (
          <EntryItem
            key={entry.modell}
            list="freigaben"
            entry={entry}
            name={entry.modell}
            onChange={() => setOpen(entry)}
          >
            {entry.ersetzt.length === 0
              ? t('preise.approved.itself')
              : t('preise.approved.for', { names: entry.ersetzt.join(', ') })}
          </EntryItem>
        ))}
      </EntryPanel>
      {open !== null && <ApprovedDialog of={open === 'new' ? null : open} onClose={() => setOpen(null)} />}
    </>
  );
}
