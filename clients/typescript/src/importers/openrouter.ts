/** OpenRouter: the log of its activity page, a line for each generation. What it says the call cost is kept beside the counts. */
import { exact, plus, written } from '../exact.ts';
import { type Importer, idOf } from './importer.ts';
import { countIn, instantIn, textIn } from './values.ts';

const isTrue = (value: unknown): boolean => /^(true|1|yes)$/i.test(String(value));

/** As many decimals as the service takes. */
const DECIMALS = 18;

/** With a key of the caller's own the provider is paid besides: its part and OpenRouter's together. */
function costOf(total: unknown, own: unknown): string | null {
  const [fee, inference] = [total, own].map((value) => exact(String(value ?? '').trim()));
  if (!fee) return null;
  return written(inference ? plus(fee, inference) : fee, DECIMALS);
}

export const openrouter: Importer = {
  name: 'OpenRouter',
  recognises: (row) => 'generation_id' in row && 'tokens_prompt' in row,
  read(row) {
    const model = textIn(row.model_permaslug, row.model);
    const id = textIn(row.generation_id);
    if (model === null || id === null) return { left: 'kein_aufruf' };
    const cost = costOf(row.cost_total, row.byok_usage_inference);
    return {
      cost: cost,
      events: [
        {
          ...idOf('openrouter', id, null),
          zeitpunkt: instantIn(row.created_at),
          anbieter: 'openrouter',
          modell: model,
          eingabe_token: countIn(row.tokens_prompt),
          ausgabe_token: countIn(row.tokens_completion),
          cache_lese_token: countIn(row.tokens_cached),
          denk_token: countIn(row.tokens_reasoning),
          latenz_ms: countIn(row.generation_time_ms),
          erste_zeichen_ms: countIn(row.time_to_first_token_ms),
          agent: textIn(row.app_name, row.api_key_name) ?? 'openrouter',
          benutzer_ref: textIn(row.user),
          ...(isTrue(row.cancelled) ? { status: 'abgebrochen' } : {}),
          quelle: 'import:openrouter',
          zusatz: {
            eingabe_umfasst_cache: true,
            ausgabe_umfasst_denken: true,
            ...(cost === null ? {} : { gemeldete_kosten_usd: cost }),
          },
        },
      ],
    };
  },
};
