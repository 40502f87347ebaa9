import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { betreiberUebersichtQuery } from '../../api/queries.ts';
import type { Betreiberuebersicht } from '../../api/types.ts';
import { useFormat } from '../../format/use-format.ts';
import { Badge } from '../../ui/badge.tsx';
import { Facts } from '../../ui/facts.tsx';
import { Figure, FigureRow } from '../../ui/figure.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { Page } from '../../ui/page.tsx';
import { Panel } from '../../ui/panel.tsx';
import { DataTable } from '../../ui/table.tsx';
import { useColumns } from '../../ui/use-columns.tsx';
import { RatesButton } from './rates-dialog.tsx';

type Part = { data: Betreiberuebersicht };

const mebibyte = 2 ** 20;
const gibibyte = 2 ** 30;
const oldListDays = 30;
/** As the status has it. */
const oldRateDays = 5;

const daysSince = (day: string, instant: string) =>
  Math.floor((Date.parse(instant) - Date.parse(`${day}T00:00:00Z`)) / 86_400_000);

function Figures({ data }: Part) {
  const { t } = useTranslation();
  const format = useFormat();
  const active = data.mandanten.filter(({ status }) => status === 'aktiv');
  const periods = [
    ['today', data.heute],
    ['week', data.sieben_tage],
    ['month', data.dreissig_tage],
  ] as const;
  return (
    <FigureRow>
      <Figure
        label={t('betreiber.active')}
        value={format.count(active.reduce((sum, { anzahl }) => sum + anzahl, 0))}
      />
      {periods.map(([name, { ereignisse, kosten_eur }]) => (
        <Figure
          key={name}
          label={t(`betreiber.events.${name}`)}
          value={format.count(ereignisse)}
          note={kosten_eur === null ? t('betreiber.noPrice') : format.money(kosten_eur)}
        />
      ))}
    </FigureRow>
  );
}

/** Until when exchange rates are known. */
function NewestRate({ data: { kurs_tag, zeitpunkt } }: { data: Betreiberuebersicht }) {
  const { t } = useTranslation();
  const format = useFormat();
  if (kurs_tag === null) return <Badge tone="warn">{t('betreiber.rates.none')}</Badge>;
  const text = format.day(kurs_tag);
  return daysSince(kurs_tag, zeitpunkt) > oldRateDays ? <Badge tone="warn">{text}</Badge> : text;
}

/** What wants somebody's attention stands with a badge. */
function Running({ data }: Part) {
  const { t } = useTranslation();
  const format = useFormat();
  const bytes = (count: number) =>
    count < gibibyte
      ? t('betreiber.mebibytes', { count: Math.round(count / mebibyte) })
      : t('betreiber.gibibytes', { count: Math.round((count / gibibyte) * 10) / 10 });
  const { eingang, speicher, ereignisse_ab, preisliste_tage } = data;
  const badge = (wrong: boolean, text: string) => (wrong ? <Badge tone="warn">{text}</Badge> : text);
  const facts = [
    {
      label: t('betreiber.waiting'),
      value:
        eingang.aelteste_sekunden === null
          ? t('betreiber.nothing')
          : t('betreiber.waitingText', {
              batches: format.count(eingang.stapel),
              events: format.count(eingang.ereignisse),
              since: format.duration(eingang.aelteste_sekunden * 1_000),
            }),
    },
    {
      label: t('betreiber.uncountable'),
      value: badge(data.unzaehlbare_stapel > 0, format.count(data.unzaehlbare_stapel)),
    },
    { label: t('betreiber.mails'), value: format.count(data.mails_wartend) },
    {
      label: t('betreiber.disk'),
      value: speicher
        ? t('betreiber.diskText', { free: bytes(speicher.frei_bytes), all: bytes(speicher.gesamt_bytes) })
        : t('betreiber.diskElsewhere'),
    },
    { label: t('betreiber.database'), value: bytes(data.datenbank_bytes) },
    {
      label: t('betreiber.kept'),
      value: ereignisse_ab
        ? t('betreiber.keptFrom', { day: format.instant(ereignisse_ab, 'day') })
        : t('betreiber.keptAll'),
    },
    {
      label: t('betreiber.priceList'),
      value:
        preisliste_tage === null
          ? t('betreiber.priceListPackaged')
          : badge(preisliste_tage > oldListDays, t('betreiber.days', { count: preisliste_tage })),
    },
    { label: t('betreiber.rates.newest'), value: <NewestRate data={data} /> },
    { label: t('betreiber.version'), value: data.version },
  ];
  return (
    <Panel title={t('betreiber.running')}>
      <Facts facts={facts} />
      <div className="mt-3">
        <RatesButton />
      </div>
    </Panel>
  );
}

function Packages({ data }: Part) {
  const { t } = useTranslation();
  const { text, count } = useColumns();
  const names: Record<string, string> = t('betreiber.paket', { returnObjects: true });
  const columns = [
    text<Betreiberuebersicht['mandanten'][number]>(
      'paket',
      t('betreiber.package'),
      ({ paket }) => names[paket] ?? paket,
      { grow: true },
    ),
    text<Betreiberuebersicht['mandanten'][number]>('status', t('betreiber.state'), ({ status }) =>
      t(`betreiber.status.${status}`),
    ),
    count<Betreiberuebersicht['mandanten'][number]>('anzahl', t('betreiber.number'), ({ anzahl }) => anzahl),
  ];
  return (
    <Panel title={t('betreiber.byPackage')} flush>
      <DataTable
        caption={t('betreiber.byPackage')}
        columns={columns}
        rows={data.mandanten}
        rowKey={({ paket, status }) => `${paket} ${status}`}
      />
    </Panel>
  );
}

function Months({ data }: Part) {
  const { t } = useTranslation();
  const format = useFormat();
  const { text, count, money } = useColumns();
  type Row = Betreiberuebersicht['monate'][number];
  if (data.monate.length === 0) return null;
  const columns = [
    text<Row>('monat', t('betreiber.monthName'), ({ monat }) => format.day(`${monat}-01`, 'monthLong'), {
      grow: true,
    }),
    count<Row>('ereignisse', t('betreiber.eventCount'), ({ ereignisse }) => ereignisse),
    money<Row>('kosten', t('betreiber.cost'), ({ kosten_eur }) => kosten_eur),
  ];
  return (
    <Panel title={t('betreiber.months')} flush>
      <DataTable
        caption={t('betreiber.months')}
        columns={columns}
        rows={data.monate}
        rowKey={({ monat }) => monat}
      />
    </Panel>
  );
}

function Jobs({ data }: Part) {
  const { t } = useTranslation();
  const { text, count } = useColumns();
  type Row = Betreiberuebersicht['auftraege'][number];
  const columns = [
    text<Row>('job', t('betreiber.job'), ({ job }) => job, { grow: true }),
    count<Row>('wartend', t('betreiber.jobWaiting'), ({ wartend }) => wartend),
    count<Row>('fehlgeschlagen', t('betreiber.jobFailing'), ({ fehlgeschlagen }) => fehlgeschlagen, {
      from: 'md',
    }),
    count<Row>('aufgegeben', t('betreiber.jobGivenUp'), ({ aufgegeben }) => aufgegeben),
  ];
  return (
    <Panel title={t('betreiber.jobs')} flush={data.auftraege.length > 0}>
      {data.auftraege.length === 0 ? (
        <p className="text-sm text-ink-2">{t('betreiber.jobsNone')}</p>
      ) : (
        <DataTable
          caption={t('betreiber.jobs')}
          columns={columns}
          rows={data.auftraege}
          rowKey={({ job }) => job}
        />
      )}
    </Panel>
  );
}

/** How the installation stands, over all Mandanten. */
export function OverviewPage(): ReactNode {
  const { t } = useTranslation();
  const query = useQuery(betreiberUebersichtQuery);
  return (
    <Page title={t('betreiber.overview')}>
      <p className="max-w-prose text-ink-2">{t('betreiber.overviewText')}</p>
      <Loaded query={query} lines={8}>
        {(data) => (
          <>
            <Figures data={data} />
            <div className="grid gap-4 lg:grid-cols-2">
              <Running data={data} />
              <Packages data={data} />
              <Months data={data} />
              <Jobs data={data} />
            </div>
          </>
        )}
      </Loaded>
    </Page>
  );
}
