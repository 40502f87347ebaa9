import type { ReactNode } from 'react';

interface FactsProps {
  facts: { label: string; value: ReactNode }[];
}

/** Names and what they stand for, one to a line. */
export function Facts({ facts }: FactsProps) {
  return (
    <dl className="grid grid-cols-[minmax(0,1fr)] gap-x-6 text-sm sm:grid-cols-[9rem_minmax(0,1fr)]">
      {facts.map(({ label, value }) => (
        <div
          key={label}
          className="border-b py-2 last:border-b-0 sm:col-span-2 sm:grid sm:grid-cols-subgrid sm:items-baseline"
        >
          <dt className="text-ink-3 max-sm:text-xs">{label}</dt>
          <dd className="min-w-0 break-words">{value}</dd>
        </div>
      ))}
    </dl>
  );
}
