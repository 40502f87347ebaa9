import { type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { roveFocus } from './roving-focus.ts';

interface TabsProps<T extends string> {
  label: string;
  tabs: { value: T; label: string; content: ReactNode }[];
  /** The open one, where the page keeps it; else the first one is open at first. */
  value?: T;
  onChange?: (value: T) => void;
}

interface TabProps {
  id: string;
  isOpen: boolean;
  onOpen: () => void;
  children: string;
}

function Tab({ id, isOpen, onOpen, children }: TabProps) {
  return (
    <button
      type="button"
      role="tab"
      id={id}
      aria-controls={`${id}-panel`}
      aria-selected={isOpen}
      tabIndex={isOpen ? 0 : -1}
      onFocus={onOpen}
      onClick={onOpen}
      className="h-9 shrink-0 border-b-2 border-transparent text-sm text-ink-2 hover:text-ink aria-selected:border-accent aria-selected:font-medium aria-selected:text-ink"
    >
      {children}
    </button>
  );
}

const moveFocus = roveFocus('sideways');

/** Panels of which one is shown; arrow keys move between the tabs, which scroll sideways where there is no room. */
export function Tabs<T extends string>({ label, tabs, value, onChange }: TabsProps<T>) {
  const [own, setOwn] = useState(tabs[0]?.value);
  const open = value ?? own;
  const list = useRef<HTMLDivElement>(null);
  const id = useId();
  useEffect(() => {
    if (value === undefined) return;
    const tab = list.current?.querySelector('[aria-selected="true"]');
    if (tab instanceof HTMLElement) list.current?.scrollTo({ left: tab.offsetLeft - 16 });
  }, [value]);
  const choose = (next: T) => {
    if (next === open) return;
    setOwn(next);
    onChange?.(next);
  };
  return (
    <div>
      <div
        ref={list}
        role="tablist"
        aria-label={label}
        onKeyDown={moveFocus}
        className="relative flex gap-4 overflow-x-auto border-b"
      >
        {tabs.map((tab) => (
          <Tab
            key={tab.value}
            id={`${id}-${tab.value}`}
            isOpen={tab.value === open}
            onOpen={() => choose(tab.value)}
          >
            {tab.label}
          </Tab>
        ))}
      </div>
      {tabs.map((tab) => (
        <div
          key={tab.value}
          role="tabpanel"
          id={`${id}-${tab.value}-panel`}
          aria-labelledby={`${id}-${tab.value}`}
          hidden={tab.value !== open}
          // biome-ignore lint/a11y/noNoninteractiveTabindex: a panel without fields is reached by key, and scrolled.
          tabIndex={0}
          className="pt-3"
        >
          {tab.value === open && tab.content}
        </div>
      ))}
    </div>
  );
}
