/** Whose calls are, where programs say it in their own words; and whether what a subscription pays for is passed on. */
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { call } from '../../api/call.ts';
import type { InputOf } from '../../api/operations.ts';
import { ichQuery, kontoQuery } from '../../api/queries.ts';

export type Zuordnung = Required<InputOf<'zuordnungSetzen'>['body']>;

export const NAMES = ['endkunde_namen', 'funktion_namen', 'projekt_namen'] as const;

/** Places for dimensions of one's own. */
export const OWN_PLACES = [0, 1, 2, 3, 4] as const;

/** What stands; undefined until it is known. */
export function useAttribution(): Zuordnung | undefined {
  const mandant = useQuery(kontoQuery).data?.mandant;
  if (!mandant) return undefined;
  const { endkunde_namen, funktion_namen, projekt_namen, merkmale, abo_weiterbelasten } = mandant;
  return { endkunde_namen, funktion_namen, projekt_namen, merkmale, abo_weiterbelasten };
}

/** By which names end customer, function and project are said in examples. */
export function useAttributeNames() {
  const stands = useAttribution();
  return {
    endkunde: stands?.endkunde_namen[0] ?? 'customer',
    funktion: stands?.funktion_namen[0] ?? 'feature',
    projekt: stands?.projekt_namen[0] ?? 'project',
  };
}

export const useMaySetAttribution = (): boolean =>
  useQuery(ichQuery).data?.rechte.includes('konto.verwalten') ?? false;

export function useSetAttribution(onSaved: () => void) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: Zuordnung) => call('zuordnungSetzen', { body }),
    onSuccess: (zuordnung) => {
      client.setQueryData(
        kontoQuery.queryKey,
        (konto) => konto && { ...konto, mandant: { ...konto.mandant, ...zuordnung } },
      );
      onSaved();
    },
  });
}
