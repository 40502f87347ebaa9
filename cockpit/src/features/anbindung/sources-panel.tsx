import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { quellenQuery } from '../../api/queries.ts';
import type { Quelle } from '../../api/types.ts';
import { useFormat } from '../../format/use-format.ts';
import { linkClass } from '../../ui/button.tsx';
import { Panel } from '../../ui/panel.tsx';
import { type DataColumn, DataTable } from '../../ui/table.tsx';
import { useColumns } from '../../ui/use-columns.tsx';
import { libraryOf, nameOfLibrary } from './libraries.ts';

/** What calls may lack, the dearest first. */
const KINDS = [
  'ohne_token',
  'ohne_cache',
  'ohne_lauf',
  'ohne_agent',
  'ohne_endkunde',
  'ohne_fingerabdruck',
] as const;
/** Of these the share of calls that have it is a column. */
const SHOWN = ['ohne_lauf', 'ohne_agent', 'ohne_endkunde', 'ohne_cache', 'ohne_fingerabdruck'] as const;

const keyOf = ({ schluessel_id, quelle, bibliothek, version }: Quelle): string =>
  JSON.stringify([schluessel_id, quelle, bibliothek, version]);

const gapsOf = ({ luecken }: Quelle) => KINDS.filter((kind) => luecken[kind] > 0);

/** How a source is called: its library, else the way its calls came. */
function useSourceName(): (source: Quelle) => string {
  const { t } = useTranslation();
  return ({ bibliothek, quelle }) => {
    if (bibliothek !== '') return nameOfLibrary(bibliothek);
    if (quelle === '') return t('quellen.others');
    return quelle === 'ingest' ? t('quellen.ownEvents') : quelle;
  };
}

interface Opened {
  open: string | null;
  onToggle: (source: Quelle) => void;
}

function NameCell({ source, opened }: { source: Quelle; opened: Opened }) {
  const { t } = useTranslation();
  const nameOf = useSourceName();
  const name = nameOf(source);
  const found = gapsOf(source);
  const about = [source.version, source.schluessel_name].filter(Boolean).join(' · ');
  return (
    <div className="py-1.5">
      <p className="truncate" title={source.bibliothek || name}>
        {name}
      </p>
      {about !== '' && (
        <p className="truncate text-xs text-ink-3" title={about}>
          {about}
        </p>
      )}
      {(found.length > 0 || libraryOf(source.bibliothek)) && (
        <button
          type="button"
          className={`${linkClass} rounded-sm text-left text-xs`}
          aria-expanded={opened.open === keyOf(source)}
          aria-label={t('quellen.moreOf', { name })}
          onClick={() => opened.onToggle(source)}
        >
          {t('quellen.more')}
        </button>
      )}
    </div>
  );
}

/** What calls of a source lack, and what mends it. */
function SourceGaps({ source }: { source: Quelle }) {
  const { t } = useTranslation();
  const format = useFormat();
  const library = libraryOf(source.bibliothek);
  const way = source.quelle === 'otlp' ? 'otlp' : 'events';
  return (
    <div className="flex max-w-3xl flex-col gap-2 text-sm">
      <ul className="flex flex-col gap-2">
        {gapsOf(source).map((kind) => (
          <li key={kind} className="flex gap-3">
            <span className="w-12 shrink-0 text-right font-medium whitespace-nowrap">
              {format.share(source.luecken[kind], source.luecken.aufrufe)}
            </span>
            <span>
              {t(`quellen.gap.${kind}`)} <span className="text-ink-2">{t(`quellen.${way}.${kind}`)}</span>
            </span>
          </li>
        ))}
      </ul>
      {library && <p className="text-ink-2">{t(`quellen.library.${library}`)}</p>}
    </div>
  );
}

/** The cost of the last 30 days; what of it a subscription pays for. */
function CostNote({ source }: { source: Quelle }) {
  const { t } = useTranslation();
  const format = useFormat();
  if (source.abo_kosten_eur === null) return null;
  return (
    <p className="text-xs text-ink-3 @3xl:whitespace-nowrap">
      {t('quellen.subscription', { amount: format.money(source.abo_kosten_eur) })}
    </p>
  );
}

function useSourceColumns(opened: Opened): DataColumn<Quelle>[] {
  const { t } = useTranslation();
  const format = useFormat();
  const nameOf = useSourceName();
  const { text, instant, count, money } = useColumns();
  return useMemo(() => {
    const kosten = money<Quelle>('kosten_eur', t('schluessel.cost'), (source) => source.kosten_eur);
    return [
      text<Quelle>('name', t('quellen.name'), nameOf, {
        cell: (source) => <NameCell source={source} opened={opened} />,
        grow: true,
      }),
      ...SHOWN.map((kind) =>
        count<Quelle>(kind, t(`quellen.short.${kind}`), ({ luecken }) => luecken.aufrufe - luecken[kind], {
          cell: ({ luecken }) => (
            <span className={luecken[kind] > 0 ? 'text-warn' : 'text-ink-2'}>
              {format.share(luecken.aufrufe - luecken[kind], luecken.aufrufe)}
            </span>
          ),
          from: 'lg',
        }),
      ),
      count('aufrufe', t('schluessel.calls'), (source) => source.aufrufe, { from: 'md' }),
      {
        ...kosten,
        cell: (source: Quelle, amounts) => (
          <>
            {kosten.cell(source, amounts)}
            <CostNote source={source} />
          </>
        ),
      },
      instant('letzter_aufruf_am', t('schluessel.lastCall'), (source) => source.letzter_aufruf_am, {
        from: 'md',
      }),
    ];
  }, [t, format, nameOf, text, instant, count, money, opened]);
}

interface SourcesPanelProps {
  /** What it is called; sources unless given. */
  title?: string;
  /** Of these alone. */
  only?: (source: Quelle) => boolean;
}

/** What told of calls lately, by key and library: what is missing, and how to mend it. Nothing where nothing has come. */
export function SourcesPanel({ title: said, only }: SourcesPanelProps) {
  const { t } = useTranslation();
  const title = said ?? t('quellen.title');
  const { data } = useQuery(quellenQuery);
  const [open, setOpen] = useState<string | null>(null);
  const opened = useMemo(
    () => ({
      open,
      onToggle: (source: Quelle) => setOpen((before) => (before === keyOf(source) ? null : keyOf(source))),
    }),
    [open],
  );
  const columns = useSourceColumns(opened);
  const rows = data?.quellen.filter((source) => only?.(source) ?? true) ?? [];
  if (rows.length === 0) return null;
  return (
    <Panel title={title} aside={<p className="text-xs text-ink-3">{t('quellen.about')}</p>} flush>
      <DataTable
        caption={title}
        columns={columns}
        rows={rows}
        rowKey={keyOf}
        detail={(source) => keyOf(source) === open && <SourceGaps source={source} />}
      />
    </Panel>
  );
}
