import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { endkundenQuery } from '../../api/queries.ts';
import type { Endkunde } from '../../api/types.ts';
import { useErrorText } from '../../api/use-error-text.ts';
import { Consequences } from '../../ui/confirm-dialog.tsx';
import { FilterField } from '../../ui/filter-field.tsx';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { nameOf } from './names.ts';
import { MAX_SEARCH } from './search.ts';
import { useChange } from './use-customers.ts';
import { useCurrentMonth } from './use-month.ts';

/** As many to choose from at once; the search finds the others. */
const OFFERED = 20;

interface TargetsProps {
  targets: Endkunde[];
  chosen: string | null;
  onChoose: (endkunde_id: string) => void;
}

function Targets({ targets, chosen, onChoose }: TargetsProps) {
  const { t } = useTranslation();
  if (targets.length === 0) return <p className="text-sm text-ink-2">{t('weiterbelastung.mergeNone')}</p>;
  return (
    <fieldset className="max-h-52 overflow-y-auto rounded border">
      <legend className="sr-only">{t('weiterbelastung.mergeWith')}</legend>
      {targets.map((each) => (
        <label
          key={each.endkunde_id}
          className="flex min-h-9 cursor-pointer items-center gap-2 border-b px-3 py-1 text-sm last:border-b-0 hover:bg-sunken"
        >
          <input
            type="radio"
            name="ziel"
            checked={chosen === each.endkunde_id}
            onChange={() => onChoose(each.endkunde_id)}
            className="size-4 shrink-0 accent-accent"
          />
          <span className="min-w-0 truncate" title={nameOf(each)}>
            {nameOf(each)}
          </span>
          {each.name !== null && (
            <span className="min-w-0 shrink-2 truncate text-xs text-ink-3" title={each.referenz}>
              {each.referenz}
            </span>
          )}
        </label>
      ))}
    </fieldset>
  );
}

/** The end customers that one may be merged with, as far as the search finds them; undefined while it does not. */
function useTargets(of: Endkunde, suche: string) {
  const month = useCurrentMonth();
  const { data, error } = useInfiniteQuery(endkundenQuery(month, suche || undefined, OFFERED));
  const targets = data?.pages[0]?.zeilen.filter(
    ({ endkunde_id, entfernt }) => !entfernt && endkunde_id !== of.endkunde_id,
  );
  return { targets, error };
}

/** Has a reference count for another end customer, who is looked for first. */
export function MergeDialog({ of, onClose }: { of: Endkunde; onClose: () => void }) {
  const { t } = useTranslation();
  const { sentence } = useErrorText();
  const [suche, setSuche] = useState('');
  const [chosen, setChosen] = useState<string | null>(null);
  const { targets, error: searchError } = useTargets(of, suche);
  const merge = useChange('endkundeZusammenfuehren', t('weiterbelastung.merged'), onClose);
  const target = targets?.find(({ endkunde_id }) => endkunde_id === chosen);
  const error = merge.error ?? searchError;
  return (
    <FormDialog
      title={t('weiterbelastung.mergeTitle', { name: nameOf(of) })}
      description={t('weiterbelastung.mergeText')}
      confirm={t('weiterbelastung.mergeConfirm')}
      error={error ? sentence(error) : undefined}
      busy={merge.isPending}
      disabled={!target}
      onSubmit={() =>
        target &&
        merge.mutate({
          params: { endkunde_id: of.endkunde_id },
          body: { ziel_id: target.endkunde_id },
        })
      }
      onClose={onClose}
    >
      <FilterField
        label={t('weiterbelastung.search')}
        value={suche}
        maxLength={MAX_SEARCH}
        onChange={setSuche}
      />
      {targets ? (
        <Targets targets={targets} chosen={target?.endkunde_id ?? null} onChoose={setChosen} />
      ) : (
        <Skeleton lines={3} height="h-9" />
      )}
      <Consequences
        points={[
          t('weiterbelastung.mergePoints.open'),
          t('weiterbelastung.mergePoints.closed'),
          t('weiterbelastung.mergePoints.back'),
        ]}
      />
    </FormDialog>
  );
}
