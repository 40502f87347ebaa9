/** The models that were used in a period, each with its provider, and what they cost now. */
import { useInfiniteQuery, useQueries, useQuery } from '@tanstack/react-query';
import { useEffect, useMemo } from 'react';
import { modellpreiseQuery, preisbuchQuery, verbrauchSeitenQuery } from '../../api/queries.ts';
import type { Modellpreis, Verbrauch } from '../../api/types.ts';
import { useFormat } from '../../format/use-format.ts';
import { addDays, daysOf } from '../verbrauch/search.ts';

export const DEFAULT_PERIOD = '30tage';

/** Groups of a page that is divided, and pages that are read by themselves: those without a price come last of all. */
const PAGE = 20;
const MOST_PAGES = 15;
/** Models of one question. */
const MOST_ASKED = 200;

type Part = NonNullable<Verbrauch['teile']>[number];

/** A model of a provider with its figures; a model without a name is ''. */
export type UsedModel = Omit<Part, 'schluessel' | 'teil'> & { modell: string; anbieter: string | null };

const toModels = ({ teile }: Verbrauch): UsedModel[] =>
  (teile ?? []).flatMap(({ schluessel, teil, ...figures }) =>
    schluessel === null ? [] : [{ ...figures, modell: schluessel, anbieter: teil || null }],
  );

export const keyOf = ({ modell, anbieter }: Pick<UsedModel, 'modell' | 'anbieter'>): string =>
  JSON.stringify([modell, anbieter]);

/** First those without a price, then those with a part of one, then as they came: by cost. */
const urgency = ({ unbepreist, teilbepreist }: UsedModel) => (unbepreist > 0 ? 0 : teilbepreist > 0 ? 1 : 2);

/** The models of a period, those that need a price first. */
export function useModels(zeitraum: string) {
  const format = useFormat();
  const { first, last } = daysOf(zeitraum, format.dayOf(new Date()));
  const asked = useInfiniteQuery(
    verbrauchSeitenQuery({
      gruppe: 'modell',
      teilung: 'anbieter',
      von: first,
      bis: addDays(last, 1),
      limit: PAGE,
    }),
  );
  const { data, hasNextPage, isFetchingNextPage, isError, fetchNextPage } = asked;
  const wantsMore = hasNextPage && !isError && (data?.pages.length ?? 0) < MOST_PAGES;
  useEffect(() => {
    if (wantsMore && !isFetchingNextPage) fetchNextPage();
  }, [wantsMore, isFetchingNextPage, fetchNextPage]);
  const models = useMemo(
    () => data?.pages.flatMap(toModels).toSorted((a, b) => urgency(a) - urgency(b)),
    [data],
  );
  return { models, asked, isComplete: !hasNextPage };
}

const chunksOf = <T>(items: T[], size: number): T[][] =>
  Array.from({ length: Math.ceil(items.length / size) }, (_, n) => items.slice(n * size, (n + 1) * size));

/** What models cost now, by their keys; those that are not there yet are missing. */
export function usePrices(models: readonly UsedModel[]): Map<string, Modellpreis> {
  const fassung = useQuery(preisbuchQuery).data?.fassung;
  const named = models.filter(({ modell }) => modell !== '');
  const answers = useQueries({
    queries: chunksOf(
      named.map(({ modell, anbieter }) => ({ modell, anbieter })),
      MOST_ASKED,
    ).map((modelle) => ({ ...modellpreiseQuery(fassung ?? 0, modelle), enabled: fassung !== undefined })),
  });
  const found = answers.flatMap(({ data }) => data?.modelle ?? []);
  return new Map(found.map((price) => [keyOf(price), price]));
}
