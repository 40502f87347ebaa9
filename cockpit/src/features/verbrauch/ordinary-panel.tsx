import { Link } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Auffaelligkeit } from '../../api/types.ts';
import { useFormat } from '../../format/use-format.ts';
import { Badge } from '../../ui/badge.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Panel } from '../../ui/panel.tsx';
import { PriceLink } from '../preise/index.ts';
import { OpenIncidents } from './open-incidents.tsx';
import { useNameOf } from './use-names.ts';
import type { Ordinary } from './use-ordinary.ts';
import { filterSearch } from './view.ts';

interface OrdinaryPanelProps {
  zeitraum: string;
  /** Cost of the whole period. */
  kosten: string | null;
}

const tones = {
  kostensprung: 'warn',
  fehlerhaeufung: 'harm',
  teurer_lauf: 'warn',
  unbepreist: 'neutral',
} as const;

const linkClass =
  'min-w-0 grow underline decoration-edge underline-offset-2 [overflow-wrap:anywhere] hover:decoration-current';

/** Where an entry leads: to the run, to the calls without a price, to the figures of the value. */
function Cause({ entry, children }: { entry: Auffaelligkeit; children: ReactNode }) {
  const { lauf, merkmal, schluessel, art } = entry;
  if (lauf)
    return (
      <Link to="/laeufe/$lauf_id" params={{ lauf_id: lauf.lauf_id }} className={linkClass}>
        {children}
      </Link>
    );
  const filter = merkmal && { dimension: merkmal, value: schluessel ?? '' };
  const only =
    art === 'unbepreist'
      ? { nur_unbepreist: true as const }
      : { nur_fehler: true as const, sortierung: 'fehler' as const };
  if (art === 'kostensprung')
    return (
      <Link to="/" search={(before) => ({ ...before, ...filterSearch(filter) })} className={linkClass}>
        {children}
      </Link>
    );
  return (
    <Link to="/laeufe" search={{ ...filterSearch(filter), ...only }} className={linkClass}>
      {children}
    </Link>
  );
}

function useSentence({ zeitraum, kosten }: OrdinaryPanelProps) {
  const { t } = useTranslation();
  const format = useFormat();
  const nameOf = useNameOf(zeitraum);
  return (entry: Auffaelligkeit): string => {
    const amount = format.money(entry.kosten_eur);
    if (entry.lauf) {
      const share = format.share(Number(entry.kosten_eur ?? 0), Number(kosten ?? 0));
      const calls = format.count(entry.aufrufe);
      return t('ansicht.out.teurer_lauf', { name: nameOf('agent', entry.lauf.agent), amount, share, calls });
    }
    const dimension = entry.merkmal ?? 'agent';
    const merkmal = t(`ansicht.merkmal.${dimension}`);
    const name = nameOf(dimension, entry.schluessel ?? '');
    if (entry.art === 'unbepreist') return t('ansicht.out.unbepreist', { count: entry.unbepreist, name });
    if (entry.art === 'fehlerhaeufung') {
      const [errors, calls] = [format.count(entry.fehler), format.count(entry.aufrufe)];
      return t('ansicht.out.fehlerhaeufung', { merkmal, name, errors, calls });
    }
    if (Number(entry.ueblich_eur ?? 0) === 0)
      return t('ansicht.out.kostensprungNeu', { merkmal, name, amount });
    return t('ansicht.out.kostensprung', { merkmal, name, amount, usual: format.money(entry.ueblich_eur) });
  };
}

/** Above the figures: how many incidents are open, and what is out of the ordinary in the period; nothing where nothing is. */
export function OrdinaryPanel({ of, late, ...props }: OrdinaryPanelProps & { of: Ordinary; late: boolean }) {
  const { auffaelliges, vorfaelle, more } = of;
  const all = (
    <>
      <OpenIncidents vorfaelle={vorfaelle} more={more} />
      <OutOfTheOrdinary of={auffaelliges} {...props} />
    </>
  );
  return late ? <Later of={of}>{all}</Later> : all;
}

/** Came after the figures: it takes one line, kept for it, and opens only when it is asked for, so that nothing moves by itself. */
function Later({ of, children }: { of: Ordinary; children: ReactNode }) {
  const { t } = useTranslation();
  const [open, setOpen] = useState(false);
  if (open) return children;
  const acted = of.vorfaelle.filter(({ schatten }) => !schatten).length;
  const count = (of.auffaelliges?.eintraege.length ?? 0) + acted;
  return (
    <Notice
      tone={acted > 0 ? 'warn' : 'neutral'}
      action={
        of.settled &&
        count > 0 && (
          <button type="button" className="font-medium underline" onClick={() => setOpen(true)}>
            {t('ansicht.out.show')}
          </button>
        )
      }
    >
      {of.settled ? t('ansicht.out.count', { count }) : t('ansicht.out.looking')}
    </Notice>
  );
}

/** What is out of the ordinary in the period, each with the way to its cause; nothing where nothing is. */
function OutOfTheOrdinary({ of: data, ...props }: OrdinaryPanelProps & { of: Ordinary['auffaelliges'] }) {
  const { t } = useTranslation();
  const sentence = useSentence(props);
  if (!data || data.eintraege.length === 0) return null;
  const usual = data.aufloesung === 'stunde' ? t('ansicht.out.usualDay') : t('ansicht.out.usualPeriod');
  return (
    <Panel title={t('ansicht.out.title')}>
      <ul className="flex flex-col gap-1">
        {data.eintraege.map((entry) => (
          <li
            key={`${entry.art} ${entry.merkmal} ${entry.schluessel ?? entry.lauf?.lauf_id}`}
            className="flex min-h-7 flex-wrap items-center gap-x-3 gap-y-0.5 text-sm"
            title={entry.art === 'kostensprung' ? usual : undefined}
          >
            <Badge tone={tones[entry.art]}>{t(`ansicht.out.badge.${entry.art}`)}</Badge>
            <Cause entry={entry}>{sentence(entry)}</Cause>
            {entry.art === 'unbepreist' && (
              <PriceLink modell={entry.merkmal === 'modell' ? entry.schluessel : null} />
            )}
          </li>
        ))}
      </ul>
    </Panel>
  );
}
