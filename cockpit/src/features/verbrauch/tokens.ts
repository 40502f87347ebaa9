/** Tokens, counted alike for every provider: one sum of four parts, with the same words wherever they stand. */
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../format/use-format.ts';
import type { DataColumn } from '../../ui/table.tsx';
import { useColumns } from '../../ui/use-columns.tsx';

/** The sum and its parts; null where they are not known of all calls. */
export interface Tokens {
  token: number | null;
  eingabe_ohne_cache: number | null;
  cache_lese_token: number | null;
  cache_schreib_token: number | null;
  ausgabe_gesamt: number | null;
}

/** The parts, in the order in which they stand everywhere, and what each is called. */
export const TOKEN_PARTS = [
  ['eingabe_ohne_cache', 'ansicht.freshInput'],
  ['cache_lese_token', 'ansicht.cacheRead'],
  ['cache_schreib_token', 'ansicht.cacheWrite'],
  ['ausgabe_gesamt', 'ansicht.wholeOutput'],
] as const;

/** Of one call, which has no sum of its own. */
export function tokensOfCall(call: Omit<Tokens, 'token'>): Tokens {
  const { eingabe_ohne_cache: input, ausgabe_gesamt: output } = call;
  const cache = (call.cache_lese_token ?? 0) + (call.cache_schreib_token ?? 0);
  return { ...call, token: input === null || output === null ? null : input + cache + output };
}

/** The parts in words: exact for a title, short for the line below a figure. */
export function useTokenWords() {
  const { t } = useTranslation();
  const format = useFormat();
  return useMemo(() => {
    const words = (
      key: 'ansicht.tokenHint' | 'ansicht.tokenNote',
      row: Tokens,
      text: (count: number) => string,
    ) =>
      row.token === null
        ? t('ansicht.tokenUnknown')
        : t(key, {
            input: text(row.eingabe_ohne_cache ?? 0),
            read: text(row.cache_lese_token ?? 0),
            write: text(row.cache_schreib_token ?? 0),
            output: text(row.ausgabe_gesamt ?? 0),
          });
    return {
      exact: (row: Tokens) => words('ansicht.tokenHint', row, format.count),
      short: (row: Tokens) => words('ansicht.tokenNote', row, format.countShort),
    };
  }, [t, format]);
}

/** The parts as columns that are in the file alone. */
export function useTokenPartColumns<Row>(of: (row: Row) => Tokens): DataColumn<Row>[] {
  const { t } = useTranslation();
  const { count } = useColumns();
  return useMemo(
    () =>
      TOKEN_PARTS.map(([part, name]) => count(part, t(name), (row: Row) => of(row)[part], { only: 'file' })),
    [t, count, of],
  );
}

/** The sum as a column of a table, and its parts. */
export function useTokenColumns<Row>(of: (row: Row) => Tokens): DataColumn<Row>[] {
  const { t } = useTranslation();
  const { count } = useColumns();
  const parts = useTokenPartColumns(of);
  return useMemo(
    () => [
      count('token', t('verbrauch.measure.token'), (row: Row) => of(row).token, { from: 'lg' }),
      ...parts,
    ],
    [t, count, of, parts],
  );
}
