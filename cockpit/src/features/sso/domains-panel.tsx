import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Sso, SsoDomain } from '../../api/types.ts';
import { useErrorText } from '../../api/use-error-text.ts';
import { Button } from '../../ui/button.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { ErrorNotice } from '../../ui/error-notice.tsx';
import { TextField } from '../../ui/field.tsx';
import { Panel } from '../../ui/panel.tsx';
import { toast } from '../../ui/toast.tsx';
import { DomainItem } from './domain-item.tsx';
import { toInput, useSetSso } from './use-sso.ts';

const namesOf = (sso: Sso) => sso.domains.map(({ domain }) => domain);

function AddDomain({ sso }: { sso: Sso }) {
  const { t } = useTranslation();
  const { fieldError } = useErrorText();
  const [domain, setDomain] = useState('');
  const { error, isPending, mutate } = useSetSso(() => setDomain(''));
  const wrong = fieldError(error, 'domains');
  const submit = (event: FormEvent) => {
    event.preventDefault();
    mutate({ ...toInput(sso), domains: [...namesOf(sso), domain.trim()] });
  };
  return (
    <form noValidate onSubmit={submit} className="flex flex-col gap-3">
      <div className="flex flex-wrap items-start gap-2">
        <div className="min-w-0 grow basis-56 sm:max-w-sm">
          <TextField
            label={t('sso.newDomain')}
            placeholder="example.org"
            autoComplete="off"
            spellCheck={false}
            autoCapitalize="none"
            value={domain}
            onChange={(event) => setDomain(event.target.value)}
            error={wrong}
          />
        </div>
        <Button type="submit" className="sm:mt-6" busy={isPending} disabled={domain.trim() === ''}>
          {t('sso.addDomain')}
        </Button>
      </div>
      {error && !wrong && <ErrorNotice error={error} />}
    </form>
  );
}

function RemoveDomain({ sso, target, onClose }: { sso: Sso; target: SsoDomain; onClose: () => void }) {
  const { t } = useTranslation();
  const { domain } = target;
  const { error, isPending, mutate } = useSetSso(() => {
    toast(t('sso.domainRemoved', { domain }));
    onClose();
  });
  return (
    <ConfirmDialog
      title={t('sso.removeDomainTitle', { domain })}
      description={t('sso.removeDomainText', { domain })}
      confirm={t('sso.remove')}
      error={error}
      busy={isPending}
      onConfirm={() => mutate({ ...toInput(sso), domains: namesOf(sso).filter((name) => name !== domain) })}
      onClose={onClose}
    />
  );
}

/** The mail domains whose users come with the company account, proven or still to be proven. */
export function DomainsPanel({ sso }: { sso: Sso }) {
  const { t } = useTranslation();
  const [removing, setRemoving] = useState<SsoDomain | null>(null);
  if (!sso.eingerichtet) {
    return (
      <Panel title={t('sso.step3')}>
        <p className="text-ink-2">{t('sso.domainsLater')}</p>
      </Panel>
    );
  }
  return (
    <Panel title={t('sso.step3')} flush>
      <p className="max-w-prose px-4 pb-3 text-ink-2">
        {t(sso.domains.length === 0 ? 'sso.noDomains' : 'sso.domainsText')}
      </p>
      <ul aria-label={t('sso.domains')} className="flex flex-col">
        {sso.domains.map((entry) => (
          <DomainItem key={entry.domain} entry={entry} onRemove={() => setRemoving(entry)} />
        ))}
      </ul>
      <div className="border-t px-4 py-3">
        <AddDomain sso={sso} />
      </div>
      {removing && <RemoveDomain sso={sso} target={removing} onClose={() => setRemoving(null)} />}
    </Panel>
  );
}
