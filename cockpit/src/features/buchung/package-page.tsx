import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { lizenzQuery } from '../../api/queries.ts';
import type { Lizenz } from '../../api/types.ts';
import { useFormat } from '../../format/use-format.ts';
import { Badge } from '../../ui/badge.tsx';
import { Facts } from '../../ui/facts.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Page } from '../../ui/page.tsx';
import { Panel } from '../../ui/panel.tsx';
import { BookingPanel } from './booking-panel.tsx';
import { LicencePanel } from './licence-panel.tsx';
import { UsePanel } from './use-panel.tsx';

const route = getRouteApi('/cockpit/einstellungen/paket');

/** How often the page looks whether the payment provider has reported a booking. */
const pollMs = 3000;

const isBooked = (data: Lizenz | undefined) => data?.quelle === 'buchung';

/** The package; after a booking it is asked for again until the payment provider has reported it. */
function usePackage(awaited: boolean) {
  return useQuery({
    ...lizenzQuery,
    refetchInterval: ({ state }) => (awaited && !isBooked(state.data) ? pollMs : false),
  });
}

const tones = {
  keine: 'neutral',
  aktiv: 'good',
  probe: 'good',
  zahlung_offen: 'warn',
  gekündigt: 'warn',
} as const;

function PackagePanel({ data }: { data: Lizenz }) {
  const { t } = useTranslation();
  const format = useFormat();
  const known = data.pakete.find(({ paket }) => paket === data.paket)?.name ?? data.paket;
  // The others are names; this one is a word.
  const name = data.paket === 'frei' ? t('buchung.free') : known;
  const facts = [
    { label: t('buchung.package'), value: <span className="font-medium">{name}</span> },
    { label: t('buchung.source'), value: t(`buchung.from.${data.quelle}`) },
    {
      label: t('buchung.validUntil'),
      value: data.paket_bis ? format.instant(data.paket_bis, 'dateTime') : t('buchung.noEnd'),
    },
    {
      label: t('buchung.billing'),
      value: (
        <Badge tone={tones[data.abrechnungsstatus]}>{t(`buchung.status.${data.abrechnungsstatus}`)}</Badge>
      ),
    },
  ];
  return (
    <Panel title={t('buchung.current')}>
      <Facts facts={facts} />
    </Panel>
  );
}

/** What came back from the payment provider's page. */
function Return({ outcome, data }: { outcome: 'erfolgt' | 'abgebrochen'; data: Lizenz | undefined }) {
  const { t } = useTranslation();
  if (outcome === 'abgebrochen') return <Notice>{t('buchung.cancelled')}</Notice>;
  const booked = isBooked(data);
  return (
    <Notice tone={booked ? 'good' : 'neutral'} live>
      {t(booked ? 'buchung.arrived' : 'buchung.awaited')}
    </Notice>
  );
}

/** The package of the Mandant: which, where from, until when; what is used of it; booking; the licence of the installation. */
export function PackagePage(): ReactNode {
  const { t } = useTranslation();
  const { buchung } = route.useSearch();
  const query = usePackage(buchung === 'erfolgt');
  return (
    <Page title={t('buchung.title')}>
      {buchung && <Return outcome={buchung} data={query.data} />}
      <Loaded query={query}>
        {(data) => (
          <>
            <PackagePanel data={data} />
            <UsePanel data={data} />
            <BookingPanel data={data} />
            <LicencePanel licence={data.lizenz} />
          </>
        )}
      </Loaded>
    </Page>
  );
}
