/** Runs with every file about pages: what one test shows is gone for the next. */
import { cleanup, configure } from '@testing-library/react';
import { afterEach, beforeAll, vi } from 'vitest';

configure({
  // What comes may come late on a busy machine.
  asyncUtilTimeout: 120_000,
  // What stands there, rather than how it is built.
  getElementError: (message) => new Error(`${message?.split('\n\n')[0]}\n${document.body.innerText}`),
});

// As every browser does by itself.
const style = document.createElement('style');
style.textContent = '[hidden] { display: none }';
document.head.append(style);

// As the first sign of a hand does: else the first menu or dialog of a file would come later than those of the next.
beforeAll(async () => {
  await import('../src/ui/overlays.ts');
});

afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
});
