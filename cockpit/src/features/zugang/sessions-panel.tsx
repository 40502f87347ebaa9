import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { call } from '../../api/call.ts';
import { sitzungenQuery } from '../../api/queries.ts';
import type { Sitzung } from '../../api/types.ts';
import { useErrorText } from '../../api/use-error-text.ts';
import { useFormat } from '../../format/use-format.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Item, ItemList } from '../../ui/item-list.tsx';
import { LoadError } from '../../ui/load-error.tsx';
import { MoreRows } from '../../ui/more-rows.tsx';
import { Panel } from '../../ui/panel.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { toast } from '../../ui/toast.tsx';
import { useDeviceName } from './use-device-name.ts';

/** Ends one session, or with null all others; says how it went. */
function useEnd() {
  const { t } = useTranslation();
  const client = useQueryClient();
  const { sentence } = useErrorText();
  return useMutation({
    mutationFn: (sitzung_id: string | null) =>
      sitzung_id === null
        ? call('andereSitzungenBeenden', {})
        : call('sitzungBeenden', { params: { sitzung_id } }),
    onSuccess: ({ beendet }, sitzung_id) =>
      toast(sitzung_id === null ? t('sicherheit.endedOthers', { count: beendet }) : t('sicherheit.ended')),
    onError: (error) => toast(sentence(error), 'harm'),
    onSettled: () => client.invalidateQueries({ queryKey: sitzungenQuery.queryKey }),
  });
}

interface SessionItemProps {
  session: Sitzung;
  busy: boolean;
  onEnd: (sitzung_id: string) => void;
}

function SessionItem({ session, busy, onEnd }: SessionItemProps) {
  const { t } = useTranslation();
  const format = useFormat();
  const device = useDeviceName()(session.geraet);
  const time = format.instant(session.erstellt_am, 'dateTime');
  const end = (
    <Button
      busy={busy}
      aria-label={t('sicherheit.endNamed', { device, time })}
      onClick={() => onEnd(session.sitzung_id)}
    >
      {t('sicherheit.end')}
    </Button>
  );
  return (
    <Item
      title={device}
      hint={session.geraet ?? undefined}
      badge={session.diese && <Badge tone="good">{t('sicherheit.thisSession')}</Badge>}
      action={!session.diese && end}
    >
      <span>{session.adresse ?? t('sicherheit.unknownAddress')}</span>
      <span>{t('sicherheit.since', { time })}</span>
      <span>{t('sicherheit.lastUsed', { ago: format.ago(session.zuletzt_am, new Date()) })}</span>
    </Item>
  );
}

/** Where the user is signed in; every session but this one can be ended. */
export function SessionsPanel() {
  const { t } = useTranslation();
  const { data, error, refetch, ...pages } = useInfiniteQuery(sitzungenQuery);
  const sessions = data?.pages.flatMap((page) => page.sitzungen);
  const end = useEnd();
  const others = sessions?.some((session) => !session.diese) ?? false;
  const endOthers = (
    <Button busy={end.isPending} onClick={() => end.mutate(null)}>
      {t('sicherheit.endOthers')}
    </Button>
  );
  if (!sessions) {
    return (
      <Panel title={t('sicherheit.sessions')}>
        {error ? <LoadError error={error} onRetry={refetch} /> : <Skeleton height="h-12" lines={2} />}
      </Panel>
    );
  }
  return (
    <Panel title={t('sicherheit.sessions')} aside={others && endOthers} flush>
      <ItemList label={t('sicherheit.sessions')}>
        {sessions.map((session) => (
          <SessionItem
            key={session.sitzung_id}
            session={session}
            busy={end.isPending && end.variables === session.sitzung_id}
            onEnd={end.mutate}
          />
        ))}
      </ItemList>
      <MoreRows pages={pages} count={sessions.length} />
    </Panel>
  );
}
