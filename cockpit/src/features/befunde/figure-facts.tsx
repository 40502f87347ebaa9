import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../format/use-format.ts';
import type { befunde } from '../../i18n/de/befunde.ts';
import { Facts } from '../../ui/facts.tsx';
import { type FindingFigure, figuresOf, type Kind, rangesOf } from './figures.ts';

function RunLinks({ runs }: { runs: string[] }) {
  return (
    <span className="flex flex-wrap gap-x-2">
      {runs.map((lauf_id) => (
        <Link
          key={lauf_id}
          to="/laeufe/$lauf_id"
          params={{ lauf_id }}
          className="font-mono text-xs leading-6 underline"
        >
          {lauf_id.slice(0, 8)}
        </Link>
      ))}
    </span>
  );
}

type ListKind = 'steps' | 'runs' | 'names';

const isList = (kind: Kind): kind is ListKind => kind === 'steps' || kind === 'runs' || kind === 'names';

/** A list as people read it. */
const shownList: Record<ListKind, (figure: FindingFigure) => ReactNode> = {
  steps: ({ value, more }) => `${rangesOf(value as number[])}${more ? ' …' : ''}`,
  runs: ({ value }) => <RunLinks runs={value as string[]} />,
  names: ({ value }) => (value as unknown[]).join(', '),
};

/** A figure as people read it. */
function useShown(): (figure: FindingFigure) => ReactNode {
  const { t } = useTranslation();
  const format = useFormat();
  const single: Record<Exclude<Kind, ListKind>, (value: string, unit: string | null) => ReactNode> = {
    money: (value) => <span title={format.moneyExact(value)}>{format.money(value)}</span>,
    duration: (value) => format.duration(Number(value)),
    instant: (value) => format.instant(value, 'dateTimeSeconds'),
    percent: (value) => `${format.decimal(value)} %`,
    text: (value) => value,
    number: (value, unit) => {
      const number = format.decimal(value);
      return unit === 'aufrufe' || unit === 'token' ? `${number} ${t(`regeln.units.${unit}`)}` : number;
    },
  };
  return (figure) => {
    const { kind, value, unit } = figure;
    if (isList(kind)) return shownList[kind](figure);
    return value === null || value === undefined ? '–' : single[kind](String(value), unit);
  };
}

type Named = keyof typeof befunde.werte;

/** The figures behind a finding, each by its name. */
export function FigureFacts({ werte }: { werte: Record<string, unknown> }) {
  const { t, i18n } = useTranslation();
  const shown = useShown();
  // The end of a window that has a beginning, else simply the last call.
  const labelOf = (name: string) => (name === 'bis' && !('von' in werte) ? 'letzter_aufruf' : name);
  const nameOf = (name: string) =>
    i18n.exists(`befunde.werte.${name}`) ? t(`befunde.werte.${name as Named}`) : name;
  return (
    <Facts
      facts={figuresOf(werte).map((figure) => ({
        label: nameOf(labelOf(figure.name)),
        value: shown(figure),
      }))}
    />
  );
}
