import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { importQuery } from '../../api/queries.ts';
import type { ImportEinzeln } from '../../api/types.ts';
import { useFormat } from '../../format/use-format.ts';
import { Facts } from '../../ui/facts.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Page } from '../../ui/page.tsx';
import { Panel } from '../../ui/panel.tsx';
import { Progress } from '../../ui/progress.tsx';
import { StaleNotice } from '../../ui/stale-notice.tsx';
import { Actions } from './actions.tsx';
import { Contents } from './contents.tsx';
import { Figures } from './figures.tsx';
import { isUnderWay, partOf } from './state.ts';
import { StatusBadge } from './status-badge.tsx';
import { useFreshFigures } from './use-import.ts';

const route = getRouteApi('/cockpit/anbindung/importe/$import_id');

/** One import: what is in the file, how far it has come, what came of it. */
export function ImportPage(): ReactNode {
  const { t } = useTranslation();
  const { import_id } = route.useParams();
  const asked = useQuery(importQuery(import_id));
  const { data } = asked;
  return (
    <Page
      title={data?.datei ?? t('importe.one')}
      above={
        <Link to="/anbindung/importe" className="text-xs text-ink-2 hover:underline">
          {t('importe.all')}
        </Link>
      }
      beside={data && <StatusBadge of={data} />}
      actions={data && <Actions key={import_id} of={data} />}
    >
      <StaleNotice of={asked} />
      <Loaded query={asked} lines={3} height="h-24">
        {(of) => <OneImport key={import_id} of={of} />}
      </Loaded>
    </Page>
  );
}

function OneImport({ of }: { of: ImportEinzeln }) {
  const { t } = useTranslation();
  useFreshFigures(of);
  return (
    <>
      {/* Stays while what is below comes and goes, so that the end of a wait is read out. */}
      <p role="status" className="sr-only">
        {t(`importe.status.${of.status}`)}
      </p>
      {isUnderWay(of) ? <Work of={of} /> : <Outcome of={of} />}
      {of.status !== 'liest' && <Figures of={of} />}
      {of.status !== 'liest' && <Contents of={of} />}
      <About of={of} />
    </>
  );
}

/** How far counting or taking back has come. */
function Work({ of }: { of: ImportEinzeln }) {
  const { t } = useTranslation();
  const isCounting = of.status === 'laeuft';
  const title = t(isCounting ? 'importe.work.laeuft' : 'importe.work.ruecknahme');
  return (
    <Panel title={title}>
      <div className="flex max-w-lg flex-col gap-3">
        <Progress label={title} part={partOf(of)} />
        <p className="text-sm text-ink-2">
          {isCounting
            ? t('importe.counted', { counted: of.gezaehlt, all: of.aufrufe })
            : t('importe.takenBack', { count: of.zurueckgenommen })}
        </p>
        <p className="text-sm text-ink-3">{t('importe.workText')}</p>
      </div>
    </Panel>
  );
}

/** What came of an import that rests, in a sentence. */
function Outcome({ of }: { of: ImportEinzeln }) {
  const { t } = useTranslation();
  const { status, aufrufe, angenommen, zurueckgenommen, geblieben } = of;
  if (status === 'liest') return <Notice>{t('importe.outcome.liest')}</Notice>;
  if (status === 'bereit')
    return <Notice>{t(aufrufe === 0 ? 'importe.outcome.nothing' : 'importe.outcome.bereit')}</Notice>;
  if (status === 'fertig')
    return <Notice tone="good">{t('importe.outcome.fertig', { count: angenommen })}</Notice>;
  if (status === 'fehlgeschlagen')
    return <Notice tone="harm">{t('importe.outcome.fehlgeschlagen', { count: angenommen })}</Notice>;
  const elsewhere = angenommen - zurueckgenommen - (geblieben ?? 0);
  return (
    <Notice tone="warn">
      {t('importe.outcome.zurueckgenommen', { count: zurueckgenommen })}{' '}
      {(geblieben ?? 0) > 0 && t('importe.outcome.geblieben', { count: geblieben ?? 0 })}{' '}
      {elsewhere > 0 && t('importe.outcome.anderswo', { count: elsewhere })}
    </Notice>
  );
}

/** What the file is, by whose word and when. */
function About({ of }: { of: ImportEinzeln }) {
  const { t } = useTranslation();
  const format = useFormat();
  const fact = (label: string, instant: string | null, who: string | null) => {
    if (instant === null) return [];
    const when = format.instant(instant, 'dateTime');
    return [{ label, value: who === null ? when : t('neubepreisung.whenWho', { when, who }) }];
  };
  const facts = [
    ...(of.dienst === null ? [] : [{ label: t('importe.service'), value: of.dienst }]),
    { label: t('importe.size'), value: t('importe.bytes', { count: of.groesse }) },
    ...(of.sha256 === null
      ? []
      : [
          {
            label: 'SHA-256',
            value: <span className="font-mono text-xs [overflow-wrap:anywhere]">{of.sha256}</span>,
          },
        ]),
    ...fact(t('importe.at.angelegt'), of.angelegt_am, of.angelegt_von),
    ...fact(t('importe.at.angewendet'), of.angewendet_am, of.angewendet_von),
    ...fact(t('importe.at.beendet'), of.beendet_am, null),
    ...fact(t('importe.at.zurueckgenommen'), of.zurueckgenommen_am, of.zurueckgenommen_von),
  ];
  return (
    <Panel title={t('importe.about')}>
      <Facts facts={facts} />
    </Panel>
  );
}
