import { useInfiniteQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { type ReactNode, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import type { AnswerOf } from '../../api/operations.ts';
import { laufQuery, mayGoOn } from '../../api/queries.ts';
import type { Lauf } from '../../api/types.ts';
import { useFormat } from '../../format/use-format.ts';
import { CopyButton } from '../../ui/copy-button.tsx';
import { Figure, FigureRow } from '../../ui/figure.tsx';
import { LoadError } from '../../ui/load-error.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Page } from '../../ui/page.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { StaleNotice } from '../../ui/stale-notice.tsx';
import { Term } from '../../ui/term.tsx';
import { FindingsPanel } from '../befunde/index.ts';
import { HandButton, InForceNotices } from '../eingriffe/index.ts';
import { PriceLink } from '../preise/index.ts';
import { useTokenWords } from '../verbrauch/index.ts';
import { markedBy } from './marked.ts';
import { StatusBadge } from './status-badge.tsx';
import { StepsPanel, type StepsPanelProps } from './steps-panel.tsx';
import { TreePanel } from './tree-panel.tsx';

const route = getRouteApi('/cockpit/laeufe/$lauf_id');

/** One run, step by step. */
export function RunPage(): ReactNode {
  const { t } = useTranslation();
  const { lauf_id } = route.useParams();
  const { data, error, refetch, ...pages } = useInfiniteQuery(laufQuery(lauf_id));
  const lauf = data?.pages.at(-1)?.lauf;
  const { schritte } = route.useSearch();
  const marked = useMemo(() => markedBy(schritte), [schritte]);
  return (
    <Page
      title={lauf ? t('laeufe.runOf', { agent: lauf.agent }) : t('laeufe.run')}
      above={
        <Link to="/laeufe" className="text-xs text-ink-2 hover:underline">
          {t('laeufe.title')}
        </Link>
      }
      beside={lauf && <StatusBadge status={lauf.status} burnt={lauf.verbranntes_geld_eur} />}
      actions={lauf && mayGoOn(lauf.ende) && <HandButton target={{ lauf_id }} />}
    >
      <StaleNotice of={{ data, error, refetch, ...pages }} />
      {error && !data ? (
        <LoadError error={error} onRetry={refetch} />
      ) : !data || !lauf ? (
        <Skeleton lines={3} height="h-24" />
      ) : (
        <>
          <InForce run={lauf} />
          <Facts run={lauf} keys={keysOf(data.pages)} />
          <RunFigures run={lauf} />
          <TreePanel tree={data.pages[0]?.baum ?? null} />
          <FindingsPanel of={{ lauf_id }}>
            {(befunde) => (
              <Steps
                events={data.pages.flatMap((page) => page.ereignisse)}
                pages={pages}
                marked={marked}
                loopIsTold={befunde.some(({ typ }) => tellsOfLoop(typ))}
              />
            )}
          </FindingsPanel>
        </>
      )}
    </Page>
  );
}

/** Whether a finding of this type says what the notice about alike calls says. */
const tellsOfLoop = (typ: string) => typ.startsWith('schleife');

/** A run has calls; where none come they are kept no longer. */
function Steps(panel: StepsPanelProps): ReactNode {
  const { t } = useTranslation();
  return panel.events.length > 0 ? <StepsPanel {...panel} /> : <Notice>{t('laeufe.notKept')}</Notice>;
}

function InForce({ run: { lauf_id, agent, projekt, endkunde_ref } }: { run: Lauf }) {
  return <InForceNotices calls={{ lauf: lauf_id, agent, projekt, endkunde: endkunde_ref }} />;
}

/** Names of the keys that the calls came by. */
const keysOf = (pages: AnswerOf<'cockpitLauf'>[]): string[] => {
  const keys = pages.flatMap(({ schluessel = [] }) => schluessel);
  return [...new Map(keys.map(({ schluessel_id, name }) => [schluessel_id, name])).values()];
};

function Facts({ run, keys }: { run: Lauf; keys: string[] }) {
  const { t } = useTranslation();
  const format = useFormat();
  const facts = [
    { label: t('laeufe.begin'), value: format.instant(run.beginn, 'dateTimeZone') },
    { label: t('katalog.project'), value: run.projekt },
    ...(run.endkunde_ref === null ? [] : [{ label: t('laeufe.customer'), value: run.endkunde_ref }]),
    ...(keys.length === 0
      ? []
      : [{ label: t('laeufe.key', { count: keys.length }), value: keys.join(', ') }]),
  ];
  return (
    <dl className="-mt-2 flex flex-wrap items-center gap-x-6 gap-y-1 text-sm">
      {facts.map(({ label, value }) => (
        <div key={label} className="flex min-w-0 gap-1.5">
          <dt className="shrink-0 text-ink-3">{label}</dt>
          <dd className="truncate" title={value}>
            {value}
          </dd>
        </div>
      ))}
      <div className="flex min-w-0 items-center gap-1.5">
        <dt className="shrink-0 text-ink-3">{t('laeufe.id')}</dt>
        <dd className="truncate font-mono text-xs" title={run.lauf_id}>
          {run.lauf_id}
        </dd>
        <dd className="-my-2">
          <CopyButton compact text={run.lauf_id} what={t('laeufe.id')} />
        </dd>
      </div>
    </dl>
  );
}

/** That calls lack a price or a part of one, with the way to the prices; else the cost in USD. */
function PricedNote({ run: { unbepreist, teilbepreist, kosten_usd } }: { run: Lauf }) {
  const { t } = useTranslation();
  const format = useFormat();
  if (unbepreist + teilbepreist === 0) return format.money(kosten_usd, 'USD');
  return (
    <>
      {unbepreist > 0
        ? t('laeufe.unpriced', { count: unbepreist })
        : t('laeufe.partlyPriced', { count: teilbepreist })}{' '}
      <PriceLink />
    </>
  );
}

function useFigures(run: Lauf) {
  const { t } = useTranslation();
  const format = useFormat();
  const tokens = useTokenWords();
  return [
    {
      label: t('verbrauch.measure.kosten'),
      value: format.money(run.kosten_eur),
      title: format.moneyExact(run.kosten_eur),
      note: <PricedNote run={run} />,
    },
    {
      label: t('laeufe.steps'),
      value: format.count(run.aufrufe),
      note: t('laeufe.errors', { count: run.fehler }),
    },
    {
      label: t('verbrauch.measure.token'),
      value: format.countShort(run.token),
      title: tokens.exact(run),
      note: tokens.short(run),
    },
    {
      label: t('laeufe.duration'),
      value: format.duration(run.dauer_ms),
      note: t('laeufe.until', { time: format.instant(run.ende, 'timeSeconds') }),
    },
  ];
}

function RunFigures({ run }: { run: Lauf }) {
  const { t } = useTranslation();
  const format = useFormat();
  const figures = useFigures(run);
  return (
    <FigureRow>
      {figures.map((figure) => (
        <Figure key={figure.label} {...figure} />
      ))}
      <div className="relative">
        <Figure
          label={t('verbrauch.measure.verbrannt')}
          value={format.money(run.verbranntes_geld_eur)}
          title={format.moneyExact(run.verbranntes_geld_eur)}
          tone={Number(run.verbranntes_geld_eur) > 0 ? 'harm' : 'neutral'}
        />
        <Term of="verbrannt" className="absolute top-2 right-2" />
      </div>
    </FigureRow>
  );
}
