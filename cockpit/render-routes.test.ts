import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { ROUTES_FILE, renderRoutes } from './render-routes.ts';

it('the routes are those of the contract; else run `npm run routes`', () => {
  expect(readFileSync(ROUTES_FILE, 'utf8')).toBe(renderRoutes());
});
