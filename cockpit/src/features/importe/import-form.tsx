import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { NotImportable } from '../../../../clients/typescript/src/importers/not-importable.ts';
import { anbindungQuery } from '../../api/queries.ts';
import { useFormat } from '../../format/use-format.ts';
import { CsvField } from '../../ui/csv-field.tsx';
import { ErrorNotice } from '../../ui/error-notice.tsx';
import { SelectField } from '../../ui/field.tsx';
import { LoadError } from '../../ui/load-error.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Progress } from '../../ui/progress.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { TooManyCalls } from './too-many-calls.ts';
import { useRead } from './use-import.ts';

/** Bytes of a file that is taken. */
const MOST_BYTES = 1024 * 1024 * 1024;
const MEGABYTE = 1_000_000;

/** Why a file is not taken. */
function Refusal({ error }: { error: unknown }) {
  const { t } = useTranslation();
  if (error instanceof NotImportable)
    return (
      <Notice tone="harm" live>
        {t(`importe.refused.${error.what}`)}
      </Notice>
    );
  if (error instanceof TooManyCalls)
    return (
      <Notice tone="harm" live>
        {t('importe.refused.zu_viele')}
      </Notice>
    );
  return <ErrorNotice error={error} />;
}

function ReadingProgress({ file, bytes, calls }: { file: File; bytes: number; calls: number }) {
  const { t } = useTranslation();
  const format = useFormat();
  const megabytes = (of: number) => format.decimal((of / MEGABYTE).toFixed(1));
  return (
    <div className="flex flex-col gap-2" role="status">
      <Progress label={t('importe.reading')} part={file.size === 0 ? null : bytes / file.size} />
      <p className="text-sm text-ink-2">
        {t('importe.readSoFar', { read: megabytes(bytes), all: megabytes(file.size), calls })}
      </p>
    </div>
  );
}

/** Chooses a key and a file, which is read at once: nothing is counted by that. */
export function ImportForm({ replaces }: { replaces: boolean }) {
  const { t } = useTranslation();
  const { data, error: missing, refetch } = useQuery(anbindungQuery);
  const keys = (data?.schluessel ?? []).filter(({ status }) => status === 'aktiv');
  const [chosen, setChosen] = useState('');
  const [file, setFile] = useState<File | null>(null);
  const [isTooLarge, setTooLarge] = useState(false);
  const { read, reading, error, isPending } = useRead();
  // Nothing is read for a key that nobody knows yet.
  if (!data)
    return missing ? <LoadError error={missing} onRetry={refetch} /> : <Skeleton lines={3} height="h-8" />;
  if (keys.length === 0) return <Notice>{t('importe.noKey')}</Notice>;
  const schluessel_id = chosen || (keys[0]?.schluessel_id ?? '');
  const choose = (next: File) => {
    setTooLarge(next.size > MOST_BYTES);
    setFile(next);
    if (next.size <= MOST_BYTES) read({ file: next, schluessel_id });
  };
  return (
    <div className="flex max-w-xl flex-col gap-3">
      <p className="text-sm text-ink-2">{t('importe.newText')}</p>
      <SelectField
        label={t('importe.key')}
        hint={t('importe.keyHint')}
        value={schluessel_id}
        disabled={isPending}
        options={keys.map((key) => ({ value: key.schluessel_id, label: key.name }))}
        onChange={setChosen}
      />
      {isPending || (
        <CsvField
          onChoose={choose}
          other={{ label: t('importe.file'), accept: '.csv,.json,.jsonl,.ndjson' }}
        />
      )}
      {isPending && file && (
        <ReadingProgress file={file} bytes={reading?.bytes ?? 0} calls={reading?.calls ?? 0} />
      )}
      {isTooLarge && <Notice tone="harm">{t('importe.refused.datei_zu_gross')}</Notice>}
      {Boolean(error) && !isTooLarge && <Refusal error={error} />}
      <p className="text-sm text-ink-3">
        {t('importe.stays')} {replaces && t('importe.replaces')}
      </p>
    </div>
  );
}
