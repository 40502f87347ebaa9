import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Alarmkanaele } from '../../api/types.ts';
import { useErrorText } from '../../api/use-error-text.ts';
import { useHasNoMail } from '../../api/use-mailweg.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { ErrorNotice } from '../../ui/error-notice.tsx';
import { TextField } from '../../ui/field.tsx';
import { Item, ItemList } from '../../ui/item-list.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Panel } from '../../ui/panel.tsx';
import { toast } from '../../ui/toast.tsx';
import { ProbeResult } from './probe-result.tsx';
import { useAskAgain, useProbe, useSetAlarme } from './use-alarms.ts';

/** As many as the service takes. */
const MOST = 20;

function AddAddress({ addresses }: { addresses: string[] }) {
  const { t } = useTranslation();
  const { fieldError } = useErrorText();
  const [address, setAddress] = useState('');
  const { error, isPending, mutate } = useSetAlarme(() => {
    toast(t('alarme.added', { address: address.trim() }));
    setAddress('');
  });
  const wrong = fieldError(error, 'email');
  const submit = (event: FormEvent) => {
    event.preventDefault();
    mutate({ email: [...addresses, address.trim()] });
  };
  if (addresses.length >= MOST)
    return <p className="text-xs text-ink-3">{t('alarme.full', { count: MOST })}</p>;
  return (
    <form noValidate onSubmit={submit} className="flex flex-col gap-3">
      <div className="flex flex-wrap items-start gap-2">
        <div className="min-w-0 grow basis-56 sm:max-w-sm">
          <TextField
            label={t('alarme.newAddress')}
            type="email"
            autoComplete="off"
            value={address}
            onChange={(event) => setAddress(event.target.value)}
            error={wrong}
          />
        </div>
        <Button type="submit" className="sm:mt-6" busy={isPending} disabled={address.trim() === ''}>
          {t('alarme.add')}
        </Button>
      </div>
      {error && !wrong && <ErrorNotice error={error} />}
    </form>
  );
}

type Recipient = Alarmkanaele['empfaenger'][number];

const tones = { bestaetigt: 'good', wartet: 'warn', abgemeldet: 'harm' } as const;

/** Asks once more at an address at which nobody has agreed. */
function AskButton({ email }: { email: string }) {
  const { t } = useTranslation();
  const { sentence } = useErrorText();
  const { isPending, mutate } = useAskAgain((gehalten) =>
    toast(gehalten ? t('alarme.askHeld') : t('alarme.asked', { address: email })),
  );
  return (
    <Button
      busy={isPending}
      aria-label={t('alarme.askNamed', { name: email })}
      onClick={() => mutate(email, { onError: (error) => toast(sentence(error), 'harm') })}
    >
      {t('alarme.ask')}
    </Button>
  );
}

/** The mail addresses that get every alarm, each with whether somebody there has agreed. */
export function RecipientsPanel({ recipients }: { recipients: Recipient[] }) {
  const addresses = recipients.map(({ email }) => email);
  const { t } = useTranslation();
  const { sentence } = useErrorText();
  const hasNoMail = useHasNoMail();
  const probe = useProbe();
  const remove = useSetAlarme(() => toast(t('alarme.removed')));
  const removeOne = (address: string) =>
    remove.mutate(
      { email: addresses.filter((other) => other !== address) },
      { onError: (error) => toast(sentence(error), 'harm') },
    );
  return (
    <Panel
      title={t('alarme.recipients')}
      aside={
        addresses.length > 0 && (
          <Button
            aria-label={t('alarme.probeNamed', { name: t('alarme.channel.email') })}
            busy={probe.isPending}
            onClick={() => probe.mutate('email')}
          >
            {t('alarme.probe')}
          </Button>
        )
      }
      flush
    >
      {addresses.length === 0 ? (
        <p className="px-4 pb-3 text-ink-2">{t('alarme.noRecipients')}</p>
      ) : (
        <ItemList label={t('alarme.recipients')}>
          {recipients.map(({ email: address, empfang }) => (
            <Item
              key={address}
              title={address}
              hint={address}
              badge={<Badge tone={tones[empfang]}>{t(`alarme.receipt.${empfang}`)}</Badge>}
              action={
                <span className="flex flex-wrap items-center justify-end gap-2">
                  {empfang !== 'bestaetigt' && <AskButton email={address} />}
                  <Button
                    busy={remove.isPending}
                    aria-label={t('alarme.removeNamed', { name: address })}
                    onClick={() => removeOne(address)}
                  >
                    {t('alarme.remove')}
                  </Button>
                </span>
              }
            />
          ))}
        </ItemList>
      )}
      <div className="flex flex-col gap-3 border-t px-4 py-3">
        {hasNoMail && <Notice tone="warn">{t('alarme.noMail')}</Notice>}
        <AddAddress addresses={addresses} />
        <p className="text-xs text-ink-3">{t('alarme.receiptText')}</p>
        <p className="text-xs">
          <ProbeResult probe={probe} />
        </p>
      </div>
    </Panel>
  );
}
