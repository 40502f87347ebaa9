import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../format/use-format.ts';
import type { befunde } from '../../i18n/de/befunde.ts';
import { Facts } from '../../ui/facts.tsx';
import { type FindingFigure, figuresOf, rangesOf } from './figures.ts';

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

/** A figure as people read it. */
function useShown(): (figure: FindingFigure) => ReactNode {
  const { t } = useTranslation();
  const format = useFormat();
  return ({ kind, value, unit, more }) => {
    if (kind === 'steps') return `${rangesOf(value as number[])}${more ? ' …' : ''}`;
    if (kind === 'runs') return <RunLinks runs={value as string[]} />;
    if (kind === 'names') return (value as unknown[]).join(', ');
    if (value === null || value === undefined) return '–';
    const text = String(value);
    if (kind === 'money') return <span title={format.moneyExact(text)}>{format.money(text)}</span>;
    if (kind === 'duration') return format.duration(Number(value));
    if (kind === 'instant') return format.instant(text, 'dateTimeSeconds');
    if (kind === 'percent') return `${format.decimal(text)} %`;
    if (kind === 'text') return text;
    const number = format.decimal(text);
    return unit === 'aufrufe' || unit === 'token' ? `${number} ${t(`regeln.units.${unit}`)}` : number;
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
