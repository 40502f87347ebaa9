import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../api/call.ts';
import { ApiError } from '../../api/error.ts';
import { postEmpfangQuery } from '../../api/queries.ts';
import { Button } from '../../ui/button.tsx';
import { ErrorNotice } from '../../ui/error-notice.tsx';
import { Facts } from '../../ui/facts.tsx';
import { LoadError } from '../../ui/load-error.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { Gate } from '../zugang/index.ts';

const route = getRouteApi('/post');

function useDecision(token: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (empfangen: boolean) => call('postEmpfangSetzen', { body: { token, empfangen } }),
    onSuccess: (now) => client.setQueryData(postEmpfangQuery(token).queryKey, now),
  });
}

const isDead = (error: unknown): boolean =>
  error instanceof ApiError && (error.status === 404 || error.status === 422);

/** Recipients of a Mandant's mail say here whether it may come; opening the page changes nothing. */
export function ReceiptPage(): ReactNode {
  const { t } = useTranslation();
  const { token } = route.useSearch();
  const { data, error, refetch } = useQuery({ ...postEmpfangQuery(token), enabled: token !== '' });
  const decide = useDecision(token);
  if (token === '' || isDead(error))
    return (
      <Gate title={t('post.dead')}>
        <Notice tone="warn" live>
          {t('post.deadText')}
        </Notice>
      </Gate>
    );
  if (!data)
    return (
      <Gate title={t('post.title')}>
        {error ? <LoadError error={error} onRetry={refetch} /> : <Skeleton lines={4} />}
      </Gate>
    );
  const { art, firma, adresse, empfang } = data;
  const facts = [
    { label: t('post.from'), value: firma },
    { label: t('post.to'), value: adresse },
  ];
  return (
    <Gate title={t(`post.question.${art}`)}>
      <Facts facts={facts} />
      <Notice tone={empfang === 'bestaetigt' ? 'good' : 'warn'} live>
        {t(`post.state.${empfang}`)}
      </Notice>
      {decide.error && <ErrorNotice error={decide.error} />}
      <div className="flex flex-wrap gap-2">
        {empfang !== 'bestaetigt' && (
          <Button kind="primary" busy={decide.isPending} onClick={() => decide.mutate(true)}>
            {t('post.agree')}
          </Button>
        )}
        {empfang !== 'abgemeldet' && (
          <Button busy={decide.isPending} onClick={() => decide.mutate(false)}>
            {t('post.stop')}
          </Button>
        )}
      </div>
    </Gate>
  );
}
