/** Exchange rates out of a file, which operators choose. */
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { call } from '../../api/call.ts';

/** The bytes of a file in Base64. */
async function base64Of(file: File): Promise<string> {
  const reader = new FileReader();
  const read = Promise.withResolvers<string>();
  reader.onload = () => read.resolve(String(reader.result));
  reader.onerror = () => read.reject(reader.error);
  reader.readAsDataURL(file);
  const address = await read.promise;
  return address.slice(address.indexOf(',') + 1);
}

/** Sends the file; the overview is read anew once it is taken. */
export function useTakeRates() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async (file: File) => call('kurseEinlesen', { body: { datei: await base64Of(file) } }),
    onSuccess: () => client.invalidateQueries({ queryKey: ['uebersicht'] }),
  });
}
