import type { ReactNode } from 'react';

const tones = {
  neutral: 'bg-sunken text-ink-2',
  accent: 'bg-accent-soft text-accent',
  harm: 'bg-harm-soft text-harm',
  warn: 'bg-warn-soft text-warn',
  good: 'bg-good-soft text-good',
};

interface BadgeProps {
  tone?: keyof typeof tones;
  title?: string | undefined;
  children: ReactNode;
}

/** A word or a count that qualifies what stands beside it. */
export function Badge({ tone = 'neutral', title, children }: BadgeProps) {
  return (
    <span
      title={title}
      className={`inline-flex min-h-5 max-w-full items-center gap-1 whitespace-nowrap rounded-sm max-[360px]:whitespace-normal px-1.5 text-xs font-medium ${tones[tone]}`}
    >
      {children}
    </span>
  );
}
