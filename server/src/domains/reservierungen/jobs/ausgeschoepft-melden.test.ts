import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { registerAccount } from '#test/account.ts';
import { startService, type TestService } from '#test/service.ts';
import { type AusgeschoepfteGrenze, ausgeschoepftMeldenJob } from './ausgeschoepft-melden.ts';

let service: TestService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());

test('makes one finding and one alarm, run twice as well; of a budget, too', async () => {
  const { mandantId } = await registerAccount(service);
  const job = ausgeschoepftMeldenJob({ owner: service.operators, clock: service.clock });
  const now = service.clock.now().toISOString();
  const nutzlast: AusgeschoepfteGrenze = {
    regel_id: null,
    name: 'support/triage',
    objekt_art: 'agent',
    objekt: 'support/triage',
    agent: 'support/triage',
    grenze_eur: '50',
    verbraucht_eur: '49.9',
    rest_eur: '0.1',
    beginn: now,
    abgelehnt_am: now,
  };
  const claim = {
    mandant_id: mandantId,
    auftrag_id: randomUUID(),
    fassung: 1,
    nutzlast,
    versuche: 1,
    fehler: null,
  };
  expect(await job.run(claim)).toMatchObject({ neu: 1, alarme: 1, eingriffe: 0 });
  expect(await job.run(claim)).toMatchObject({ neu: 0, alarme: 0, eingriffe: 0 });
  const [alarm] = await service.sql('SELECT titel_de, stufe FROM alarme WHERE mandant_id = $1', [mandantId]);
  expect(alarm).toEqual({ titel_de: 'Harte Grenze ausgeschöpft: support/triage', stufe: 'warnen' });
});
