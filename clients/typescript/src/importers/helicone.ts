/**
 * Helicone: requests as its export tool writes them. The answer is named where bodies were exported, too; without them only Helicone's own id is
 * there. Its CSV has no counts of the cache, so what the cache had is unknown and the whole input is taken as new.
 */
import { type Importer, idOf } from './importer.ts';
import type { Row } from './rows.ts';
import { costIn, countIn, instantIn, partOf, runOf, textIn } from './values.ts';

/** A property of the request. In CSV the tool doubles the quotes of its JSON twice. */
function propertyOf({ request_properties, properties }: Row, name: string): string | null {
  const undoubled = typeof request_properties === 'string' ? request_properties.replaceAll('""', '"') : null;
  return textIn(partOf(request_properties, name), partOf(undoubled, name), partOf(properties, name));
}

/** Answered by Helicone's own cache. */
const isCached = (value: unknown): boolean => value === true || /^(true|1)$/i.test(String(value));

const statusOf = (status: number | null) =>
  status !== null && status >= 400 ? { status: 'fehler', fehlercode: String(status) } : {};

export const helicone: Importer = {
  name: 'Helicone',
  recognises: (row) => 'response_id' in row && 'request_created_at' in row && 'prompt_tokens' in row,
  read(row) {
    if (isCached(row.cache_enabled) && textIn(row.cache_reference_id) !== null)
      return { left: 'eigener_cache' };
    const model = textIn(row.model, row.response_model, row.request_model);
    if (model === null) return { left: 'kein_modell' };
    return {
      cost: costIn(row.cost, row.cost_usd, row.costUSD),
      events: [
        {
          ...idOf(
            'helicone',
            textIn(partOf(row.response_body, 'id')),
            textIn(row.request_id, row.response_id),
          ),
          zeitpunkt: instantIn(row.request_created_at),
          anbieter: textIn(row.provider)?.toLowerCase() ?? null,
          modell: model,
          eingabe_token: countIn(row.prompt_tokens),
          ausgabe_token: countIn(row.completion_tokens),
          cache_lese_token: countIn(row.prompt_cache_read_tokens),
          cache_schreib_token: countIn(row.prompt_cache_write_tokens),
          latenz_ms: countIn(row.delay_ms, row.latency),
          erste_zeichen_ms: countIn(row.time_to_first_token),
          agent: propertyOf(row, 'Helicone-Session-Name') ?? 'helicone',
          benutzer_ref: textIn(row.request_user_id, row.user_id),
          lauf_id: runOf(propertyOf(row, 'Helicone-Session-Id')),
          ...statusOf(countIn(row.response_status)),
          quelle: 'import:helicone',
        },
      ],
    };
  },
};
