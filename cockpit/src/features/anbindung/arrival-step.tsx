import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import type { Anbindung, Aufruf } from '../../api/types.ts';
import { useFormat } from '../../format/use-format.ts';
import { buttonClass } from '../../ui/button.tsx';
import { Gaps } from '../schluessel/index.ts';

/** One arrived call: who, which model, how much, what it cost. */
function CallLine({ call }: { call: Aufruf }) {
  const { t } = useTranslation();
  const format = useFormat();
  const tokens = t('anbindung.tokens', {
    input: format.count(call.eingabe_token),
    output: format.count(call.ausgabe_token),
  });
  return (
    <li className="col-span-full flex flex-wrap items-baseline gap-x-4 border-b py-1.5 text-sm last:border-b-0 sm:grid sm:grid-cols-subgrid">
      <span className="text-ink-3">{format.instant(call.zeitpunkt, 'timeSeconds')}</span>
      <span className="min-w-0 truncate font-medium" title={call.agent}>
        {call.agent}
      </span>
      <span className="min-w-0 truncate text-ink-2" title={call.modell ?? undefined}>
        {call.modell ?? t('verbrauch.noModel')}
      </span>
      <span className="whitespace-nowrap text-ink-2 sm:text-right">{tokens}</span>
      <span className="ml-auto font-medium whitespace-nowrap">
        {call.kosten_eur === null ? t('anbindung.noPrice') : format.money(call.kosten_eur)}
      </span>
    </li>
  );
}

/** This many keys that sent lately. */
const MOST_KEYS = 3;

/** What the calls of each key lack; of all together for users who do not see keys, or where calls do not know theirs. */
function GapsByKey({ data }: { data: Anbindung }) {
  const sending = (data.schluessel ?? []).flatMap(({ schluessel_id: id, name, status, verbrauch }) =>
    status === 'aktiv' && verbrauch && verbrauch.luecken.aufrufe > 0 ? [{ id, name, ...verbrauch }] : [],
  );
  if (sending.length === 0) return <Gaps luecken={data.luecken} />;
  return sending
    .toSorted((a, b) => (b.letzter_aufruf_am ?? '').localeCompare(a.letzter_aufruf_am ?? ''))
    .slice(0, MOST_KEYS)
    .map(({ id, name, luecken }) => <Gaps key={id} luecken={luecken} name={name} />);
}

/** Third step: the first call arrives. Until then a line that says so, afterwards the calls themselves. */
export function ArrivalStep({ data }: { data: Anbindung }) {
  const { t } = useTranslation();
  const arrived = data.erster_aufruf_am !== null;
  return (
    <div>
      <p role="status" className="flex items-center gap-2 text-ink-2">
        <span
          aria-hidden="true"
          className={`size-2 shrink-0 rounded-full ${arrived ? 'bg-good' : 'motion-safe:animate-pulse bg-warn'}`}
        />
        {arrived ? t('anbindung.arrived', { count: data.ereignisse_gesamt }) : t('anbindung.waiting')}
      </p>
      {arrived && (
        <>
          <ul
            aria-label={t('anbindung.lastCalls')}
            className="my-2 sm:grid sm:grid-cols-[auto_minmax(0,3fr)_minmax(0,2fr)_auto_auto] sm:gap-x-4"
          >
            {data.letzte_aufrufe.slice(0, 5).map((call) => (
              <CallLine key={call.ereignis_id} call={call} />
            ))}
          </ul>
          <GapsByKey data={data} />
          <Link to="/" className={buttonClass('primary')}>
            {t('anbindung.toOverview')}
          </Link>
        </>
      )}
    </div>
  );
}
