import { Link } from '@tanstack/react-router';
import { useCallback, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { readWhole } from '../../api/make-query.ts';
import type { Versendung } from '../../api/types.ts';
import { useFormat } from '../../format/use-format.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { type DataColumn, DataTable } from '../../ui/table.tsx';
import { useColumns } from '../../ui/use-columns.tsx';

const tones = {
  wartet: 'accent',
  in_warteschlange: 'accent',
  versendet: 'good',
  fehlgeschlagen: 'harm',
} as const;

function StateBadge({ of: { status, abgemeldet } }: { of: Versendung }) {
  const { t } = useTranslation();
  return (
    <span className="inline-flex flex-wrap gap-1">
      <Badge tone={tones[status]}>{t(`weiterbelastung.mail.status.${status}`)}</Badge>
      {abgemeldet && <Badge>{t('weiterbelastung.mail.stopped')}</Badge>}
    </span>
  );
}

/** Whose statement it is, and where there is no room for more columns of which month and where it went. */
function ReceiverCell({ of, reason }: { of: Versendung; reason: string | null }) {
  const format = useFormat();
  return (
    <div className="py-1">
      <Link
        to="/endkunden/abrechnung"
        search={{ referenz: of.referenz, monat: of.monat }}
        title={of.referenz}
        className="block truncate font-medium hover:underline"
      >
        {of.referenz}
      </Link>
      <span className="block text-xs text-ink-3 [overflow-wrap:anywhere] @lg:truncate" title={of.email}>
        {of.email}
      </span>
      {of.status === 'fehlgeschlagen' && <span className="my-1 block text-xs text-ink-2">{reason}</span>}
      <span className="block text-xs text-ink-3 @lg:hidden">
        {format.day(`${of.monat}-01`, 'monthLong')}, {format.instant(of.angefordert_am, 'dateTime')}
      </span>
      <span className="mt-1 block @lg:hidden">
        <StateBadge of={of} />
      </span>
    </div>
  );
}

/** Why one failed, in words; null for any other. */
function useReason(): (of: Versendung) => string | null {
  const { t } = useTranslation();
  return useCallback(
    ({ status, fehlgrund }) =>
      status === 'fehlgeschlagen' ? t(`weiterbelastung.mail.reason.${fehlgrund ?? 'unbekannt'}`) : null,
    [t],
  );
}

function useStatus(): (of: Versendung) => string {
  const { t } = useTranslation();
  return useCallback(({ status }) => t(`weiterbelastung.mail.status.${status}`), [t]);
}

const readMailings = () => readWhole('abrechnungenVersand', {}, ({ versendungen }) => versendungen);

interface MailingsTableProps {
  rows: Versendung[];
  /** Whether there are others than those. */
  hasMore: boolean;
  /** No mail leaves the installation. */
  hasNoMail: boolean;
  onAgain: (of: Versendung) => void;
}

type AgainProps = Pick<MailingsTableProps, 'hasNoMail' | 'onAgain'>;

/** Sends one again that has left or has failed. */
function AgainButton({ of, hasNoMail, onAgain }: AgainProps & { of: Versendung }) {
  const { t } = useTranslation();
  if (of.status !== 'versendet' && of.status !== 'fehlgeschlagen') return null;
  return (
    <Button
      disabled={hasNoMail}
      aria-label={t('weiterbelastung.mail.againFor', { reference: of.referenz })}
      onClick={() => onAgain(of)}
    >
      {t('weiterbelastung.mail.again')}
    </Button>
  );
}

function useMailingColumns({ hasNoMail, onAgain }: AgainProps): DataColumn<Versendung>[] {
  const { t } = useTranslation();
  const format = useFormat();
  const { text, instant } = useColumns();
  const reasonOf = useReason();
  const statusOf = useStatus();
  return useMemo(
    () => [
      text('referenz', t('weiterbelastung.name'), (row: Versendung) => row.referenz, {
        cell: (row) => <ReceiverCell of={row} reason={reasonOf(row)} />,
        grow: true,
      }),
      text('email', t('weiterbelastung.email'), (row: Versendung) => row.email, { only: 'file' }),
      text(
        'monat',
        t('weiterbelastung.months.month'),
        (row: Versendung) => format.day(`${row.monat}-01`, 'monthLong'),
        { from: 'md' },
      ),
      text('status', t('weiterbelastung.months.status'), statusOf, {
        cell: (row) => <StateBadge of={row} />,
        from: 'md',
      }),
      text('fehlgrund', t('weiterbelastung.mail.why'), reasonOf, { only: 'file' }),
      text('sha256', t('weiterbelastung.mail.checksum'), (row: Versendung) => row.sha256, { only: 'file' }),
      instant('angefordert_am', t('weiterbelastung.mail.asked'), (row: Versendung) => row.angefordert_am, {
        from: 'md',
      }),
      instant('erledigt_am', t('weiterbelastung.mail.done'), (row: Versendung) => row.erledigt_am, {
        from: 'lg',
      }),
      text('angefordert_von', t('weiterbelastung.months.by'), (row: Versendung) => row.angefordert_von, {
        from: 'xl',
      }),
      text('aktion', t('weiterbelastung.actions'), () => null, {
        cell: (row: Versendung) => <AgainButton of={row} hasNoMail={hasNoMail} onAgain={onAgain} />,
        only: 'screen',
      }),
    ],
    [t, format, text, instant, reasonOf, statusOf, hasNoMail, onAgain],
  );
}

/** Which statement went to whom and when, and what became of it. */
export function MailingsTable({ rows, hasMore, hasNoMail, onAgain }: MailingsTableProps) {
  const { t } = useTranslation();
  const columns = useMailingColumns({ hasNoMail, onAgain });
  return (
    <DataTable
      caption={t('weiterbelastung.mail.log')}
      columns={columns}
      rows={rows}
      rowKey={({ versendung_id }) => versendung_id}
      csvName="abrechnungsversand"
      whole={hasMore ? readMailings : undefined}
    />
  );
}
