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
import { useMayManageKeys } from './use-keys.ts';

function NameCell({ target: { name, anzeige } }: { target: Schluessel }) {
  return (
    <div className="py-1.5">
      <p className="truncate" title={name}>
        {name}
      </p>
      {/* Where there is no room for its column, the key stands here. */}
      <code className="block truncate font-mono text-xs text-ink-3 @lg:hidden">{anzeige}</code>
    </div>
  );
}

function LastUsed({ instant }: { instant: string | null }) {
  const { t } = useTranslation();
  const format = useFormat();
  if (instant === null) return <span className="text-ink-3">{t('schluessel.neverUsed')}</span>;
  return <span className="whitespace-nowrap">{format.instant(instant, 'dateTime')}</span>;
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

function useKeyColumns(onBlock: ((key: Schluessel) => void) | null): DataColumn<Schluessel>[] {
  const { t } = useTranslation();
  const { text, instant } = useColumns();
  return useMemo(() => {
    const scopesOf = (key: Schluessel) =>
      key.bereiche.map((scope) => t(`schluessel.scope.${scope}`)).join(', ');
    const columns: DataColumn<Schluessel>[] = [
      text('name', t('schluessel.name'), (key) => key.name, {
        cell: (key) => <NameCell target={key} />,
        grow: true,
      }),
      text('anzeige', t('schluessel.one'), (key) => key.anzeige, {
        cell: (key) => <code className="whitespace-nowrap font-mono text-xs">{key.anzeige}</code>,
        from: 'md',
      }),
      text('bereiche', t('schluessel.scopes'), scopesOf, { from: 'lg' }),
      instant('erstellt_am', t('schluessel.created'), (key) => key.erstellt_am, { from: 'lg' }),
      instant('zuletzt_benutzt_am', t('schluessel.lastUsed'), (key) => key.zuletzt_benutzt_am, {
        cell: (key) => <LastUsed instant={key.zuletzt_benutzt_am} />,
        from: 'md',
      }),
      text('status', t('schluessel.status'), (key) => key.status, {
        cell: (key) => <StatusCell status={key.status} />,
      }),
    ];
    if (onBlock === null) return columns;
    const cell = (key: Schluessel) => <BlockCell target={key} onBlock={onBlock} />;
    return [...columns, text('aktion', t('schluessel.action'), () => null, { cell, only: 'screen' })];
  }, [t, text, instant, onBlock]);
}

/** Keys of the Mandant; an active one can be blocked. */
export function KeysTable({ keys }: { keys: Schluessel[] }) {
  const { t } = useTranslation();
  const may = useMayManageKeys();
  const [blocking, setBlocking] = useState<Schluessel | null>(null);
  const columns = useKeyColumns(may ? setBlocking : null);
  return (
    <>
      <DataTable
        caption={t('schluessel.title')}
        columns={columns}
        rows={keys}
        rowKey={(key) => key.schluessel_id}
      />
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
