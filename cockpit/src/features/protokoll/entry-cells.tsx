import { useTranslation } from 'react-i18next';
import type { Protokolleintrag } from '../../api/types.ts';
import { useFormat } from '../../format/use-format.ts';
import { changesOf } from './changes.ts';
import { useWords } from './use-words.ts';

/** Before and after, one field to a line; a field that came or went shows one side alone. */
function Changes({ entry }: { entry: Protokolleintrag }) {
  const { t } = useTranslation();
  const { fieldText, valueText } = useWords();
  const changes = changesOf(entry);
  if (changes.length === 0) return null;
  return (
    <ul className="mt-1 flex flex-col gap-0.5 text-xs text-ink-2">
      {changes.map(({ field, before, after }) => (
        <li key={field} className="[overflow-wrap:anywhere]">
          <span className="text-ink-3">{fieldText(field, entry.aktion)}: </span>
          {before !== undefined && (
            <>
              <span className="sr-only">{t('protokoll.before')} </span>
              <span className={after === undefined ? '' : 'text-ink-3'}>{valueText(field, before)}</span>
            </>
          )}
          {before !== undefined && after !== undefined && (
            <>
              <span aria-hidden="true"> → </span>
              <span className="sr-only">, {t('protokoll.after')} </span>
            </>
          )}
          {after !== undefined && <span>{valueText(field, after)}</span>}
        </li>
      ))}
    </ul>
  );
}

/** What was done, and what it changed. On narrow screens also when and by whom. */
export function WhatCell({ entry }: { entry: Protokolleintrag }) {
  const format = useFormat();
  const { actionText, actorText } = useWords();
  return (
    <>
      <p className="font-medium break-words" title={entry.aktion}>
        {actionText(entry.aktion)}
      </p>
      <p className="text-xs break-words text-ink-3 @3xl:hidden">{entry.objekt.name}</p>
      <Changes entry={entry} />
      <p className="mt-1 text-xs [overflow-wrap:anywhere] text-ink-3 @lg:hidden">
        {format.instant(entry.zeitpunkt, 'dateTimeZone')} · {actorText(entry.akteur)}
        {entry.adresse && ` · ${entry.adresse}`}
      </p>
    </>
  );
}

/** Who did it, from where. */
export function WhoCell({ entry: { akteur, adresse } }: { entry: Protokolleintrag }) {
  const { actorText } = useWords();
  const name = actorText(akteur);
  return (
    <div className="max-w-40">
      <p className="truncate" title={name}>
        {name}
      </p>
      <p className="truncate text-xs text-ink-3" title={adresse ?? undefined}>
        {adresse}
      </p>
    </div>
  );
}

/** What it was done to. */
export function ObjectCell({ entry: { objekt } }: { entry: Protokolleintrag }) {
  const { kindText } = useWords();
  return (
    <div className="max-w-40" title={objekt.id ?? undefined}>
      <p className="truncate" title={objekt.name ?? undefined}>
        {objekt.name ?? kindText(objekt.art)}
      </p>
      {objekt.name !== null && <p className="text-xs text-ink-3">{kindText(objekt.art)}</p>}
    </div>
  );
}
