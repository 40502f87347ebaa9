import type { KeyboardEvent } from 'react';

type Step = (at: number, count: number) => number;

const first: Step = () => 0;
const last: Step = (_at, count) => count - 1;
const back: Step = (at, count) => (at + count - 1) % count;
const forth: Step = (at, count) => (at + 1) % count;

const sideways: Record<string, Step> = {
  ArrowLeft: back,
  ArrowRight: forth,
  Home: first,
  PageUp: first,
  End: last,
  PageDown: last,
};
const steps = {
  sideways,
  anyWay: { ...sideways, ArrowUp: back, ArrowDown: forth } as Record<string, Step>,
};

/** For buttons of which one is a stop of the Tab key: arrow keys and those to either end move the focus among them. */
export const roveFocus = (ways: keyof typeof steps) => (event: KeyboardEvent<HTMLElement>) => {
  const step = steps[ways][event.key];
  if (!step || event.metaKey || event.ctrlKey || event.altKey || event.shiftKey) return;
  event.preventDefault();
  const buttons = [...event.currentTarget.querySelectorAll('button')];
  const at = buttons.indexOf(event.target as HTMLButtonElement);
  buttons[step(at, buttons.length)]?.focus();
};
