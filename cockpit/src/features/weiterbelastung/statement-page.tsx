import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { callRaw } from '../../api/call.ts';
import { abrechnungQuery } from '../../api/queries.ts';
import type { Abrechnung } from '../../api/types.ts';
import { useFormat } from '../../format/use-format.ts';
import { Button, buttonClass } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { DownloadIcon } from '../../ui/icons.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Page } from '../../ui/page.tsx';
import { StaleNotice } from '../../ui/stale-notice.tsx';
import { useChange } from '../../ui/use-change.ts';
import { Derivation } from './derivation.tsx';
import { FileRefusal } from './downloads.tsx';
import { PriceNotes } from './month-notes.tsx';
import { MonthPicker } from './month-picker.tsx';
import { nameOf } from './names.ts';
import { PostenPanel } from './posten-panel.tsx';
import type { StatementSearch } from './search.ts';
import { StatementDays } from './statement-days.tsx';
import { StatementFigures } from './statement-figures.tsx';
import { StatusBadge } from './status-badge.tsx';
import { useAddress } from './use-address.ts';
import { useFile } from './use-file.ts';
import { useMonth } from './use-month.ts';

const route = getRouteApi('/cockpit/endkunden/abrechnung');

/** The statement of one end customer for a month, as the PDF shows it. */
export function StatementPage(): ReactNode {
  const { t } = useTranslation();
  const { referenz } = route.useSearch();
  if (referenz !== undefined) return <StatementOf referenz={referenz} />;
  return (
    <Page title={t('weiterbelastung.statement')}>
      <EmptyState
        title={t('weiterbelastung.paper.noReference')}
        action={
          <Link to="/endkunden" className={buttonClass()}>
            {t('weiterbelastung.paper.toList')}
          </Link>
        }
      >
        {t('weiterbelastung.paper.noReferenceText')}
      </EmptyState>
    </Page>
  );
}

function PdfButton({ address, month }: { address: string; month: string }) {
  const { t } = useTranslation();
  const file = useFile();
  const [seen, setSeen] = useState<unknown>(null);
  const ask = () => callRaw('abrechnungPdf', { params: { endkunde_ref: address }, query: { monat: month } });
  return (
    <>
      <Button busy={file.isPending} onClick={() => file.mutate({ ask, fileName: `abrechnung-${month}.pdf` })}>
        <DownloadIcon className="text-ink-3" />
        {t('weiterbelastung.paper.pdf')}
      </Button>
      {file.error && file.error !== seen && (
        <FileRefusal error={file.error} onClose={() => setSeen(file.error)} />
      )}
    </>
  );
}

function StatementOf({ referenz }: { referenz: string }) {
  const { t } = useTranslation();
  const search = route.useSearch();
  const put = useChange(search, route.useNavigate());
  const { month, isWrong } = useMonth(search);
  const { address, error } = useAddress(referenz, month);
  const asked = useQuery({ ...abrechnungQuery(address ?? referenz, month), enabled: address !== undefined });
  const { data } = asked;
  const change = (next: StatementSearch) =>
    put({ ...next, unlesbar: undefined }, { replace: 'ansicht' in next });
  return (
    <Page
      title={data ? nameOf(data.zeile) : referenz}
      above={
        <p className="flex gap-3 text-xs text-ink-2">
          <Link to="/endkunden" search={{ monat: month }} className="hover:underline">
            {t('weiterbelastung.title')}
          </Link>
          <Link to="/" search={{ endkunde: referenz }} className="hover:underline">
            {t('weiterbelastung.paper.toUsage')} →
          </Link>
        </p>
      }
      beside={data && <StatusBadge status={data.status} />}
      actions={
        <>
          {data && <PdfButton address={address ?? referenz} month={month} />}
          <MonthPicker month={month} onChange={(monat) => change({ monat })} />
        </>
      }
    >
      {isWrong && <Notice>{t('weiterbelastung.badMonth')}</Notice>}
      <StaleNotice of={asked} />
      <Loaded query={error ? { ...asked, error } : asked} lines={3} height="h-24">
        {(statement) => (
          <Statement
            of={statement}
            referenz={referenz}
            view={search.ansicht ?? 'diagramm'}
            onView={(next) => change({ ansicht: next === 'tabelle' ? next : undefined })}
          />
        )}
      </Loaded>
    </Page>
  );
}

interface StatementProps {
  of: Abrechnung;
  /** The reference that was asked for. */
  referenz: string;
  view: 'diagramm' | 'tabelle';
  onView: (view: 'diagramm' | 'tabelle') => void;
}

/** Whether the figures are final, and of whom they are. */
function Standing({ of, referenz }: Pick<StatementProps, 'of' | 'referenz'>) {
  const { t } = useTranslation();
  const format = useFormat();
  const { status, geschlossen_am, zeile } = of;
  const text =
    status !== 'geschlossen'
      ? t('weiterbelastung.paper.provisional', { reason: t(`weiterbelastung.statusText.${status}`) })
      : geschlossen_am === null
        ? t('weiterbelastung.paper.finalShort')
        : t('weiterbelastung.paper.final', { when: format.instant(geschlossen_am, 'dateTime') });
  const details = [
    ...(zeile.name === null ? [] : [`${t('weiterbelastung.reference')} ${zeile.referenz}`]),
    ...(zeile.kostenstelle === null ? [] : [`${t('weiterbelastung.costCentre')} ${zeile.kostenstelle}`]),
    ...(zeile.debitorenkonto === null ? [] : [`${t('weiterbelastung.account')} ${zeile.debitorenkonto}`]),
  ];
  return (
    <>
      <div className="-mt-2 text-sm text-ink-2 [overflow-wrap:anywhere]">
        {details.length > 0 && <p>{details.join(' · ')}</p>}
        <p>{text}</p>
      </div>
      {zeile.referenz !== referenz && (
        <Notice>{t('weiterbelastung.paper.countsFor', { reference: referenz, name: nameOf(zeile) })}</Notice>
      )}
      <PriceNotes of={zeile} />
    </>
  );
}

function Statement({ of, referenz, view, onView }: StatementProps) {
  const { t } = useTranslation();
  const hasCalls = of.zeile.aufrufe > 0;
  if (!hasCalls && of.korrekturen.length === 0)
    return (
      <>
        <Standing of={of} referenz={referenz} />
        <EmptyState title={t('weiterbelastung.paper.noCalls')}>
          {t('weiterbelastung.paper.noCallsText')}
        </EmptyState>
      </>
    );
  return (
    <>
      <Standing of={of} referenz={referenz} />
      <StatementFigures of={of} />
      <Derivation of={of} />
      {hasCalls && (
        <>
          <StatementDays of={of} view={view} onView={onView} />
          <div className="grid items-start gap-4 xl:grid-cols-2">
            <PostenPanel
              title={t('weiterbelastung.paper.byAgent')}
              kind={t('weiterbelastung.paper.agent')}
              parts={of.agenten}
              rest={of.agenten_rest}
            />
            <PostenPanel
              title={t('weiterbelastung.paper.byModel')}
              kind={t('weiterbelastung.paper.model')}
              parts={of.modelle}
              rest={of.modelle_rest}
            />
          </div>
        </>
      )}
    </>
  );
}
