import { useMutation } from '@tanstack/react-query';
import { type MouseEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../api/call.ts';
import { Button } from '../../ui/button.tsx';
import { ErrorNotice } from '../../ui/error-notice.tsx';
import { Notice } from '../../ui/notice.tsx';

/** The provider of this address: its name and where it signs users in; null when its domain has none. */
async function findProvider(email: string) {
  const { vorhanden, name } = await call('ssoAnbieter', { query: { email } });
  if (!vorhanden) return null;
  const { adresse } = await call('ssoStart', { query: { email } });
  return { adresse, name: name ?? '' };
}

interface SsoLoginProps {
  /** Name of the address field in the same form. */
  field: string;
  /** An attempt begins: what the one before failed with is over. */
  onBegin: () => void;
  onMissing: () => void;
}

/** Signs in at the provider that belongs to the domain of the typed address; stands inside the form with that address. */
export function SsoLogin({ field, onBegin, onMissing }: SsoLoginProps) {
  const { t } = useTranslation();
  const [leaving, setLeaving] = useState(false);
  const { data, error, isPending, variables, mutate } = useMutation({
    mutationFn: findProvider,
    onSuccess: (provider) => {
      if (provider === null) return;
      setLeaving(true);
      location.assign(provider.adresse);
    },
  });
  const start = (event: MouseEvent<HTMLButtonElement>) => {
    const input = event.currentTarget.form?.elements.namedItem(field);
    if (!(input instanceof HTMLInputElement)) return;
    const email = input.value.trim();
    if (email !== '' && input.validity.valid) {
      onBegin();
      mutate(email);
    } else {
      onMissing();
      input.focus();
    }
  };
  return (
    <div className="flex flex-col gap-3">
      <Button busy={isPending || leaving} onClick={start}>
        {leaving ? t('zugang.ssoLeaving', { name: data?.name ?? '' }) : t('zugang.sso')}
      </Button>
      {error && <ErrorNotice error={error} />}
      {data === null && (
        <Notice live>{t('zugang.ssoNone', { domain: variables?.split('@').at(-1) ?? '' })}</Notice>
      )}
    </div>
  );
}
