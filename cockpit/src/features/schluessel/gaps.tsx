import { useTranslation } from 'react-i18next';
import type { Anbindung } from '../../api/types.ts';
import { useFormat } from '../../format/use-format.ts';

const KINDS = ['ohne_lauf', 'ohne_fingerabdruck', 'ohne_endkunde', 'adresse_als_anbieter'] as const;

/** What the latest calls lack, what that costs, and what to add. */
export function Gaps({ luecken }: { luecken: Anbindung['luecken'] }) {
  const { t } = useTranslation();
  const format = useFormat();
  const found = KINDS.filter((kind) => luecken[kind] > 0);
  if (luecken.aufrufe === 0) return null;
  if (found.length === 0)
    return <p className="my-2 text-sm text-ink-2">{t('anbindung.gaps.none', { count: luecken.aufrufe })}</p>;
  return (
    <section className="my-3">
      <h3 className="mb-1 text-sm font-medium">{t('anbindung.gaps.title', { count: luecken.aufrufe })}</h3>
      <ul className="flex flex-col gap-2 text-sm">
        {found.map((kind) => (
          <li key={kind} className="flex gap-3">
            <span className="w-12 shrink-0 text-right font-medium whitespace-nowrap">
              {format.share(luecken[kind], luecken.aufrufe)}
            </span>
            <span>
              {t(`anbindung.gaps.${kind}`)}{' '}
              <span className="text-ink-2">{t(`anbindung.gaps.add.${kind}`)}</span>
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}
