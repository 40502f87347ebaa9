/** What told of calls: by library, with what is missing and what helps. */
import { expect, test } from 'vitest';
import { answerOf } from '../../../test/examples.ts';
import { openAt, screen } from '../../../test/open.tsx';
import type { Quelle } from '../../api/types.ts';
import { libraryOf } from './libraries.ts';

const [example] = answerOf('cockpitQuellen').quellen as [Quelle];
const source = (said: Partial<Quelle>, luecken: Partial<Quelle['luecken']> = {}): Quelle => ({
  ...example,
  ...said,
  luecken: { ...example.luecken, aufrufe: 200, ...luecken },
});

test('a library names its gaps with the remedy for it, and the part of a subscription', async () => {
  const { user } = await openAt('/anbindung', {
    answers: {
      cockpitQuellen: {
        quellen: [
          source(
            {
              bibliothek: 'opentelemetry.instrumentation.openai_v2',
              quelle: 'otlp',
              schluessel_name: 'Shop',
            },
            { ohne_cache: 150, ohne_endkunde: 200 },
          ),
          source({ bibliothek: '', quelle: 'ingest', version: '', abo_kosten_eur: '1.50' }),
          source({ bibliothek: '', quelle: '', version: '' }),
        ],
      },
    },
  });
  await screen.findByRole('table', { name: 'Quellen' });
  screen.getByText('Selbst gemeldet');
  screen.getByText('Weitere zusammen');
  screen.getByText(/davon 1,50\s€ Listenpreis, Abonnement/);
  screen.getByText(/25\s%/);
  await user.click(screen.getByRole('button', { name: 'OpenTelemetry: openai_v2: was fehlt und was hilft' }));
  screen.getByText(/^ohne Angabe, was aus dem Cache kam/);
  screen.getByText(/customer am Span oder in OTEL_RESOURCE_ATTRIBUTES/);
  screen.getByText(/Besser: openinference-instrumentation-openai/);
});

test.each([
  ['opentelemetry.instrumentation.openai_v2', 'openaiV2'],
  ['opentelemetry.instrumentation.openai.v1', 'openllmetry'],
  ['openinference.instrumentation.openai', 'openinference'],
  ['com.anthropic.sdk.python', null],
  ['ai', 'aiSdk'],
])('%s is %s', (scope, library) => {
  expect(libraryOf(scope)).toBe(library);
});
