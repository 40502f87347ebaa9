/** By what the service is asked for the statement of an end customer. */
import { useQuery } from '@tanstack/react-query';
import { readWhole } from '../../api/make-query.ts';

/** What browsers take out of an address, however it is written. */
const isNoAddress = (referenz: string) => referenz === '.' || referenz === '..';

/** The reference; of one that cannot stand in an address the id, undefined until it is known. */
export function useAddress(referenz: string, month: string): { address: string | undefined; error: unknown } {
  const asked = useQuery({
    queryKey: ['endkunden', 'kennung', referenz, month],
    queryFn: async () => {
      const input = { query: { monat: month, suche: referenz } };
      const { rows } = await readWhole('endkunden', input, ({ zeilen }) => zeilen);
      return rows.find((row) => row.referenz === referenz)?.endkunde_id ?? referenz;
    },
    enabled: isNoAddress(referenz),
  });
  return { address: isNoAddress(referenz) ? asked.data : referenz, error: asked.error };
}
