import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { neubepreisungQuery } from '../../api/queries.ts';
import type { Neubepreisung } from '../../api/types.ts';
import { useFormat } from '../../format/use-format.ts';
import { Button } from '../../ui/button.tsx';
import { Facts } from '../../ui/facts.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { Page } from '../../ui/page.tsx';
import { Panel } from '../../ui/panel.tsx';
import { StaleNotice } from '../../ui/stale-notice.tsx';
import { toast } from '../../ui/toast.tsx';
import { ApplyButton } from './apply-button.tsx';
import { toDays } from './days.ts';
import { Figures } from './figures.tsx';
import { LinesPanel } from './lines-panel.tsx';
import { Outcome } from './outcome.tsx';
import { hasResult } from './state.ts';
import { StatusBadge } from './status-badge.tsx';
import { useEnd, useFreshFigures, useMayReprice } from './use-repricing.ts';
import { WorkPanel } from './work-panel.tsx';

const route = getRouteApi('/cockpit/preise/neubepreisung/$neubepreisung_id');

/** One repricing: what it would change, how far it has come, what has changed. */
export function RepricingPage(): ReactNode {
  const { t } = useTranslation();
  const format = useFormat();
  const { neubepreisung_id } = route.useParams();
  const asked = useQuery(neubepreisungQuery(neubepreisung_id));
  const { data } = asked;
  const days = data && toDays(data);
  return (
    <Page
      title={
        days
          ? t('neubepreisung.titleOf', { days: format.days(days.first, days.last) })
          : t('neubepreisung.title')
      }
      above={
        <Link to="/preise/neubepreisung" className="text-xs text-ink-2 hover:underline">
          {t('neubepreisung.all')}
        </Link>
      }
      beside={data && <StatusBadge of={data} />}
      actions={data?.status === 'bereit' && <ReadyActions key={neubepreisung_id} of={data} />}
    >
      <StaleNotice of={asked} />
      <Loaded query={asked} lines={3} height="h-24">
        {(of) => <Repricing key={neubepreisung_id} of={of} />}
      </Loaded>
    </Page>
  );
}

/** What can be done with a preview. */
function ReadyActions({ of }: { of: Neubepreisung }) {
  const { t } = useTranslation();
  const may = useMayReprice();
  const end = useEnd(of.neubepreisung_id, () => toast(t('neubepreisung.nothingChanged')));
  if (!may || of.geaendert === 0) return null;
  return (
    <>
      <Button kind="quiet" busy={end.isPending} onClick={() => end.mutate()}>
        {t('neubepreisung.discard')}
      </Button>
      <ApplyButton of={of} />
    </>
  );
}

function Repricing({ of }: { of: Neubepreisung }) {
  const { t } = useTranslation();
  useFreshFigures(of);
  const { status } = of;
  const changes = hasResult(of) && of.geaendert > 0;
  return (
    <>
      {/* Stays while what is below comes and goes, so that the end of a wait is read out. */}
      <p role="status" className="sr-only">
        {t(`neubepreisung.status.${status}`)}
      </p>
      {status === 'vorschau' || status === 'laeuft' ? (
        <WorkPanel of={{ ...of, status }} />
      ) : (
        <Outcome of={of} />
      )}
      {changes && <Figures of={of} />}
      {changes && <LinesPanel of={of} />}
      <About of={of} />
    </>
  );
}

/** By whose word, when, and by which prices. */
function About({ of }: { of: Neubepreisung }) {
  const { t } = useTranslation();
  const format = useFormat();
  const whenWho = (instant: string, who: string | null) => {
    const when = format.instant(instant, 'dateTime');
    return who === null ? when : t('neubepreisung.whenWho', { when, who });
  };
  const { fassung, angelegt_am, angelegt_von, angewendet_am, angewendet_von, beendet_am } = of;
  const facts = [
    {
      label: t('neubepreisung.book'),
      value: fassung === 0 ? t('neubepreisung.noEdition') : t('neubepreisung.edition', { fassung }),
    },
    { label: t('neubepreisung.asked'), value: whenWho(angelegt_am, angelegt_von) },
    ...(angewendet_am === null
      ? []
      : [{ label: t('neubepreisung.applied'), value: whenWho(angewendet_am, angewendet_von) }]),
    ...(beendet_am === null
      ? []
      : [{ label: t('neubepreisung.endedAt'), value: format.instant(beendet_am, 'dateTime') }]),
  ];
  return (
    <Panel title={t('neubepreisung.about')}>
      <Facts facts={facts} />
    </Panel>
  );
}
