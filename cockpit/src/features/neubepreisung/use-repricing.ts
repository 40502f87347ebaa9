/** Asking for a repricing, applying and ending it. */
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { call } from '../../api/call.ts';
import type { InputOf } from '../../api/operations.ts';
import { ichQuery, neubepreisungenQuery, neubepreisungQuery } from '../../api/queries.ts';
import type { Neubepreisung } from '../../api/types.ts';
import { isUnderWay } from './state.ts';

/** Whether the reader may have calls priced anew. */
export const useMayReprice = () => useQuery(ichQuery).data?.rechte.includes('preise.aendern') ?? false;

function useReadAnew() {
  const client = useQueryClient();
  return () => client.invalidateQueries({ queryKey: neubepreisungenQuery.queryKey });
}

/** Has it worked out what would change, and goes where that is shown. */
export function usePrepare() {
  const navigate = useNavigate();
  const readAnew = useReadAnew();
  return useMutation({
    mutationFn: (body: InputOf<'neubepreisungAnlegen'>['body']) => call('neubepreisungAnlegen', { body }),
    onSuccess: ({ neubepreisung_id }) =>
      navigate({ to: '/preise/neubepreisung/$neubepreisung_id', params: { neubepreisung_id } }),
    // Where it is refused somebody else was quicker: the list says who.
    onSettled: readAnew,
  });
}

function useStep(name: 'neubepreisungAnwenden' | 'neubepreisungAbbrechen', id: string, onDone: () => void) {
  const client = useQueryClient();
  const readAnew = useReadAnew();
  return useMutation({
    mutationFn: () => call(name, { params: { neubepreisung_id: id } }),
    onSuccess: onDone,
    onSettled: () =>
      Promise.all([readAnew(), client.invalidateQueries({ queryKey: neubepreisungQuery(id).queryKey })]),
  });
}

/** Begins the change. */
export const useApply = (id: string, onDone: () => void) => useStep('neubepreisungAnwenden', id, onDone);

/** Ends it where it is. */
export const useEnd = (id: string, onDone: () => void = () => undefined) =>
  useStep('neubepreisungAbbrechen', id, onDone);

/** Once it has come to rest, figures everywhere may be others. */
export function useFreshFigures(of: Neubepreisung): void {
  const client = useQueryClient();
  const underWay = isUnderWay(of);
  const before = useRef(underWay);
  useEffect(() => {
    if (before.current && !underWay) client.invalidateQueries();
    before.current = underWay;
  }, [underWay, client]);
}
