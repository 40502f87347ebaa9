import { useMutation } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { call } from '../../api/call.ts';
import { codeOf } from '../../api/error.ts';
import type { InputOf } from '../../api/operations.ts';
import { useArrival } from './use-arrival.ts';

type Credentials = InputOf<'anmelden'>['body'];

const route = getRouteApi('/anmelden');

/**
 * Login in one or two steps. `waiting` holds the credentials that were right, while the service waits for the code of
 * the second factor; asking for it is no error.
 */
export function useLogin() {
  const arrive = useArrival();
  const { ziel } = route.useSearch();
  const [waiting, setWaiting] = useState<Credentials | null>(null);
  const { error, isPending, mutate, reset } = useMutation({
    mutationFn: (body: Credentials) => call('anmelden', { body }),
    onSuccess: (ich) => arrive(ich, ziel ?? '/'),
    onError: (failure, body) => {
      if (codeOf(failure) === 'code_noetig') setWaiting(body);
    },
  });
  return {
    error: codeOf(error) === 'code_noetig' ? null : error,
    wrongCode: codeOf(error) === 'code_falsch',
    isPending,
    waiting,
    begin: (credentials: Credentials) => mutate(credentials),
    confirm: (code: string) => waiting && mutate({ ...waiting, code }),
    /** Forgets what the last try failed with. */
    forget: reset,
    back: () => {
      setWaiting(null);
      reset();
    },
  };
}

export type Login = ReturnType<typeof useLogin>;
