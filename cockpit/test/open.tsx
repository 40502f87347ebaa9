/** The cockpit at an address, without a browser: what somebody sees there and does. Layout is for a real browser to show. */
import { QueryClientProvider } from '@tanstack/react-query';
import { createMemoryHistory } from '@tanstack/react-router';
import { render, screen } from '@testing-library/react';
import userEvent, { type UserEvent } from '@testing-library/user-event';
import i18next from 'i18next';
import type { ReactNode } from 'react';
import { vi } from 'vitest';
import type { Ich } from '../src/api/types.ts';
import { Cockpit, createCockpit } from '../src/app/cockpit.tsx';
import { createQueryClient } from '../src/app/query-client.ts';
import { changeLanguage, loadTexts, startI18n } from '../src/i18n/index.ts';
import { onPreferences, preferences, setPreferences } from '../src/preferences.ts';
import { Toaster } from '../src/ui/toast.tsx';
import { figures } from './figures.ts';
import { signedIn } from './people.ts';
import { type Answers, type Asked, serve } from './service.ts';

// As the cockpit does where it begins.
onPreferences(() => changeLanguage(preferences().language));

async function speak(language: 'de' | 'en'): Promise<void> {
  if (!i18next.isInitialized) startI18n();
  vi.spyOn(navigator, 'languages', 'get').mockReturnValue([language]);
  setPreferences({ language });
  await loadTexts('later', 'office');
  await changeLanguage(language);
}

export interface Seen {
  user: UserEvent;
  /** The calls that were made, in their order. */
  calls: Asked[];
  /** Bodies of the calls of an operation. */
  sent: (name: Asked['name']) => unknown[];
  /** The address with its search. */
  address: () => string;
}

interface Opened {
  answers?: Answers;
  ich?: Ich;
  language?: 'de' | 'en';
}

const sentOf = (calls: Asked[]) => (name: Asked['name']) =>
  calls.filter((call) => call.name === name).map(({ body }) => body);

/** Opens a page as the cockpit does, signed in. */
export async function openAt(
  path: string,
  { answers = {}, ich = signedIn(), language = 'de' }: Opened = {},
): Promise<Seen> {
  await speak(language);
  const calls = serve({ ich, ...figures, ...answers });
  const history = createMemoryHistory({ initialEntries: [path] });
  const cockpit = createCockpit(history);
  render(<Cockpit {...cockpit} />);
  return {
    user: userEvent.setup(),
    calls,
    sent: sentOf(calls),
    address: () => history.location.href,
  };
}

/** Shows a component by itself. */
export async function show(
  what: ReactNode,
  { answers = {}, language = 'de' }: Omit<Opened, 'ich'> = {},
): Promise<Omit<Seen, 'address'>> {
  await speak(language);
  const calls = serve(answers);
  const client = createQueryClient(() => undefined);
  render(
    <QueryClientProvider client={client}>
      {what}
      <Toaster />
    </QueryClientProvider>,
  );
  return { user: userEvent.setup(), calls, sent: sentOf(calls) };
}

/** What has the focus. */
export const focused = (): Element | null => document.activeElement;

export { screen };
