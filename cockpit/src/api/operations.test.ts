import { describe, expect, it } from 'vitest';
import * as contracts from '#contracts';
import { routes } from './operations.ts';

describe('routes', () => {
  it.each(Object.entries(routes))('%s has the method and path of the contract', (name, route) => {
    const declared = (contracts as unknown as Record<string, { method: string; path: string }>)[name];
    expect([...route]).toEqual([declared?.method, declared?.path]);
  });
});
