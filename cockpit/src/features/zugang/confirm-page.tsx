import { useMutation, useQueryClient } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../api/call.ts';
import { ichQuery } from '../../api/queries.ts';
import { Button, buttonClass } from '../../ui/button.tsx';
import { ErrorNotice } from '../../ui/error-notice.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Page } from '../../ui/page.tsx';
import { isDeadLink } from './dead-link.ts';

const route = getRouteApi('/cockpit/email-bestaetigen');

function useConfirmation(token: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => call('emailBestaetigen', { body: { token } }),
    onSuccess: () => client.invalidateQueries({ queryKey: ichQuery.queryKey }),
  });
}

/** Confirms the address of the signed-in user with the link from a mail. */
export function ConfirmPage(): ReactNode {
  const { t } = useTranslation();
  const { token } = route.useSearch();
  const { data, error, isPending, mutate } = useConfirmation(token);
  const isDead = token === '' || isDeadLink(error);
  return (
    <Page title={t('bestaetigung.title')}>
      {isDead && (
        <Notice tone="warn" live>
          {t('bestaetigung.dead')}
        </Notice>
      )}
      {data && (
        <>
          <Notice tone="good" live>
            {t('bestaetigung.done')}
          </Notice>
          <Link to="/" className={`${buttonClass('primary')} self-start`}>
            {t('bestaetigung.onward')}
          </Link>
        </>
      )}
      {!isDead && !data && (
        <>
          <p className="text-ink-2">{t('bestaetigung.text')}</p>
          {error && <ErrorNotice error={error} />}
          <Button kind="primary" className="self-start" busy={isPending} onClick={() => mutate()}>
            {t('bestaetigung.confirm')}
          </Button>
        </>
      )}
    </Page>
  );
}
