/** Replays recorded answers of the reference implementation, where the recording is at hand. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  boolean,
  count,
  datetime,
  decimalInput,
  email,
  optional,
  preset,
  record,
  secret,
  Type,
  text,
  uuid,
} from '#contracts';
import { compileCheck, type Fault, MAX_NESTING, missingBody, nestsDeeperThan, parseJson } from './index.ts';

const directory = process.env.ZW_REFERENCE_DATA ?? join(import.meta.dirname, '../../../../shared/data');
const file = join(directory, 'golden-422.jsonl');

interface Case {
  name: string;
  path: string;
  headers: Record<string, string> | null;
  body: unknown;
  status: number;
  detail: Fault[] | string | null;
}

const counts = [
  'schritt_nr',
  'eingabe_token',
  'ausgabe_token',
  'cache_lese_token',
  'cache_schreib_token',
  'denk_token',
];
const texts = ['anbieter', 'modell', 'agent', 'fehlercode', 'endkunde_ref', 'funktion_ref', 'benutzer_ref'];

const event = Type.Object({
  ereignis_id: optional(uuid()),
  zeitpunkt: optional(datetime()),
  lauf_id: optional(uuid()),
  eltern_span: optional(uuid()),
  ...Object.fromEntries(texts.map((name) => [name, optional(text({ max: 200 }))])),
  ...Object.fromEntries(counts.map((name) => [name, optional(count())])),
  status: Type.Optional(text({ max: 60 })),
  geschaetzt: Type.Optional(boolean()),
  quelle: Type.Optional(text({ max: 60 })),
  zusatz: optional(record()),
});

const CHECKS = {
  '/v1/ereignisse': compileCheck(Type.Object({ ereignisse: Type.Optional(Type.Array(event)) })),
  '/v1/registrieren': compileCheck(
    Type.Object({
      firma: text({ min: 2, max: 120 }),
      email: email(),
      passwort: secret({ min: 10, max: 200 }),
      paket: preset(text(), 'frei'),
      avv_akzeptiert: preset(boolean(), false),
    }),
  ),
  '/v1/cockpit/agenten/{agent_id}/budget': compileCheck(
    Type.Object({ betrag_eur: optional(decimalInput({ min: '0', max: '1000000000' })) }),
  ),
  '/v1/cockpit/endkunden': compileCheck(
    Type.Object({ referenz: text({ min: 1, max: 120 }), name: optional(text()) }),
  ),
  '/v1/cockpit/mandant/alarme': compileCheck(Type.Object({ email: Type.Optional(Type.Array(text())) })),
};

/** Accepted by the reference, refused by the bounds of this service. */
const OWN_BOUNDS: Record<string, string> = {
  int_neg: 'greater_than_equal',
  int_huge: 'less_than_equal',
  int_2e53p1: 'less_than_equal',
  int_i64over: 'less_than_equal',
  json_surrogate: 'string_unicode',
  json_nul: 'string_unicode',
  dec_neg: 'greater_than_equal',
  dec_hugeexp: 'less_than_equal',
  reg_combining: 'value_error',
};

/** The bytes that were sent; two bodies could not be recorded as they were. */
function bytesOf({ name, body }: Case): Buffer {
  if (name === 'json_badutf8') return Buffer.from('{"a":"\xff"}', 'latin1');
  if (name === 'json_deep') return Buffer.from('['.repeat(100_000));
  return Buffer.from(typeof body === 'string' ? body : JSON.stringify(body));
}

/** What the service makes of a request: accepted, faults, or unreadable. */
function answer(request: Case): 'accepted' | 'unreadable' | Fault[] {
  const check = CHECKS[request.path as keyof typeof CHECKS];
  const bytes = bytesOf(request);
  if (bytes.length === 0) return missingBody();
  const asText = request.headers?.['content-type'] !== undefined;
  const parsed = asText
    ? { ok: true as const, value: bytes.toString(), text: '', plainText: true }
    : parseJson(bytes);
  if (!parsed.ok) return parsed.status === 400 ? 'unreadable' : parsed.faults;
  const result = check(parsed.value, ['body'], { plainText: parsed.plainText });
  if (result.ok) return 'accepted';
  return nestsDeeperThan(parsed.text, MAX_NESTING) ? 'unreadable' : result.faults;
}

/** Here the reference shows secrets, and this service does not. */
const withoutSecrets = (faults: Fault[]) =>
  faults.map(({ input, ...fault }) =>
    fault.loc.at(-1) === 'passwort' && fault.type !== 'missing' ? fault : { ...fault, input },
  );

function expected({ name, status, detail }: Case) {
  if (OWN_BOUNDS[name]) return expect.arrayContaining([expect.objectContaining({ type: OWN_BOUNDS[name] })]);
  if (status < 300) return 'accepted';
  return status === 400 ? 'unreadable' : withoutSecrets(detail as Fault[]);
}

describe('the recorded answers of the reference', () => {
  const cases: Case[] = existsSync(file)
    ? readFileSync(file, 'utf8')
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line))
    : [];
  const missing = cases.length === 0;
  const title = missing ? `no recording at ${file}` : 'are given here too';

  it.skipIf(missing)(title, () => {
    const differing = cases.map((request) => ({ name: request.name, answer: answer(request) }));
    expect(differing).toEqual(cases.map((request) => ({ name: request.name, answer: expected(request) })));
  });

  it.skipIf(missing)('have their keys in the same order', () => {
    const faults = cases.map(answer).filter(Array.isArray).flat() as Fault[];
    for (const fault of faults) {
      expect(['type', 'loc', 'msg', 'input', 'ctx'].filter((key) => key in fault)).toEqual(
        Object.keys(fault),
      );
    }
  });

  it.skipIf(missing)('include every exception listed', () => {
    expect(cases.map(({ name }) => name)).toEqual(expect.arrayContaining(Object.keys(OWN_BOUNDS)));
  });
});
