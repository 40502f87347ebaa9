import { Navigate, useRouterState } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormat, ZoneContext } from '../../format/use-format.ts';
import { CopyLine } from '../../ui/copy-line.tsx';
import { Facts } from '../../ui/facts.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Gate } from '../zugang/index.ts';
import type { Farewell } from './farewell.ts';

function Goodbye({ firma, mandant_id, loeschung_ab }: Farewell) {
  const { t } = useTranslation();
  const format = useFormat();
  const time = format.instant(loeschung_ab, 'dateTime');
  const facts = [
    { label: t('zugang.company'), value: firma },
    { label: t('kuendigung.deletionFrom'), value: time },
  ];
  return (
    <Gate title={t('kuendigung.done')}>
      <p className="text-ink-2">{t('kuendigung.doneText')}</p>
      <Facts facts={facts} />
      <Notice>{t('kuendigung.undo', { time })}</Notice>
      <CopyLine label={t('profil.mandantId')} value={mandant_id} />
    </Gate>
  );
}

/** After the cancellation: until when it can be undone, by whom, and what to tell them. */
export function FarewellPage(): ReactNode {
  const farewell = useRouterState({ select: (state) => state.location.state.farewell });
  if (!farewell) return <Navigate to="/anmelden" />;
  return (
    <ZoneContext value={farewell.zeitzone}>
      <Goodbye {...farewell} />
    </ZoneContext>
  );
}
