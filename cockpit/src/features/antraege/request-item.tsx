import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Antrag } from '../../api/types.ts';
import { useFormat } from '../../format/use-format.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { useMayProtect } from '../eingriffe/index.ts';
import { DecideDialog } from './decide-dialog.tsx';

const TONES = { offen: 'accent', gewaehrt: 'good', abgelehnt: undefined } as const;

/** Who asks and when, and who has decided. */
function Times({ of }: { of: Antrag }) {
  const { t } = useTranslation();
  const format = useFormat();
  const at = (instant: string) => format.instant(instant, 'dateTime');
  return (
    <>
      <span>
        {of.schluessel === null ? t('antraege.byGoneKey') : t('antraege.byKey', { name: of.schluessel })}
      </span>
      <span>{t('antraege.at', { time: at(of.angelegt_am) })}</span>
      {of.entschieden_am !== null && (
        <span>{t('antraege.decided', { time: at(of.entschieden_am), who: of.entschieden_von ?? '' })}</span>
      )}
    </>
  );
}

function Amounts({ of }: { of: Antrag }) {
  const { t } = useTranslation();
  const { money } = useFormat();
  if (of.bisher_eur === null || of.wunsch_eur === null) return null;
  return (
    <>
      <span>{t('antraege.amounts', { bisher: money(of.bisher_eur), wunsch: money(of.wunsch_eur) })}</span>
      {of.gewaehrt_eur !== null && <span>{t('antraege.granted', { betrag: money(of.gewaehrt_eur) })}</span>}
    </>
  );
}

/** Grants or declines what waits; nothing for users who may not. */
function Decision({ of }: { of: Antrag }) {
  const { t } = useTranslation();
  const may = useMayProtect();
  const [granting, setGranting] = useState<boolean | null>(null);
  if (!may || of.status !== 'offen') return null;
  return (
    <div className="flex gap-2">
      <Button onClick={() => setGranting(true)}>{t('antraege.grant')}</Button>
      <Button onClick={() => setGranting(false)}>{t('antraege.decline')}</Button>
      {granting !== null && <DecideDialog of={of} granting={granting} onClose={() => setGranting(null)} />}
    </div>
  );
}

/** One request: what, how much, why, by which key, and what became of it. */
export function RequestItem({ of }: { of: Antrag }) {
  const { t } = useTranslation();
  const tone = TONES[of.status];
  return (
    <li className="flex flex-wrap items-start gap-x-3 gap-y-2 border-b px-4 py-3 last:border-b-0">
      <div className="min-w-60 flex-1">
        <p className="flex flex-wrap items-center gap-x-2 gap-y-1 text-sm">
          <span className="font-medium [overflow-wrap:anywhere]">
            {t(`antraege.art.${of.art}`, { name: of.bezeichnung })}
          </span>
          <Badge {...(tone && { tone })}>{t(`antraege.status.${of.status}`)}</Badge>
          <Amounts of={of} />
        </p>
        <p className="mt-1 text-sm text-ink-2 [overflow-wrap:anywhere]">{of.begruendung}</p>
        {of.antwort !== null && (
          <p className="mt-1 text-sm text-ink-2 [overflow-wrap:anywhere]">{of.antwort}</p>
        )}
        <p className="mt-1 flex flex-wrap gap-x-3 gap-y-0.5 text-xs text-ink-3">
          <Times of={of} />
        </p>
      </div>
      <Decision of={of} />
    </li>
  );
}
