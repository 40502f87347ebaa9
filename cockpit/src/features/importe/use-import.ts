/** Reading a file, having its calls counted, taking them back. */
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { call } from '../../api/call.ts';
import type { InputOf } from '../../api/operations.ts';
import { ichQuery, importeQuery, importQuery } from '../../api/queries.ts';
import type { Import } from '../../api/types.ts';
import type { Reading } from './read-file.ts';
import { isUnderWay } from './state.ts';

/** Whether the reader may bring calls along. */
export const useMayImport = () => useQuery(ichQuery).data?.rechte.includes('schluessel.verwalten') ?? false;

type Part = InputOf<'importTeil'>['body'];

/** Reads a file and hands in what it holds. What breaks off leaves nothing behind. */
async function handIn(file: File, schluessel_id: string, onProgress: (reading: Reading) => void) {
  const { readFile } = await import('./read-file.ts');
  let begun: Promise<Import> | null = null;
  // A file of no service that is known begins nothing.
  const begin = () => {
    const body = { datei: file.name.slice(-200), groesse: file.size, schluessel_id };
    begun ??= call('importAnlegen', { body });
    return begun;
  };
  try {
    const found = await readFile(
      file,
      async (nr, ereignisse) => {
        const { import_id } = await begin();
        return call('importTeil', { params: { import_id, nr }, body: { ereignisse } as Part });
      },
      onProgress,
    );
    const { import_id } = await begin();
    return await call('importAbschliessen', { params: { import_id }, body: found });
  } catch (error) {
    const { import_id } = (await (begun as Promise<Import> | null)?.catch(() => null)) ?? {};
    if (import_id !== undefined)
      await call('importVerwerfen', { params: { import_id } }).catch(() => undefined);
    throw error;
  }
}

/** Reads a file and hands in what it holds; goes where that is shown. */
export function useRead() {
  const client = useQueryClient();
  const navigate = useNavigate();
  const [reading, setReading] = useState<Reading | null>(null);
  const { mutate, ...read } = useMutation({
    mutationFn: ({ file, schluessel_id }: { file: File; schluessel_id: string }) =>
      handIn(file, schluessel_id, setReading),
    onSuccess: ({ import_id }) => navigate({ to: '/anbindung/importe/$import_id', params: { import_id } }),
    onSettled: () => {
      setReading(null);
      return client.invalidateQueries({ queryKey: importeQuery.queryKey });
    },
  });
  return { ...read, reading, read: mutate };
}

type Step = 'importAnwenden' | 'importZuruecknehmen' | 'importVerwerfen';

/** Takes an import to its next point. */
export function useStep(name: Step, import_id: string, onDone: () => void) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => call(name, { params: { import_id } }),
    onSuccess: onDone,
    onSettled: () =>
      Promise.all([
        client.invalidateQueries({ queryKey: importeQuery.queryKey }),
        name !== 'importVerwerfen' && client.invalidateQueries({ queryKey: importQuery(import_id).queryKey }),
      ]),
  });
}

/** Once it has come to rest, figures everywhere may be others. */
export function useFreshFigures(of: Import): void {
  const client = useQueryClient();
  const underWay = isUnderWay(of);
  const before = useRef(underWay);
  useEffect(() => {
    if (before.current && !underWay) client.invalidateQueries();
    before.current = underWay;
  }, [underWay, client]);
}
