/** The tabs of the connection page: every file of `snippets/`. */
import type { Snippet } from './snippet.ts';

const files = import.meta.glob<{ snippet: Snippet }>('./snippets/*.ts', { eager: true });

export const snippets: readonly Snippet[] = Object.values(files)
  .map(({ snippet }) => snippet)
  .sort((a, b) => a.place - b.place);
