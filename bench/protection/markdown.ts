/** Both tables as they stand in docs/protection.md. */
import type { OrdinaryTable } from './ordinary-table.ts';
import type { ReportOutcome } from './reports-table.ts';

const line = (...cells: (string | number)[]) => `| ${cells.join(' | ')} |`;
const head = (...cells: string[]) => [line(...cells), line(...cells.map(() => '---'))];

export function ordinaryLines({ rules, days, ...table }: OrdinaryTable): string[] {
  const weeks = days / 7;
  const aWeek = (count: number) => (Math.round((10 * count) / weeks) / 10).toString();
  const sorted = Object.entries(rules).sort(([, a], [, b]) => b.told - a.told || b.noted - a.noted);
  return [
    ...head('rule', 'told', 'alarms', 'told a week', 'a person would curse', 'noted only'),
    ...sorted.map(([typ, { told, alarms, cursed, noted }]) =>
      line(`\`${typ}\``, told, alarms, aWeek(told), cursed, noted),
    ),
    '',
    `${table.calls} calls in ${days} days, ${table.eur} EUR: ${table.cursedPerWeek} findings a week that a person would curse, ` +
      `${table.runsStopped} runs stopped, ${table.agentsStopped} agents slowed down or blocked.`,
  ];
}

export const reportLines = (reports: readonly ReportOutcome[]): string[] => [
  ...head(
    'report',
    'a person wants to',
    'calls made',
    'first order',
    'told by',
    'seconds until then',
    'EUR until then',
    'verdict',
  ),
  ...reports.map(({ name, wish, made, planned, order, rules, seconds, burnt, verdict }) =>
    line(
      name,
      wish,
      `${made} of ${planned}`,
      order === null ? '' : `\`${order}\``,
      rules.map((typ) => `\`${typ}\``).join(', '),
      seconds ?? 'never',
      burnt,
      verdict,
    ),
  ),
];
