import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Schluessel } from '../../api/types.ts';
import { useFormat } from '../../format/use-format.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Panel } from '../../ui/panel.tsx';
import { type DataColumn, DataTable } from '../../ui/table.tsx';
import { useColumns } from '../../ui/use-columns.tsx';
import { BlockDialog } from './block-dialog.tsx';
import { useMayManageKeys } from './use-connection.ts';

function LastUsed({ instant }: { instant: string | null }) {
  const { t } = useTranslation();
  const format = useFormat();
  if (instant === null) return <span className="text-ink-3">{t('anbindung.neverUsed')}</span>;
  return <span className="whitespace-nowrap">{format.instant(instant, 'dateTime')}</span>;
}

function StatusCell({ status }: { status: Schluessel['status'] }) {
  const { t } = useTranslation();
  return <Badge tone={status === 'aktiv' ? 'good' : 'neutral'}>{t(`anbindung.keyStatus.${status}`)}</Badge>;
}

function BlockCell({ target, onBlock }: { target: Schluessel; onBlock: (key: Schluessel) => void }) {
  const { t } = useTranslation();
  if (target.status !== 'aktiv') return null;
  const label = t('anbindung.blockNamed', { name: target.name });
  return (
    <Button kind="quiet" className="-mx-3" aria-label={label} onClick={() => onBlock(target)}>
      {t('anbindung.block')}
    </Button>
  );
}

function useKeyColumns(onBlock: ((key: Schluessel) => void) | null): DataColumn<Schluessel>[] {
  const { t } = useTranslation();
  const { text, instant } = useColumns();
  return useMemo(() => {
    const scopesOf = (key: Schluessel) =>
      key.bereiche.map((scope) => t(`anbindung.scope.${scope}`)).join(', ');
    const columns: DataColumn<Schluessel>[] = [
      text('name', t('anbindung.keyName'), (key) => key.name, { grow: true }),
      text('anzeige', t('anbindung.key'), (key) => key.anzeige, {
        cell: (key) => <code className="whitespace-nowrap font-mono text-xs">{key.anzeige}</code>,
      }),
      text('bereiche', t('anbindung.scopes'), scopesOf, { from: 'md' }),
      instant('erstellt_am', t('anbindung.created'), (key) => key.erstellt_am, { from: 'md' }),
      instant('zuletzt_benutzt_am', t('anbindung.lastUsed'), (key) => key.zuletzt_benutzt_am, {
        cell: (key) => <LastUsed instant={key.zuletzt_benutzt_am} />,
        from: 'md',
      }),
      text('status', t('anbindung.status'), (key) => key.status, {
        cell: (key) => <StatusCell status={key.status} />,
      }),
    ];
    if (onBlock === null) return columns;
    const cell = (key: Schluessel) => <BlockCell target={key} onBlock={onBlock} />;
    return [...columns, text('aktion', t('anbindung.action'), () => null, { cell })];
  }, [t, text, instant, onBlock]);
}

/** All keys of the Mandant; an active one can be blocked. */
export function KeysPanel({ keys }: { keys: Schluessel[] }) {
  const { t } = useTranslation();
  const may = useMayManageKeys();
  const [blocking, setBlocking] = useState<Schluessel | null>(null);
  const columns = useKeyColumns(may ? setBlocking : null);
  if (keys.length === 0) return null;
  return (
    <Panel title={t('anbindung.keys')} flush>
      <DataTable
        caption={t('anbindung.keys')}
        columns={columns}
        rows={keys}
        rowKey={(key) => key.schluessel_id}
      />
      {blocking && <BlockDialog target={blocking} onClose={() => setBlocking(null)} />}
    </Panel>
  );
}
