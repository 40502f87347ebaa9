import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import type { Lauf } from '../../api/types.ts';
import { CheckField, SelectField } from '../../ui/field.tsx';
import { FilterField } from '../../ui/filter-field.tsx';
import { outcomeOf } from './outcome.ts';
import { type RunsSearch, type Sortierung, sortierungOf } from './search.ts';

interface FilterProps {
  search: RunsSearch;
  onChange: (search: RunsSearch) => void;
}

/** The status is a free word of the sender: typed, with those that occur as suggestions. */
function StatusFilter({ runs, search, onChange }: FilterProps & { runs: Lauf[] }) {
  const { t } = useTranslation();
  const list = useId();
  const labelOf = (status: string) => {
    const outcome = outcomeOf(status);
    return outcome === 'failed' ? status : t(`laeufe.${outcome}`);
  };
  const known = [...new Set(['erfolgreich', 'abgebrochen', 'fehler', ...runs.map((run) => run.status)])];
  return (
    <div className="w-36">
      <FilterField
        label={t('laeufe.status')}
        hideLabel
        placeholder={t('laeufe.anyStatus')}
        list={list}
        value={search.status ?? ''}
        onChange={(status) => onChange({ status: status || undefined })}
      />
      <datalist id={list}>
        {known.map((status) => (
          <option key={status} value={status} label={labelOf(status)} />
        ))}
      </datalist>
    </div>
  );
}

const orders: Sortierung[] = ['ende', 'beginn', 'kosten', 'dauer', 'schritte', 'fehler', 'verbrannt'];

/** What comes first: also where the table has no room for its columns. */
function OrderFilter({ search, onChange }: FilterProps) {
  const { t } = useTranslation();
  return (
    <div className="w-44">
      <SelectField
        label={t('laeufe.order')}
        hideLabel
        value={search.sortierung ?? 'ende'}
        options={orders.map((value) => ({ value, label: t(`laeufe.orders.${value}`) }))}
        onChange={(value) => onChange({ sortierung: sortierungOf(value), richtung: undefined })}
      />
    </div>
  );
}

/** Search, order, status, what is wrong: each lives in the URL and goes to the service. */
export function RunFilters({ runs, search, onChange }: FilterProps & { runs: Lauf[] }) {
  const { t } = useTranslation();
  return (
    <>
      <div className="w-full sm:w-60">
        <FilterField
          label={t('laeufe.search')}
          hideLabel
          type="search"
          placeholder={t('laeufe.searchHint')}
          value={search.suche ?? ''}
          onChange={(suche) => onChange({ suche: suche || undefined })}
        />
      </div>
      <OrderFilter search={search} onChange={onChange} />
      <StatusFilter runs={runs} search={search} onChange={onChange} />
      <div className="flex flex-wrap gap-x-4 self-center">
        <CheckField
          label={t('laeufe.onlyErrors')}
          checked={search.nur_fehler ?? false}
          onChange={(event) => onChange({ nur_fehler: event.target.checked || undefined })}
        />
        <CheckField
          label={t('laeufe.onlyUnpriced')}
          checked={search.nur_unbepreist ?? false}
          onChange={(event) => onChange({ nur_unbepreist: event.target.checked || undefined })}
        />
      </div>
    </>
  );
}
