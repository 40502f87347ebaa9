import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useErrorText } from '../../api/use-error-text.ts';
import { DayField } from '../../ui/day-field.tsx';
import { SelectField, TextField } from '../../ui/field.tsx';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { type Issued, useIssue } from './use-licences.ts';

interface NewLicenceDialogProps {
  onClose: () => void;
  onIssued: (issued: Issued) => void;
}

const packages = ['enterprise', 'team', 'starter'] as const;

/** The last instant of a day where the reader is; null without a day. */
const endOf = (day: string): string | null => (day === '' ? null : new Date(`${day}T24:00`).toISOString());

function useDraft() {
  const [kunde, setKunde] = useState('');
  const [paket, setPaket] = useState<string>(packages[0]);
  const [day, setDay] = useState('');
  const [mandanten, setMandanten] = useState('1');
  const body = { kunde: kunde.trim(), paket, gueltig_bis: endOf(day), mandanten: Number(mandanten) };
  return { kunde, setKunde, paket, setPaket, day, setDay, mandanten, setMandanten, body };
}

function Fields({ draft, error }: { draft: ReturnType<typeof useDraft>; error: Error | null }) {
  const { t } = useTranslation();
  const { fieldError } = useErrorText();
  return (
    <>
      <TextField
        label={t('lizenzen.customer')}
        hint={t('lizenzen.customerHint')}
        value={draft.kunde}
        onChange={(event) => draft.setKunde(event.target.value)}
        autoComplete="off"
        error={fieldError(error, 'kunde')}
      />
      <SelectField
        label={t('buchung.package')}
        options={packages.map((value) => ({ value, label: t(`lizenzen.package.${value}`) }))}
        value={draft.paket}
        onChange={draft.setPaket}
      />
      <DayField
        label={t('lizenzen.lastDay')}
        hint={t('lizenzen.lastDayHint')}
        value={draft.day}
        onChange={draft.setDay}
        error={fieldError(error, 'gueltig_bis')}
      />
      <TextField
        label={t('lizenzen.tenants')}
        hint={t('lizenzen.tenantsHint')}
        type="number"
        min={1}
        value={draft.mandanten}
        onChange={(event) => draft.setMandanten(event.target.value)}
        error={fieldError(error, 'mandanten')}
      />
    </>
  );
}

/** A licence for another installation. */
export function NewLicenceDialog({ onClose, onIssued }: NewLicenceDialogProps) {
  const { t } = useTranslation();
  const { sentence } = useErrorText();
  const draft = useDraft();
  const issue = useIssue((issued) => {
    onIssued(issued);
    onClose();
  });
  return (
    <FormDialog
      title={t('lizenzen.add')}
      confirm={t('lizenzen.issue')}
      error={issue.error ? sentence(issue.error) : undefined}
      busy={issue.isPending}
      disabled={draft.body.kunde.length < 2}
      onSubmit={() => issue.mutate(draft.body)}
      onClose={onClose}
    >
      <Fields draft={draft} error={issue.error} />
    </FormDialog>
  );
}
