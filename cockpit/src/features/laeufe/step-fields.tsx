import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { Ereignis } from '../../api/types.ts';
import { useFormat } from '../../format/use-format.ts';

interface Field {
  name: string;
  value: ReactNode;
}

const counts = [
  'eingabe_token',
  'ausgabe_token',
  'cache_lese_token',
  'cache_schreib_token',
  'denk_token',
  'werkzeugaufrufe',
] as const;

const texts = [
  'status',
  'fehlercode',
  'anbieter',
  'modell',
  'agent',
  'projekt',
  'endkunde_ref',
  'funktion_ref',
  'benutzer_ref',
  'quelle',
  'ereignis_id',
  'eltern_span',
  'prompt_fingerabdruck',
  'werkzeug_fingerabdruck',
] as const;

function useFields(event: Ereignis): Field[] {
  const { t } = useTranslation();
  const format = useFormat();
  const fields: Field[] = [
    { name: 'kosten_eur', value: event.kosten_eur && format.moneyExact(event.kosten_eur) },
    { name: 'kosten_usd', value: event.kosten_usd && format.moneyExact(event.kosten_usd, 'USD') },
    { name: 'kurs_usd_eur', value: event.kurs_usd_eur && format.decimal(event.kurs_usd_eur) },
    { name: 'preis_quelle', value: event.preis_quelle },
    ...counts.map((name) => ({ name, value: event[name] === null ? null : format.count(event[name]) })),
    { name: 'geschaetzt', value: t(event.geschaetzt ? 'ui.yes' : 'ui.no') },
    { name: 'latenz_ms', value: event.latenz_ms === null ? null : format.duration(event.latenz_ms) },
    {
      name: 'erste_zeichen_ms',
      value: event.erste_zeichen_ms === null ? null : format.duration(event.erste_zeichen_ms),
    },
    { name: 'zeitpunkt', value: format.instant(event.zeitpunkt, 'dateTimeSeconds') },
    { name: 'empfangen_am', value: format.instant(event.empfangen_am, 'dateTimeSeconds') },
    { name: 'schritt_nr', value: event.schritt_nr },
    ...texts.map((name) => ({ name, value: event[name] })),
  ];
  return fields.filter((field) => field.value !== null);
}

/** Every field of a call as it was sent, with what counting added; fields that were not sent are left out. */
export function StepFields({ id, event }: { id: string; event: Ereignis }) {
  const fields = useFields(event);
  return (
    <div id={id} className="border-t bg-canvas px-4 py-3 md:pl-[4.5rem]">
      <dl className="grid gap-x-8 gap-y-1 text-xs sm:grid-cols-2 xl:grid-cols-3">
        {fields.map((field) => (
          <div key={field.name} className="flex min-w-0 gap-2">
            <dt className="w-40 shrink-0 font-mono text-ink-3">{field.name}</dt>
            <dd className="min-w-0 break-words">{field.value}</dd>
          </div>
        ))}
      </dl>
      {event.zusatz !== null && (
        <div className="mt-2 flex gap-2 text-xs max-sm:flex-col">
          <span className="w-40 shrink-0 font-mono text-ink-3">zusatz</span>
          <pre className="min-w-0 whitespace-pre-wrap font-mono [overflow-wrap:anywhere]">
            {JSON.stringify(event.zusatz, null, 2)}
          </pre>
        </div>
      )}
    </div>
  );
}
