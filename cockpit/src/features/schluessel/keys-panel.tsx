import { Link } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Schluessel } from '../../api/types.ts';
import { useFormat } from '../../format/use-format.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button, linkClass } from '../../ui/button.tsx';
import { Panel } from '../../ui/panel.tsx';
import { type DataColumn, DataTable } from '../../ui/table.tsx';
import { useColumns } from '../../ui/use-columns.tsx';
import { BlockDialog } from './block-dialog.tsx';
import { ClockNote } from './clock-note.tsx';
import { Gaps, GapsCell } from './gaps.tsx';
import { QuotaCell } from './quota-cell.tsx';
import { QuotaDialog } from './quota-dialog.tsx';
import { useMayManageKeys } from './use-keys.ts';

/** What can be done to a key. */
interface Actions {
  onLimit: (key: Schluessel) => void;
  onBlock: (key: Schluessel) => void;
}

/** The key below which stands what its calls lack. */
interface Opened {
  open: string | null;
  onToggle: (key: Schluessel) => void;
}

interface NameCellProps {
  target: Schluessel;
  actions: Actions | null;
  opened: Opened;
}

function NameCell({ target, actions, opened }: NameCellProps) {
  const { t } = useTranslation();
  const { name, anzeige, bereiche } = target;
  return (
    <div className="py-1.5">
      <p className="truncate" title={name}>
        {name}
      </p>
      <p className="text-xs text-ink-3">
        <code className="font-mono">{anzeige}</code> ·{' '}
        {bereiche.map((scope) => t(`schluessel.scope.${scope}`)).join(', ')}
      </p>
      <p className="text-xs text-ink-3">
        <QuotaCell target={target} onChange={actions?.onLimit} />
      </p>
      <ClockNote target={target} />
      <GapsCell target={target} isOpen={opened.open === target.schluessel_id} onToggle={opened.onToggle} />
    </div>
  );
}

/** The calls of the last 30 days; of how many the cost is not known. */
function CallsCell({ use }: { use: Schluessel['verbrauch'] }) {
  const { t } = useTranslation();
  const format = useFormat();
  if (!use) return null;
  return (
    <div className="whitespace-nowrap">
      {format.count(use.aufrufe)}
      {use.unbepreist > 0 && (
        <p className="text-xs text-ink-3">{t('schluessel.unpriced', { count: use.unbepreist })}</p>
      )}
    </div>
  );
}

/** When it was last used, for whatever; below, since when it is there. */
function LastUsed({ target: { zuletzt_benutzt_am: instant, erstellt_am } }: { target: Schluessel }) {
  const { t } = useTranslation();
  const format = useFormat();
  return (
    <div className="whitespace-nowrap">
      {instant === null ? (
        <span className="text-ink-3">{t('schluessel.neverUsed')}</span>
      ) : (
        format.instant(instant, 'dateTime')
      )}
      <p className="text-xs text-ink-3" title={format.instant(erstellt_am, 'dateTimeZone')}>
        {t('schluessel.created', { date: format.day(format.dayOf(erstellt_am)) })}
      </p>
    </div>
  );
}

function StatusCell({ status }: { status: Schluessel['status'] }) {
  const { t } = useTranslation();
  return <Badge tone={status === 'aktiv' ? 'good' : 'neutral'}>{t(`schluessel.state.${status}`)}</Badge>;
}

function BlockCell({ target, onBlock }: { target: Schluessel; onBlock: (key: Schluessel) => void }) {
  const { t } = useTranslation();
  if (target.status !== 'aktiv') return null;
  const label = t('schluessel.blockNamed', { name: target.name });
  return (
    <Button kind="quiet" className="-mx-3" aria-label={label} onClick={() => onBlock(target)}>
      {t('schluessel.block')}
    </Button>
  );
}

/** `actions` null for users who may only look. */
function useKeyColumns(actions: Actions | null, opened: Opened): DataColumn<Schluessel>[] {
  const { t } = useTranslation();
  const { text, instant, count, money } = useColumns();
  return useMemo(() => {
    const columns: DataColumn<Schluessel>[] = [
      text('name', t('schluessel.name'), (key) => key.name, {
        cell: (key) => <NameCell target={key} actions={actions} opened={opened} />,
        grow: true,
      }),
      count('aufrufe', t('schluessel.calls'), (key) => key.verbrauch?.aufrufe ?? null, {
        cell: (key) => <CallsCell use={key.verbrauch} />,
        from: 'lg',
      }),
      money('kosten_eur', t('schluessel.cost'), (key) => key.verbrauch?.kosten_eur ?? null),
      instant(
        'letzter_aufruf_am',
        t('schluessel.lastCall'),
        (key) => key.verbrauch?.letzter_aufruf_am ?? null,
        { from: 'xl' },
      ),
      instant('zuletzt_benutzt_am', t('schluessel.lastUsed'), (key) => key.zuletzt_benutzt_am, {
        cell: (key) => <LastUsed target={key} />,
        from: 'md',
      }),
      text('status', t('schluessel.status'), (key) => key.status, {
        cell: (key) => <StatusCell status={key.status} />,
      }),
    ];
    if (actions === null) return columns;
    const cell = (key: Schluessel) => <BlockCell target={key} onBlock={actions.onBlock} />;
    return [...columns, text('aktion', t('schluessel.action'), () => null, { cell, only: 'screen' })];
  }, [t, text, instant, count, money, actions, opened]);
}

/** Keys of the Mandant; an active one can be limited and blocked. */
export function KeysTable({ keys }: { keys: Schluessel[] }) {
  const { t } = useTranslation();
  const may = useMayManageKeys();
  const [blocking, setBlocking] = useState<Schluessel | null>(null);
  const [limiting, setLimiting] = useState<Schluessel | null>(null);
  const actions = useMemo(() => (may ? { onLimit: setLimiting, onBlock: setBlocking } : null), [may]);
  const [open, setOpen] = useState<string | null>(null);
  const opened = useMemo(
    () => ({
      open,
      onToggle: ({ schluessel_id: id }: Schluessel) => setOpen((before) => (before === id ? null : id)),
    }),
    [open],
  );
  const columns = useKeyColumns(actions, opened);
  return (
    <>
      <DataTable
        caption={t('schluessel.title')}
        columns={columns}
        rows={keys}
        rowKey={(key) => key.schluessel_id}
        detail={({ schluessel_id, name, verbrauch }) =>
          schluessel_id === open && verbrauch && <Gaps luecken={verbrauch.luecken} name={name} />
        }
      />
      {limiting && <QuotaDialog target={limiting} onClose={() => setLimiting(null)} />}
      {blocking && <BlockDialog target={blocking} onClose={() => setBlocking(null)} />}
    </>
  );
}

interface KeysPanelProps {
  keys: Schluessel[];
  /** There are more than these. */
  isPart: boolean;
}

/** The keys as a part of a page; nothing where there are none. */
export function KeysPanel({ keys, isPart }: KeysPanelProps) {
  const { t } = useTranslation();
  if (keys.length === 0) return null;
  return (
    <Panel
      title={t('schluessel.title')}
      aside={
        isPart && (
          <Link to="/einstellungen/schluessel" className={linkClass}>
            {t('schluessel.all')}
          </Link>
        )
      }
      flush
    >
      <KeysTable keys={keys} />
    </Panel>
  );
}
