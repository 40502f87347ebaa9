import { useMutation } from '@tanstack/react-query';
import { type MouseEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../api/call.ts';
import { Button } from '../../ui/button.tsx';
import { ErrorNotice } from '../../ui/error-notice.tsx';
import { Notice } from '../../ui/notice.tsx';

/** Where the provider of this address signs users in; null when its domain has none. */
async function findProvider(email: string): Promise<string | null> {
  const { vorhanden } = await call('ssoAnbieter', { query: { email } });
  return vorhanden ? (await call('ssoStart', { query: { email } })).adresse : null;
}

interface SsoLoginProps {
  /** Name of the address field in the same form. */
  field: string;
  onMissing: () => void;
}

/** Signs in at the provider that belongs to the domain of the typed address; stands inside the form with that address. */
export function SsoLogin({ field, onMissing }: SsoLoginProps) {
  const { t } = useTranslation();
  const [leaving, setLeaving] = useState(false);
  const { data, error, isPending, variables, mutate } = useMutation({
    mutationFn: findProvider,
    onSuccess: (address) => {
      if (address === null) return;
      setLeaving(true);
      location.assign(address);
    },
  });
  const start = (event: MouseEvent<HTMLButtonElement>) => {
    const input = event.currentTarget.form?.elements.namedItem(field);
    if (!(input instanceof HTMLInputElement)) return;
    const email = input.value.trim();
    if (email !== '' && input.validity.valid) mutate(email);
    else {
      onMissing();
      input.focus();
    }
  };
  return (
    <div className="flex flex-col gap-3">
      <Button busy={isPending || leaving} onClick={start}>
        {t('zugang.sso')}
      </Button>
      {error && <ErrorNotice error={error} />}
      {data === null && (
        <Notice live>{t('zugang.ssoNone', { domain: variables?.split('@').at(-1) ?? '' })}</Notice>
      )}
    </div>
  );
}
