import { useTranslation } from 'react-i18next';
import type { Anbindung, Schluessel } from '../../api/types.ts';
import { useFormat } from '../../format/use-format.ts';
import { linkClass } from '../../ui/button.tsx';

type Luecken = Anbindung['luecken'];

const KINDS = ['ohne_lauf', 'ohne_fingerabdruck', 'ohne_endkunde', 'adresse_als_anbieter'] as const;

const foundIn = (luecken: Luecken) => KINDS.filter((kind) => luecken[kind] > 0);

interface GapsProps {
  luecken: Luecken;
  /** Name of the key whose calls these are; nothing where they are everybody's. */
  name?: string | undefined;
}

/** What the latest calls lack, what that costs, and what to add. */
export function Gaps({ luecken, name }: GapsProps) {
  const { t } = useTranslation();
  const format = useFormat();
  const found = foundIn(luecken);
  const count = luecken.aufrufe;
  if (count === 0) return null;
  if (found.length === 0)
    return (
      <p className="my-2 text-sm text-ink-2">
        {name === undefined
          ? t('schluessel.gaps.none', { count })
          : t('schluessel.gaps.noneOf', { count, name })}
      </p>
    );
  return (
    <section className="my-3">
      <h3 className="mb-1 text-sm font-medium">
        {name === undefined
          ? t('schluessel.gaps.title', { count })
          : t('schluessel.gaps.titleOf', { count, name })}
      </h3>
      <ul className="flex flex-col gap-2 text-sm">
        {found.map((kind) => (
          <li key={kind} className="flex gap-3">
            <span className="w-12 shrink-0 text-right font-medium whitespace-nowrap">
              {format.share(luecken[kind], count)}
            </span>
            <span>
              {t(`schluessel.gaps.${kind}`)}{' '}
              <span className="text-ink-2">{t(`schluessel.gaps.add.${kind}`)}</span>
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}

interface GapsCellProps {
  target: Schluessel;
  /** Whether what to add stands below. */
  isOpen: boolean;
  onToggle: (key: Schluessel) => void;
}

/** In a line what the calls of a key lack; opens what to add. */
export function GapsCell({ target, isOpen, onToggle }: GapsCellProps) {
  const { t } = useTranslation();
  const format = useFormat();
  const luecken = target.verbrauch?.luecken;
  // A blocked key sends nothing any more.
  const found = luecken && target.status === 'aktiv' ? foundIn(luecken) : [];
  if (!luecken || found.length === 0) return null;
  const list = found.map(
    (kind) => `${t(`schluessel.gaps.short.${kind}`)} ${format.share(luecken[kind], luecken.aufrufe)}`,
  );
  return (
    <button
      type="button"
      className={`${linkClass} rounded-sm text-left text-xs`}
      aria-expanded={isOpen}
      onClick={() => onToggle(target)}
    >
      {t('schluessel.gaps.lacking', { list: list.join(', ') })}
    </button>
  );
}
