import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useErrorText } from '../../api/use-error-text.ts';
import { CheckField, TextField } from '../../ui/field.tsx';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { useCreateKey } from './use-keys.ts';

interface NewKeyDialogProps {
  onClose: () => void;
  onCreated: (key: string) => void;
}

interface ScopesProps {
  send: boolean;
  read: boolean;
  onSend: (send: boolean) => void;
  onRead: (read: boolean) => void;
}

function Scopes({ send, read, onSend, onRead }: ScopesProps) {
  const { t } = useTranslation();
  return (
    <fieldset className="flex flex-col gap-1">
      <legend className="mb-1 text-sm font-medium">{t('schluessel.scopes')}</legend>
      <CheckField
        label={t('schluessel.scopeSend')}
        hint={t('schluessel.scopeSendHint')}
        checked={send}
        onChange={(event) => onSend(event.target.checked)}
      />
      <CheckField
        label={t('schluessel.scopeRead')}
        hint={t('schluessel.scopeReadHint')}
        checked={read}
        onChange={(event) => onRead(event.target.checked)}
      />
    </fieldset>
  );
}

/** A further key with a name and the scopes it needs. */
export function NewKeyDialog({ onClose, onCreated }: NewKeyDialogProps) {
  const { t } = useTranslation();
  const { sentence, fieldError } = useErrorText();
  const [name, setName] = useState('');
  const [send, setSend] = useState(true);
  const [read, setRead] = useState(true);
  const create = useCreateKey((key) => {
    onCreated(key);
    onClose();
  });
  const submit = () => {
    const bereiche = [...(send ? (['Senden'] as const) : []), ...(read ? (['Lesen'] as const) : [])];
    create.mutate({ ...(name.trim() ? { name: name.trim() } : {}), bereiche });
  };
  return (
    <FormDialog
      title={t('schluessel.add')}
      confirm={t('schluessel.create')}
      error={create.error ? sentence(create.error) : undefined}
      busy={create.isPending}
      disabled={!send && !read}
      onSubmit={submit}
      onClose={onClose}
    >
      <TextField
        label={t('schluessel.name')}
        hint={t('schluessel.nameHint')}
        value={name}
        onChange={(event) => setName(event.target.value)}
        autoComplete="off"
        error={fieldError(create.error, 'name')}
      />
      <Scopes send={send} read={read} onSend={setSend} onRead={setRead} />
    </FormDialog>
  );
}
