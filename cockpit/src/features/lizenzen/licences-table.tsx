import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Lizenzeintrag } from '../../api/types.ts';
import { useFormat } from '../../format/use-format.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import { type DataColumn, DataTable } from '../../ui/table.tsx';
import { useColumns } from '../../ui/use-columns.tsx';
import { ChangeDialog } from './block-dialogs.tsx';

const isOver = ({ gueltig_bis }: Lizenzeintrag) =>
  gueltig_bis !== null && Date.parse(gueltig_bis) <= Date.now();

function CustomerCell({ licence: { kunde, paket, grund } }: { licence: Lizenzeintrag }) {
  const { t } = useTranslation();
  return (
    <div className="py-1.5">
      <p className="truncate" title={kunde}>
        {kunde}
      </p>
      {/* Where there is no room for its column, the package stands here. */}
      <p className="truncate text-xs text-ink-3 @lg:hidden">{paket}</p>
      {grund !== null && (
        <p className="truncate text-xs text-ink-3" title={grund}>
          {t('lizenzen.because', { grund })}
        </p>
      )}
    </div>
  );
}

function StateCell({ licence }: { licence: Lizenzeintrag }) {
  const { t } = useTranslation();
  if (licence.status === 'aktiv' && isOver(licence))
    return <Badge tone="neutral">{t('lizenzen.state.over')}</Badge>;
  return (
    <Badge tone={licence.status === 'aktiv' ? 'good' : 'warn'}>{t(`lizenzen.state.${licence.status}`)}</Badge>
  );
}

function UntilCell({ instant }: { instant: string | null }) {
  const { t } = useTranslation();
  const format = useFormat();
  return (
    <span className="whitespace-nowrap">
      {instant === null ? t('buchung.noEnd') : format.instant(instant, 'dateTime')}
    </span>
  );
}

function FingerprintCell({ value }: { value: string }) {
  const { t } = useTranslation();
  return (
    <span className="flex items-center gap-1">
      <code className="font-mono text-xs" title={value}>
        {value.slice(0, 12)}…
      </code>
      <CopyButton compact text={value} what={t('lizenzen.fingerprint')} />
    </span>
  );
}

interface ActionProps {
  licence: Lizenzeintrag;
  onChange: (licence: Lizenzeintrag) => void;
}

function ActionCell({ licence, onChange }: ActionProps) {
  const { t } = useTranslation();
  const verb = licence.status === 'aktiv' ? 'block' : 'unblock';
  return (
    <Button
      kind="quiet"
      className="-mx-3"
      aria-label={t(`lizenzen.${verb}Named`, { kunde: licence.kunde })}
      onClick={() => onChange(licence)}
    >
      {t(`lizenzen.${verb}`)}
    </Button>
  );
}

function useLicenceColumns(onChange: (licence: Lizenzeintrag) => void): DataColumn<Lizenzeintrag>[] {
  const { t } = useTranslation();
  const { text, instant, count } = useColumns();
  return useMemo(
    () => [
      text('kunde', t('lizenzen.customer'), (row) => row.kunde, {
        cell: (row) => <CustomerCell licence={row} />,
        grow: true,
      }),
      text('paket', t('buchung.package'), (row) => row.paket, { from: 'md' }),
      count('mandanten', t('lizenzen.tenants'), (row) => row.mandanten, { from: 'md' }),
      instant('gueltig_bis', t('buchung.validUntil'), (row) => row.gueltig_bis, {
        cell: (row) => <UntilCell instant={row.gueltig_bis} />,
        from: 'lg',
      }),
      instant('ausgestellt_am', t('lizenzen.issued'), (row) => row.ausgestellt_am, { from: 'xl' }),
      text('fingerabdruck', t('lizenzen.fingerprint'), (row) => row.fingerabdruck, {
        cell: (row) => <FingerprintCell value={row.fingerabdruck} />,
        from: 'xl',
      }),
      text('status', t('lizenzen.status'), (row) => row.status, {
        cell: (row) => <StateCell licence={row} />,
      }),
      text('aktion', t('lizenzen.action'), () => null, {
        cell: (row) => <ActionCell licence={row} onChange={onChange} />,
        only: 'screen',
      }),
    ],
    [t, text, instant, count, onChange],
  );
}

/** Licences that were made out; each can be blocked or let go. */
export function LicencesTable({ licences }: { licences: Lizenzeintrag[] }) {
  const { t } = useTranslation();
  const [changing, setChanging] = useState<Lizenzeintrag | null>(null);
  const columns = useLicenceColumns(setChanging);
  return (
    <>
      <DataTable
        caption={t('lizenzen.title')}
        columns={columns}
        rows={licences}
        rowKey={(row) => row.lizenz_id}
      />
      {changing && <ChangeDialog target={changing} onClose={() => setChanging(null)} />}
    </>
  );
}
