import { useTranslation } from 'react-i18next';
import { Button } from '../../ui/button.tsx';
import { DayField } from '../../ui/day-field.tsx';
import { SelectField } from '../../ui/field.tsx';
import { DownloadIcon } from '../../ui/icons.tsx';
import { type AuditSearch, toFilter } from './search.ts';
import { useDownload } from './use-download.ts';
import { useWords } from './use-words.ts';

interface AuditFiltersProps {
  search: AuditSearch;
  /** Every action that occurs. */
  actions: string[];
  onChange: (search: AuditSearch) => void;
}

function useActionOptions(actions: string[], chosen: string | undefined) {
  const { t } = useTranslation();
  const { actionText } = useWords();
  const known = new Set(chosen === undefined ? actions : [...actions, chosen]);
  const options = [...known].map((value) => ({ value, label: actionText(value) }));
  options.sort((a, b) => a.label.localeCompare(b.label, 'de'));
  return [{ value: '', label: t('protokoll.allActions') }, ...options];
}

type FilterProps = Pick<AuditFiltersProps, 'search' | 'onChange'>;

const isWrongOrder = ({ von, bis }: AuditSearch) => von !== undefined && bis !== undefined && von > bis;

function Days({ search, onChange }: FilterProps) {
  const { t } = useTranslation();
  return (
    <>
      <div className="w-36">
        <DayField
          label={t('protokoll.from')}
          value={search.von ?? ''}
          onChange={(day) => onChange({ von: day || undefined })}
        />
      </div>
      <div className="w-36">
        <DayField
          label={t('protokoll.until')}
          value={search.bis ?? ''}
          error={isWrongOrder(search) ? t('protokoll.wrongOrder') : undefined}
          onChange={(day) => onChange({ bis: day || undefined })}
        />
      </div>
    </>
  );
}

/** Action and days, which live in the URL, and the file of exactly what they leave. */
export function AuditFilters({ search, actions, onChange }: AuditFiltersProps) {
  const { t } = useTranslation();
  const options = useActionOptions(actions, search.aktion);
  const download = useDownload();
  return (
    <div className="flex flex-wrap items-start gap-2 border-b px-4 py-3">
      <div className="w-full sm:w-60">
        <SelectField
          label={t('protokoll.what')}
          value={search.aktion ?? ''}
          options={options}
          onChange={(aktion) => onChange({ aktion: aktion || undefined })}
        />
      </div>
      <Days search={search} onChange={onChange} />
      <Button
        className="ml-auto sm:mt-6"
        title={t('protokoll.csvHint')}
        busy={download.isPending}
        disabled={isWrongOrder(search)}
        onClick={() => download.mutate(toFilter(search))}
      >
        <DownloadIcon />
        CSV
      </Button>
    </div>
  );
}
