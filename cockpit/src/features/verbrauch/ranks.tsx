import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { verbrauchQuery } from '../../api/queries.ts';
import type { Uebersicht, VerbrauchZeile } from '../../api/types.ts';
import type { BarRow } from '../../ui/bar-list.tsx';
import { LoadError } from '../../ui/load-error.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import type { Measure } from './measures.ts';
import { RankPanel } from './rank-panel.tsx';
import { useNameOf } from './use-names.ts';
import type { View } from './use-view.ts';
import { type DimensionName, filterSearch } from './view.ts';

const top = 10;

interface RanksProps {
  data: Uebersicht;
  view: View;
  measure: Measure;
}

interface RankProps extends Pick<RanksProps, 'view' | 'measure'> {
  dimension: DimensionName;
  rows: VerbrauchZeile[];
  rest: Uebersicht['agenten_rest'];
  choice: ReactNode;
}

/** The values of a dimension that cost most. A row filters the page by its value. */
function Rank({ dimension, rows, rest, view, measure, choice }: RankProps) {
  const { t } = useTranslation();
  const nameOf = useNameOf(view.zeitraum);
  const link = (row: BarRow, className: string, name: ReactNode) => (
    <Link
      to="/"
      search={(before) => ({ ...before, ...filterSearch({ dimension, value: row.key }) })}
      className={className}
    >
      {name}
    </Link>
  );
  return (
    <RankPanel
      title={t(`ansicht.merkmale.${dimension}`)}
      heading={choice}
      unnamed={nameOf(dimension, '')}
      rows={rows}
      rest={rest}
      nameOf={(key) => nameOf(dimension, key)}
      measure={measure}
      csvName={`${dimension}-${view.zeitraum}`}
      link={link}
      aside={
        <Link
          to="/aufschluesselung"
          search={{ nach: dimension }}
          title={t('ansicht.listHint')}
          className="shrink-0 text-xs text-accent underline"
        >
          {t('ansicht.list')}
        </Link>
      }
    />
  );
}

/** A dimension that the overview itself does not bring. */
function AskedRank({ dimension, view, ...props }: Omit<RankProps, 'rows' | 'rest'>) {
  const { von, bis, werte } = view;
  const asked = useQuery(verbrauchQuery({ gruppe: dimension, von, bis, limit: top, ...werte }));
  if (asked.data)
    return (
      <Rank {...props} view={view} dimension={dimension} rows={asked.data.zeilen} rest={asked.data.rest} />
    );
  return (
    <div className="rounded-lg border bg-surface p-4">
      {props.choice}
      {asked.error ? (
        <LoadError error={asked.error} onRetry={asked.refetch} />
      ) : (
        <Skeleton lines={6} height="h-7" />
      )}
    </div>
  );
}

interface SlotProps extends RanksProps {
  dimensions: readonly DimensionName[];
}

/** A place for one of several dimensions, chosen by its name. */
function Slot({ dimensions, data, view, measure }: SlotProps) {
  const { t } = useTranslation();
  const [chosen, setChosen] = useState(0);
  const dimension = dimensions[chosen % dimensions.length] as DimensionName;
  const choice = (
    <fieldset className="flex min-w-0 gap-3">
      <legend className="sr-only">{t('ansicht.filterBy')}</legend>
      {dimensions.map((name, index) => (
        <button
          key={name}
          type="button"
          aria-pressed={name === dimension}
          onClick={() => setChosen(index)}
          className="min-h-6 truncate rounded-sm text-sm text-ink-3 hover:text-ink aria-pressed:font-semibold aria-pressed:text-ink"
        >
          {t(`ansicht.merkmale.${name}`)}
        </button>
      ))}
    </fieldset>
  );
  const brought = {
    agent: [data.agenten, data.agenten_rest],
    endkunde: [data.endkunden, data.endkunden_rest],
    modell: [data.modelle, data.modelle_rest],
  } as const;
  if (dimension === 'agent' || dimension === 'endkunde' || dimension === 'modell') {
    const [rows, rest] = brought[dimension];
    return (
      <Rank dimension={dimension} rows={rows} rest={rest} view={view} measure={measure} choice={choice} />
    );
  }
  return <AskedRank dimension={dimension} view={view} measure={measure} choice={choice} />;
}

const slots = [
  ['agent', 'projekt'],
  ['endkunde', 'benutzer'],
  ['modell', 'anbieter', 'funktion'],
] as const;

/** Who the figures come from, by every dimension; the one that is filtered by says nothing new. */
export function Ranks(props: RanksProps) {
  const filtered = props.view.filter?.dimension;
  return (
    <div className="grid gap-4 lg:grid-cols-3">
      {slots.map((dimensions) => (
        <Slot
          key={dimensions[0]}
          {...props}
          dimensions={dimensions.toSorted((a, b) => Number(a === filtered) - Number(b === filtered))}
        />
      ))}
    </div>
  );
}
