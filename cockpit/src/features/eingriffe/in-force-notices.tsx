import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { inKraftQuery } from '../../api/queries.ts';
import type { Eingriff } from '../../api/types.ts';
import { useFormat } from '../../format/use-format.ts';
import { Notice } from '../../ui/notice.tsx';
import { type Calls, concerns } from './concerns.ts';
import { useReason } from './intervention-item.tsx';
import { LiftButton } from './lift-button.tsx';
import { useObjectText } from './object-link.tsx';

function InForceNotice({ of }: { of: Eingriff }) {
  const { t } = useTranslation();
  const format = useFormat();
  const subject = useObjectText()(of);
  const reason = useReason()(of);
  const until =
    of.bis === null
      ? t('eingriffe.untilLifted')
      : t('eingriffe.until', { time: format.instant(of.bis, 'dateTime') });
  const level = of.stufe === 'beobachten' || of.stufe === 'warnen' ? 'other' : of.stufe;
  return (
    <Notice tone={of.stufe === 'drosseln' ? 'warn' : 'harm'} action={<LiftButton eingriff={of} />}>
      {t(`eingriffe.notice.${level}`, { subject, until, reason, interpolation: { escapeValue: false } })}
    </Notice>
  );
}

/** At the top of a page: what is in force for the calls it shows, each with the way to lift it. */
export function InForceNotices({ calls }: { calls: Calls }) {
  const { data } = useQuery(inKraftQuery);
  const found = data?.eingriffe.filter((eingriff) => concerns(eingriff, calls)) ?? [];
  return found.map((eingriff) => <InForceNotice key={eingriff.eingriff_id} of={eingriff} />);
}
