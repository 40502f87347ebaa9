/** The official clients, in their two newest majors, with nothing changed but their base URL. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { expectTrue } from '../clients/typescript/matrix/counted.ts';
import { libraries } from '../clients/typescript/matrix/install.ts';
import { LIBRARIES, type Program } from '../clients/typescript/matrix/libraries.ts';
import { type Service, startService } from '../clients/typescript/matrix/service.ts';
import { type FakeProvider, startFakeProvider } from '../test/fake-provider/index.ts';
import { startTestProxy, type TestProxy } from './test-proxy.ts';
import { endPrograms, pythonLibraries } from './test-python-clients.ts';

let fake: FakeProvider;
let service: Service;
let proxy: TestProxy | undefined;
let tag: string;
const RUN = crypto.randomUUID();
const load = await libraries();
const inPython = await pythonLibraries();
// Amazon's client signs without it, and a signature holds for one host.
process.env.AWS_BEARER_TOKEN_BEDROCK = 'bedrock-key';
beforeAll(async () => {
  fake = await startFakeProvider();
});
afterAll(async () => {
  delete process.env.AWS_BEARER_TOKEN_BEDROCK;
  await fake?.stop();
});
beforeEach(async () => {
  tag = crypto.randomUUID();
  service = await startService();
});
afterEach(async () => {
  await endPrograms();
  await proxy?.stop(0);
  await service?.stop();
});

interface Library {
  name: string;
  start(url: string): Promise<Program>;
}

/** With nothing of ours, whichever language they are written in. */
const ALL: Library[] = [
  ...LIBRARIES.map(
    (library): Library => ({
      name: library.name,
      async start(url) {
        if (load === null) throw new Error('nothing to load');
        return library.start(load, url, null);
      },
    }),
  ),
  ...inPython.map(({ name, start }): Library => ({ name, start: async (url) => start(url) })),
];

/** What clients know of us: an address. Of one run unless another is named. */
async function begin(library: Library, directions: string[] = []) {
  // Of Cohere's first version the host alone tells that it is a call.
  const name = library.name.startsWith('cohere') ? 'cohere' : 'fake';
  proxy = await startTestProxy(service.baseUrl, { [name]: fake.url(tag, ...directions) });
  const { url } = proxy;
  const startRun = (run: string) => library.start(`${url}/agent/a/run/${run}/${name}`);
  return {
    program: await startRun(RUN),
    startRun,
    plain: () => library.start(fake.url(crypto.randomUUID(), ...directions)),
  };
}

async function collect(stream: AsyncIterable<unknown>): Promise<unknown[]> {
  const parts: unknown[] = [];
  for await (const part of stream) parts.push(part);
  return parts;
}

const failureOf = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => null,
    (error: unknown) => error,
  );

/** Everything that an error says, however a library has wrapped it. */
function wordsOf(error: unknown): string {
  if (!(error instanceof Error)) return JSON.stringify(error);
  const { cause, ...more } = error as Error & { cause?: unknown };
  return [error.message, JSON.stringify(more), ...(cause === undefined ? [] : [wordsOf(cause)])].join(' ');
}

/** A stream to its end or its error; the AI SDK tells of errors within it. */
async function streamed(program: Program, onPart: () => void): Promise<unknown> {
  try {
    for await (const part of await program.stream()) {
      onPart();
      const { type, error } = part as { type?: string; error?: unknown };
      if (type === 'error') return error;
    }
    return null;
  } catch (error) {
    return error;
  }
}

const counted = (count: number) => expect.poll(() => service.events.length).toBe(count);

const AGENT = { objekt_art: 'agent', objekt: 'a' } as const;
const STOPS = [
  ['blocked', { ...AGENT, stufe: 'sperren' }, /agent a is blocked until it is lifted: loop \(Schleife\)/],
  [
    'stopped',
    { ...AGENT, stufe: 'anhalten' },
    /the run is stopped, as are all of agent a that began before \S+, until it is lifted: loop \(Schleife\)\. A new run may begin/,
  ],
] as const;

const isPython = ({ name }: Library) => name.startsWith('Python');

describe.each(ALL.map((library) => [library.name, library] as const))('%s', (_name, library) => {
  const testHere = test.skipIf(load === null && !isPython(library));

  testHere(
    'every call counts once, with the counts that are true, and a stream brings what it brings',
    async () => {
      const { program, plain } = await begin(library);
      const kinds = (parts: unknown[]) =>
        parts.map((part) =>
          Object.keys(part as object)
            .sort()
            .join(),
        );
      await program.json();
      const parts = await collect(await program.stream());
      expect(kinds(parts)).toEqual(kinds(await collect(await (await plain()).stream())));
      await failureOf(program.tool());
      await counted(3);
      expectTrue(service.events, fake.truth(tag));
      for (const event of service.events) expect(event).toMatchObject({ agent: 'a', lauf_id: RUN });
    },
  );

  testHere.each(STOPS)(
    '%s: a refusal is not tried again, and says who, why and where',
    async (_how, stop, said) => {
      const { program, startRun } = await begin(library);
      await program.json();
      service.put(stop);
      await expect.poll(async () => failureOf(program.json())).not.toBe(null);
      const before = fake.truth(tag).length;
      expect(wordsOf(await failureOf(program.json()))).toMatch(said);
      expect(await streamed(program, () => undefined)).not.toBe(null);
      expect(fake.truth(tag).length).toBe(before);
      // A run that begins now is none of those that were stopped.
      const goesOn = (await failureOf((await startRun(crypto.randomUUID())).json())) === null;
      expect(goesOn).toBe(stop.stufe === 'anhalten');
      service.put();
      await expect.poll(async () => failureOf(program.json())).toBe(null);
    },
  );

  testHere.each(STOPS)('%s: a stream under way ends with an error', async (_how, stop) => {
    const { program } = await begin(library, ['slow=20', 'words=2000']);
    let seen = 0;
    const error = await streamed(program, () => {
      seen += 1;
      if (seen === 6) service.put(stop);
    });
    expect(error).not.toBe(null);
    await counted(1);
    expect(service.events).toMatchObject([{ status: 'fehler', fehlercode: 'eingriff' }]);
    expect(fake.truth(tag)).toMatchObject([{ complete: false }]);
  });
});
