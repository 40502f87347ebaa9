import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Rolle, Sso } from '../../api/types.ts';
import { useErrorText } from '../../api/use-error-text.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { ConfirmDialog, Consequences } from '../../ui/confirm-dialog.tsx';
import { CheckField, SelectField, TextField } from '../../ui/field.tsx';
import { Form, textOf } from '../../ui/form.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Panel } from '../../ui/panel.tsx';
import { toast } from '../../ui/toast.tsx';
import { rolesUpTo } from '../benutzer/index.ts';
import { type NewRole, newRoleOf, type SsoInput, useRemoveSso, useSetSso } from './use-sso.ts';

/** What was typed for the secret: a new one, none any more, or nothing, which leaves it as it is. */
function secretOf(form: FormData): Pick<SsoInput, 'client_secret'> {
  if (form.get('ohne_geheimnis') !== null) return { client_secret: '' };
  const typed = textOf(form, 'client_secret').trim();
  return typed === '' ? {} : { client_secret: typed };
}

/** What the service calls a provider that was given no name. */
const UNNAMED = 'Firmenkonto';

/** The service has a name of its own for where none is given. */
function nameOf(form: FormData): Pick<SsoInput, 'name'> {
  const typed = textOf(form, 'name').trim();
  return typed === '' ? {} : { name: typed };
}

const readForm = (form: FormData, rolle_neu: NewRole): SsoInput => ({
  aktiv: form.get('aktiv') !== null,
  issuer: textOf(form, 'issuer').trim(),
  client_id: textOf(form, 'client_id').trim(),
  rolle_neu,
  ...nameOf(form),
  ...secretOf(form),
});

function SecretField({ isSet, error }: { isSet: boolean; error: string | undefined }) {
  const { t } = useTranslation();
  const [none, setNone] = useState(false);
  return (
    <>
      <TextField
        label={t('sso.secret')}
        name="client_secret"
        hint={t(isSet ? 'sso.secretSet' : 'sso.secretHint')}
        placeholder={isSet ? t('sso.secretPlaceholder') : ''}
        autoComplete="off"
        spellCheck={false}
        disabled={none}
        error={error}
        className="font-mono"
      />
      {isSet && (
        <CheckField
          label={t('sso.secretRemove')}
          name="ohne_geheimnis"
          checked={none}
          onChange={(event) => setNone(event.target.checked)}
        />
      )}
    </>
  );
}

function RoleField({
  own,
  value,
  onChange,
}: {
  own: Rolle;
  value: NewRole;
  onChange: (role: NewRole) => void;
}) {
  const { t } = useTranslation();
  const offered = rolesUpTo(own).filter((role): role is NewRole => role !== 'inhaber');
  return (
    <SelectField
      label={t('sso.newRole')}
      hint={t(`rollentext.${value}`)}
      value={value}
      options={offered.map((role) => ({ value: role, label: t(`rolle.${role}`) }))}
      onChange={(next) => onChange(offered.find((role) => role === next) ?? value)}
    />
  );
}

function ProviderFields({ sso, error }: { sso: Sso; error: unknown }) {
  const { t } = useTranslation();
  const { fieldError } = useErrorText();
  return (
    <>
      <TextField
        label={t('sso.issuer')}
        name="issuer"
        hint={t(sso.client_secret_gesetzt ? 'sso.issuerDropsSecret' : 'sso.issuerHint')}
        type="url"
        autoComplete="off"
        spellCheck={false}
        placeholder="https://…"
        defaultValue={sso.issuer ?? ''}
        error={fieldError(error, 'issuer')}
      />
      <TextField
        label={t('sso.clientId')}
        name="client_id"
        autoComplete="off"
        spellCheck={false}
        defaultValue={sso.client_id ?? ''}
        error={fieldError(error, 'client_id')}
        className="font-mono"
      />
      <SecretField isSet={sso.client_secret_gesetzt} error={fieldError(error, 'client_secret')} />
      <TextField
        label={t('sso.name')}
        name="name"
        hint={t('sso.nameHint')}
        autoComplete="off"
        placeholder={t('sso.title')}
        defaultValue={sso.name === UNNAMED ? '' : sso.name}
        error={fieldError(error, 'name')}
      />
    </>
  );
}

function RemoveDialog({ onClose, onRemoved }: { onClose: () => void; onRemoved: () => void }) {
  const { t } = useTranslation();
  const { error, isPending, mutate } = useRemoveSso(() => {
    toast(t('sso.removed'));
    onRemoved();
  });
  return (
    <ConfirmDialog
      title={t('sso.removeTitle')}
      confirm={t('sso.remove')}
      error={error}
      busy={isPending}
      onConfirm={() => mutate()}
      onClose={onClose}
    >
      <Consequences points={[t('sso.removeLogin'), t('sso.removeDomains'), t('sso.removeStays')]} />
    </ConfirmDialog>
  );
}

interface ProviderProps {
  sso: Sso;
  /** The role of the user who sets it up. */
  own: Rolle;
}

function ProviderForm({ sso, own, onChanged }: ProviderProps & { onChanged: () => void }) {
  const { t } = useTranslation();
  const [role, setRole] = useState(newRoleOf(sso));
  const [removing, setRemoving] = useState(false);
  const { error, isPending, mutate } = useSetSso(() => {
    toast(t('sso.saved'));
    onChanged();
  });
  const remove = sso.eingerichtet && <Button onClick={() => setRemoving(true)}>{t('sso.remove')} …</Button>;
  return (
    <div className="max-w-lg">
      <Form
        confirm={t('ui.save')}
        error={error}
        busy={isPending}
        actions={remove}
        onSubmit={(form) => mutate(readForm(form, role))}
      >
        <ProviderFields sso={sso} error={error} />
        <RoleField own={own} value={role} onChange={setRole} />
        <CheckField
          label={t('sso.active')}
          name="aktiv"
          hint={t('sso.activeHint')}
          defaultChecked={sso.aktiv || !sso.eingerichtet}
        />
        {own !== 'inhaber' && <Notice>{t('sso.ownersKeepPassword')}</Notice>}
      </Form>
      {removing && <RemoveDialog onClose={() => setRemoving(false)} onRemoved={onChanged} />}
    </div>
  );
}

/** The identity provider. */
export function ProviderPanel(props: ProviderProps) {
  const { t } = useTranslation();
  const { sso } = props;
  // What was saved, or removed, shows in fresh fields.
  const [times, setTimes] = useState(0);
  const status = !sso.eingerichtet ? 'none' : sso.aktiv ? 'on' : 'off';
  return (
    <Panel
      title={t('sso.step2')}
      aside={<Badge tone={status === 'on' ? 'good' : 'neutral'}>{t(`sso.status.${status}`)}</Badge>}
    >
      <ProviderForm key={times} {...props} onChanged={() => setTimes(times + 1)} />
    </Panel>
  );
}
