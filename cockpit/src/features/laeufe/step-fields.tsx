import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { ADDED_FIELDS, type EventField, SENT_FIELDS } from '#contracts/event-fields.ts';
import type { Ereignis } from '../../api/types.ts';
import { useFormat } from '../../format/use-format.ts';
import { PriceLink } from '../preise/index.ts';

type Name = Exclude<keyof Ereignis, 'zusatz' | 'lauf_id'>;

const FIELDS: Record<Name, EventField> = (({ lauf_id: _run, zusatz: _free, ...fields }) => fields)({
  ...SENT_FIELDS,
  ...ADDED_FIELDS,
});
/** What people look for first; the others follow in the order of their description. */
const FIRST = ['kosten_eur', 'kosten_usd', 'kurs_usd_eur', 'preis_quelle'] as const;
const NAMES = [...new Set<Name>([...FIRST, ...(Object.keys(FIELDS) as Name[])])];

/** How a field is shown; the name decides where its kind does not say what is counted. */
function useShown(): (name: Name, value: Ereignis[Name]) => ReactNode {
  const { t } = useTranslation();
  const format = useFormat();
  const shownText = (name: Name, text: string) => {
    if (name === 'kosten_eur') return format.moneyExact(text);
    if (name === 'kosten_usd') return format.moneyExact(text, 'USD');
    const { kind } = FIELDS[name];
    if (kind === 'decimal') return format.decimal(text);
    return kind === 'instant' ? format.instant(text, 'dateTimeZone') : text;
  };
  return (name, value) => {
    if (typeof value === 'boolean') return t(value ? 'ui.yes' : 'ui.no');
    if (typeof value === 'number') return name.endsWith('_ms') ? format.duration(value) : format.count(value);
    return value === null ? null : shownText(name, value);
  };
}

/** Whether a price of its model would give the call a cost, or more of one. */
const lacksPrice = ({ kosten_eur, teilbepreist, modell }: Ereignis) =>
  modell !== null && (kosten_eur === null || teilbepreist === true);

/** Every field of a call as it was sent, with what counting added; fields that were not sent are left out. */
export function StepFields({ id, event }: { id: string; event: Ereignis }) {
  const shown = useShown();
  const fields = NAMES.filter((name) => event[name] !== null);
  return (
    <div id={id} className="border-t bg-canvas px-4 py-3 md:pl-[4.5rem]">
      <dl className="grid gap-x-8 gap-y-1 text-xs sm:grid-cols-2 xl:grid-cols-3">
        {fields.map((name) => (
          <div key={name} className="flex min-w-0 gap-2">
            <dt className="w-40 shrink-0 font-mono text-ink-3">{name}</dt>
            <dd className="min-w-0 break-words">{shown(name, event[name])}</dd>
          </div>
        ))}
      </dl>
      {lacksPrice(event) && (
        <p className="mt-1 text-xs">
          <PriceLink modell={event.modell} anbieter={event.anbieter} />
        </p>
      )}
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
