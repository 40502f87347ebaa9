import { Tabs as Base } from 'radix-ui';
import type { ReactNode } from 'react';

interface TabsProps {
  label: string;
  tabs: { value: string; label: string; content: ReactNode }[];
}

/** Panels of which one is shown; arrow keys move between the tabs. */
export function Tabs({ label, tabs }: TabsProps) {
  return (
    <Base.Root defaultValue={tabs[0]?.value ?? ''}>
      <Base.List aria-label={label} className="flex gap-4 border-b">
        {tabs.map((tab) => (
          <Base.Trigger
            key={tab.value}
            value={tab.value}
            className="-mb-px h-9 border-b-2 border-transparent text-sm text-ink-2 hover:text-ink data-[state=active]:border-accent data-[state=active]:font-medium data-[state=active]:text-ink"
          >
            {tab.label}
          </Base.Trigger>
        ))}
      </Base.List>
      {tabs.map((tab) => (
        <Base.Content key={tab.value} value={tab.value} className="pt-3">
          {tab.content}
        </Base.Content>
      ))}
    </Base.Root>
  );
}
