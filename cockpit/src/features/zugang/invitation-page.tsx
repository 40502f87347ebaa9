import { useMutation, useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../api/call.ts';
import { einladungQuery } from '../../api/queries.ts';
import type { Einladung } from '../../api/types.ts';
import { useErrorText } from '../../api/use-error-text.ts';
import { useFormat } from '../../format/use-format.ts';
import { buttonClass } from '../../ui/button.tsx';
import { Facts } from '../../ui/facts.tsx';
import { TextField } from '../../ui/field.tsx';
import { Form, textOf } from '../../ui/form.tsx';
import { LoadError } from '../../ui/load-error.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { isDeadLink } from './dead-link.ts';
import { Gate } from './gate.tsx';
import { NewPasswordField } from './new-password-field.tsx';
import { useArrival } from './use-arrival.ts';

const route = getRouteApi('/einladung');

function useAcceptance(token: string) {
  const arrive = useArrival();
  return useMutation({
    mutationFn: (self: { name: string; passwort: string }) =>
      call('einladungAnnehmen', { body: { token, ...self } }),
    onSuccess: (ich) => arrive(ich, '/'),
  });
}

type Acceptance = ReturnType<typeof useAcceptance>;

function DeadInvitation() {
  const { t } = useTranslation();
  return (
    <Gate title={t('zugang.deadInvite')}>
      <Notice tone="warn" live>
        {t('zugang.deadInviteText')}
      </Notice>
      <Link to="/anmelden" className={buttonClass('primary')}>
        {t('zugang.toLogin')}
      </Link>
    </Gate>
  );
}

/** Name and password of the new user; the address stands in the form so that password managers keep it, too. */
function AcceptForm({ invitation, accept }: { invitation: Einladung; accept: Acceptance }) {
  const { t } = useTranslation();
  const { fieldError } = useErrorText();
  const { error, isPending, mutate } = accept;
  return (
    <Form
      wide
      confirm={t('zugang.inviteAccept')}
      error={error}
      busy={isPending}
      onSubmit={(form) => mutate({ name: textOf(form, 'name').trim(), passwort: textOf(form, 'passwort') })}
    >
      <TextField
        label={t('zugang.email')}
        type="email"
        autoComplete="username"
        readOnly
        value={invitation.email}
      />
      <TextField
        label={t('zugang.name')}
        name="name"
        autoComplete="name"
        autoFocus
        error={fieldError(error, 'name')}
      />
      <NewPasswordField
        label={t('zugang.password')}
        name="passwort"
        known={[invitation.email, invitation.firma]}
        error={fieldError(error, 'passwort')}
      />
    </Form>
  );
}

/** Accepts an invitation: who invites to what, then name and password, then the cockpit. */
export function InvitationPage(): ReactNode {
  const { t } = useTranslation();
  const format = useFormat();
  const { token } = route.useSearch();
  const accept = useAcceptance(token);
  const { data, error, refetch } = useQuery({
    ...einladungQuery(token),
    // Once it is being accepted there is nothing more to ask: the link is used up.
    enabled: token !== '' && (accept.isIdle || accept.isError),
  });
  if (token === '' || isDeadLink(error) || isDeadLink(accept.error)) return <DeadInvitation />;
  if (!data) {
    return (
      <Gate title={t('zugang.inviteTitle')}>
        {error ? <LoadError error={error} onRetry={refetch} /> : <Skeleton lines={5} />}
      </Gate>
    );
  }
  const other = { question: t('zugang.hasAccount'), name: t('zugang.login'), to: '/anmelden' } as const;
  const facts = [
    { label: t('zugang.company'), value: data.firma },
    { label: t('profil.role'), value: t(`rolle.${data.rolle}`) },
    { label: t('zugang.validUntil'), value: format.instant(data.gueltig_bis, 'dateTime') },
  ];
  return (
    <Gate title={t('zugang.inviteTo', { firma: data.firma })} other={other}>
      <Facts facts={facts} />
      {data.ersetzt_konto && <Notice tone="warn">{t('zugang.inviteReplaces')}</Notice>}
      <AcceptForm invitation={data} accept={accept} />
    </Gate>
  );
}
