/** The package has types of its own; here they are held to those of the contract. */
import { expect, expectTypeOf, test } from 'vitest';
import { SENT_FIELDS } from '../../../contracts/event-fields.ts';
import type { EingriffAktiv, EreignisEingang, Static } from '../../../contracts/index.ts';
import { agentOf } from './eingriffe/decide.ts';
import type { Eingriff } from './eingriffe/eingriff.ts';
import type { Ereignis } from './event.ts';

type Sent = Static<typeof EreignisEingang>;

test('an event of the package is one of the contract, and the other way round', () => {
  expectTypeOf<Ereignis>().toExtend<Sent>();
  expectTypeOf<Sent>().toExtend<Ereignis>();
  expectTypeOf<keyof Ereignis>().toEqualTypeOf<keyof Sent>();
});

test('an intervention is one of those of the contract that ask something of a client', () => {
  type Asking = Omit<Static<typeof EingriffAktiv>, 'stufe'> & { stufe: Eingriff['stufe'] };
  expectTypeOf<Eingriff>().toExtend<Static<typeof EingriffAktiv>>();
  expectTypeOf<Asking>().toExtend<Eingriff>();
});

test('a call without an agent is that of the agent that the service makes of it', () => {
  expect(agentOf({})).toBe(SENT_FIELDS.agent.otherwise);
});
