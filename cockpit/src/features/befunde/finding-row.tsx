import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { Befund } from '../../api/types.ts';
import { useFormat } from '../../format/use-format.ts';
import { FindingBadges } from './finding-badges.tsx';
import { useFindingTexts } from './finding-texts.ts';
import { MoneyOf } from './money-of.tsx';

/** A finding in a list; its headline leads to it. */
export function FindingRow({ of, action }: { of: Befund; action?: ReactNode }) {
  const format = useFormat();
  const { titleOf, textOf } = useFindingTexts();
  return (
    <li className="flex flex-wrap items-start gap-x-3 gap-y-2 border-b px-4 py-3 last:border-b-0 hover:bg-sunken">
      <div className="min-w-60 flex-1">
        <p className="flex flex-wrap items-center gap-x-2 gap-y-1 text-sm">
          <Link
            to="/befunde/$befund_id"
            params={{ befund_id: of.befund_id }}
            className="font-medium [overflow-wrap:anywhere] hover:underline"
          >
            {titleOf(of)}
          </Link>
          <FindingBadges of={of} />
        </p>
        <p className="mt-1 text-sm text-ink-2 [overflow-wrap:anywhere]">{textOf(of)}</p>
        <div className="mt-1 flex flex-wrap gap-x-4 gap-y-0.5">
          <time
            dateTime={of.erkannt_am}
            className="text-xs text-ink-3"
            title={format.instant(of.erkannt_am, 'dateTimeZone')}
          >
            {format.instant(of.erkannt_am, 'dateTime')}
          </time>
          <MoneyOf of={of} />
        </div>
      </div>
      {action}
    </li>
  );
}
