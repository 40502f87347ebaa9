import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { ichQuery } from '../../api/queries.ts';
import type { Ich } from '../../api/types.ts';
import { Badge } from '../../ui/badge.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import { Facts } from '../../ui/facts.tsx';
import { Page } from '../../ui/page.tsx';
import { Panel } from '../../ui/panel.tsx';

function User({ benutzer }: Pick<Ich, 'benutzer'>) {
  const { t } = useTranslation();
  const role = (
    <span className="flex flex-wrap items-center gap-2">
      {t(`rolle.${benutzer.rolle}`)}
      {benutzer.betreiber && <Badge tone="accent">{t('profil.operator')}</Badge>}
    </span>
  );
  const facts = [
    {
      label: t('profil.name'),
      value: benutzer.name ?? <span className="text-ink-3">{t('profil.noName')}</span>,
    },
    { label: t('profil.email'), value: benutzer.email },
    { label: t('profil.role'), value: role },
  ];
  return (
    <Panel title={t('einstellungen.group.selbst')}>
      <Facts facts={facts} />
      <p className="pt-3 text-xs text-ink-3">{t('profil.whoChanges')}</p>
    </Panel>
  );
}

function Company({ mandant }: Pick<Ich, 'mandant'>) {
  const { t } = useTranslation();
  const id = (
    <span className="flex items-center gap-1">
      <span className="min-w-0 truncate font-mono text-xs" title={mandant.mandant_id}>
        {mandant.mandant_id}
      </span>
      <CopyButton compact text={mandant.mandant_id} what={t('profil.mandantId')} />
    </span>
  );
  const zone = (
    <>
      {mandant.zeitzone} <span className="block text-xs text-ink-3">{t('profil.zoneHint')}</span>
    </>
  );
  const facts = [
    { label: t('profil.company'), value: mandant.firma },
    { label: t('profil.zone'), value: zone },
    { label: t('profil.mandantId'), value: id },
  ];
  return (
    <Panel title={t('einstellungen.group.mandant')}>
      <Facts facts={facts} />
    </Panel>
  );
}

/** Who is signed in, and for which Mandant. */
export function ProfilePage(): ReactNode {
  const { t } = useTranslation();
  const { data: ich } = useQuery(ichQuery);
  return (
    <Page title={t('profil.title')}>
      {ich && (
        <>
          <User benutzer={ich.benutzer} />
          <Company mandant={ich.mandant} />
        </>
      )}
    </Page>
  );
}
