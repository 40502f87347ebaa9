import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Anbieterrechnung } from '../../api/types.ts';
import { useErrorText } from '../../api/use-error-text.ts';
import { useFormat } from '../../format/use-format.ts';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { type Draft, type Known, newDraft, toBody, toDraft } from './draft.ts';
import { InvoiceFields } from './invoice-fields.tsx';
import { useChange } from './use-change.ts';

export type OpenDialog = ({ action: 'new' } & Known) | { action: 'change' | 'takeOut'; of: Anbieterrechnung };

interface EditDialogProps {
  title: string;
  draft: Draft;
  providers: string[];
  error: unknown;
  busy: boolean;
  onSubmit: (body: ReturnType<typeof toBody>) => void;
  onClose: () => void;
}

function EditDialog({ draft: known, title, providers, error, busy, onSubmit, onClose }: EditDialogProps) {
  const { t } = useTranslation();
  const { language } = useFormat();
  const { sentence } = useErrorText();
  const [draft, setDraft] = useState(known);
  return (
    <FormDialog
      title={title}
      description={t('abgleich.dialogText')}
      confirm={t('ui.save')}
      error={error ? sentence(error) : undefined}
      busy={busy}
      onSubmit={() => onSubmit(toBody(draft, language))}
      onClose={onClose}
    >
      <InvoiceFields draft={draft} providers={providers} error={error} onChange={setDraft} />
    </FormDialog>
  );
}

interface DialogProps<T> {
  of: T;
  providers: string[];
  onClose: () => void;
}

function NewInvoice({ of, ...rest }: DialogProps<Known>) {
  const { t } = useTranslation();
  const { language } = useFormat();
  const { error, isPending, mutate } = useChange('rechnungErfassen', t('abgleich.saved'), rest.onClose);
  return (
    <EditDialog
      {...rest}
      title={t('abgleich.new')}
      draft={newDraft(of, language)}
      error={error}
      busy={isPending}
      onSubmit={(body) => mutate({ body })}
    />
  );
}

function ChangeInvoice({ of, ...rest }: DialogProps<Anbieterrechnung>) {
  const { t } = useTranslation();
  const { language } = useFormat();
  const { error, isPending, mutate } = useChange('rechnungAendern', t('abgleich.saved'), rest.onClose);
  const params = { rechnung_id: of.rechnung_id };
  return (
    <EditDialog
      {...rest}
      title={t('abgleich.changeTitle')}
      draft={toDraft(of, language)}
      error={error}
      busy={isPending}
      onSubmit={(body) => mutate({ params, body })}
    />
  );
}

function TakeOutInvoice({ of, onClose }: DialogProps<Anbieterrechnung>) {
  const { t } = useTranslation();
  const format = useFormat();
  const { error, isPending, mutate } = useChange('rechnungEntfernen', t('abgleich.takenOut'), onClose);
  const amount = format.money(of.betrag, of.waehrung);
  return (
    <ConfirmDialog
      title={t('abgleich.takeOutTitle', { name: of.rechnungsnummer ?? amount })}
      description={t('abgleich.takeOutText', { amount, provider: of.anbieter })}
      confirm={t('abgleich.takeOut')}
      error={error}
      busy={isPending}
      onConfirm={() => mutate({ params: { rechnung_id: of.rechnung_id } })}
      onClose={onClose}
    />
  );
}

/** The dialog that is open, if one is. */
export function InvoiceDialogs({
  open,
  ...rest
}: Omit<DialogProps<unknown>, 'of'> & { open: OpenDialog | null }) {
  if (open === null) return null;
  if (open.action === 'new') return <NewInvoice of={open} {...rest} />;
  if (open.action === 'change') return <ChangeInvoice of={open.of} {...rest} />;
  return <TakeOutInvoice of={open.of} {...rest} />;
}
