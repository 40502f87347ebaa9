import { useQuery } from '@tanstack/react-query';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { agentenQuery } from '../../api/queries.ts';
import type { Lauf } from '../../api/types.ts';
import { CheckField, SelectField, TextField } from '../../ui/field.tsx';
import { FilterField } from '../../ui/filter-field.tsx';
import type { RunsSearch } from './search.ts';

interface FilterProps {
  search: RunsSearch;
  onChange: (search: RunsSearch) => void;
}

interface RunFiltersProps extends FilterProps {
  /** The runs the service listed, before the search. */
  runs: Lauf[];
  shown: number;
}

function AgentFilter({ search, onChange }: FilterProps) {
  const { t } = useTranslation();
  const { data } = useQuery(agentenQuery('30tage'));
  const agents = data?.agenten ?? [];
  const options = agents
    .map((agent) => ({ value: agent.agent_id, label: agent.name }))
    .sort((a, b) => a.label.localeCompare(b.label, 'de'));
  return (
    <div className="w-44">
      <SelectField
        label={t('katalog.agent')}
        hideLabel
        hint={data?.weiter ? t('laeufe.moreAgents') : undefined}
        value={search.agent_id ?? ''}
        options={[{ value: '', label: t('laeufe.allAgents') }, ...options]}
        onChange={(agent_id) => onChange({ agent_id: agent_id || undefined })}
      />
    </div>
  );
}

/** The status is a free word of the sender: typed, with those that occur as suggestions. */
function StatusFilter({ runs, search, onChange }: FilterProps & { runs: Lauf[] }) {
  const { t } = useTranslation();
  const list = useId();
  const known = [...new Set(['erfolgreich', 'fehler', ...runs.map((run) => run.status)])];
  return (
    <div className="w-32">
      <FilterField
        label={t('laeufe.status')}
        type="text"
        placeholder={t('laeufe.anyStatus')}
        list={list}
        value={search.status ?? ''}
        onChange={(status) => onChange({ status: status || undefined })}
      />
      <datalist id={list}>
        {known.map((status) => (
          <option
            key={status}
            value={status}
            label={status === 'erfolgreich' ? t('laeufe.succeeded') : status}
          />
        ))}
      </datalist>
    </div>
  );
}

/** Agent, status, errors, search: each lives in the URL. */
export function RunFilters({ runs, shown, search, onChange }: RunFiltersProps) {
  const { t } = useTranslation();
  const all = shown === runs.length;
  return (
    <>
      <div className="w-full sm:w-52">
        <TextField
          label={t('laeufe.search')}
          hideLabel
          type="search"
          placeholder={t('laeufe.search')}
          value={search.q ?? ''}
          onChange={(event) => onChange({ q: event.target.value || undefined })}
        />
      </div>
      <AgentFilter search={search} onChange={onChange} />
      <StatusFilter runs={runs} search={search} onChange={onChange} />
      <div className="self-center">
        <CheckField
          label={t('laeufe.onlyErrors')}
          checked={search.nur_fehler ?? false}
          onChange={(event) => onChange({ nur_fehler: event.target.checked || undefined })}
        />
      </div>
      <p role="status" className="self-center text-xs text-ink-3">
        {all ? t('laeufe.countAll', { count: shown }) : t('laeufe.countSome', { shown, all: runs.length })}
      </p>
    </>
  );
}
