import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { agentenQuery } from '../../api/queries.ts';
import { SelectField } from '../../ui/field.tsx';
import { type FindingsSearch, type StatusChoice, statusOf } from './search.ts';
import type { FindingType } from './types.ts';

interface FiltersProps {
  search: FindingsSearch;
  types: readonly FindingType[];
  onChange: (search: FindingsSearch) => void;
}

const statuses: Exclude<StatusChoice, 'alle'>[] = ['offen', 'erledigt', 'ignoriert', 'hinfaellig'];

/** Status, kind and agent: each lives in the URL and goes to the service. */
export function FindingFilters({ search, types, onChange }: FiltersProps) {
  const { t } = useTranslation();
  const agents = useQuery(agentenQuery('30tage')).data?.agenten ?? [];
  const status = search.status ?? (search.vorfall_id ? 'alle' : 'offen');
  return (
    <>
      <div className="w-full sm:w-36">
        <SelectField
          label={t('befunde.statusLabel')}
          hideLabel
          value={status}
          options={[
            ...statuses.map((value) => ({ value, label: t(`befunde.status.${value}`) })),
            { value: 'alle', label: t('befunde.anyStatus') },
          ]}
          onChange={(value) => onChange({ status: statusOf(value) })}
        />
      </div>
      <div className="w-full sm:w-52">
        <SelectField
          label={t('befunde.typeLabel')}
          hideLabel
          value={search.typ ?? ''}
          options={[
            { value: '', label: t('befunde.anyType') },
            ...types.map((value) => ({ value, label: t(`regeln.typ.${value}`) })),
          ]}
          onChange={(value) => onChange({ typ: value || undefined })}
        />
      </div>
      <div className="w-full sm:w-52">
        <SelectField
          label={t('befunde.agentLabel')}
          hideLabel
          value={search.agent_id ?? ''}
          options={[
            { value: '', label: t('befunde.anyAgent') },
            ...agents.map(({ agent_id, name }) => ({ value: agent_id, label: name })),
          ]}
          onChange={(value) => onChange({ agent_id: value || undefined })}
        />
      </div>
    </>
  );
}
