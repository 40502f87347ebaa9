import { useTranslation } from 'react-i18next';
import type { BookRateName } from '#contracts/book-rates.ts';
import { BOOK_RATES } from '#contracts/book-rates.ts';
import { useFormat } from '../../format/use-format.ts';
import { Badge } from '../../ui/badge.tsx';
import type { EntryOf, ListName } from './book.ts';
import type { Difference, EntryChange, FieldChange } from './diff.ts';
import { useRateTexts } from './use-rate-text.ts';
import { useValidityText } from './use-validity-text.ts';
import type { Valid } from './validity.ts';

const tones = { added: 'good', changed: 'accent', removed: 'harm' } as const;

/** Changes that are shown one by one. */
const MOST_SHOWN = 100;

const isRate = (field: string): field is BookRateName => Object.hasOwn(BOOK_RATES, field);

/** What an entry of any list says, part by part. */
export function useEntryParts() {
  const { t } = useTranslation();
  const format = useFormat();
  const ratesOf = useRateTexts();
  const validityOf = useValidityText();
  return (list: ListName, entry: EntryOf<ListName>): { name: string; parts: string[] } => {
    if (list === 'freigaben') {
      const { modell, ersetzt } = entry as EntryOf<'freigaben'>;
      const names = ersetzt.join(', ');
      return {
        name: modell,
        parts: [names ? t('preise.approved.for', { names }) : t('preise.approved.itself')],
      };
    }
    const validity = validityOf(entry as Valid);
    if (list === 'rabatte') {
      const { anbieter, prozent, bemerkung } = entry as EntryOf<'rabatte'>;
      const percent = t('preise.discounts.of', { percent: format.decimal(prozent) });
      return { name: anbieter, parts: [percent, validity, bemerkung ?? ''].filter(Boolean) };
    }
    const { anbieter, modell, preisstufe, saetze, bemerkung } = entry as EntryOf<'preise'>;
    const tier = preisstufe ? t('preise.own.tierOf', { tier: preisstufe }) : '';
    const provider = anbieter ?? t('preise.anyProvider');
    return {
      name: modell,
      parts: [provider, tier, validity, ...ratesOf(saetze), bemerkung ?? ''].filter(Boolean),
    };
  };
}

/** A field that changed, as `Eingabe 2,50 $ → 2,00 $`. */
function useFieldText() {
  const { t } = useTranslation();
  const format = useFormat();
  return ({ field, before, after }: FieldChange): string => {
    const write = (value: string | null) => {
      if (value === null) return '–';
      if (isRate(field)) return format.moneyExact(value, 'USD');
      if (field === 'gilt_ab' || field === 'gilt_bis') return format.day(value);
      return field === 'prozent' ? format.decimal(value) : value;
    };
    const name = isRate(field) ? t(`preise.rate.${field}`) : t(`preise.diff.fields.${field as 'prozent'}`);
    return `${name}: ${write(before)} → ${write(after)}`;
  };
}

function Change({ change }: { change: EntryChange }) {
  const { t } = useTranslation();
  const partsOf = useEntryParts();
  const fieldText = useFieldText();
  const { list, kind, entry } = change;
  const { name, parts } = partsOf(list, entry);
  const shown = kind === 'changed' ? change.fields.map(fieldText) : parts;
  return (
    <li className="border-b py-2 text-sm last:border-b-0">
      <p className="flex flex-wrap items-center gap-x-2 gap-y-1">
        <Badge tone={tones[kind]}>{t(`preise.diff.${kind}`)}</Badge>
        <span className="text-xs text-ink-3">{t(`preise.diff.kind.${list}`)}</span>
        <span className="min-w-0 font-medium [overflow-wrap:anywhere]">{name}</span>
      </p>
      <p className="flex flex-wrap gap-x-3 text-xs text-ink-2 [overflow-wrap:anywhere]">
        {shown.map((part) => (
          <span key={part}>{part}</span>
        ))}
      </p>
    </li>
  );
}

/** What changes between two editions, entry by entry. */
export function BookDiff({ of: { gemeldete_kosten, entries } }: { of: Difference }) {
  const { t } = useTranslation();
  if (gemeldete_kosten === null && entries.length === 0)
    return <p className="text-sm text-ink-2">{t('preise.editions.none')}</p>;
  const more = entries.length - MOST_SHOWN;
  return (
    <ul className="flex flex-col">
      {gemeldete_kosten && (
        <li className="border-b py-2 text-sm last:border-b-0">
          {t(gemeldete_kosten.after ? 'preise.diff.reported.on' : 'preise.diff.reported.off')}
        </li>
      )}
      {entries.slice(0, MOST_SHOWN).map((change) => (
        <Change key={JSON.stringify([change.list, change.kind, change.entry])} change={change} />
      ))}
      {more > 0 && <li className="py-2 text-sm text-ink-2">{t('preise.diff.more', { count: more })}</li>}
    </ul>
  );
}
