import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { callRaw } from '../../api/call.ts';
import { codeOf } from '../../api/error.ts';
import { useFormat } from '../../format/use-format.ts';
import { Button, linkClass } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { ErrorNotice } from '../../ui/error-notice.tsx';
import { DownIcon, DownloadIcon } from '../../ui/icons.tsx';
import { Menu, MenuHeading, MenuItem } from '../../ui/menu.tsx';
import { Notice } from '../../ui/notice.tsx';
import { useFile } from './use-file.ts';

/** The files of a month. */
function useFiles(month: string) {
  const { t } = useTranslation();
  const file = useFile();
  const table = (format: 'csv' | 'ledger') => () =>
    callRaw('weiterbelastungAusgeben', { query: { monat: month, format } });
  const focus = () => callRaw('focusAusgeben', { query: { monat: month } });
  const statements = () => callRaw('abrechnungenZip', { query: { monat: month } });
  const entries = [
    { label: t('weiterbelastung.file.csv'), ask: table('csv'), fileName: `weiterbelastung-${month}.csv` },
    { label: t('weiterbelastung.file.ledger'), ask: table('ledger'), fileName: `EXTF-${month}.csv` },
    { label: t('weiterbelastung.file.zip'), ask: statements, fileName: `abrechnungen-${month}.zip` },
    { label: t('weiterbelastung.file.focus'), ask: focus, fileName: `focus-${month}.csv` },
  ];
  return { file, entries };
}

/** Why a file was not made, and where that is put right. */
export function FileRefusal({ error, onClose }: { error: unknown; onClose: () => void }) {
  const { t } = useTranslation();
  const isSettings = codeOf(error) === 'buchhaltung_unvollstaendig';
  return (
    <Dialog
      open
      onClose={onClose}
      title={t('weiterbelastung.files')}
      actions={<Button onClick={onClose}>{t('ui.close')}</Button>}
    >
      <ErrorNotice error={error} />
      {isSettings && (
        <p>
          <Link to="/einstellungen/buchhaltung" className={linkClass}>
            {t('weiterbelastung.toSettings')}
          </Link>
        </p>
      )}
    </Dialog>
  );
}

/** What a saved file lacks, for those who pass it on. */
function LeftOut({ count, onClose }: { count: number; onClose: () => void }) {
  const { t } = useTranslation();
  return (
    <Dialog
      open
      onClose={onClose}
      title={t('weiterbelastung.leftOut.title')}
      actions={<Button onClick={onClose}>{t('ui.close')}</Button>}
    >
      <Notice tone="warn">{t('weiterbelastung.leftOut.rows', { count })}</Notice>
    </Dialog>
  );
}

/** What a month can be saved as. */
export function Downloads({ month }: { month: string }) {
  const { t } = useTranslation();
  const format = useFormat();
  const { file, entries } = useFiles(month);
  const [seen, setSeen] = useState<unknown>(null);
  const trigger = (
    <Button busy={file.isPending}>
      <DownloadIcon className="text-ink-3" />
      {file.isPending ? t('weiterbelastung.preparing') : t('weiterbelastung.files')}
      <DownIcon className="text-ink-3" />
    </Button>
  );
  return (
    <>
      <Menu label={t('weiterbelastung.files')} trigger={trigger}>
        <MenuHeading>{format.day(`${month}-01`, 'monthLong')}</MenuHeading>
        {entries.map(({ label, ...wanted }) => (
          <MenuItem key={label} onSelect={() => file.mutate(wanted)}>
            {label}
          </MenuItem>
        ))}
      </Menu>
      {file.error && file.error !== seen && (
        <FileRefusal error={file.error} onClose={() => setSeen(file.error)} />
      )}
      {file.data && file.data.leftOut > 0 && file.data !== seen && (
        <LeftOut count={file.data.leftOut} onClose={() => setSeen(file.data)} />
      )}
    </>
  );
}
