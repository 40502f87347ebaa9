import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { ichQuery } from '../../api/queries.ts';
import type { Ich } from '../../api/types.ts';
import { Badge } from '../../ui/badge.tsx';
import { linkClass } from '../../ui/button.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import { Facts } from '../../ui/facts.tsx';
import { Page } from '../../ui/page.tsx';
import { Panel } from '../../ui/panel.tsx';
import { ReportPanel } from '../berichte/index.ts';
import { ProfileForm } from './profile-form.tsx';

/** Where what the page cannot change is changed. */
function Elsewhere({
  text,
  to,
  name,
}: {
  text: string;
  to: '/einstellungen/benutzer' | '/einstellungen/branding';
  name: string;
}) {
  return (
    <p className="pt-3 text-xs text-ink-3">
      {text}{' '}
      <Link to={to} className={`${linkClass} min-h-0`}>
        {name}
      </Link>
      .
    </p>
  );
}

function User({ benutzer, mandant, rechte }: Ich) {
  const { t } = useTranslation();
  const role = (
    <span className="flex flex-wrap items-center gap-2">
      {t(`rolle.${benutzer.rolle}`)}
      {benutzer.betreiber && <Badge tone="accent">{t('profil.operator')}</Badge>}
    </span>
  );
  const facts = [
    { label: t('profil.email'), value: benutzer.email },
    { label: t('profil.role'), value: role },
  ];
  return (
    <Panel title={t('einstellungen.group.selbst')}>
      <Facts facts={facts} />
      {rechte.includes('benutzer.verwalten') ? (
        <Elsewhere text={t('profil.whoChanges')} to="/einstellungen/benutzer" name={t('benutzer.title')} />
      ) : (
        <p className="pt-3 text-xs text-ink-3">{t('profil.whoChangesNoRight')}</p>
      )}
      <div className="mt-4 max-w-lg border-t pt-4">
        <ProfileForm benutzer={benutzer} mandant={mandant} />
      </div>
    </Panel>
  );
}

function Company({ mandant, rechte }: Ich) {
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
      {mandant.zeitzone} <span className="block text-xs text-ink-3">{t('profil.companyZoneHint')}</span>
    </>
  );
  const facts = [
    { label: t('profil.company'), value: mandant.firma },
    { label: t('profil.companyZone'), value: zone },
    { label: t('profil.mandantId'), value: id },
  ];
  return (
    <Panel title={t('einstellungen.group.mandant')}>
      <Facts facts={facts} />
      {rechte.includes('konto.verwalten') && (
        <Elsewhere text={t('profil.companyFixed')} to="/einstellungen/branding" name={t('branding.title')} />
      )}
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
          <User {...ich} />
          <ReportPanel email={ich.benutzer.email} />
          <Company {...ich} />
        </>
      )}
    </Page>
  );
}
