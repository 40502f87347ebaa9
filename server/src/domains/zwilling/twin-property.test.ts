/** Over runs made by chance: nothing is saved twice, parts add up to the whole, reading again changes nothing. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { eurFrom } from '#kernel/money.ts';
import { fuzzRuns } from '#test/fuzz.ts';
import { ownerOf } from '#test/jobs.ts';
import { createProtected, type Protected } from '#test/protection.ts';
import { createRandom, type Random } from '#test/random.ts';
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

const HOUR = 3_600_000;
const AGENTS = ['a', 'b', 'c'];

/** Calls of few runs with few prompts, so that they repeat, fail in storms and miss the cache; over a day and more. */
function callsOfRun(random: Random, now: number): object[] {
  const lauf = random.below(5) === 0 ? null : randomUUID();
  const agent = random.pick(AGENTS);
  const begin = now - (1 + random.below(29)) * HOUR;
  const stubborn = random.below(3) === 0;
  return Array.from({ length: 1 + random.below(14) }, (_, place) => ({
    ereignis_id: randomUUID(),
    lauf_id: lauf,
    schritt_nr: lauf === null ? null : place + 1,
    zeitpunkt: new Date(begin + place * (1_000 + random.below(30_000))).toISOString(),
    agent,
    anbieter: 'openai',
    modell: random.pick(['gpt-4o', 'gpt-4o', 'gpt-4o-mini', 'unknown-model-x']),
    funktion_ref: random.pick([null, 'f', 'g']),
    status: random.below(3) === 0 ? 'fehler' : 'erfolgreich',
    eingabe_token: random.pick([500, 1_500, 20_000, 21_000]),
    cache_lese_token: random.pick([0, 0, 400]),
    ausgabe_token: random.below(80),
    prompt_fingerabdruck: `00000000000000${stubborn ? '01' : `1${random.below(4)}`}`,
    ...(stubborn ? { modell: 'gpt-4o' } : {}),
  }));
}

async function makeMonth(ours: Protected, random: Random): Promise<void> {
  await ours.addRule('schleife_exakt', {
    schwelle: 3,
    schattenbetrieb: random.below(2) === 0,
    stufe: 'anhalten',
    parameter: { ohne_verlauf: 3, pause_sekunden: 3_600, zuwachs_prozent: 1_000 },
  });
  await ours.addRule('lauf_deckel', { schwelle: 6, schattenbetrieb: true, stufe: 'sperren' });
  await ours.addRule('wiederholsturm', {
    schwelle: 2,
    stufe: 'warnen',
    parameter: { pause_sekunden: 3_600 },
  });
  await ours.addRule('cache_verlust');
  await ours.addRule('modell_zu_gross', {
    schwelle: 5,
    parameter: { erlaubt: ['gpt-4o-mini'], anteil_prozent: 10, ausgabe_token: 80 },
  });
  const now = Date.now();
  for (let batch = 0; batch < 3; batch += 1) {
    await ours.send(Array.from({ length: 12 }, () => callsOfRun(random, now)).flat());
    await ours.settle();
  }
  await reader.detect();
  // Rules have fired now; let them have fired some time ago, for some time.
  for (const { eingriff_id } of await ours.rows('eingriffe', 'eingriff_id, stufe')) {
    const begin = now - random.below(30) * HOUR;
    const lifted = random.below(3) === 0 ? new Date(begin + random.below(3) * HOUR) : null;
    await service.sql(
      'UPDATE eingriffe SET beginn = $2, bis = $3, aufgehoben_am = $4 WHERE eingriff_id = $1',
      [eingriff_id, new Date(begin), new Date(begin + (1 + random.below(20)) * HOUR), lifted],
    );
  }
}

interface Event {
  ereignis_id: string;
  zeitpunkt: Date;
  agent: string;
  lauf_id: string | null;
  wiederholung: boolean;
  failed: boolean;
  eur: string | null;
}

/** Calls that a rule would have kept from being made, one by one. */
async function stoppedOf(ours: Protected, events: Event[]): Promise<Event[]> {
  const orders = await service.sql<{
    stufe: string;
    objekt_art: string;
    objekt: string;
    von: Date;
    bis: Date;
  }>(
    `SELECT x.stufe, x.objekt_art, x.objekt, x.beginn AS von, least(x.bis, x.aufgehoben_am) AS bis FROM eingriffe x
     JOIN befunde b ON b.mandant_id = x.mandant_id AND b.befund_id = x.befund_id
     WHERE x.mandant_id = $1 AND b.status = 'offen' AND x.stufe IN ('anhalten', 'sperren')`,
    [ours.mandant],
  );
  const time = (at: Date | string) => new Date(at).getTime();
  return events.filter(
    (event) =>
      !event.wiederholung &&
      orders.some(
        ({ objekt_art, objekt, von, bis }) =>
          (objekt_art === 'lauf' ? event.lauf_id === objekt : event.agent === objekt) &&
          time(event.zeitpunkt) > time(von) &&
          time(event.zeitpunkt) < time(bis),
      ),
  );
}

const sum = (amounts: (string | null)[]) =>
  amounts.reduce((total, each) => total + (each === null ? 0n : eurFrom(each)), 0n);
const total = (events: Event[]) => sum(events.map(({ eur }) => eur));

interface Amounts {
  real_eur: string | null;
  gespart_eur: string | null;
  zwilling_eur: string | null;
}
const saved = ({ gespart_eur }: Pick<Amounts, 'gespart_eur'>) => sum([gespart_eur]);

function expectExact(row: Amounts): void {
  if (row.real_eur === null || row.gespart_eur === null) {
    expect(row.zwilling_eur).toBeNull();
    return;
  }
  expect(saved(row) >= 0n && saved(row) <= eurFrom(row.real_eur)).toBe(true);
  expect(eurFrom(row.zwilling_eur as string)).toBe(eurFrom(row.real_eur) - saved(row));
}

const SAVINGS = 'ursache, befund_id, tag, agent, aufrufe, unbekannt, gespart_eur';
const readSavings = async (ours: Protected) =>
  (await ours.rows('zwilling_ersparnisse', SAVINGS)).sort((a, b) =>
    JSON.stringify(a) < JSON.stringify(b) ? -1 : 1,
  );
const LATEST = '?zeitraum=7tage';

test('nothing is saved twice, and everything adds up', async () => {
  const random = createRandom(0x5a11);
  let causes = 0;
  for (let course = 0; course < fuzzRuns(4); course += 1) {
    const ours = await createProtected(service, owner);
    await makeMonth(ours, random);
    await reader.readRested();
    const savings = await readSavings(ours);
    const events = (await ours.rows(
      'ereignisse',
      `ereignis_id, zeitpunkt, agent, lauf_id, wiederholung, status NOT IN ('erfolgreich', 'abgebrochen') AS failed, trim_scale(kosten_eur)::text AS eur`,
    )) as unknown as Event[];
    const answer = await service.app.inject({
      url: `/v1/cockpit/zwilling${LATEST}`,
      headers: { cookie: ours.account.cookie },
    });
    const twin = answer.json();
    expectExact(twin);
    twin.agenten.forEach(expectExact);
    expect(twin.aufrufe).toBe(events.length);
    expect(sum([twin.real_eur])).toBe(total(events));
    expect(twin.ursachen.reduce((eur: bigint, each: Amounts) => eur + saved(each), 0n)).toBe(saved(twin));
    expect(twin.agenten.reduce((eur: bigint, each: Amounts) => eur + saved(each), 0n)).toBe(saved(twin));
    const by = Object.fromEntries(twin.ursachen.map((each: { ursache: string }) => [each.ursache, each]));
    const repeats = events.filter(({ wiederholung }) => wiederholung);
    const stopped = await stoppedOf(ours, events);
    expect([by.wiederholungen.aufrufe, saved(by.wiederholungen)]).toEqual([repeats.length, total(repeats)]);
    expect([by.angehalten.aufrufe, saved(by.angehalten)]).toEqual([stopped.length, total(stopped)]);
    const failedElse = events.filter(
      (each) => each.failed && !repeats.includes(each) && !stopped.includes(each),
    );
    expect(by.fehlversuche.aufrufe).toBeLessThanOrEqual(failedElse.length);
    causes += twin.ursachen.filter(({ aufrufe }: { aufrufe: number }) => aufrufe > 0).length;
    await service.sql('UPDATE zwilling_tage SET geaendert = -1 WHERE mandant_id = $1', [ours.mandant]);
    await reader.readRested();
    expect(await readSavings(ours)).toEqual(savings);
  }
  // The runs made by chance had something of nearly every cause.
  expect(causes).toBeGreaterThan(3 * fuzzRuns(4));
});
