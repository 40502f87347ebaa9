/** Runs over all Mandanten: what is found again has the key it had, and what fails keeps nobody else. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Ereignis } from '#client/index.ts';
import { DETECTED_TYPES } from '#contracts';
import { createPriceList } from '#domains/preise/index.ts';
import type { Regel } from '#domains/regeln/index.ts';
import { createLog } from '#platform/log.ts';
import { createDetectorBench, type DetectorBench } from '#test/detector-bench.ts';
import { addRule, ruleOf } from '#test/detectors/rules.ts';
import type { Candidate, RecordFindings } from '../candidate.ts';
import { Looks } from './looks.ts';
import { runDetectors } from './run-detectors.ts';
import type { DetectionContext } from './tasks.ts';

let bench: DetectorBench;
let now: Date;
beforeAll(async () => {
  bench = await createDetectorBench();
  now = new Date(bench.end.epochMilliseconds);
});
afterAll(() => bench?.stop());
beforeEach(() => bench.service.sql('TRUNCATE regeln'));

/** Findings by Mandant and key, as somebody would keep them who updates what is there. */
function createNotes() {
  const findings = new Map<string, Candidate>();
  const record: RecordFindings = async (_client, mandant, candidates) => {
    for (const each of candidates)
      findings.set(`${mandant} ${each.regel?.typ} ${each.objekt} ${each.fensterBeginn}`, each);
  };
  return { findings, record };
}

function contextWith(record: RecordFindings, lines: string[] = []): DetectionContext {
  const log = createLog('debug', { write: (line) => void lines.push(line) });
  return { owner: bench.owner, prices: createPriceList(), log, record };
}

const LAUF = '11111111-0000-4000-8000-000000000001';
const call = (minutesAgo: number, more: Partial<Ereignis> = {}): Ereignis => ({
  anbieter: 'openai',
  modell: 'gpt-4o',
  agent: 'a',
  zeitpunkt: new Date(now.getTime() - minutesAgo * 60_000).toISOString(),
  prompt_fingerabdruck: '00000000000000aa',
  werkzeug_fingerabdruck: '00000000000000bb',
  eingabe_token: 1_000,
  ausgabe_token: 100,
  ...more,
});
const step = (schritt_nr: number, minutesAgo: number, more: Partial<Ereignis> = {}) =>
  call(minutesAgo, { lauf_id: LAUF, schritt_nr, ...more });

async function newSender(...rules: Regel[]) {
  const sender = await bench.newSender();
  for (const rule of rules) await addRule(bench.service, sender.mandantId, rule);
  return sender;
}

test('a second run finds the same keys, and what came since changes their figures', async () => {
  const { send } = await newSender(
    ruleOf('schleife_exakt', { schwelle: '3', parameter: { ohne_verlauf: 3, pause_sekunden: 60 } }),
    ruleOf('wiederholsturm', { schwelle: '2', parameter: { pause_sekunden: 60 } }),
  );
  const failed = { status: 'fehler' };
  await send([step(1, 50), step(2, 49), step(3, 48), ...[70, 69, 68, 67].map((at) => call(at, failed))]);
  const { findings, record } = createNotes();
  await expect(runDetectors(contextWith(record), now)).resolves.toEqual({
    mandanten: 1,
    regeln: 2,
    befunde: 2,
    fehlgeschlagen: 0,
  });
  const keys = [...findings.keys()];
  await runDetectors(contextWith(record), now);
  expect([...findings.keys()]).toEqual(keys);

  await send([step(4, 47), call(66.5, failed)]);
  // An hour later the window has slid.
  await runDetectors(contextWith(record), new Date(now.getTime() + 3_600_000));
  expect([...findings.keys()]).toEqual(keys);
  const [loop, storm] = [...findings.values()].sort((a, b) =>
    String(a.regel?.typ) < String(b.regel?.typ) ? -1 : 1,
  );
  expect(loop).toMatchObject({ objekt: LAUF, agent: 'a', werte: { anzahl: 4, wiederholungen: 1 } });
  // The first two attempts are anybody's.
  expect(storm).toMatchObject({ objekt: 'a', werte: { aufrufe: 3 } });
  // 1,000 tokens at 2.50 and 100 at 10 USD a million, at 0.86 EUR.
  expect(loop?.verbranntEur).toBe('0.00301');
  expect(storm?.verbranntEur).toBe('0.00903');
});

describe('of what a process has looked at before', () => {
  const HOUR = 3_600_000;
  const later = (ms: number) => new Date(now.getTime() + ms);
  /** A Mandant with a rule, and whether it is looked at. */
  const withLooks = async (...rules: Regel[]) => {
    const sender = await newSender(...rules);
    await sender.send([step(1, 50), step(2, 49)]);
    const looks = new Looks();
    const isLookedAt = async (at = now) => {
      const { findings, record } = createNotes();
      await runDetectors({ ...contextWith(record), looks }, at);
      return findings.size > 0;
    };
    expect(await isLookedAt()).toBe(true);
    return { ...sender, isLookedAt };
  };
  const deckel = () => ruleOf('lauf_deckel', { schwelle: '1' });

  test('nothing is looked at again while nothing has changed, but for an hour that has ended', async () => {
    const { isLookedAt } = await withLooks(deckel());
    expect(await isLookedAt()).toBe(false);
    expect(await isLookedAt(later(HOUR - 1))).toBe(false);
    expect(await isLookedAt(later(HOUR))).toBe(true);
    expect(await isLookedAt(later(HOUR))).toBe(false);
  });

  test('a call, and a rule that was changed, have it looked at again', async () => {
    const { isLookedAt, send, mandantId } = await withLooks(deckel());
    await send([step(3, 48)]);
    expect(await isLookedAt()).toBe(true);
    expect(await isLookedAt()).toBe(false);
    await bench.service.sql(`UPDATE regeln SET schwelle = '0.5' WHERE mandant_id = $1`, [mandantId]);
    expect(await isLookedAt()).toBe(true);
    expect(await isLookedAt()).toBe(false);
  });

  test('a rule about calls that do not come is looked at each time', async () => {
    const { isLookedAt } = await withLooks(deckel(), ruleOf('stille', { schwelle: '30' }));
    expect(await isLookedAt()).toBe(true);
  });

  test('what could not be looked at is looked at again', async () => {
    const { mandantId, isLookedAt } = await withLooks(deckel(), ruleOf('schleife_nah', { schwelle: '1' }));
    const setSteps = (steps: string) =>
      bench.service.sql(`UPDATE regeln SET parameter = $2 WHERE mandant_id = $1 AND typ = 'schleife_nah'`, [
        mandantId,
        { schritte: steps },
      ]);
    await setSteps('viele');
    expect([await isLookedAt(), await isLookedAt()]).toEqual([true, true]);
  });
});

test('small Mandanten that share a transaction have each its own found, however many there are', async () => {
  const senders: Awaited<ReturnType<typeof newSender>>[] = [];
  for (let index = 0; index < 30; index += 1) {
    const sender = await newSender(ruleOf('lauf_deckel', { schwelle: '1' }));
    await sender.send([step(1, 10), step(2, 9)]);
    senders.push(sender);
  }
  const { findings, record } = createNotes();
  await expect(runDetectors(contextWith(record), now)).resolves.toMatchObject({ mandanten: 30, befunde: 30 });
  expect([...findings.keys()].map((key) => key.slice(0, 36)).sort()).toEqual(
    senders.map(({ mandantId }) => mandantId).sort(),
  );
});

test('one whose rules cannot be looked at keeps neither its other rules nor others from being looked at', async () => {
  const first = await newSender(
    ruleOf('schleife_nah', { schwelle: '2' }),
    ruleOf('lauf_deckel', { schwelle: '1' }),
  );
  const second = await newSender(ruleOf('lauf_deckel', { schwelle: '1' }));
  await first.send([step(1, 10), step(2, 9)]);
  await second.send([step(1, 10), step(2, 9)]);
  await bench.service.sql(
    'UPDATE regeln SET parameter = \'{"schritte": "viele"}\' WHERE typ = \'schleife_nah\'',
  );
  const { findings, record } = createNotes();
  const lines: string[] = [];
  const detected = await runDetectors(contextWith(record, lines), now);
  expect(detected).toMatchObject({ mandanten: 2, regeln: 3, befunde: 2, fehlgeschlagen: 1 });
  expect([...findings.keys()].map((key) => key.slice(0, 36)).sort()).toEqual(
    [first.mandantId, second.mandantId].sort(),
  );
  const failures = lines.map((line) => JSON.parse(line)).filter(({ msg }) => msg === 'detector failed');
  expect(failures).toMatchObject([{ mandant: first.mandantId, typ: 'schleife_nah' }]);
});

test('a rule about runs that are longer than any is not looked for', async () => {
  const sender = await newSender(ruleOf('schleife_nah', { schwelle: '3' }));
  await sender.send([step(1, 10), step(2, 9)]);
  await bench.service.sql('UPDATE regeln SET parameter = \'{"schritte": "viele"}\' WHERE mandant_id = $1', [
    sender.mandantId,
  ]);
  const context = contextWith(createNotes().record);
  await expect(runDetectors(context, now)).resolves.toMatchObject({ regeln: 1, fehlgeschlagen: 0 });
  await sender.send([step(3, 8)]);
  await expect(runDetectors(context, now)).resolves.toMatchObject({ regeln: 1, fehlgeschlagen: 1 });
});

test('a rule that names no smaller model judges by those the price book approves for all that were called, at its prices', async () => {
  const small = (minutesAgo: number, funktion_ref: string, modell = 'gpt-4o') =>
    call(minutesAgo, {
      funktion_ref,
      anbieter: null,
      modell,
      ausgabe_token: 10,
      werkzeug_fingerabdruck: null,
    });
  const { send, mandantId } = await newSender(ruleOf('modell_zu_gross', { schwelle: '2' }));
  await send([small(9, 'eine'), small(8, 'eine'), small(7, 'beide'), small(6, 'beide', 'claude-sonnet-4-5')]);
  const { findings, record } = createNotes();
  const found = async () => {
    findings.clear();
    await runDetectors(contextWith(record), now);
    return [...findings.values()].map(({ objekt, werte }) => [objekt, werte.ersatz]);
  };
  expect(await found()).toEqual([]);
  const any = { anbieter: null, preisstufe: null, gilt_ab: null, gilt_bis: null, bemerkung: null };
  const setBook = (fassung: number, eingabe: string) =>
    bench.service.sql(
      'INSERT INTO preisbuecher (mandant_id, fassung, inhalt, erstellt_am) VALUES ($1, $2, $3, now())',
      [
        mandantId,
        fassung,
        JSON.stringify({
          gemeldete_kosten: false,
          preise: [{ ...any, modell: 'klein_1', saetze: { eingabe, ausgabe: '0' } }],
          rabatte: [],
          freigaben: [{ modell: 'klein_1', ersetzt: ['GPT-4*'] }],
        }),
      ],
    );
  await setBook(1, '0.1');
  expect(await found()).toEqual([['eine', 'klein_1']]);
  await setBook(2, '1');
  expect(await found()).toEqual([]);
});

test('what cannot be written down is counted, and found again by the next run', async () => {
  const { send } = await newSender(
    ruleOf('lauf_deckel', { schwelle: '1' }),
    ruleOf('modell_verboten', { parameter: { erlaubt: [] } }),
  );
  await send([step(1, 10), step(2, 9)]);
  const { findings, record } = createNotes();
  const failing: RecordFindings = async (client, mandant, candidates, at) => {
    if (candidates[0]?.regel?.typ === 'lauf_deckel') await client.query('SELECT 1 / 0');
    return record(client, mandant, candidates, at);
  };
  await expect(runDetectors(contextWith(failing), now)).resolves.toMatchObject({
    befunde: 1,
    fehlgeschlagen: 1,
  });
  await expect(runDetectors(contextWith(record), now)).resolves.toMatchObject({
    befunde: 2,
    fehlgeschlagen: 0,
  });
  expect(findings.size).toBe(2);
});

test('the largest counts that the door takes can be looked at by every type', async () => {
  const { mandantId, send } = await newSender();
  const needed = { parameter: { erlaubt: [] } };
  for (const typ of DETECTED_TYPES)
    await addRule(bench.service, mandantId, ruleOf(typ, typ === 'modell_verboten' ? needed : {}));
  const most = Number.MAX_SAFE_INTEGER;
  const extreme = { eingabe_token: most, ausgabe_token: most, cache_schreib_token: most, denk_token: most };
  await send(
    Array.from({ length: 40 }, (_, index) =>
      step(index % 2 ? index : 2_147_483_647 - index, 60 + index, {
        ...extreme,
        cache_lese_token: index,
        latenz_ms: 2_147_483_647,
        status: index % 3 ? 'erfolg' : 'fehler',
      }),
    ),
  );
  const lines: string[] = [];
  const { record } = createNotes();
  const detected = await runDetectors(contextWith(record, lines), now);
  expect(lines.filter((line) => line.includes('detector failed'))).toEqual([]);
  expect(detected).toMatchObject({ regeln: DETECTED_TYPES.length, fehlgeschlagen: 0 });
});

test('many findings of one type are written down some at a time', async () => {
  const { send } = await newSender(ruleOf('modell_verboten', { parameter: { erlaubt: [] } }));
  await send(Array.from({ length: 250 }, (_, index) => call(30, { agent: `a${index}` })));
  const { findings, record } = createNotes();
  const sizes: number[] = [];
  const noting: RecordFindings = async (client, mandant, candidates, at) => {
    sizes.push(candidates.length);
    return record(client, mandant, candidates, at);
  };
  await expect(runDetectors(contextWith(noting), now)).resolves.toMatchObject({ befunde: 250 });
  expect(sizes).toEqual([100, 100, 50]);
  expect(findings.size).toBe(250);
});

test('nothing is looked at without an active rule', async () => {
  const { mandantId, send } = await newSender({ ...ruleOf('lauf_deckel', { schwelle: '1' }) });
  await send([step(1, 10), step(2, 9)]);
  await bench.service.sql('UPDATE regeln SET aktiv = false WHERE mandant_id = $1', [mandantId]);
  const { record } = createNotes();
  await expect(runDetectors(contextWith(record), now)).resolves.toMatchObject({ mandanten: 0, befunde: 0 });
});
