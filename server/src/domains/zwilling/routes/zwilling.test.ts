import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ownerOf } from '#test/jobs.ts';
import { createProtected, equalCalls, type Protected } from '#test/protection.ts';
import { startService, type TestService } from '#test/service.ts';
import { createTwinReader } from '#test/twin.ts';

let service: TestService;
let owner: ReturnType<typeof ownerOf>;
let reader: ReturnType<typeof createTwinReader>;

beforeAll(async () => {
  service = await startService();
  owner = ownerOf(service);
  reader = createTwinReader(service, owner);
});
afterAll(async () => {
  await owner.close();
  await service.stop();
});

const get = (query: string, cookie?: string) =>
  service.app.inject({ url: `/v1/cockpit/zwilling${query}`, headers: cookie ? { cookie } : {} });

async function twinOf({ account }: Protected, query = '?zeitraum=7tage') {
  const answer = await get(query, account.cookie);
  expect(answer.statusCode, answer.body).toBe(200);
  return answer.json();
}

type Cause = { ursache: string };
const causeOf = (twin: { ursachen: Cause[] }, ursache: string) =>
  twin.ursachen.find((each) => each.ursache === ursache);

/** Some hours ago: stretches of calls do not reach midnight by chance, and nothing is ahead of now. */
const earlier = (hours: number) => Date.now() - hours * 3_600_000;

describe('causes', () => {
  test('repeats are saved once, with the finding that proves them, of the agent that made them', async () => {
    const ours = await createProtected(service, owner);
    await ours.addRule('schleife_exakt', { stufe: 'warnen' });
    await ours.send([...equalCalls(6).calls, ...equalCalls(1, { agent: 'other' }).calls]);
    await ours.settle();
    await reader.readRested();
    const [finding] = await ours.rows('befunde', 'befund_id, lauf_id');
    const twin = await twinOf(ours);
    expect(twin).toMatchObject({ real_eur: '0.525', gespart_eur: '0.225', zwilling_eur: '0.3', aufrufe: 7 });
    expect(causeOf(twin, 'wiederholungen')).toEqual({
      ursache: 'wiederholungen',
      geprueft: true,
      gespart_eur: '0.225',
      aufrufe: 3,
      unbekannt: 0,
      befunde_anzahl: 1,
      typen: ['schleife_exakt'],
      befunde: [
        {
          befund_id: finding?.befund_id,
          typ: 'schleife_exakt',
          objekt_art: 'lauf',
          objekt: finding?.lauf_id,
          agent: 'support/triage',
          aufrufe: 3,
          gespart_eur: '0.225',
        },
      ],
    });
    expect(twin.agenten).toMatchObject([
      {
        schluessel: 'support/triage',
        agent_id: expect.any(String),
        gespart_eur: '0.225',
        zwilling_eur: '0.225',
      },
      { schluessel: 'other', real_eur: '0.075', gespart_eur: '0', zwilling_eur: '0.075' },
    ]);
    expect(twin.agenten_rest).toBeNull();
    expect(twin.berechnet_am).not.toBeNull();
  });

  test('of a cause no rule looks for nothing is known, of one that found nothing it is nought', async () => {
    const ours = await createProtected(service, owner);
    await ours.addRule('cache_verlust');
    await ours.send(equalCalls(2).calls);
    await ours.settle();
    await reader.readRested();
    const twin = await twinOf(ours);
    expect(causeOf(twin, 'cache')).toMatchObject({ geprueft: true, gespart_eur: '0', aufrufe: 0 });
    expect(causeOf(twin, 'modell')).toMatchObject({ geprueft: false, gespart_eur: null });
    expect(twin).toMatchObject({ gespart_eur: '0', zwilling_eur: '0.15' });
  });

  test('a rule that was switched off looks for nothing', async () => {
    const ours = await createProtected(service, owner);
    await ours.addRule('schleife_exakt', { stufe: 'warnen' });
    await service.sql('UPDATE regeln SET aktiv = false WHERE mandant_id = $1', [ours.account.mandantId]);
    await ours.send(equalCalls(1).calls);
    await ours.settle();
    expect(causeOf(await twinOf(ours), 'wiederholungen')).toMatchObject({
      geprueft: false,
      gespart_eur: null,
    });
  });

  test('without rules there is no twin, without prices neither', async () => {
    const ours = await createProtected(service, owner);
    await ours.send(equalCalls(2).calls);
    await ours.settle();
    expect(await twinOf(ours)).toMatchObject({ real_eur: '0.15', gespart_eur: null, zwilling_eur: null });
    const other = await createProtected(service, owner);
    await other.addRule('schleife_exakt');
    await other.send(equalCalls(2, {}, () => ({ modell: 'unknown-model-x' })).calls);
    await other.settle();
    expect(await twinOf(other)).toMatchObject({ real_eur: null, zwilling_eur: null, unbepreist: 2 });
  });

  test('calls after a stop are saved, in shadow mode too; repeats among them are repeats', async () => {
    const ours = await createProtected(service, owner);
    await ours.addRule('schleife_exakt', { stufe: 'anhalten', schattenbetrieb: true });
    const begin = earlier(1);
    const { lauf, calls } = equalCalls(5, { begin });
    await ours.send(calls);
    await ours.settle();
    // It was given when the loop was seen, an hour ago.
    await service.sql('UPDATE eingriffe SET beginn = $2 WHERE mandant_id = $1', [
      ours.mandant,
      new Date(begin + 4_500),
    ]);
    const different = (place: number) => ({ prompt_fingerabdruck: `00000000000f${1000 + place}` });
    await ours.send(equalCalls(1, { lauf, from: 5, begin }).calls);
    await ours.send(equalCalls(3, { lauf, from: 6, begin }, different).calls);
    // Another run of the same agent goes on as it is.
    await ours.send(equalCalls(2, { begin: begin + 60_000 }, different).calls);
    await ours.settle();
    await reader.readRested();
    const twin = await twinOf(ours);
    expect(causeOf(twin, 'wiederholungen')).toMatchObject({ aufrufe: 3, gespart_eur: '0.225' });
    // The last one of the loop came after the stop, too.
    expect(causeOf(twin, 'angehalten')).toMatchObject({
      aufrufe: 4,
      gespart_eur: '0.3',
      typen: ['schleife_exakt'],
    });
    expect(twin).toMatchObject({ real_eur: '0.825', gespart_eur: '0.525', zwilling_eur: '0.3' });
  });

  test('an order that was lifted saves nothing from then on, one given by hand nothing at all', async () => {
    const ours = await createProtected(service, owner);
    await ours.addRule('lauf_deckel', { schwelle: 3, stufe: 'sperren', schattenbetrieb: true });
    const begin = earlier(2);
    const different = (place: number) => ({ prompt_fingerabdruck: `00000000000f${1000 + place}` });
    const { lauf, calls } = equalCalls(4, { begin }, different);
    await ours.send(calls);
    await ours.settle();
    await service.sql(
      `UPDATE eingriffe SET beginn = $2, bis = NULL, aufgehoben_am = $3 WHERE mandant_id = $1 AND befund_id IS NOT NULL`,
      [ours.mandant, new Date(begin + 3_500), new Date(begin + 6_500)],
    );
    await ours.send(equalCalls(5, { lauf, from: 4, begin }, different).calls);
    await ours.settle();
    await service.sql(
      `INSERT INTO eingriffe (mandant_id, eingriff_id, stufe, objekt_art, objekt, schatten, grund_de, grund_en, beginn)
       VALUES ($1, $2, 'sperren', 'mandant', '', false, 'x', 'x', $3)`,
      [ours.mandant, randomUUID(), new Date(begin)],
    );
    await reader.readRested();
    // At the seconds 4, 5 and 6; of an agent, since a blocked run means its agent.
    expect(causeOf(await twinOf(ours), 'angehalten')).toMatchObject({ aufrufe: 3, gespart_eur: '0.225' });
  });

  test('failed calls of a storm, and none of those outside it', async () => {
    const ours = await createProtected(service, owner);
    await ours.addRule('wiederholsturm');
    const begin = earlier(2);
    const failed = { status: 'fehler', lauf_id: null, schritt_nr: null };
    await ours.send(equalCalls(6, { begin }, () => failed).calls);
    await ours.send(
      equalCalls(1, { begin: begin + 60_000 }, () => ({
        ...failed,
        prompt_fingerabdruck: '0000000000ffff00',
      })).calls,
    );
    await ours.settle();
    await reader.detect();
    await reader.readRested();
    const twin = await twinOf(ours);
    expect(causeOf(twin, 'fehlversuche')).toMatchObject({
      aufrufe: 4,
      gespart_eur: '0.3',
      typen: ['wiederholsturm'],
    });
  });

  test('what the cache would have saved is what its finding says could be', async () => {
    const ours = await createProtected(service, owner);
    await ours.addRule('cache_verlust');
    const different = (place: number) => ({ prompt_fingerabdruck: `00000000000f${1000 + place}` });
    await ours.send(equalCalls(4, { begin: earlier(2) }, different).calls);
    await ours.settle();
    await reader.detect();
    await reader.readRested();
    const [finding] = await ours.rows('befunde', 'typ, trim_scale(potential_eur)::text AS eur');
    const cause = causeOf(await twinOf(ours), 'cache');
    expect(cause).toMatchObject({ aufrufe: 3, gespart_eur: finding?.eur, typen: ['cache_verlust'] });
    expect(Number(finding?.eur)).toBeGreaterThan(0);
  });
});

describe('a smaller model', () => {
  test('saves what its finding says, but for calls that another cause has', async () => {
    const ours = await createProtected(service, owner);
    // The day it judges must be there as a whole.
    await ours.addRule('modell_zu_gross', { schwelle: 5, parameter: { erlaubt: ['gpt-4o-mini'] } });
    await ours.addRule('wiederholsturm');
    const { calls } = equalCalls(8, { begin: earlier(1) }, (place) => ({
      modell: 'gpt-4o',
      eingabe_token: 1_000,
      ausgabe_token: 10,
      funktion_ref: 'classify',
      werkzeug_fingerabdruck: null,
      prompt_fingerabdruck: `00000000000f${1000 + place}`,
    }));
    await ours.send(calls);
    await ours.settle();
    await reader.detect();
    await reader.readRested();
    const found = await ours.rows('befunde', 'typ, trim_scale(potential_eur)::text AS eur');
    const whole = found.find(({ typ }) => typ === 'modell_zu_gross');
    const cause = causeOf(await twinOf(ours), 'modell');
    expect(cause).toMatchObject({ geprueft: true, aufrufe: 8, gespart_eur: whole?.eur });
  });
});

describe('over time', () => {
  test('a finding that is ignored saves nothing any more', async () => {
    const ours = await createProtected(service, owner);
    await ours.addRule('schleife_exakt');
    await ours.send(equalCalls(5).calls);
    await ours.settle();
    await reader.readRested();
    expect(await twinOf(ours)).toMatchObject({ gespart_eur: '0.15' });
    await service.sql(`UPDATE befunde SET status = 'ignoriert' WHERE mandant_id = $1`, [ours.mandant]);
    expect(await twinOf(ours)).toMatchObject({ gespart_eur: '0', zwilling_eur: '0.375' });
  });
});

describe('at the door', () => {
  test('the month unless something else is asked for', async () => {
    const ours = await createProtected(service, owner);
    expect(await twinOf(ours, '')).toMatchObject({ zeitraum: 'monat', aufrufe: 0, agenten: [] });
  });

  test('nobody without a session, no period that is none, nothing of another Mandant', async () => {
    expect((await get('')).statusCode).toBe(401);
    const ours = await createProtected(service, owner);
    const refused = await get('?zeitraum=irgendwann', ours.account.cookie);
    expect(refused.statusCode).toBe(422);
    expect(refused.body).toContain('zeitraum');
    const other = await createProtected(service, owner);
    await other.addRule('schleife_exakt');
    await other.send(equalCalls(6).calls);
    await other.settle();
    await reader.readRested();
    expect(await twinOf(ours)).toMatchObject({ real_eur: null, gespart_eur: null, agenten: [] });
  });
});
