import type { ReactNode } from 'react';
import { WarningIcon } from './icons.tsx';

const tones = {
  neutral: 'bg-sunken text-ink-2',
  warn: 'bg-warn-soft text-warn',
  harm: 'bg-harm-soft text-harm',
  good: 'bg-good-soft text-good',
};

interface NoticeProps {
  tone?: keyof typeof tones;
  /** Read out at once when it appears: for what answers an action. */
  live?: boolean;
  action?: ReactNode;
  children: ReactNode;
}

/** One or two sentences the reader should not miss. */
export function Notice({ tone = 'neutral', live = false, action, children }: NoticeProps) {
  return (
    <div
      role={live ? 'alert' : undefined}
      className={`flex flex-wrap items-center gap-x-2 gap-y-2 rounded px-3 py-2 text-sm ${tones[tone]}`}
    >
      {(tone === 'warn' || tone === 'harm') && <WarningIcon />}
      <div className="min-w-48 flex-1 [overflow-wrap:anywhere]">{children}</div>
      {action}
    </div>
  );
}
