import { expect, it } from 'vitest';
import type { ServiceContext } from '#platform/context.ts';
import { createSessionLookup } from './session-lookup.ts';

const random = 'A'.repeat(43);

it.each(['', `${random}x`, random.slice(1), `${random.slice(1)}ä`, `zw_live_${random}`])(
  'a malformed token never reaches the database: %s',
  async (token) => {
    const unreachable = () => Promise.reject(new Error('looked up'));
    const context = {
      db: { transaction: unreachable, forMandant: unreachable },
    } as unknown as ServiceContext;
    expect(await createSessionLookup(context)(token)).toBeNull();
  },
);
