import { Tabs as Base } from 'radix-ui';
import { type ReactNode, useEffect, useRef } from 'react';

interface TabsProps<T extends string> {
  label: string;
  tabs: { value: T; label: string; content: ReactNode }[];
  /** The open one, where the page keeps it; else the first one is open at first. */
  value?: T;
  onChange?: (value: T) => void;
}

/** Panels of which one is shown; arrow keys move between the tabs, which scroll sideways where there is no room. */
export function Tabs<T extends string>({ label, tabs, value, onChange }: TabsProps<T>) {
  const kept = value === undefined ? { defaultValue: tabs[0]?.value ?? '' } : { value };
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (value === undefined) return;
    const open = list.current?.querySelector('[data-state="active"]');
    if (open instanceof HTMLElement) list.current?.scrollTo({ left: open.offsetLeft - 16 });
  }, [value]);
  const choose = (next: string) => {
    const tab = tabs.find((candidate) => candidate.value === next);
    if (tab) onChange?.(tab.value);
  };
  return (
    <Base.Root {...kept} onValueChange={choose}>
      <Base.List ref={list} aria-label={label} className="relative flex gap-4 overflow-x-auto border-b">
        {tabs.map((tab) => (
          <Base.Trigger
            key={tab.value}
            value={tab.value}
            className="h-9 shrink-0 border-b-2 border-transparent text-sm text-ink-2 hover:text-ink data-[state=active]:border-accent data-[state=active]:font-medium data-[state=active]:text-ink"
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
