import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Endkunde } from '../../api/types.ts';
import { useErrorText } from '../../api/use-error-text.ts';
import type { Language } from '../../format/number.ts';
import { readNumber, writeNumber } from '../../format/typed-number.ts';
import { useFormat } from '../../format/use-format.ts';
import { TextField } from '../../ui/field.tsx';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { AccountingFields } from './accounting-fields.tsx';
import { useChange } from './use-customers.ts';

/** The fields as they are typed: empty where nothing is known. */
type Draft = Record<'name' | 'kostenstelle' | 'debitorenkonto' | 'email' | 'aufschlag_prozent', string>;

const EMPTY: Draft = { name: '', kostenstelle: '', debitorenkonto: '', email: '', aufschlag_prozent: '0' };

const toDraft = (of: Endkunde, language: Language): Draft => ({
  name: of.name ?? '',
  kostenstelle: of.kostenstelle ?? '',
  debitorenkonto: of.debitorenkonto ?? '',
  email: of.email ?? '',
  aufschlag_prozent: writeNumber(of.aufschlag_prozent, language),
});

const toBody = (draft: Draft, language: Language) => ({
  name: draft.name.trim() || null,
  kostenstelle: draft.kostenstelle.trim() || null,
  debitorenkonto: draft.debitorenkonto.trim() || null,
  email: draft.email.trim() || null,
  aufschlag_prozent: readNumber(draft.aufschlag_prozent.replace('\u2212', '-'), language) || '0',
});

interface FieldsProps {
  draft: Draft;
  error: unknown;
  onChange: (draft: Draft) => void;
}

function Fields({ draft, error, onChange }: FieldsProps) {
  const { t } = useTranslation();
  const { fieldError } = useErrorText();
  const field = (name: keyof Draft) => ({
    autoComplete: 'off',
    value: draft[name],
    error: fieldError(error, name),
    onChange: ({ target }: { target: { value: string } }) => onChange({ ...draft, [name]: target.value }),
  });
  return (
    <>
      <TextField
        label={t('weiterbelastung.nameField')}
        hint={t('weiterbelastung.nameHint')}
        maxLength={120}
        {...field('name')}
      />
      <TextField
        label={t('weiterbelastung.markupField')}
        hint={t('weiterbelastung.markupHint')}
        inputMode="decimal"
        {...field('aufschlag_prozent')}
      />
      <AccountingFields field={field} />
      <TextField
        label={t('weiterbelastung.email')}
        hint={t('weiterbelastung.emailHint')}
        type="email"
        {...field('email')}
      />
    </>
  );
}

interface NewDialogProps {
  /** Of one that was deleted and comes back. */
  referenz?: string;
  onClose: () => void;
}

/** Puts in an end customer. */
export function NewDialog({ referenz: known, onClose }: NewDialogProps) {
  const { t } = useTranslation();
  const { language } = useFormat();
  const { sentence, fieldError } = useErrorText();
  const [referenz, setReferenz] = useState(known ?? '');
  const [draft, setDraft] = useState(EMPTY);
  const { error, isPending, mutate } = useChange('endkundeAnlegen', t('weiterbelastung.created'), onClose);
  return (
    <FormDialog
      title={t('weiterbelastung.newTitle')}
      description={t('weiterbelastung.newText')}
      confirm={t('weiterbelastung.create')}
      error={error ? sentence(error) : undefined}
      busy={isPending}
      onSubmit={() => mutate({ body: { referenz, ...toBody(draft, language) } })}
      onClose={onClose}
    >
      <TextField
        label={t('weiterbelastung.reference')}
        hint={t('weiterbelastung.referenceHint')}
        autoComplete="off"
        spellCheck={false}
        readOnly={known !== undefined}
        value={referenz}
        maxLength={120}
        onChange={(event) => setReferenz(event.target.value)}
        error={fieldError(error, 'referenz')}
      />
      <Fields draft={draft} error={error} onChange={setDraft} />
    </FormDialog>
  );
}

/** Changes what is known of an end customer. */
export function EditDialog({ of, onClose }: { of: Endkunde; onClose: () => void }) {
  const { t } = useTranslation();
  const { language } = useFormat();
  const { sentence } = useErrorText();
  const [draft, setDraft] = useState(() => toDraft(of, language));
  const { error, isPending, mutate } = useChange('endkundeAendern', t('weiterbelastung.saved'), onClose);
  const params = { endkunde_id: of.endkunde_id };
  return (
    <FormDialog
      title={t('weiterbelastung.editTitle')}
      description={t('weiterbelastung.editText', { reference: of.referenz })}
      confirm={t('ui.save')}
      error={error ? sentence(error) : undefined}
      busy={isPending}
      onSubmit={() => mutate({ params, body: toBody(draft, language) })}
      onClose={onClose}
    >
      <Fields draft={draft} error={error} onChange={setDraft} />
    </FormDialog>
  );
}
